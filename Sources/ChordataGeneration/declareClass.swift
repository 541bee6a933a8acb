internal import ChordataConfiguration
internal import ChordataModel
internal import ChordataSQL

/// Declares the class of an entity: its `Values`, its storage, and an accessor for each property.
func declareClass(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftDeclaration {
    let hasSubclasses = context.hasSubclasses(entity)
    let attributes = context.attributes(of: entity)
    var members: [SwiftDeclaration] = [.type(declareValues(entity, context))]
    if let key = declarePropertyKey(entity, context) { members.append(.separated(.type(key))) }
    members += [
        .separated(.type(declareLevel(entity, attributes, context))),
        .separated(
            .variable(
                SwiftVariable(
                    attributes: [.uncheckedExclusivity],
                    access: .private,
                    modifiers: [.final],
                    kind: .var,
                    name: "_level",
                    initialValue: .source("_Level()")
                )
            )
        ),
    ]
    // Functions of a class with subclasses are nevertheless final, and so are properties, unless they must behave like
    // those of Xcode's classes.
    let modifiers: Set<SwiftModifier> = hasSubclasses ? [.final] : []
    for attribute in attributes where !attribute.isIgnored {
        members.append(.separated(.variable(declareAttribute(attribute, modifiers, context))))
    }
    let firstRelationship = attributes.last?.fields.upperBound ?? context.firstField(of: entity)
    for (index, relationship) in entity.declaredRelationships.enumerated() {
        members += declareRelationship(relationship, firstRelationship + index, modifiers, context)
    }
    members += entity.declaredFetchedProperties.map {
        .separated(.variable(declareFetchedProperty($0, modifiers, context)))
    }
    if let initializer = declareInitializer(entity, context) { members.append(.separated(.function(initializer))) }
    members.append(
        .separated(
            .variable(
                SwiftVariable(
                    access: context.classAccess(of: entity),
                    modifiers: [.override, .class],
                    kind: .var,
                    name: "entityName",
                    type: .swift("String"),
                    getter: swiftLiteral(entity.name)
                )
            )
        )
    )
    if context.hasOverridableProperties(entity) { members.append(.separated(.variable(declareOverriding(context)))) }
    members.append(.separated(.function(declareDescribe(entity, context))))
    members.append(.separated(.function(declarePropertyKeyPaths(entity, context))))

    let notes = documentation(of: entity.userInfo)
    return .type(
        SwiftTypeDeclaration(
            documentation: notes.isEmpty ? ["Entity '\(entity.name)'."] : notes,
            access: context.classAccess(of: entity),
            modifiers: hasSubclasses ? [.nonisolated] : [.nonisolated, .final],
            kind: .class,
            name: context.namer.generatedClassName(of: entity),
            inherits: [context.superclass(of: entity)],
            members: members
        )
    )
}

private func declareLevel(
    _ entity: EntityDescription,
    _ attributes: [GeneratedAttribute],
    _ context: GenerationContext
) -> SwiftTypeDeclaration {
    var members: [SwiftDeclaration] = attributes.flatMap(\.leaves).map { leaf in
        .variable(
            SwiftVariable(
                kind: .var,
                name: leaf.name,
                type: leaf.style.storageType,
                initialValue: .source(leaf.style.isStorageOptional ? "nil" : leaf.zero)
            )
        )
    }
    for relationship in entity.declaredRelationships {
        members.append(
            .variable(
                SwiftVariable(
                    kind: .var,
                    name: context.namer.propertyName(relationship.name),
                    initialValue: .source(relationship.isToMany ? "Chordata.ToManySlot()" : "Chordata.ToOneSlot()")
                )
            )
        )
    }
    return SwiftTypeDeclaration(access: .private, kind: .struct, name: "_Level", members: members)
}

private func declareAttribute(
    _ attribute: GeneratedAttribute,
    _ modifiers: Set<SwiftModifier>,
    _ context: GenerationContext
) -> SwiftVariable {
    let description = attribute.attribute
    let fields = attribute.fields
    let coreDataProperty = CoreDataProperty(attribute, context.configuration)
    let storage = "_level.\(attribute.leaves.first?.name ?? "")"
    let getter = coreDataProperty?.getter(storage: storage) ?? attribute.getter(isInPlace: true) { "_level.\($0.name)" }
    let assignments =
        (coreDataProperty?.setter(storage: storage)).map { [$0] }
        ?? attribute.setter(value: "newValue") { "_level.\($0.name)" }
    let isOverridable = coreDataProperty?.isOverridable == true && modifiers.contains(.final)
    let isReadOnly = UserInfoKey.readOnly.flag(in: description.userInfo) == true
    let place = fields.count == 1 ? "\(fields.lowerBound)" : "\(fields.lowerBound)..<\(fields.upperBound)"
    let notes = fields.isEmpty ? [] : ["willChange(\(place))"]
    return SwiftVariable(
        documentation: documentation(of: description.userInfo),
        access: isOverridable ? context.overridableAccess : context.access,
        modifiers: isOverridable ? modifiers.subtracting([.final]) : modifiers,
        setterAccess: isReadOnly && !description.isDerived ? .private : nil,
        kind: .var,
        name: attribute.name,
        type: coreDataProperty?.type ?? attribute.type,
        getter: fields.isEmpty
            ? getter
            : "\(attribute.isExternal ? "willAccessExternal" : "willAccess")(\(fields.lowerBound)); return \(getter)",
        setter: description.isDerived ? nil : (notes + assignments).joined(separator: "; ")
    )
}

/// Declares that the author's classes may override properties, so that the runtime calls the overrides.
private func declareOverriding(_ context: GenerationContext) -> SwiftVariable {
    SwiftVariable(
        attributes: context.attributesOfGeneratedMembers,
        access: context.overridableAccess,
        modifiers: [.override, .class],
        kind: .var,
        name: "hasOverridableProperties",
        type: .swift("Bool"),
        getter: "true"
    )
}

private func declareFetchedProperty(
    _ property: FetchedPropertyDescription,
    _ modifiers: Set<SwiftModifier>,
    _ context: GenerationContext
) -> SwiftVariable {
    let notes = documentation(of: property.userInfo)
    return SwiftVariable(
        documentation: notes.isEmpty
            ? ["Fetches objects of '\(property.fetchRequest.entityName)' on each access."] : notes,
        access: context.access,
        modifiers: modifiers,
        kind: .var,
        name: context.namer.propertyName(property.name),
        type: .array(context.namer.classType(of: property.fetchRequest.entityName)),
        getter: "fetchedObjects(of: \(swiftLiteral(property.name)))"
    )
}

/// Declares an initializer with the required properties that have no default; `nil` if the superclass's is sufficient.
private func declareInitializer(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction? {
    // Xcode's classes have no such initializer, and the author's classes may have one with the same parameters.
    guard !entity.isAbstract, context.configuration.optionality == .model else { return nil }
    let namer = context.namer
    var parameters = [SwiftParameter(name: "context", type: .chordata("ManagedObjectContext"))]
    var body = ["self.init(context: context)"]
    func append(_ name: String, _ type: SwiftType) {
        let parameter = name == "context" ? "context_" : name  // The first parameter has that name.
        parameters.append(SwiftParameter(name: Namer.parameterName(parameter), type: type))
        body.append("self.\(name) = \(parameter)")
    }
    for level in context.model.lineage(of: entity.name) {
        for attribute in context.attributes(of: level) where attribute.isInitializerArgument {
            append(attribute.name, attribute.requiredType)
        }
        for relationship in level.declaredRelationships where relationship.isInitializerArgument {
            append(namer.propertyName(relationship.name), namer.classType(of: relationship.destinationEntityName))
        }
    }
    guard parameters.count > 1 else { return nil }
    return SwiftFunction(
        documentation: ["Inserts an object with its required properties into a context."],
        access: context.access,
        modifiers: [.convenience],
        kind: .initializer,
        parameters: parameters,
        body: body
    )
}

extension RelationshipDescription {
    /// A Boolean value that indicates whether a new object requires an object for the relationship.
    fileprivate var isInitializerArgument: Bool {
        !isToMany && !isOptional && !isTransient && UserInfoKey.ignore.flag(in: userInfo) != true
    }
}

private func declareDescribe(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let name = context.namer.generatedClassName(of: entity)
    var body: [String] = []
    if entity.superentityName != nil { body.append("super.describe(object, in: &layout)") }
    body += [
        "let object = unsafeDowncast(object, to: \(name).self)",
        "layout.addLevel(&object._level, of: object, entityName: \(swiftLiteral(entity.name)), in: \(context.modelType).definition)",
    ]
    return SwiftFunction(
        attributes: context.attributesOfGeneratedMembers,
        access: context.classAccess(of: entity),
        modifiers: [.override, .class],
        kind: .function("describe"),
        parameters: [
            SwiftParameter(label: "_", name: "object", type: .chordata("ManagedObject")),
            SwiftParameter(label: "in", name: "layout", isInout: true, type: .chordata("ClassLayout")),
        ],
        body: body
    )
}
