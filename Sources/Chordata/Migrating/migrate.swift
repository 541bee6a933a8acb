internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Takes a store along a chain of migrations in one transaction: it ends new, or stays as it was.
func migrate(
    _ connection: SQLiteConnection,
    along chain: [ModelDefinition.Migration],
    of definition: ModelDefinition,
    _ mapping: SchemaMapping
) throws(StoreError) {
    // A table rebuild with foreign keys on would delete the rows that refer to it, and the pragma does nothing inside a
    // transaction, https://sqlite.org/lang_altertable.html step 1. So it is set before, and read back.
    try connection.execute("PRAGMA foreign_keys=OFF")
    guard try connection.integer("PRAGMA foreign_keys") == 0 else {
        throw StoreError(
            .migrationFailed,
            "foreign keys cannot be switched off; nothing was changed",
            path: connection.path
        )
    }
    do throws(StoreError) {
        try connection.execute("BEGIN EXCLUSIVE")
        for step in chain {
            let started = Date().timeIntervalSinceReferenceDate
            try connection.execute(step.sql)
            try recordMigration(step, started: started, connection)
        }
        try moveInlineData(connection, mapping)
        // The steps begin with the indexes that their versions ask for now, a store with those that they asked for once.
        try changeIndexes(of: mapping, connection)
        guard try connection.text("SELECT \"table\" FROM pragma_foreign_key_check LIMIT 1") == nil else {
            throw StoreError(.migrationFailed, "rows refer to rows that do not exist", path: connection.path)
        }
        let uuid = try readMetadata(connection).storeUUID
        try writeMetadata(StoreMetadata(definition, storeUUID: uuid), connection)
        try connection.execute("COMMIT")
    } catch {
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        let steps = chain.map { "'\($0.source)' to '\($0.destination)'" }.joined(separator: ", ")
        throw StoreError(
            .migrationFailed,
            "migration \(steps) failed and was undone: \(error.message)\(remedy(for: error))",
            sqliteCode: error.sqliteCode,
            path: connection.path
        )
    }
    try connection.execute("PRAGMA foreign_keys=ON")
}

/// What to do about rows that the newer version does not allow for.
private func remedy(for error: StoreError) -> String {
    // U13: a constraint that is new, or has fewer properties.
    if error.code == .constraintViolated { return " (134111)" }
    if error.sqliteCode == chordata_constraint_unique {
        return "; rows have the same values, of which the newer version wants each once: "
            + "make them differ with the older one (134111)"
    }
    // Rows that have the bytes that their version should have beside them.
    let isForInlineData =
        error.message.contains("no such table: _external_")
        || error.message.contains("cannot store BLOB value in INTEGER column")
    return isForInlineData
        ? "; the store has external data in its rows, so open it once with a program whose current version is that of the store"
        : ""
}

private func recordMigration(
    _ step: ModelDefinition.Migration,
    started: Double,
    _ connection: SQLiteConnection
) throws(StoreError) {
    let statement = try connection.prepare(
        """
        INSERT INTO "_migration" ("source", "destination", "checksum", "started", "finished") VALUES (?, ?, ?, ?, ?)
        """
    )
    statement.bind(step.source, at: 1)
    statement.bind(step.destination, at: 2)
    statement.bind(sha256(Array(step.sql.utf8)), at: 3)
    statement.bind(started, at: 4)
    statement.bind(Date().timeIntervalSinceReferenceDate, at: 5)
    try statement.run()
}
