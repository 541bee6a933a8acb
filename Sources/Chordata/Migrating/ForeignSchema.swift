internal import ChordataSQL

/// Indexes, triggers and views that other programs made in a store: a migration takes them out of its way and puts them back.
struct ForeignSchema {
    private struct Item {
        var type: String
        var name: String
        var table: String
        var sql: String
    }

    private var items: [Item] = []

    /// Finds them, and drops the triggers and views, which would stop tables from being renamed.
    init(in connection: SQLiteConnection) throws(StoreError) {
        let own = Set(try readIndexes(connection).filter(\.isNamedByItsColumns).map(\.name))
        let statement = try connection.prepare(
            """
            SELECT "type", "name", "tbl_name", "sql" FROM sqlite_schema \
            WHERE "type" IN ('index', 'trigger', 'view') AND "sql" IS NOT NULL ORDER BY "type" = 'trigger', rowid
            """
        )
        while try statement.step() {
            guard let type = statement.text(at: 0), let name = statement.text(at: 1),
                let table = statement.text(at: 2), let sql = statement.text(at: 3)
            else { continue }
            if type == "index", own.contains(name) { continue }
            items.append(Item(type: type, name: name, table: table, sql: sql))
        }
        statement.reset()
        for item in items.reversed() where item.type != "index" {
            try connection.execute("DROP \(item.type.uppercased()) \(quoteIdentifier(item.name))")
        }
    }

    /// Makes anew what is not there any more.
    func restore(in connection: SQLiteConnection) throws(StoreError) {
        let statement = try connection.prepare("SELECT count(*) FROM sqlite_schema WHERE \"name\" = ?")
        for item in items {
            statement.reset()
            statement.bind(item.name, at: 1)
            guard try statement.step(), statement.integer(at: 0) == 0 else { continue }
            do throws(StoreError) {
                try connection.execute(item.sql)
            } catch {
                throw StoreError(
                    .migrationFailed,
                    "\(item.type) '\(item.name)' of '\(item.table)', which another program made, does not fit the newer version: "
                        + "\(error.message); drop it, migrate, and make it anew as it is to be",
                    sqliteCode: error.sqliteCode,
                    path: connection.path
                )
            }
        }
    }
}
