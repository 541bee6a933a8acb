internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Requirements before a migration, so that a store that cannot be migrated is left unchanged, and requirements after a
// migration.

// MARK: Before

/// Rejects a store whose tables differ from the tables that Chordata created, because the SQL of migrations requires
/// these.
func requireNoDrift(of metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StoreError) {
    guard let text = metadata.schema else { return }
    let expected = PhysicalSchema(text: text)
    let differences = try PhysicalSchema(of: expected.tables, in: connection).differences(from: expected)
    guard !differences.isEmpty else { return }
    throw drift(differences, "revert the changes", ", then migrate it", metadata, connection)
}

/// Rejects a store of the current version that lacks a table or column, or has a column of another type; additions by
/// other programs are harmless.
func requireTables(of mapping: SchemaMapping, _ metadata: StoreMetadata, _ connection: SQLiteConnection)
    throws(StoreError)
{
    let expected = PhysicalSchema(mapping)
    let missing = try PhysicalSchema(of: expected.tables, in: connection).missing(from: expected)
    guard !missing.isEmpty else { return }
    throw drift(missing, "revert the changes, or restore the store from a backup", "", metadata, connection)
}

private func drift(
    _ differences: [String],
    _ remedy: String,
    _ outlook: String,
    _ metadata: StoreMetadata,
    _ connection: SQLiteConnection
) -> StoreError {
    StoreError(
        .storeDrifted,
        "is at version '\(metadata.versionName)', but its schema was modified outside of Chordata: "
            + differences.prefix(5).joined(separator: ", ") + (differences.count > 5 ? " and more" : "")
            + "; \(remedy) ('chordata inspect \(connection.path)' prints all details)\(outlook); nothing was changed",
        path: connection.path
    )
}

extension StoreMigration {
    /// Rejects a migration if there is not enough disk space for the data that its SQL writes.
    ///
    /// Rewritten rows are written to the log, together with the freed pages, which SQLite may overwrite; then the log
    /// is written to the file, which has become larger: this needs three times the size of the tables. A copy of the
    /// store needs the size of the store in addition.
    func requireSpace(for scripts: [MigrationScript], copies: Bool, _ connection: SQLiteConnection) throws(StoreError) {
        guard connection.path != ":memory:" else { return }
        let free = chordata_free_space(connection.path)
        let size = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
        let copy = copies ? size : 0
        let texts = scripts.flatMap(\.rewritingStatements)
        guard free >= 0, free < copy + (texts.isEmpty ? 0 : 3 * size) else { return }
        // Measuring tables takes as long as reading them, so they are measured only if the result matters.
        let needed = copy + (texts.isEmpty ? 0 : 3 * (try sizeOfTables(namedIn: texts, connection) ?? size))
        guard free < needed else { return }
        throw StoreError(
            .full,
            "needs \(needed) free bytes when it is migrated, but only \(free) are free; free disk space, "
                + "then try again; nothing was changed",
            path: connection.path
        )
    }

    /// Returns the number of bytes of the tables that some SQL names, with their indexes; `nil` if SQLite cannot
    /// measure them.
    private func sizeOfTables(namedIn texts: [String], _ connection: SQLiteConnection) throws(StoreError) -> Int64? {
        guard try connection.integer("SELECT count(*) FROM pragma_module_list WHERE \"name\" = 'dbstat'") > 0 else {
            return nil
        }
        let all = texts.joined(separator: "\n").lowercased()
        var size: Int64 = 0
        for row in try connection.rows("SELECT \"name\", \"tbl_name\" FROM sqlite_schema WHERE \"rootpage\" > 0") {
            guard case (.text(let name), .text(let table)) = (row[0], row[1]), all.contains(table.lowercased()) else {
                continue
            }
            let pages = try connection.rows(
                "SELECT \"pgsize\" FROM dbstat WHERE \"name\" = ? AND \"aggregate\" = 1",
                [.text(name)]
            )
            if case .integer(let bytes)?? = pages.first?.first { size += bytes }
        }
        return size
    }

    /// Rejects a commit if the log fits on the disk but the grown file does not: saves would fail until there is enough
    /// space.
    func requireSpaceForCheckpoint(_ connection: SQLiteConnection) throws(StoreError) {
        let (size, free) = (chordata_file_size(connection.path), chordata_free_space(connection.path))
        guard connection.path != ":memory:", size >= 0 else { return }
        let needed = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size") - size
        guard free >= 0, needed > 0, free < needed else { return }
        throw StoreError(
            .full,
            "grows by \(needed) bytes when it is migrated, but only \(free) are free; free disk space, then try again",
            path: connection.path
        )
    }

    // MARK: Copying

    /// Copies the store to a file that is named after its version, while the lock prevents others from writing to the
    /// store.
    /// - Returns: The path of the copy.
    func backUp(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StoreError) -> String? {
        guard connection.path != ":memory:" else { return nil }
        // SQLite does not copy from a connection that is about to write.
        let reader = try SQLiteConnection(path: connection.path, mode: .readOnly)
        let name = String(metadata.versionName.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        var number = 1
        while true {
            let path = "\(connection.path).\(name).backup" + (number == 1 ? "" : " \(number)")
            do throws(StoreError) {
                try copyStore(reader, toNewFile: path)
                return path
            } catch {
                // An earlier copy has this name.
                guard error.code == .cannotOpen, FileManager.default.fileExists(atPath: path) else { throw error }
                number += 1
            }
        }
    }

    // MARK: After

    /// Checks the references of rows that were written, and the references to rows that may have been deleted.
    func requireReferences(
        _ writeTracker: MigrationWriteTracker,
        _ foreign: ThirdPartySchemaObjects,
        _ connection: SQLiteConnection
    )
        throws(StoreError)
    {
        for table in try writeTracker.tablesToCheck() where !foreign.tablesWithBrokenReferences.contains(table) {
            guard let broken = try brokenReferences(of: table, connection).first else { continue }
            throw StoreError(brokenReferences: "\(broken.words) that do not exist", path: connection.path)
        }
    }

    /// Returns the message about references that were broken before the failed migration, with a statement that repairs
    /// them.
    func brokenBefore(_ error: StoreError, _ connection: SQLiteConnection) throws(StoreError) -> String {
        guard error.code == .migrationFailed, error.violation == .reference else { return "" }
        let names = try connection.rows("SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table'")
        for case .text(let table)? in names.map(\.first) {
            guard let broken = try brokenReferences(of: table, connection).first else { continue }
            return
                "; \(broken.words) that were already missing before the migration (they were deleted while PRAGMA foreign_keys was off). "
                + "To remove these references, run: \(broken.remedy)"
        }
        return "; correct the SQL of the migration"
    }

    /// Checks that the tables are those of a new store, whatever the SQL has done, and that no old table is left over.
    func requireOutcome(
        _ metadata: StoreMetadata,
        _ writeTracker: MigrationWriteTracker,
        _ connection: SQLiteConnection
    )
        throws(StoreError)
    {
        let expected = PhysicalSchema(mapping)
        let old = metadata.schema.map { PhysicalSchema(text: $0).tables } ?? []
        var differences = try PhysicalSchema(of: expected.tables.union(old), in: connection).differences(from: expected)
        let anew = try writeTracker.tablesMadeAnew()
        for table in mapping.tables where anew.contains(table.name) {
            differences += try declarationProblems(of: table, connection)
        }
        guard !differences.isEmpty else { return }
        throw StoreError(
            .migrationFailed,
            "the migrated tables do not match version '\(definition.versionName)': "
                + differences.prefix(5).joined(separator: ", ") + "; correct the SQL of the migration",
            path: connection.path
        )
    }

    /// Ensures that the keys of existing rows are not assigned again, because hand-written SQL may have inserted rows.
    func moveKeysOn(_ connection: SQLiteConnection) throws(StoreError) {
        for table in mapping.tables {
            guard case .entity = table.kind else { continue }
            let last = try connection.integer("SELECT max(\"_id\") FROM \(quoteIdentifier(table.name))")
            guard last < PersistentStore.firstProvisionalKey else {
                throw StoreError(
                    .migrationFailed,
                    "a row of '\(table.name)' has _id \(last), but the maximum is "
                        + "\(PersistentStore.firstProvisionalKey - 1); give the row a smaller _id",
                    path: connection.path
                )
            }
            try connection.execute(
                """
                INSERT INTO "_sequence" ("name", "next") VALUES ('object', \(last + 1)) \
                ON CONFLICT ("name") DO UPDATE SET "next" = max("next", excluded."next")
                """
            )
        }
    }
}

/// Returns the missing parts of the declaration of a table with correct columns: keys, NOT NULL, and foreign-key
/// actions.
private func declarationProblems(of table: Table, _ connection: SQLiteConnection) throws(StoreError) -> [String] {
    let rows = try connection.rows(
        """
        SELECT c."name", c."pk" > 0, c."notnull", f."on_delete" FROM pragma_table_info(?1) AS c \
        LEFT JOIN pragma_foreign_key_list(?1) AS f ON f."from" = c."name"
        """,
        [.text(table.name)]
    )
    var problems: [String] = []
    for row in rows {
        guard case .text(let name) = row[0], let column = table.columns.first(where: { $0.name == name }) else {
            continue
        }
        let isKey = column.isRowID || table.primaryKey.contains(name)
        if (row[1] == .integer(1)) != isKey {
            problems.append("column '\(name)' of '\(table.name)' is \(isKey ? "not " : "")part of the primary key")
        }
        if column.isNotNull, row[2] != .integer(1) {
            problems.append("column '\(name)' of '\(table.name)' lacks NOT NULL")
        }
        if column.references != nil, row[3] != .text(table.deleteAction) {
            problems.append("column '\(name)' of '\(table.name)' lacks ON DELETE \(table.deleteAction)")
        }
    }
    return problems
}

/// The dangling references of one column.
private struct BrokenReferences {
    var table: String
    var column: String
    var parent: String
    var deleteAction: String
    var count: Int64

    var words: String { "\(count) rows of '\(table)' have a foreign key '\(column)' to rows of '\(parent)'" }
    var remedy: String {
        renderReferenceCleanup(
            ReferenceCleanup(deleteAction: deleteAction, column: column),
            of: table,
            where: renderReferences(from: column, toNoneOf: "SELECT \"_id\" FROM \(quoteIdentifier(parent))")
        )
    }
}

private func brokenReferences(of table: String, _ connection: SQLiteConnection) throws(StoreError) -> [BrokenReferences]
{
    let rows = try connection.rows(
        """
        SELECT l."from", c."parent", l."on_delete", count(*) FROM pragma_foreign_key_check(?1) AS c \
        JOIN pragma_foreign_key_list(?1) AS l ON l."id" = c."fkid" GROUP BY 1, 2 ORDER BY 1, 2
        """,
        [.text(table)]
    )
    return rows.compactMap { row in
        guard case (.text(let column), .text(let parent), .text(let action)) = (row[0], row[1], row[2]),
            case .integer(let count) = row[3]
        else { return nil }
        return BrokenReferences(table: table, column: column, parent: parent, deleteAction: action, count: count)
    }
}
