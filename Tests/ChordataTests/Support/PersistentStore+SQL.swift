import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataSQL

// Statements of the tests themselves, in SQL that both SQLite and PostgreSQL support.

extension PersistentStore {
    /// Executes a statement as another program would: no context is notified.
    func execute(_ sql: String) throws {
        if let database { return try database.write { try $0.execute(sql) } }
        try engine.write(at: [0]) {
            _ = try $0.run(StoreQuery(sql))
        } didCommit: {
        }
    }

    /// The first column of the only row of a query.
    func integer(_ sql: String) throws -> Int64 {
        var value: Int64?
        try engine.withReader { value = try $0.readRow(of: StoreQuery(sql)) { $0.integer(at: 0) } }
        return try #require(value)
    }

    /// The columns of all rows of a query, which are texts; NULL becomes an empty text.
    func texts(_ sql: String, columnCount: Int) throws -> [[String]] {
        var rows: [[String]] = []
        try engine.withReader { reader in
            try reader.forEachRow(of: StoreQuery(sql)) { row in
                rows.append((0..<columnCount).map { row.text(at: Int32($0)) ?? "" })
            }
        }
        return rows
    }

    /// Returns a Boolean value that indicates whether each reference refers to an existing row, which a server
    /// guarantees.
    func hasOnlyValidReferences() throws -> Bool {
        guard let database else { return true }
        return try database.read { try !$0.prepare("PRAGMA foreign_key_check").step() }
    }
}

extension PersistentStore {
    /// Copies the contents and the identifier of another store of the model in the same database of a server.
    ///
    /// Containers that are opened later see the identifier.
    func copyContents(of other: PersistentStore) throws {
        let source = quoteIdentifier(try #require(other.engine as? ServerEngine).schemaName)
        try engine.write(at: [0]) { transaction in
            for table in schema.mapping.tables where table.kind != .system {
                let name = quoteIdentifier(table.name)
                try transaction.run(StoreQuery("INSERT INTO \(name) SELECT * FROM \(source).\(name)"))
            }
            try transaction.run(StoreQuery("DELETE FROM \"_metadata\""))
            try transaction.run(StoreQuery("INSERT INTO \"_metadata\" SELECT * FROM \(source).\"_metadata\""))
            let next = "SELECT \"next\" FROM \(source).\"_sequence\" WHERE \"name\" = 'object'"
            try transaction.run(StoreQuery("UPDATE \"_sequence\" SET \"next\" = (\(next)) WHERE \"name\" = 'object'"))
        } didCommit: {
        }
    }
}
