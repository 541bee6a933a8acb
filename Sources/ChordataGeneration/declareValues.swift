internal import ChordataModel

/// Declares the flat snapshot of an entity: identity, stored attributes, then to-one relationships, the root's first.
///
/// The runtime fills it by the same order.
func declareValues(_ entity: EntityDescription, _ context: GenerationContext) -> SwiftTypeDeclaration {
    let namer = context.namer
    let access = context.access
    let user = namer.className(of: entity.name)
    func property(_ name: String, _ type: String) -> SwiftDeclaration {
        .variable(SwiftVariable(introducer: access + "let", name: name, type: type))
    }
    var members = [property("objectID", "Chordata.ObjectID<\(user)>")]
    members += entity.attributes.filter(\.isInValues).map { property(namer.propertyName($0.name), $0.swiftType) }
    members += entity.relationships.filter { !$0.isToMany && !$0.isTransient }.map { relationship in
        let destination = namer.className(of: relationship.destinationEntityName)
        return property(namer.propertyName(relationship.name), "Chordata.ObjectID<\(destination)>?")
    }
    return SwiftTypeDeclaration(
        documentation: ["The stored properties of an object, as a value that may go anywhere."],
        introducer: access + "struct",
        name: "Values",
        inherits: ["Chordata.ManagedObjectValues"],
        members: members
    )
}
