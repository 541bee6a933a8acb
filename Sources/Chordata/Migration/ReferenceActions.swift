internal import CChordataSQLite
internal import ChordataSQL

// The actions of foreign keys on rows that reference deleted rows. A migration needs them because foreign keys are off
// during the migration. Rows in tables of other programs are left to these programs.

/// The rows that the statements of a closure have deleted, by table.
private final class DeletedRows {
    var keys: [String: [Int64]] = [:]
}

extension SQLiteConnection {
    /// Runs a closure, and then clears the references to the rows that the closure deleted one by one.
    func clearingReferences(of mapping: SchemaMapping, _ body: () throws -> Void) throws {
        let deleted = DeletedRows()
        sqlite3_update_hook(
            handle,
            { owner, operation, _, table, key in
                guard operation == SQLITE_DELETE, let owner, let table else { return }
                let deleted = Unmanaged<DeletedRows>.fromOpaque(owner).takeUnretainedValue()
                deleted.keys[String(cString: table), default: []].append(key)
            },
            Unmanaged.passUnretained(deleted).toOpaque()
        )
        defer { sqlite3_update_hook(handle, nil, nil) }
        try withExtendedLifetime(deleted) { try body() }
        for (table, keys) in deleted.keys.orderedByKey {
            let list = "[\(keys.map(String.init).joined(separator: ","))]"
            for column in mapping.references(to: table) {
                let condition = renderReferences(from: column.name, to: "SELECT \"value\" FROM json_each(?)")
                try run(column.clearing(where: condition), [.text(list)])
            }
        }
    }

    /// Clears all references to rows that do not exist.
    func clearBrokenReferences(of mapping: SchemaMapping) throws(StoreError) {
        for table in mapping.tables {
            for column in mapping.references(to: table.name) {
                let keys = "SELECT \"_id\" FROM \(quoteIdentifier(table.name))"
                try execute(column.clearing(where: renderReferences(from: column.name, toNoneOf: keys)))
            }
        }
    }
}

/// A column that refers to rows of another table.
private struct ReferringColumn {
    var table: Table
    var name: String

    /// Returns the statement that applies the action of the foreign key to the rows that meet a condition.
    func clearing(where condition: String) -> String {
        let cleanup = ReferenceCleanup(deleteAction: table.deleteAction, column: name)
        return renderReferenceCleanup(cleanup, of: table.name, where: condition)
    }
}

extension SchemaMapping {
    fileprivate func references(to tableName: String) -> [ReferringColumn] {
        tables.flatMap { table in
            table.columns.filter { $0.references == tableName }.map { ReferringColumn(table: table, name: $0.name) }
        }
    }
}
