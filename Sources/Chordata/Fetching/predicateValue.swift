internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// Returns the value at the end of a path that begins at an object.
func predicateValue(of object: ManagedObject, at path: BoundKeyPath) -> PredicateValue {
    var current = object
    for relationship in path.relationships {
        current.readRowOfFault()
        guard let field = current.runtimeEntity.field(named: relationship.name),
            let next = current.managedObjectContext?.editor.realizeToOne(of: current, field: field.index)
        else { return .null }
        current = next
    }
    switch path.target {
    case .object:
        return .object(
            ObjectReference(rootEntityName: current.runtimeEntity.entity.rootEntityName, key: current.key)
        )
    case .entityName: return .attribute(.string(current.runtimeEntity.entity.name))
    case .attribute:
        current.readRowOfFault()
        guard let field = current.runtimeEntity.field(named: path.attributePath.joined(separator: ".")),
            let value = attributeValue(field.kind, at: current.address(of: field))
        else { return .null }
        // A value that was never set is missing, regardless of the value that its getter returns.
        if current.changes?.unset.contains(field.index) == true { return .null }
        // NaN is null, as in the store, which has no NaN.
        return PredicateValue.attribute(value).isNotANumber ? .null : .attribute(value)
    }
}
