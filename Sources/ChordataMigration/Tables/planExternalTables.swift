internal import ChordataModel
internal import ChordataSQL

/// Plans the tables of bytes that are stored externally, and the source of their rows.
func planExternalTables(_ tables: [TablePlan], _ match: MigrationMatch) -> [ExternalTablePlan] {
    var taken: Set<String> = []
    return match.destinationMapping.tables.compactMap { table in
        guard case .external(let owner, let column) = table.kind,
            let plan = tables.first(where: { $0.table.name == owner }),
            let columnPlan = plan.columns.first(where: { $0.column.name == column })
        else { return nil }
        let source = sourceOfBytes(column, plan, match)
        let existingTable = existingExternalTable(source.bytes, columnPlan, plan, match).flatMap {
            taken.insert($0.name).inserted ? $0 : nil
        }
        // A table that is kept also has the bytes of rows that no entity keeps.
        let places = source.bytes + (existingTable.map { [.init(table: $0.name, column: "bytes")] } ?? [])
        return ExternalTablePlan(
            table: table,
            existingTable: existingTable,
            newName: newName(of: table, replacing: existingTable, match),
            owner: ExternalTablePlan.Bytes(table: owner, column: column),
            bytes: source.bytes,
            fill: columnPlan.values.values.contains { $0.fill != nil } ? source.defaultValue : nil,
            mayDangle: places.contains { !entitiesWithBytes($0, match).isSubset(of: source.owners) },
            causes: columnPlan.causes
        )
    }
}

/// The locations of the old bytes of a column.
private struct BytesSource {
    var bytes: [ExternalTablePlan.Bytes] = []
    /// The old entities whose rows keep their bytes.
    var owners: Set<String> = []
    var defaultValue: ValueExpression?
}

private func sourceOfBytes(_ column: String, _ plan: TablePlan, _ match: MigrationMatch) -> BytesSource {
    var source = BytesSource()
    for entity in match.destinationMapping.entities where entity.tableName == plan.table.name {
        guard let attribute = entity.attributes.first(where: { $0.columnName == column }) else { continue }
        source.defaultValue = attribute.attribute.defaultValue.map { .defaultValue($0) }
        guard let flow = plan.flows.first(where: { $0.destination == entity.entityName }),
            let path = match.models.sourcePath(of: attribute.path, in: entity.entityName),
            let old = match.sourceMapping.entity(named: flow.source)?.attribute(at: path)
        else { continue }
        source.owners.insert(flow.source)
        let sideTable = old.externalTableName.map { ExternalTablePlan.Bytes(table: $0, column: "bytes") }
        let found = sideTable ?? ExternalTablePlan.Bytes(table: flow.origin, column: old.columnName)
        if !source.bytes.contains(found) { source.bytes.append(found) }
    }
    return source
}

/// Returns the old side table that a side table continues.
private func existingExternalTable(
    _ bytes: [ExternalTablePlan.Bytes],
    _ column: ColumnPlan,
    _ plan: TablePlan,
    _ match: MigrationMatch
) -> Table? {
    guard let owner = plan.existingTable?.name else { return nil }
    if let only = bytes.first, bytes.count == 1 {
        guard let old = match.sourceMapping.table(named: only.table), case .external(owner, _) = old.kind else {
            return nil
        }
        return old
    }
    // If no rows have the attribute, there are no bytes, and the table is still the same.
    guard bytes.isEmpty, column.values.isEmpty, let origin = column.emptyOrigin else { return nil }
    return match.sourceMapping.externalTable(ofColumn: origin, in: owner)
}

/// Returns the old entities that have bytes in a location.
private func entitiesWithBytes(_ place: ExternalTablePlan.Bytes, _ match: MigrationMatch) -> Set<String> {
    let owners = match.sourceMapping.entities.filter { entity in
        match.isConcreteSource(entity.entityName)
            && entity.attributes.contains { attribute in
                attribute.externalTableName == place.table
                    || entity.tableName == place.table && attribute.columnName == place.column
            }
    }
    return Set(owners.map(\.entityName))
}
