internal import ChordataModel
internal import ChordataSQL

// Stores that were created before external storage had its own tables have the bytes in their rows. The model of these
// stores has the same hash, so no migration starts from them; they are recognized by the location of the bytes.

/// Returns a Boolean value that indicates whether a store has all side tables of its model.
func hasExternalTables(_ connection: SQLiteConnection, _ mapping: SchemaMapping) throws(StoreError) -> Bool {
    try missingExternalTables(connection, mapping).isEmpty
}

/// Moves the bytes of attributes with external storage from the rows to side tables, if a store does not have these
/// tables.
///
/// Call this function within a transaction.
/// - Parameter progress: The progress whose units are the new side tables; `nil` if there is none.
func moveInlineData(
    _ connection: SQLiteConnection,
    _ mapping: SchemaMapping,
    _ progress: OperationProgress? = nil
) throws(StoreError) {
    let missing = try missingExternalTables(connection, mapping)
    progress?.expect(missing.count)
    for (count, side) in missing.enumerated() {
        progress?.report(count)
        guard case .external(let table, let column) = side.kind else { continue }
        try connection.execute(renderCreateTable(side))
        let type = try connection.prepare("SELECT \"type\" FROM pragma_table_info(?) WHERE \"name\" = ?")
        type.bind(table, at: 1)
        type.bind(column, at: 2)
        guard try type.step(), type.text(at: 0) == Column.StorageType.blob.rawValue else { continue }
        type.reset()
        try dropIndexes(of: table, using: column, connection)
        let (owner, bytes, length) = (quoteIdentifier(table), quoteIdentifier(column), "\"_length\"")
        for statement in [
            """
            INSERT INTO \(quoteIdentifier(side.name)) ("_id", "bytes") \
            SELECT "_id", \(bytes) FROM \(owner) WHERE \(bytes) IS NOT NULL
            """,
            "ALTER TABLE \(owner) ADD COLUMN \(length) INTEGER",
            "UPDATE \(owner) SET \(length) = length(\(bytes)) WHERE \(bytes) IS NOT NULL",
            "ALTER TABLE \(owner) DROP COLUMN \(bytes)",
            "ALTER TABLE \(owner) RENAME COLUMN \(length) TO \(bytes)",
        ] {
            try connection.execute(statement)
        }
    }
}

/// Moves inline data to side tables in a separate transaction.
func moveInlineDataAtOpen(_ connection: SQLiteConnection, _ definition: ModelDefinition, _ mapping: SchemaMapping)
    throws(StoreError)
{
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
        try requireVersion(definition.versionHash, connection)
        let progress = OperationProgress(expectedCount: nil)
        try connection.cancellable(progress) { () throws(StoreError) in
            try moveInlineData(connection, mapping, progress)
        }
        try connection.commit()
        progress?.finish()
    } catch {
        connection.rollBack()
        // None of these errors concerns the data.
        if [.incompatibleModel, .busy, .full, .outcomeUnknown, .cancelled].contains(error.code) { throw error }
        throw error.reworded(
            .migrationFailed,
            "moving external data out of the rows failed and was undone: \(error.message)",
            path: connection.path
        )
    }
}

private func missingExternalTables(_ connection: SQLiteConnection, _ mapping: SchemaMapping) throws(StoreError)
    -> [Table]
{
    var missing: [Table] = []
    for table in mapping.tables {
        guard case .external = table.kind else { continue }
        let statement = try connection.prepare(
            "SELECT count(*) FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" = ?"
        )
        statement.bind(table.name, at: 1)
        if try statement.step(), statement.integer(at: 0) == 0 { missing.append(table) }
    }
    return missing
}
