internal import CChordataSQLite
internal import ChordataSQL

/// Records the tables in which the statements of a migration may have written or removed rows, so that only these
/// tables are checked.
final class MigrationWriteTracker {
    /// The actions that SQLite's authorizer reports for the statement that is being prepared.
    private struct Access {
        var written: [(table: String, column: String?)] = []
        var removed: [String] = []
        var isDenied = false
        /// A Boolean value that indicates whether the statement may remove rows that conflict with the rows that it
        /// writes: SQLite does not call the authorizer for these.
        var replaces = false
    }

    private let connection: SQLiteConnection
    private var access = Access()
    /// The root pages of the tables before the migration: renamed tables keep their root pages, rebuilt tables get new
    /// ones.
    private let rootPagesBefore: Set<Int64>
    /// The root pages of the tables in which references were written.
    private var referringPages: Set<Int64> = []
    /// The root pages of the tables from which rows were removed.
    private var shrunkPages: Set<Int64> = []
    /// A Boolean value that indicates whether a statement may have written or removed a row.
    private(set) var hasWrittenRows = false
    /// A Boolean value that indicates whether the statement that was prepared last may remove rows.
    var removesRows: Bool { !access.removed.isEmpty || access.replaces && !access.written.isEmpty }
    /// A Boolean value that indicates whether the statement that was prepared last may write rows.
    var writesRows: Bool { !access.written.isEmpty }

    init(_ connection: SQLiteConnection) throws(StoreError) {
        self.connection = connection
        rootPagesBefore = Set(try Self.rootPages(connection).values)
    }

    private static func rootPages(_ connection: SQLiteConnection) throws(StoreError) -> [String: Int64] {
        let statement = try connection.prepare(
            "SELECT \"name\", \"rootpage\" FROM sqlite_schema WHERE \"type\" = 'table'"
        )
        var pages: [String: Int64] = [:]
        while try statement.step() {
            if let name = statement.text(at: 0) { pages[name] = statement.integer(at: 1) }
        }
        return pages
    }

    /// Prepares a statement, and records the rows that it may write or remove.
    ///
    /// SQLite rolls back a transaction automatically after some errors; a later statement would then be a separate
    /// transaction.
    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        try connection.requireTransaction()
        access = Access(replaces: replacesRows(sql))
        let owner = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_set_authorizer(
            connection.handle,
            { owner, action, first, second, database, trigger in
                guard let owner else { return SQLITE_OK }
                let writeTracker = Unmanaged<MigrationWriteTracker>.fromOpaque(owner).takeUnretainedValue()
                // Temporary tables are not part of the store.
                let isWrite = [SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE].contains(action)
                if isWrite, let database, String(cString: database) == "temp" { return SQLITE_OK }
                // The text of a trigger is not examined, so any of its statements may replace rows.
                if isWrite, trigger != nil { writeTracker.access.replaces = true }
                return writeTracker.allow(action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
            },
            owner
        )
        defer { sqlite3_set_authorizer(connection.handle, nil, nil) }
        let statement: SQLiteStatement
        do throws(StoreError) {
            statement = try connection.prepare(sql)
        } catch {
            guard access.isDenied else { throw error }
            throw refusedStatement("BEGIN, COMMIT, ROLLBACK, SAVEPOINT, ATTACH and PRAGMA", path: connection.path)
        }
        try recordAccess()
        return statement
    }

    /// Records an action of the statement that is being prepared.
    /// - Returns: `SQLITE_OK` or `SQLITE_DENY`.
    private func allow(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
        switch action {
        case SQLITE_TRANSACTION, SQLITE_SAVEPOINT, SQLITE_ATTACH, SQLITE_DETACH:
            access.isDenied = true
            return SQLITE_DENY
        // A setting remains in effect for the program's own statements, and may disable the checks of a migration.
        case SQLITE_PRAGMA where second != nil && !Self.harmlessPragmas.contains(first?.lowercased() ?? ""):
            access.isDenied = true
            return SQLITE_DENY
        case SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
            guard let table = first, !table.hasPrefix("sqlite_") else { return SQLITE_OK }
            if action == SQLITE_DELETE {
                access.removed.append(table)
            } else {
                access.written.append((table, action == SQLITE_UPDATE ? second : nil))
            }
            return SQLITE_OK
        // All other actions do not change rows, or they rebuild tables, which the root pages show.
        default: return SQLITE_OK
        }
    }

    /// Records that any row of some tables may have been written or removed.
    func recordEverything(of tables: Set<String>) throws(StoreError) {
        hasWrittenRows = true
        let pages = try Self.rootPages(connection).filter { tables.contains($0.key) }.values
        referringPages.formUnion(pages)
        shrunkPages.formUnion(pages)
    }

    /// Records that column names now refer to other values than before.
    func recordOtherColumns() { hasWrittenRows = true }

    private func recordAccess() throws(StoreError) {
        guard !access.written.isEmpty || !access.removed.isEmpty else { return }
        hasWrittenRows = true
        let pages = try Self.rootPages(connection)
        for (table, column) in access.written {
            guard let page = pages[table] else { continue }
            // A row with a new key is another row; the key column has two names.
            let isKey = column.map { ["_id", "rowid"].contains($0.lowercased()) } ?? false
            if isKey || access.replaces { shrunkPages.insert(page) }
            guard let column else {
                referringPages.insert(page)
                continue
            }
            if try refers(table, by: column) { referringPages.insert(page) }
        }
        for table in access.removed { if let page = pages[table] { shrunkPages.insert(page) } }
    }

    private func refers(_ table: String, by column: String) throws(StoreError) -> Bool {
        let statement = try connection.prepare("SELECT count(*) FROM pragma_foreign_key_list(?) WHERE \"from\" = ?")
        statement.bind(table, at: 1)
        statement.bind(column, at: 2)
        return try statement.step() && statement.integer(at: 0) > 0
    }

    /// Pragmas that only read tables, and pragmas whose values only other programs read.
    private static let harmlessPragmas: Set<String> = [
        "application_id", "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "integrity_check",
        "quick_check", "table_info", "table_list", "table_xinfo", "user_version",
    ]

    /// Returns the tables whose root pages did not belong to a table before the migration.
    func tablesMadeAnew() throws(StoreError) -> Set<String> {
        Set(try Self.rootPages(connection).filter { !rootPagesBefore.contains($0.value) }.keys)
    }

    /// Returns the tables in which references may be dangling.
    func tablesToCheck() throws(StoreError) -> [String] {
        let pages = try Self.rootPages(connection)
        // With auto_vacuum, tables move when other tables are dropped,
        // https://sqlite.org/fileformat2.html#the_database_header.
        if try connection.integer("PRAGMA auto_vacuum") != 0 { return pages.keys.ordered(by: <) }
        // A rebuilt table may lack rows that others reference.
        let shrunk = Set(pages.filter { shrunkPages.contains($0.value) || !rootPagesBefore.contains($0.value) }.keys)
        let foldedShrunk = Set(shrunk.map(foldedName))
        var tables: [String] = []
        for (table, page) in pages.orderedByKey {
            let statement = try connection.prepare("SELECT \"table\" FROM pragma_foreign_key_list(?)")
            statement.bind(table, at: 1)
            var references: Set<String> = []
            while try statement.step() { if let name = statement.text(at: 0) { references.insert(foldedName(name)) } }
            let isWritten = referringPages.contains(page) || !rootPagesBefore.contains(page)
            if !references.isEmpty, isWritten || !references.isDisjoint(with: foldedShrunk) { tables.append(table) }
        }
        return tables
    }
}

/// Returns a Boolean value that indicates whether a statement uses `REPLACE` to resolve conflicts, and not only as the
/// function of that name.
private func replacesRows(_ sql: String) -> Bool {
    var rest = Substring(sql.uppercased())
    while let word = rest.firstRange(of: "REPLACE") {
        rest = rest[word.upperBound...]
        if rest.first(where: { !$0.isWhitespace }) != "(" { return true }
    }
    return false
}
