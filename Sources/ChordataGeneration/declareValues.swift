internal import ChordataConfiguration
internal import ChordataModel

/// Declares the flat snapshot of an entity: the object ID, the stored attributes, then the to-one relationships, those
/// of the root entity first.
///
/// The runtime fills the snapshot in the same order. A property whose type differs from that of its storage is
/// computed.
func declareValues(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration {
    let namer = context.namer
    func property(
        _ name: String,
        _ type: SwiftType,
        _ access: SwiftAccess = context.access
    ) -> SwiftDeclaration {
        .variable(SwiftVariable(access: access, kind: .let, name: name, type: type))
    }
    var initializer = ValuesInitializer()
    let identity = SwiftType.chordata("ObjectID", namer.classType(of: entity.name))
    var members = [property("objectID", identity)]
    initializer.take("objectID", identity)
    var computed: [SwiftDeclaration] = []
    for attribute in context.allAttributes(of: entity) {
        let leaves = attribute.leaves.filter(\.isInValues)
        if let leaf = leaves.first, attribute.leaves.count == 1, leaf.name == attribute.name, leaf.isPlainInValues {
            members.append(property(attribute.name, leaf.style.storageType))
            initializer.take(attribute.name, leaf.style.storageType)
            continue
        }
        members += leaves.map { property($0.valuesName, $0.style.storageType, .internal) }
        if !leaves.isEmpty { initializer.take(attribute) }
        // If an element of a composite is transient, the snapshot has the other elements, but not the struct.
        guard leaves.count == attribute.leaves.count, !attribute.attribute.isTransient else { continue }
        computed.append(
            .separated(
                .variable(
                    SwiftVariable(
                        access: context.access,
                        kind: .var,
                        name: attribute.name,
                        type: attribute.type,
                        getter: attribute.getter(isInPlace: false) { $0.valuesName }
                    )
                )
            )
        )
    }
    for relationship in entity.relationships where relationship.isInValues {
        let name = namer.propertyName(relationship.name)
        let destination = namer.classType(of: relationship.destinationEntityName)
        let type = SwiftType.optional(.chordata("ObjectID", destination))
        members.append(property(name, type))
        initializer.take(name, type)
    }
    members += computed
    // Swift synthesizes an initializer, but only for the same module.
    if context.access == .public { members.append(.separated(.function(initializer.declaration(context.access)))) }
    let layout =
        "Chordata.ValuesLayout(of: Self.self, entityName: \(swiftLiteral(entity.name)), in: \(context.modelType).definition)"
    members.append(
        .separated(
            .variable(
                SwiftVariable(
                    access: context.access,
                    modifiers: [.static],
                    kind: .let,
                    name: "layout",
                    initialValue: .source(layout)
                )
            )
        )
    )
    return SwiftTypeDeclaration(
        documentation: ["The stored properties of an object, as a Sendable value."],
        access: context.access,
        kind: .struct,
        name: "Values",
        inherits: [.chordata("ManagedObjectValues")],
        members: members
    )
}

/// Declares the property `values` of an object.
///
/// The property is not in the class, because the property of a subclass has another type.
func declareValuesAccessor(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftDeclaration {
    .extension(
        SwiftExtension(
            modifiers: [.nonisolated],
            extendedType: .chordata("FetchableObject"),
            selfType: context.namer.classType(of: entity.name),
            members: [
                .variable(
                    SwiftVariable(
                        documentation: ["The values of the object, with its unsaved changes."],
                        access: context.access,
                        kind: .var,
                        name: "values",
                        type: context.namer.valuesType(of: entity.name),
                        // The expression omits the name of the class, which may be 'set'.
                        getter: ".init(self)"
                    )
                )
            ]
        )
    )
}

extension GeneratedAttribute.Leaf {
    /// A Boolean value that indicates whether the snapshot has the stored value itself.
    ///
    /// Bytes in a side table may be missing in a snapshot, which no other type can represent.
    fileprivate var isPlainInValues: Bool {
        if case .none = style.conversion { return true }
        return style.isExternal
    }
}

/// The initializer of a snapshot, in the order and with the types of its properties; optional values can be omitted.
private struct ValuesInitializer {
    private var parameters: [SwiftParameter] = []
    private var body: [String] = []

    mutating func take(_ name: String, _ type: SwiftType) {
        appendParameter(name, type)
        body.append("self.\(name) = \(name)")
    }

    mutating func take(_ attribute: GeneratedAttribute) {
        appendParameter(attribute.name, attribute.type)
        body += attribute.setter(value: attribute.name) { $0.isInValues ? "self.\($0.valuesName)" : nil }
    }

    private mutating func appendParameter(_ name: String, _ type: SwiftType) {
        parameters.append(
            SwiftParameter(name: name, type: type, defaultValue: type.isOptional ? .source("nil") : nil)
        )
    }

    func declaration(_ access: SwiftAccess) -> SwiftFunction {
        SwiftFunction(
            documentation: ["Creates values, which need not be those of a stored object."],
            access: access,
            kind: .initializer,
            parameters: parameters,
            body: body
        )
    }
}
