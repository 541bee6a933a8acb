package import ChordataSQL

/// Changes the indexes of a store to those of its model; they may change without a new version hash, and so without a
/// migration.
///
/// If there is nothing to do, nothing is written; otherwise everything or nothing is written. Indexes of other programs
/// are kept; ``reconcileIndexes(_:with:)`` describes how they are distinguished.
func updateIndexes(of definition: ModelDefinition, _ mapping: SchemaMapping, _ connection: SQLiteConnection)
    throws(StoreError)
{
    guard try !reconcileIndexes(readIndexes(connection), with: mapping).isEmpty else { return }
    // Another process may be doing the same, so the necessary changes are known only after the lock was taken.
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
        try requireVersion(definition.versionHash, connection)
        let progress = OperationProgress(expectedCount: nil)
        try connection.cancellable(progress) { () throws(StoreError) in
            try changeIndexes(of: mapping, connection, progress)
        }
        try connection.commit()
        progress?.finish()
    } catch {
        connection.rollBack()
        throw error
    }
}

/// Changes the indexes to those of the model, within a transaction.
/// - Parameter progress: The progress whose units are the new indexes; `nil` if there is none.
func changeIndexes(
    of mapping: SchemaMapping,
    _ connection: SQLiteConnection,
    _ progress: OperationProgress? = nil
) throws(StoreError) {
    let changes = reconcileIndexes(try readIndexes(connection), with: mapping)
    for name in changes.dropped { try connection.execute("DROP INDEX \(quoteIdentifier(name))") }
    progress?.expect(changes.created.count)
    for (count, creation) in changes.created.enumerated() {
        progress?.report(count)
        do throws(StoreError) {
            try connection.execute(renderCreateIndex(creation.index, on: creation.tableName))
        } catch {
            guard error.violation != nil else { throw error }
            let constraint = mapping.uniquenessConstraint(of: creation.index, tableName: creation.tableName)
            let columns = creation.index.elements.map(\.columnName)
            let properties = constraint?.properties ?? columns
            let duplicates = try describeDuplicates(columns, of: creation.tableName, connection)
            throw error.reworded(
                .constraintViolated,
                (duplicates ?? "rows of '\(constraint?.entityName ?? creation.tableName)' have duplicate values")
                    + ", but in the model " + (properties.count > 1 ? "the combination of " : "")
                    + properties.map { "'\($0)'" }.joined(separator: " and ")
                    + " is unique; make the values unique; nothing was changed",
                path: connection.path
            )
        }
    }
}

/// Drops the indexes that use a column, also those of other programs: while one exists, SQLite does not drop the
/// column.
func dropIndexes(of tableName: String, using column: String, _ connection: SQLiteConnection) throws(StoreError) {
    // Expressions and conditions of indexes are available as text only.
    let statement = try connection.prepare(
        """
        SELECT l.name FROM pragma_index_list(?1) AS l JOIN sqlite_schema AS s ON s.type = 'index' AND s.name = l.name
        WHERE l.origin = 'c' AND (
            EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) AS x WHERE x.key = 1 AND x.name = ?2 COLLATE NOCASE)
            OR (l.partial OR EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) AS x WHERE x.cid = -2))
                AND instr(lower(s.sql), lower(?2)) > 0
        )
        """
    )
    statement.bind(tableName, at: 1)
    statement.bind(column, at: 2)
    var names: [String] = []
    while try statement.step() { if let name = statement.text(at: 0) { names.append(name) } }
    statement.reset()
    for name in names { try connection.execute("DROP INDEX \(quoteIdentifier(name))") }
}

/// Returns the indexes of a store, without those that belong to a table's own definition.
package func readIndexes(_ connection: SQLiteConnection) throws(StoreError) -> [StoredIndex] {
    let statement = try connection.prepare(
        """
        SELECT s.name, s.tbl_name, l."unique", l.partial, x.name, x.desc, x.coll, x.cid
        FROM sqlite_schema AS s JOIN pragma_index_list(s.tbl_name) AS l ON l.name = s.name
            JOIN pragma_index_xinfo(s.name) AS x
        WHERE s.type = 'index' AND s.sql IS NOT NULL AND x.key = 1 ORDER BY s.name, x.seqno
        """
    )
    var indexes: [StoredIndex] = []
    while try statement.step() {
        guard let name = statement.text(at: 0), let tableName = statement.text(at: 1) else { continue }
        if indexes.last?.name != name {
            let isPartial = statement.integer(at: 3) != 0
            indexes.append(
                StoredIndex(
                    name: name,
                    tableName: tableName,
                    elements: isPartial ? nil : [],
                    isUnique: statement.integer(at: 2) != 0
                )
            )
        }
        let last = indexes.count - 1
        if let column = statement.text(at: 4), statement.integer(at: 7) >= 0, statement.text(at: 6) == "BINARY" {
            indexes[last].elements?.append(Index.Element(column, isAscending: statement.integer(at: 5) == 0))
        } else {
            indexes[last].elements = nil
        }
    }
    return indexes
}
