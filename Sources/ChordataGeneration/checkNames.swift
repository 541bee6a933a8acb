internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataModel
internal import ChordataModelFile

/// Finds names that are invalid in Swift, collide, or shadow names that users often write.
func checkNames(_ bundle: ModelBundle, _ context: GenerationContext) -> [Diagnostic] {
    var checker = NameChecker(version: bundle.currentVersion, context: context)
    checker.checkTypes()
    for entity in bundle.currentVersion.model.entities {
        checker.checkComposites(of: entity)
        checker.checkMembers(of: entity)
        checker.checkStorage(of: entity)
    }
    checker.checkFetchRequests()
    return checker.diagnostics
}

private struct NameChecker {
    let version: ModelVersion
    let context: GenerationContext
    private var namer: Namer { context.namer }
    private(set) var diagnostics: [Diagnostic] = []

    init(version: ModelVersion, context: GenerationContext) {
        self.version = version
        self.context = context
    }

    // MARK: Types

    /// Checks that every generated type has a unique name.
    mutating func checkTypes() {
        // Generated code names these modules and this type in full.
        var owners = [
            context.modelType: "the generated type of the model",
            "Values": "the struct that is generated in every class for its values",
            "PropertyKey": "the enumeration that is generated in every class for its property names",
        ]
        for module in ["Chordata", "Foundation", "Swift"] {
            owners[module] = "the imported module '\(module)'"
        }
        for entity in version.model.entities where context.configuration.entities[entity.name]?.module == nil {
            let className = namer.plainClassName(of: entity.name)
            for name in Set([className, namer.generatedClassName(of: entity)]).sorted() {
                guard let other = owners.updateValue("entity '\(entity.name)'", forKey: name) else { continue }
                let isFree = owners[entity.name] == nil
                diagnostics.append(
                    Diagnostic(
                        .generatedNameConflict,
                        "entity '\(entity.name)' needs the class name '\(name)', which already belongs to \(other); "
                            + "give entity '\(entity.name)' another class name"
                            + (isFree
                                ? ", for example '\(entity.name)', in the model or as 'class' in \(context.configuration.fileName)"
                                : ""),
                        at: version.locations.entity(entity.name)
                    )
                )
            }
            let plainName = className.filter { $0 != "`" }
            if Namer.namesOfNoClass.contains(plainName) {
                diagnostics.append(
                    Diagnostic(
                        .generatedNameConflict,
                        "entity '\(entity.name)' needs the class name '\(plainName)', which generated code uses for "
                            + "something else; give it another class name",
                        at: version.locations.entity(entity.name)
                    )
                )
            } else {
                checkClass(className, of: entity.name)
            }
        }
    }

    /// Checks the names of composites: their structs are nested in the model's type, where they would shadow classes
    /// with the same names.
    mutating func checkComposites(of entity: EntityDescription) {
        let classes = Set(version.model.entities.map { namer.plainClassName(of: $0.name) })
        for attribute in entity.declaredAttributes {
            for name in compositeNames(of: attribute) {
                let isClass = classes.contains(namer.compositeName(name))
                guard isClass || Namer.namesOfNoComposite.contains(name) else { continue }
                diagnostics.append(
                    Diagnostic(
                        .generatedNameConflict,
                        "composite '\(name)' of '\(attribute.name)' of '\(entity.name)' is generated as a struct, but "
                            + "\(isClass ? "a class of the model already has this name" : "generated code already uses this name"); "
                            + "rename the composite",
                        at: version.locations.property(attribute.name, of: entity.name)
                    )
                )
            }
        }
    }

    private func compositeNames(of attribute: AttributeDescription) -> [String] {
        guard attribute.attributeType == .composite else { return [] }
        return [attribute.compositeName ?? attribute.name] + attribute.elements.flatMap { compositeNames(of: $0) }
    }

    private mutating func checkClass(_ className: String, of entity: String) {
        if Namer.isKeyword(className) {
            reportKeyword(className, "class of entity '\(entity)'", at: version.locations.entity(entity))
        } else if let owner = Namer.shadowedTypes[className] {
            diagnostics.append(
                Diagnostic(
                    .shadowedType,
                    "class '\(className)' of entity '\(entity)' hides \(owner)'s type; write '\(owner).\(className)' "
                        + "for the other type, or give the entity another class name",
                    at: version.locations.entity(entity)
                )
            )
        }
    }

    private mutating func reportKeyword(_ name: String, _ subject: String, at location: SourceLocation?) {
        let plain = name.filter { $0 != "`" }
        diagnostics.append(
            Diagnostic(
                .keywordName,
                "the \(subject) is called '\(plain)', a Swift keyword, and must be written '`\(plain)`' in some "
                    + "places; another name is easier to use",
                at: location
            )
        )
    }

    // MARK: Members

    mutating func checkMembers(of entity: EntityDescription) {
        let names = entity.declaredAttributes.map(\.name) + entity.declaredRelationships.map(\.name)
        let all = Set(entity.propertyNames)
        checkOwnName(of: entity)
        for name in names where Namer.isKeyword(name) || Namer.runtimeMembers.contains(name) {
            let location = version.locations.property(name, of: entity.name)
            if !Namer.runtimeMembers.contains(name) {
                reportKeyword(name, "property of '\(entity.name)'", at: location)
            }
            let property = namer.propertyName(name)
            guard Namer.runtimeMembers.contains(name) else { continue }
            if all.contains(property) {
                diagnostics.append(
                    Diagnostic(
                        .generatedNameConflict,
                        "'\(name)' is a member of every managed object, so this property of '\(entity.name)' would be "
                            + "generated as '\(property)', but the entity has a property '\(property)'; rename one of the two",
                        at: location
                    )
                )
            } else {
                diagnostics.append(
                    Diagnostic(
                        .nameConflict,
                        "'\(name)' is a member of every managed object, so the generated property of '\(entity.name)' is "
                            + "'\(property)'; rename the property in the model to choose another name",
                        at: location
                    )
                )
            }
        }
    }

    /// Checks that no property has the name of its class, which it would hide inside the class.
    private mutating func checkOwnName(of entity: EntityDescription) {
        let names = [namer.plainClassName(of: entity.name), namer.generatedClassName(of: entity), context.modelType]
        for name in entity.propertyNames where names.contains(namer.propertyName(name)) {
            let isModelType = namer.propertyName(name) == context.modelType
            diagnostics.append(
                Diagnostic(
                    .generatedNameConflict,
                    "property '\(name)' of '\(entity.name)' has the name of the \(isModelType ? "model's type" : "entity's class"), "
                        + "which the generated code of the class uses; rename the property, or give the "
                        + (isModelType
                            ? "model another 'name' in \(context.configuration.fileNameOfModel)"
                            : "entity another class name"),
                    at: version.locations.property(name, of: entity.name) ?? version.locations.entity(entity.name)
                )
            )
        }
    }

    /// Checks the composed names of the storage of composites' elements, and of properties with another type in a
    /// snapshot.
    mutating func checkStorage(of entity: EntityDescription) {
        let attributes = context.allAttributes(of: entity)
        var names = Set(entity.relationships.map { namer.propertyName($0.name) })
        names.formUnion(attributes.map(\.name))
        for attribute in attributes {
            for leaf in attribute.leaves {
                let isOwn = leaf.name == attribute.name
                if case .none = leaf.style.conversion, isOwn { continue }
                for name in (isOwn ? [] : [leaf.name]) + ["_" + leaf.name] where !names.insert(name).inserted {
                    diagnostics.append(
                        Diagnostic(
                            .generatedNameConflict,
                            "'\(leaf.path.joined(separator: "."))' of '\(entity.name)' is stored in a property "
                                + "'\(name)', which already exists; rename one of the two",
                            at: version.locations.property(attribute.attribute.name, of: entity.name)
                        )
                    )
                }
            }
        }
    }

    // MARK: Fetch requests

    /// Checks that the functions of one class have different names.
    mutating func checkFetchRequests() {
        var owners: [String: String] = [:]
        for template in version.model.fetchRequestTemplates {
            let function = Namer.functionName(template.name)
            if function == namer.plainClassName(of: template.entityName) {
                diagnostics.append(
                    Diagnostic(
                        .generatedNameConflict,
                        "fetch request '\(template.name)' is generated as the function '\(function)', but the class of entity "
                            + "'\(template.entityName)' has the same name; rename the fetch request, or give the entity another "
                            + "class name",
                        at: version.locations.fetchRequest(template.name)
                    )
                )
            }
            guard let other = owners.updateValue(template.name, forKey: "\(template.entityName).\(function)") else {
                continue
            }
            diagnostics.append(
                Diagnostic(
                    .generatedNameConflict,
                    "fetch requests '\(other)' and '\(template.name)' both become the function '\(function)' of "
                        + "'\(template.entityName)'; rename one",
                    at: version.locations.fetchRequest(template.name)
                )
            )
        }
    }
}
