package import ChordataSQL

/// Changes the full-text indexes of a store to those of its model; like other indexes, they may change without a new
/// version hash.
///
/// If there is nothing to do, nothing is written; otherwise everything or nothing is written. A new index is filled
/// with the texts of the table, which reads all its rows.
func updateFullTextIndexes(of definition: ModelDefinition, _ mapping: SchemaMapping, _ connection: SQLiteConnection)
    throws(StoreError)
{
    if !mapping.fullTextIndexes.isEmpty { try requireFullTextSearch(connection) }
    guard try !areCurrent(mapping.fullTextIndexes, connection) else { return }
    // Another process may be doing the same, so the necessary changes are known only after the lock is acquired.
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
        try requireVersion(definition.versionHash, connection)
        let progress = OperationProgress(expectedCount: nil)
        try connection.cancellable(progress) { () throws(StoreError) in
            try changeFullTextIndexes(of: mapping, connection, progress)
        }
        try connection.commit()
        progress?.finish()
    } catch {
        connection.rollBack()
        throw error
    }
}

/// Changes the full-text indexes to those of the model, within a transaction.
/// - Parameter progress: The progress whose units are the new indexes; `nil` if there is none.
func changeFullTextIndexes(
    of mapping: SchemaMapping,
    _ connection: SQLiteConnection,
    _ progress: OperationProgress? = nil
) throws(StoreError) {
    let missing = try missingFullTextIndexes(of: mapping, connection)
    let kept = Set(mapping.fullTextIndexes).subtracting(missing).flatMap(\.statements)
    try dropFullTextIndexes(except: Set(kept), connection)
    progress?.expect(missing.count)
    for (count, index) in missing.enumerated() {
        progress?.report(count)
        try requireFullTextSearch(connection)
        for statement in index.statements { try connection.execute(statement) }
        try connection.execute(index.rebuilding)
    }
}

/// Drops full-text indexes with their triggers.
/// - Parameter kept: The statements of the tables and triggers that are not dropped.
func dropFullTextIndexes(except kept: Set<String> = [], _ connection: SQLiteConnection) throws(StoreError) {
    let parts = try storedParts(connection)
    for part in parts where !kept.contains(part.sql) {
        switch part.type {
        case "table": try dropFullTextTable(part.name, connection)
        default: try connection.execute("DROP TRIGGER \(quoteIdentifier(part.name))")
        }
    }
}

private func dropFullTextTable(_ name: String, _ connection: SQLiteConnection) throws(StoreError) {
    try requireFullTextSearch(connection)
    do throws(StoreError) {
        try connection.execute("DROP TABLE \(quoteIdentifier(name))")
    } catch {
        guard error.isForDamage || error.isForInvalidStatement else { throw error }
        // FTS5 opens an index before it drops it, which fails if the index is damaged. So its tables are dropped one by
        // one.
        try connection.withSchemaWriting { () throws(StoreError) in
            try connection.execute(
                "DELETE FROM sqlite_schema WHERE type = 'table' AND name = \(sqlLiteral(text: name))"
            )
        }
        for ending in FullTextIndex.tableEndings where !ending.isEmpty {
            try connection.execute("DROP TABLE IF EXISTS \(quoteIdentifier(name + ending))")
        }
    }
}

/// Returns the full-text indexes of a model that a store does not have in exactly the same form.
func missingFullTextIndexes(of mapping: SchemaMapping, _ connection: SQLiteConnection) throws(StoreError)
    -> [FullTextIndex]
{
    guard !mapping.fullTextIndexes.isEmpty else { return [] }
    let stored = Set(try storedParts(connection).map(\.sql))
    return mapping.fullTextIndexes.filter { !stored.isSuperset(of: $0.statements) }
}

private func areCurrent(_ indexes: [FullTextIndex], _ connection: SQLiteConnection) throws(StoreError) -> Bool {
    let stored = try storedParts(connection)
    let wanted = indexes.flatMap(\.statements)
    return stored.count == wanted.count && Set(stored.map(\.sql)) == Set(wanted)
}

private struct StoredPart {
    var type: String
    var name: String
    var sql: String
}

/// Returns a Boolean value that indicates whether a store has a full-text index.
func hasFullTextIndexes(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
    try !storedParts(connection).isEmpty
}

/// Returns the triggers and tables of full-text indexes, without the tables that FTS5 creates for itself.
private func storedParts(_ connection: SQLiteConnection) throws(StoreError) -> [StoredPart] {
    // Other programs can have tables and triggers with such a name.
    let statement = try connection.prepare(
        """
        SELECT "type", "name", "sql" FROM sqlite_schema WHERE substr("name", 1, ?2) = ?1
            AND ("type" = 'trigger' AND "sql" LIKE '%; END' AND "sql" LIKE '% INTO "' || ?1 || '%'
                OR "type" = 'table' AND "sql" LIKE 'CREATE VIRTUAL TABLE % USING fts5(%, content_rowid=''_id'', tokenize=%')
            ORDER BY "type" DESC, "name"
        """
    )
    statement.bind(FullTextIndex.namePrefix, at: 1)
    statement.bind(Int64(FullTextIndex.namePrefix.utf8.count), at: 2)
    var parts: [StoredPart] = []
    while try statement.step() {
        guard let type = statement.text(at: 0), let name = statement.text(at: 1), let sql = statement.text(at: 2) else {
            continue
        }
        parts.append(StoredPart(type: type, name: name, sql: sql))
    }
    return parts
}

/// Throws if SQLite was built without FTS5.
func requireFullTextSearch(_ connection: SQLiteConnection) throws(StoreError) {
    guard try connection.integer("SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'") == 0 else { return }
    throw StoreError(
        .unsupportedEnvironment,
        "this build of SQLite has no FTS5, which full-text indexes need; use another build of SQLite, or remove 'fullText' "
            + "from the user info of the entities and open the store once with a build that has FTS5",
        path: connection.path
    )
}

extension SQLiteConnection {
    /// Allows the triggers of full-text indexes, for which older versions of FTS5 need a trusted schema.
    ///
    /// Chordata's own functions and virtual tables cannot be used by a schema in any case.
    package func allowTriggers(of indexes: [FullTextIndex]) throws(StoreError) {
        if !indexes.isEmpty { try allowFullTextTriggers() }
    }

    func allowFullTextTriggers() throws(StoreError) { try set("trusted_schema", to: 1) }
}

/// Returns the full-text indexes that a store has, regardless of its model.
func inspectFullTextIndexes(_ connection: SQLiteConnection) throws(StoreError) -> [StoreInspection.FullText] {
    let parts = try storedParts(connection)
    var indexes: [StoreInspection.FullText] = []
    for part in parts where part.type == "table" {
        let columns = try connection.rows("SELECT name FROM pragma_table_info(?)", [.text(part.name)])
        let triggers = parts.filter { $0.type == "trigger" && $0.sql.contains(" INTO \(quoteIdentifier(part.name)) ") }
        // The table of the documents' sizes is an ordinary table, so it can be read without FTS5.
        let count = try connection.integer("SELECT count(*) FROM \(quoteIdentifier(part.name + "_docsize"))")
        let tables = try connection.rows(
            "SELECT DISTINCT tbl_name FROM sqlite_schema WHERE type = 'trigger' AND name = ?",
            [.text(triggers.first?.name ?? "")]
        )
        var isComplete = triggers.count == 3
        if case .text(let table)?? = tables.first?.first {
            let rowCount = try connection.integer("SELECT count(*) FROM \(quoteIdentifier(table))")
            isComplete = isComplete && rowCount == count
        }
        indexes.append(
            StoreInspection.FullText(
                name: part.name,
                columns: columns.compactMap { if case .text(let name)? = $0.first { name } else { nil } },
                count: count,
                isComplete: isComplete
            )
        )
    }
    return indexes
}

/// Describes the differences between a store's full-text indexes and those of its model; reads all indexed texts.
/// - Parameter connection: A connection that can write, which FTS5's check needs; nothing is changed.
package func fullTextProblems(of mapping: SchemaMapping, _ connection: SQLiteConnection) throws(StoreError) -> [String]
{
    let missing = try missingFullTextIndexes(of: mapping, connection)
    let wanted = Set(mapping.fullTextIndexes.flatMap(\.statements))
    var problems = missing.map { "full-text index '\($0.name)' is missing or different" }
    problems += try storedParts(connection).filter { !wanted.contains($0.sql) }.map {
        "\($0.type) '\($0.name)' is not part of Chordata's schema"
    }
    for index in mapping.fullTextIndexes where !missing.contains(index) {
        do throws(StoreError) {
            try connection.execute(index.check)
        } catch {
            guard error.isForDamage else { throw error }
            problems.append("full-text index '\(index.name)' does not match table '\(index.tableName)'")
        }
    }
    return problems
}
