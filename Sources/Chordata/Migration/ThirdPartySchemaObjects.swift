internal import ChordataSQL

/// Indexes, triggers and views that other programs created in a store.
///
/// A migration drops the triggers and views, and restores all missing objects at its end.
struct ThirdPartySchemaObjects {
    private struct Item {
        var type: String
        var name: String
        var table: String
        var sql: String
        /// A Boolean value that indicates whether the object can be used; SQLite checks this only when the object is
        /// used.
        var isUsable = true
    }

    private var items: [Item] = []
    /// Tables of other programs with references that were broken before the migration, so the migration is not the
    /// cause.
    private(set) var tablesWithBrokenReferences: Set<String> = []
    /// A Boolean value that indicates whether other programs have created nothing in the store.
    private(set) var isEmpty = true

    /// Finds the objects, and drops the triggers and views, which would prevent tables from being renamed.
    ///
    /// - Parameter ownTables: The tables that Chordata created; `nil` if they are unknown.
    init(in connection: SQLiteConnection, ownTables: Set<String>?) throws(StoreError) {
        if let ownTables { try findBrokenReferences(ownTables, connection) }
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
        if !items.isEmpty { isEmpty = false }
        for index in items.indices { items[index].isUsable = try failure(of: items[index], in: connection) == nil }
        for item in items.reversed() where item.type != "index" {
            try connection.execute("DROP \(item.type.uppercased()) \(quoteIdentifier(item.name))")
        }
    }

    private mutating func findBrokenReferences(_ ownTables: Set<String>, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        let names = try connection.rows(
            "SELECT \"name\" FROM pragma_table_list WHERE \"schema\" = 'main' AND \"type\" = 'table' AND \"name\" NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        )
        for case .text(let name)? in names.map(\.first) where !ownTables.contains(name) && name != Table.history.name {
            isEmpty = false
            do throws(StoreError) {
                let broken = try connection.rows("SELECT 1 FROM pragma_foreign_key_check(?) LIMIT 1", [.text(name)])
                if !broken.isEmpty { tablesWithBrokenReferences.insert(name) }
            } catch {
                // The table references columns that are not a key of the other table; with foreign keys on, every write
                // to the table fails.
                guard error.isForInvalidStatement else { throw error }
                tablesWithBrokenReferences.insert(name)
            }
        }
    }

    /// Creates again the objects that no longer exist.
    func restore(in connection: SQLiteConnection) throws(StoreError) {
        let statement = try connection.prepare("SELECT count(*) FROM sqlite_schema WHERE \"name\" = ?")
        let own = Set(try readIndexes(connection).filter(\.isNamedByItsColumns).map(\.name))
        for item in items {
            // Without this check, the index would be lost without an error.
            if item.type == "index", own.contains(item.name) {
                throw StoreError(
                    .migrationFailed,
                    "index '\(item.name)' of '\(item.table)', created by another program, has the name of an index "
                        + "that the newer version needs; drop it, migrate, then create it again under another name",
                    path: connection.path
                )
            }
            statement.reset()
            statement.bind(item.name, at: 1)
            guard try statement.step(), statement.integer(at: 0) == 0 else { continue }
            do throws(StoreError) {
                try connection.execute(item.sql)
            } catch {
                throw misfit(item, error, connection)
            }
            if item.type == "trigger" { try requireUsable(item, connection) }
        }
        // A view may select from another view that is created after it.
        for item in items where item.type == "view" { try requireUsable(item, connection) }
    }

    private func requireUsable(_ item: Item, _ connection: SQLiteConnection) throws(StoreError) {
        guard item.isUsable, let error = try failure(of: item, in: connection) else { return }
        throw misfit(item, error, connection)
    }

    /// Returns the error of SQLite for statements that use a view or fire a trigger; `nil` if there is no error.
    private func failure(of item: Item, in connection: SQLiteConnection) throws(StoreError) -> StoreError? {
        let name = quoteIdentifier(item.type == "trigger" ? item.table : item.name)
        var uses: [String] = []
        if item.type == "view" { uses = ["SELECT * FROM \(name)"] }
        // Writes to a view only fire triggers, and a view does not need triggers for all kinds of writes.
        if item.type == "trigger", !items.contains(where: { $0.type == "view" && $0.name == item.table }) {
            let columns = try connection.prepare("SELECT \"name\" FROM pragma_table_info(?)")
            columns.bind(item.table, at: 1)
            var assignments: [String] = []
            while try columns.step() {
                if let column = columns.text(at: 0).map(quoteIdentifier) { assignments.append("\(column) = \(column)") }
            }
            uses = [
                "INSERT INTO \(name) DEFAULT VALUES", "DELETE FROM \(name)",
                "UPDATE \(name) SET \(assignments.joined(separator: ", "))",
            ]
        }
        for use in uses {
            do throws(StoreError) {
                _ = try connection.prepare(use)
            } catch {
                return error
            }
        }
        return nil
    }

    private func misfit(_ item: Item, _ error: StoreError, _ connection: SQLiteConnection) -> StoreError {
        error.reworded(
            .migrationFailed,
            "\(item.type) '\(item.name)' of '\(item.table)', created by another program, is not valid in the newer "
                + "version: \(error.message); drop it, migrate, then create it again for the new tables",
            path: connection.path
        )
    }
}
