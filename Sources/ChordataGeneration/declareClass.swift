internal import ChordataModel
internal import ChordataSQL

/// What the passes that declare code need to know.
struct GenerationContext {
    let model: ManagedObjectModel
    let namer: Namer
    /// `public ` or nothing.
    let access: String

    /// The number of the entity's first own field: fields count level by level from the root.
    func firstField(of entity: EntityDescription) -> Int {
        model.lineage(of: entity.name).dropLast().reduce(0) {
            $0 + $1.declaredAttributes.count + $1.declaredRelationships.count
        }
    }
}

/// Declares the class of an entity: its `Values`, its storage, and an accessor per property.
func declareClass(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftDeclaration {
    let namer = context.namer
    let access = context.access
    let hasSubclasses = !entity.subentityNames.isEmpty || entity.codeGeneration == .category
    let openness = access.isEmpty ? "" : "open "
    var members: [SwiftDeclaration] = [
        .type(declareValues(entity, context)),
        .separated(.type(declareLevel(entity, context))),
        .separated(.variable(SwiftVariable(introducer: "private final var", name: "_level", initialValue: "_Level()"))),
    ]
    let firstField = context.firstField(of: entity)
    // Properties of a class that can be inherited from are final all the same.
    let modifiers = access + (hasSubclasses ? "final " : "")
    for (index, attribute) in entity.declaredAttributes.enumerated() {
        members.append(.separated(.variable(declareAttribute(attribute, firstField + index, modifiers, namer))))
    }
    for (index, relationship) in entity.declaredRelationships.enumerated() {
        let field = firstField + entity.declaredAttributes.count + index
        members += declareRelationship(relationship, field, modifiers, context)
    }
    if let initializer = declareInitializer(entity, context) { members.append(.separated(.function(initializer))) }
    members.append(
        .separated(
            .variable(
                SwiftVariable(
                    introducer: "override \(hasSubclasses && !access.isEmpty ? "open " : access)class var",
                    name: "entityName",
                    type: "Swift.String",
                    getter: swiftLiteral(entity.name)
                )
            )
        )
    )
    members.append(.separated(.function(declareDescribe(entity, context))))
    members.append(.separated(.function(declarePropertyKeyPaths(entity, context))))

    let superclass = entity.superentityName.map { namer.className(of: $0) } ?? "Chordata.ManagedObject"
    let documentation = entity.userInfo["documentation"].map { $0.split(separator: "\n").map(String.init) }
    return .type(
        SwiftTypeDeclaration(
            documentation: documentation ?? ["Entity '\(entity.name)'."],
            introducer: hasSubclasses ? "\(openness)nonisolated class" : "\(access)nonisolated final class",
            name: namer.generatedClassName(of: entity),
            inherits: [superclass],
            members: members
        )
    )
}

private func declareLevel(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration {
    var members: [SwiftDeclaration] = []
    for attribute in entity.declaredAttributes {
        members.append(
            .variable(
                SwiftVariable(
                    introducer: "var",
                    name: context.namer.propertyName(attribute.name),
                    type: attribute.swiftType,
                    initialValue: attribute.swiftZero
                )
            )
        )
    }
    for relationship in entity.declaredRelationships {
        members.append(
            .variable(
                SwiftVariable(
                    introducer: "var",
                    name: context.namer.propertyName(relationship.name),
                    initialValue: relationship.isToMany ? "Chordata.ToMany()" : "Chordata.ToOne()"
                )
            )
        )
    }
    return SwiftTypeDeclaration(introducer: "private struct", name: "_Level", members: members)
}

private func declareAttribute(
    _ attribute: AttributeDescription,
    _ field: Int,
    _ modifiers: String,
    _ namer: Namer
) -> SwiftVariable {
    let name = namer.propertyName(attribute.name)
    let storage = "_level.\(name)"
    return SwiftVariable(
        documentation: attribute.userInfo["documentation"].map { $0.split(separator: "\n").map(String.init) } ?? [],
        introducer: modifiers + "var",
        name: name,
        type: attribute.swiftType,
        getter: attribute.isTransient ? storage : "willAccess(\(field)); return \(storage)",
        setter: attribute.isDerived
            ? nil : attribute.isTransient ? "\(storage) = newValue" : "willChange(\(field)); \(storage) = newValue"
    )
}

private func declareRelationship(
    _ relationship: RelationshipDescription,
    _ field: Int,
    _ modifiers: String,
    _ context: GenerationContext
) -> [SwiftDeclaration] {
    let namer = context.namer
    let name = namer.propertyName(relationship.name)
    let destination = namer.className(of: relationship.destinationEntityName)
    guard relationship.isToMany else {
        return [
            .separated(
                .variable(
                    SwiftVariable(
                        introducer: modifiers + "var",
                        name: name,
                        type: destination + "?",
                        getter: "willAccess(\(field)); return toOne(_level.\(name), \(field))",
                        setter: "setToOne(newValue, \(field))"
                    )
                )
            )
        ]
    }
    let isOrdered = relationship.isOrdered
    let collection = isOrdered ? "Chordata.OrderedSet" : "Swift.Set"
    return [
        .separated(
            .variable(
                SwiftVariable(
                    introducer: modifiers + "var",
                    name: name,
                    type: "\(collection)<\(destination)>",
                    getter: "\(isOrdered ? "orderedToMany" : "toMany")(_level.\(name), \(field))",
                    setter: "\(isOrdered ? "setOrderedToMany" : "setToMany")(newValue, \(field))"
                )
            )
        ),
        .separated(
            .function(
                SwiftFunction(
                    introducer: "\(modifiers)func \(namer.accessorName("addTo", relationship.name))",
                    parameters: ["_ object: \(destination)"],
                    body: ["add(object, toMany: \(field))"]
                )
            )
        ),
        .separated(
            .function(
                SwiftFunction(
                    introducer: "\(modifiers)func \(namer.accessorName("removeFrom", relationship.name))",
                    parameters: ["_ object: \(destination)"],
                    body: ["remove(object, fromMany: \(field))"]
                )
            )
        ),
    ]
}

/// An initializer with the required properties that have no default; `nil` where that of the superclass serves.
private func declareInitializer(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction? {
    guard !entity.isAbstract else { return nil }
    let namer = context.namer
    let lineage = context.model.lineage(of: entity.name)
    var parameters = ["context: Chordata.ManagedObjectContext"]
    var body = ["self.init(context: context)"]
    func append(_ property: String, _ type: String) {
        let name = namer.propertyName(property)
        let label = name == "context" ? "context_" : name  // The first parameter has that name.
        parameters.append("\(label): \(type)")
        body.append("self.\(name) = \(label)")
    }
    for level in lineage {
        for attribute in level.declaredAttributes where attribute.isInitializerArgument {
            append(attribute.name, attribute.swiftType)
        }
        for relationship in level.declaredRelationships where relationship.isInitializerArgument {
            append(relationship.name, namer.className(of: relationship.destinationEntityName))
        }
    }
    guard parameters.count > 1 else { return nil }
    return SwiftFunction(
        documentation: ["Inserts an object with its required properties into a context."],
        introducer: "\(context.access)convenience init",
        parameters: parameters,
        body: body
    )
}

private func declareDescribe(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let name = context.namer.generatedClassName(of: entity)
    var body: [String] = []
    if entity.superentityName != nil { body.append("super.describe(object, in: &layout)") }
    body += [
        "let object = unsafeDowncast(object, to: \(name).self)",
        "layout.addLevel(&object._level, of: object)",
    ]
    return SwiftFunction(
        introducer: "\(overrideIntroducer(of: entity, context)) class func describe",
        parameters: ["_ object: Chordata.ManagedObject", "in layout: inout Chordata.ClassLayout"],
        body: body
    )
}

/// The names of all properties, inherited ones included: a key path of a subclass differs from the superclass's.
private func declarePropertyKeyPaths(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftFunction {
    let namer = context.namer
    let user = namer.className(of: entity.name)
    var entries: [String] = []
    func append(_ name: String, to destination: String? = nil) {
        let property = namer.propertyName(name)
        let end = destination.map { ", to: \($0).self" } ?? ""
        entries.append(
            "    Chordata.PropertyKeyPaths(\(swiftLiteral(name)), \\\(user).\(property), \\\(user)?.?.\(property)\(end)),"
        )
    }
    for level in context.model.lineage(of: entity.name) {
        for attribute in level.declaredAttributes { append(attribute.name) }
        for relationship in level.declaredRelationships {
            append(
                relationship.name,
                to: relationship.isToMany ? nil : namer.className(of: relationship.destinationEntityName)
            )
        }
    }
    return SwiftFunction(
        introducer: "\(overrideIntroducer(of: entity, context)) class func propertyKeyPaths",
        suffix: "-> [Chordata.PropertyKeyPaths]",
        body: ["["] + entries + ["]"]
    )
}

private func overrideIntroducer(of entity: EntityDescription, _ context: GenerationContext) -> String {
    let isOpen = !entity.subentityNames.isEmpty || entity.codeGeneration == .category
    return context.access.isEmpty ? "override" : "@_spi(Generated) override \(isOpen ? "open" : "public")"
}
