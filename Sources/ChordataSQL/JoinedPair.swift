import ChordataModel

/// The two ends of a join table.
struct JoinedPair {
    /// The end whose rows are in `source`, and that determines the name of the table.
    var owner: DeclaredRelationship
    /// The relationship that reads the table in the other direction; `nil` when there is no such relationship.
    var inverse: DeclaredRelationship?
    /// A Boolean value that indicates whether the relationship that was passed to the initializer is the inverse.
    var isAskedFromInverse: Bool

    /// Creates the pair to which a relationship belongs; `nil` if it needs no join table, because it is a to-one
    /// relationship or the inverse of one.
    init?(of declared: DeclaredRelationship, in model: ManagedObjectModel) {
        guard declared.relationship.isToMany else { return nil }
        guard let inverse = model.inverse(of: declared.relationship, in: declared.entity) else {
            owner = declared
            isAskedFromInverse = false
            return
        }
        guard inverse.relationship.isToMany else { return nil }
        // Several entities of a hierarchy may declare a relationship with one common inverse; they share the table of
        // the one that the inverse names.
        let this = model.inverse(of: inverse.relationship, in: inverse.entity) ?? declared
        isAskedFromInverse = inverse.key < this.key
        owner = isAskedFromInverse ? inverse : this
        self.inverse = inverse.key == this.key ? nil : isAskedFromInverse ? this : inverse
    }
}

/// Returns the storage of a relationship.
func storage(
    of declared: DeclaredRelationship,
    in model: ManagedObjectModel,
    names: SchemaNames
) -> RelationshipMapping.Storage? {
    let relationship = declared.relationship
    guard relationship.isToMany else { return names.columns[declared.key].map { .column($0) } }
    if let pair = JoinedPair(of: declared, in: model) {
        guard let table = names.joinTables[pair.owner.key] else { return nil }
        return pair.isAskedFromInverse
            ? .joinTable(
                table: table,
                sourceColumn: "destination",
                destinationColumn: "source",
                orderColumn: pair.inverse?.relationship.isOrdered == true ? "_inverse_order" : nil
            )
            : .joinTable(
                table: table,
                sourceColumn: "source",
                destinationColumn: "destination",
                orderColumn: pair.owner.relationship.isOrdered ? "_order" : nil
            )
    }
    guard let inverse = model.inverse(of: relationship, in: declared.entity),
        let table = names.tables[inverse.entity.rootEntityName], let column = names.columns[inverse.key]
    else { return nil }
    return .inverseColumn(
        table: table,
        column: column,
        orderColumn: relationship.isOrdered ? "_order_\(column)" : nil
    )
}
