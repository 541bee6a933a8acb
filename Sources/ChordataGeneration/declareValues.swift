internal import ChordataModel

/// Declares the flat snapshot of an entity: identity, stored attributes, then to-one relationships, the root's first.
///
/// The runtime fills it by the same order. A property of another type than its storage is computed.
func declareValues(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration {
    let namer = context.namer
    let access = context.access
    let user = namer.className(of: entity.name)
    func property(_ name: String, _ type: String, _ access: String = context.access) -> SwiftDeclaration {
        .variable(SwiftVariable(introducer: access + "let", name: name, type: type))
    }
    var members = [property("objectID", "Chordata.ObjectID<\(user)>")]
    var computed: [SwiftDeclaration] = []
    for attribute in context.allAttributes(of: entity) {
        let leaves = attribute.leaves.filter(\.isInValues)
        if let leaf = leaves.first, attribute.leaves.count == 1, leaf.name == attribute.name,
            case .none = leaf.style.conversion
        {
            members.append(property(attribute.name, leaf.style.storageType))
            continue
        }
        guard leaves.count == attribute.leaves.count, !attribute.attribute.isTransient else {
            // A transient element of a composite: the snapshot has the others, and no struct.
            members += leaves.map { property("_\($0.name)", $0.style.storageType, "") }
            continue
        }
        members += leaves.map { property("_\($0.name)", $0.style.storageType, "") }
        computed.append(
            .separated(
                .variable(
                    SwiftVariable(
                        introducer: access + "var",
                        name: attribute.name,
                        type: attribute.type,
                        getter: attribute.getter(prefix: "_", isInPlace: false)
                    )
                )
            )
        )
    }
    members += entity.relationships.filter(\.isInValues).map { relationship in
        let destination = namer.className(of: relationship.destinationEntityName)
        return property(namer.propertyName(relationship.name), "Chordata.ObjectID<\(destination)>?")
    }
    members += computed
    let layout =
        "Chordata.ValuesLayout(of: Self.self, entityName: \(swiftLiteral(entity.name)), in: \(context.modelType).definition)"
    members.append(
        .separated(.variable(SwiftVariable(introducer: access + "static let", name: "layout", initialValue: layout)))
    )
    return SwiftTypeDeclaration(
        documentation: ["The stored properties of an object, as a value that may go anywhere."],
        introducer: access + "struct",
        name: "Values",
        inherits: ["Chordata.ManagedObjectValues"],
        members: members
    )
}
