internal import ChordataModel
internal import ChordataSQL

/// Returns a Boolean value that indicates whether a table must be rebuilt: `ALTER TABLE` only renames, adds and drops
/// plain columns.
///
/// - Parameter existingName: Returns the name of the old table that a table replaces.
func needsRebuild(
    _ table: Table,
    _ flows: [RowFlow],
    _ columns: [ColumnPlan],
    _ droppedColumns: [DroppedColumn],
    _ existingTable: Table,
    existingName: (String) -> String?
) -> Bool {
    if flows.contains(where: { $0.origin != existingTable.name }) { return true }
    // SQLite cannot drop columns that reference other tables, https://sqlite.org/lang_altertable.html, and reads all
    // rows for each other column that it drops.
    if droppedColumns.count > maximumDroppedColumns + table.indexes.count { return true }
    let dropped = Set(droppedColumns.map(\.name))
    if existingTable.columns.contains(where: { dropped.contains($0.name) && $0.references != nil }) { return true }
    var used: Set<String> = []
    for plan in columns {
        if plan.values.values.contains(where: { $0.expression != nil }) || plan.origins.count > 1 { return true }
        guard let name = plan.origins.first ?? (plan.column.keepsName(in: table) ? plan.column.name : nil),
            let old = existingTable.columns.first(where: { $0.name == name })
        else { continue }
        if !used.insert(name).inserted { return true }
        if old.type != plan.column.type || old.isNotNull != plan.column.isNotNull { return true }
        if old.references != plan.column.references.flatMap(existingName) { return true }
    }
    return false
}

/// Each dropped column requires one pass over the rows; a new table requires two passes for all columns, and one for
/// each index.
///
/// Measured with 500,000 rows of ten columns: dropping two columns takes 0.99 s, a new table 0.98 s; with two indexes,
/// dropping four columns takes 1.35 s, a new table 1.33 s.
private let maximumDroppedColumns = 2

extension Column {
    /// Returns a Boolean value that indicates whether the column is one of Chordata's own, which are never renamed.
    func keepsName(in table: Table) -> Bool {
        ["_id", "_version", "_entity"].contains(name) && table.columns.contains { $0.name == name }
    }
}

/// Returns the columns of an old table that the new one does not have, with the changes that removed them.
func droppedColumns(
    of existingTable: Table,
    for table: Table,
    _ columns: [ColumnPlan],
    _ match: MigrationMatch
) -> [DroppedColumn] {
    let used = Set(columns.compactMap { $0.origins.first })
    return existingTable.columns.filter { !used.contains($0.name) && !$0.keepsName(in: table) }.map {
        DroppedColumn(name: $0.name, causes: causesOfRemoved(column: $0.name, of: existingTable, match))
    }
}

private func causesOfRemoved(column: String, of table: Table, _ match: MigrationMatch) -> [ModelChange] {
    if let found = causesOfRemovedOrder(column: column, of: table, match) { return found }
    let name = column.hasPrefix("_order_") ? String(column.dropFirst("_order_".count)) : column
    for entity in match.sourceMapping.entities where entity.tableName == table.name {
        let property =
            entity.attributes.first { $0.columnName == name }?.path[0]
            ?? entity.relationships.first { $0.storage == .column(name) }?.name
        guard let property else { continue }
        let owner = match.sourceDeclarer(of: property, in: entity.entityName)
        return owner.map { match.causes.ofRemovedProperty(property, declaredBy: $0) } ?? []
    }
    return []
}

/// Returns the changes that removed the positions in an ordered to-many at the other end.
private func causesOfRemovedOrder(column: String, of table: Table, _ match: MigrationMatch) -> [ModelChange]? {
    for entity in match.sourceMapping.entities {
        for relationship in entity.relationships {
            guard case .inverseColumn(table.name, _, let order?) = relationship.storage, order == column,
                let owner = match.sourceDeclarer(of: relationship.name, in: entity.entityName)
            else { continue }
            let found = match.causes.ofRemovedProperty(relationship.name, declaredBy: owner)
            if !found.isEmpty { return found }
        }
    }
    return nil
}
