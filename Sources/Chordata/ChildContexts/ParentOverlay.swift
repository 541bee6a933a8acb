internal import ChordataModel
internal import ChordataSQL

/// Temporary tables with the rows of which contexts have unsaved changes, and views with the names of the store's
/// tables that show these rows in place of the store's rows.
struct ParentOverlay {
    /// A table of the store with the changes of one context.
    private struct Cover {
        let table: Table
        /// The name of the table or view with the rows before the changes of the context.
        let base: String
        /// The name of the table with the keys of the rows of ``base`` that are hidden.
        let hidden: String
        /// The name of the table with the rows that are shown in addition to those of ``base``.
        let rows: String

        var name: String { quoteIdentifier(table.name) }
        var columns: String { table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ") }
        private var keyColumns: [String] { table.primaryKey.isEmpty ? ["_id"] : table.primaryKey }
        var key: String { keyColumns.map(quoteIdentifier).joined(separator: ", ") }
        var keyDeclaration: String {
            let columns = keyColumns.map { quoteIdentifier($0) + " INTEGER" }.joined(separator: ", ")
            return "(\(columns), PRIMARY KEY (\(key)))"
        }
        var selection: String {
            let keyValue = keyColumns.count == 1 ? key : "(\(key))"
            return """
                SELECT \(columns) FROM \(base) WHERE \(keyValue) NOT IN (SELECT \(key) FROM \(hidden)) \
                UNION ALL SELECT \(columns) FROM \(rows)
                """
        }
    }

    private let connection: SQLiteConnection
    /// The statements that remove all temporary tables and views again.
    private var removals: [String] = []
    /// The statements that create the original views of the connection again; they are executed after the removals.
    private var restorations: [String] = []
    /// The SELECT statements of the views, by table name.
    private var selections: [String: String] = [:]
    private var count = 0

    /// - Parameter contexts: The contexts, beginning with the one whose parent is the store; each context changes the
    ///   rows of the previous ones.
    init(of contexts: [ContextSaver], _ connection: SQLiteConnection) throws {
        self.connection = connection
        selections = connection.viewSelections
        for context in contexts where !context.graph.changedObjects.isEmpty { try cover(context) }
    }

    func remove() throws(StoreError) {
        for removal in removals + restorations { try connection.execute(removal) }
    }

    /// Adds the changes of one context.
    ///
    /// While the temporary tables are filled, they have the names of the store's tables, so that the statements of
    /// saves write to them.
    private mutating func cover(_ context: ContextSaver) throws {
        let changes = context.graph.changedObjects
        let mapping = context.schema.mapping
        let deletions = try makeDeletions(of: changes)
        var names = deletions.tableNames
        for table in mapping.tables where !deletions.columns(in: table).isEmpty { names.insert(table.name) }
        let present = changes.filter { $0.state == .inserted || $0.state == .updated }
        for object in present { names.formUnion(object.changedTableNames) }
        var covers: [Cover] = []
        for table in mapping.tables where names.contains(table.name) { covers.append(try makeCover(of: table)) }

        let plan = SavePlan(of: changes, in: context.schema, writesAllPositions: true)
        for batch in plan.insertions + plan.updates { try batch.insert(connection) }
        for object in present { try removeUnsetValues(of: object) }
        for cover in covers { try copyRows(to: cover, of: present, deletions, in: mapping) }
        for cover in covers { try hide(cover, deletions) }
        try plan.writeBytes(connection)
        try plan.writeMembers(connection)
        for cover in covers { try removeReferences(to: deletions, from: cover) }
        for cover in covers { try show(cover) }
    }

    /// The objects that one context has deleted.
    private struct Deletions {
        /// The name of the table with the keys of these objects, which can be of any entity: a row key is unique in a
        /// store.
        let keys: String
        let tableNames: Set<String>

        /// Returns the columns that may still reference deleted objects because no delete rule has cleared them:
        /// columns of join rows, of to-one relationships without an inverse, and of rows that other contexts have
        /// changed since.
        func columns(in table: Table) -> [String] {
            switch table.kind {
            case .join, .entity:
                table.columns.filter { $0.references.map(tableNames.contains) == true }.map(\.name)
            case .external, .system: []
            }
        }

        /// Returns the condition that a column references one of the deleted objects, or is the key of one.
        func condition(_ column: String) -> String {
            renderReferences(from: column, to: "SELECT \"_id\" FROM \(keys)")
        }
    }

    private mutating func makeDeletions(of changes: [ManagedObject]) throws(StoreError) -> Deletions {
        count += 1
        let keys = "temp.\"_deleted_\(count)\""
        try connection.execute("CREATE TEMP TABLE \"_deleted_\(count)\" (\"_id\" INTEGER PRIMARY KEY)")
        removals.append("DROP TABLE \(keys)")
        var tableNames: Set<String> = []
        let statement = try connection.statement("INSERT INTO \(keys) VALUES (?)")
        for object in changes where object.state == .deleted {
            tableNames.insert(object.runtimeEntity.mapping.tableName)
            statement.bind(object.key, at: 1)
            try statement.run()
        }
        return Deletions(keys: keys, tableNames: tableNames)
    }

    private mutating func makeCover(of table: Table) throws(StoreError) -> Cover {
        count += 1
        let name = quoteIdentifier(table.name)
        var base = "main.\(name)"
        if let selection = selections[table.name] {
            // The view of the table that was created for the previous context gets another name.
            base = "temp.\"_base_\(count)\""
            try connection.execute("DROP VIEW temp.\(name)")
            let drop = "DROP VIEW temp.\(name)"
            if removals.contains(drop) {
                removals.removeAll { $0 == drop }
            } else {
                restorations.append("CREATE TEMP VIEW \(name) AS \(selection)")
            }
            try connection.execute("CREATE TEMP VIEW \"_base_\(count)\" AS \(selection)")
            removals.append("DROP VIEW \(base)")
        }
        let cover = Cover(
            table: table,
            base: base,
            hidden: "temp.\"_hidden_\(count)\"",
            rows: "temp.\"_rows_\(count)\""
        )
        var columns = table.columns.map { column in
            "\(quoteIdentifier(column.name)) \(column.type.rawValue)\(column.isRowID ? " PRIMARY KEY" : "")"
        }
        if !table.primaryKey.isEmpty { columns.append("PRIMARY KEY (\(cover.key))") }
        try connection.execute("CREATE TEMP TABLE \(name) (\(columns.joined(separator: ", ")))")
        try connection.execute("CREATE TEMP TABLE \"_hidden_\(count)\" \(cover.keyDeclaration)")
        removals += ["DROP TABLE \(cover.hidden)", "DROP TABLE \(cover.rows)"]
        return cover
    }

    /// Clears required attributes that were never set, which a save would not allow.
    private func removeUnsetValues(of object: ManagedObject) throws(StoreError) {
        guard let unset = object.changes?.unset, !unset.isEmpty else { return }
        let columns = object.runtimeEntity.columnFields.filter { unset.contains($0.index) }.compactMap(\.columnName)
        guard !columns.isEmpty else { return }
        let assignments = columns.map { quoteIdentifier($0) + " = NULL" }.joined(separator: ", ")
        let table = quoteIdentifier(object.runtimeEntity.mapping.tableName)
        let statement = try connection.statement("UPDATE \(table) SET \(assignments) WHERE \"_id\" = ?")
        statement.bind(object.key, at: 1)
        try statement.run()
    }

    /// Copies from the base the data of changed objects that the context has not changed, and rows that reference
    /// deleted objects.
    private func copyRows(
        to cover: Cover,
        of present: [ManagedObject],
        _ deletions: Deletions,
        in mapping: SchemaMapping
    ) throws {
        for column in deletions.columns(in: cover.table) {
            try connection.execute(
                """
                INSERT OR IGNORE INTO \(cover.name) SELECT \(cover.columns) FROM \(cover.base) \
                WHERE \(deletions.condition(column))
                """
            )
        }
        switch cover.table.kind {
        case .system: break
        case .external(let owner, _):
            try connection.execute(
                """
                INSERT INTO \(cover.name) SELECT \(cover.columns) FROM \(cover.base) \
                WHERE "_id" IN (SELECT "_id" FROM \(quoteIdentifier(owner)))
                """
            )
        case .join:
            for object in present {
                for case .joinTable(cover.table.name, let source, _, _) in object.changedToManys.map(\.storage) {
                    try copy(to: cover, where: source, is: object.key)
                }
            }
        case .entity:
            for column in mapping.orderColumns(of: cover.table.name).map(quoteIdentifier) {
                try connection.execute(
                    """
                    UPDATE \(cover.name) SET \(column) = (SELECT b.\(column) FROM \(cover.base) AS b \
                    WHERE b."_id" = \(cover.name)."_id")
                    """
                )
            }
            // The rows of the members store their positions.
            for object in present {
                for relationship in object.changedToManys {
                    guard case .inverseColumn(cover.table.name, _, _) = relationship.storage,
                        let members = object.toManyReference(at: relationship.field).pointee.storage
                    else { continue }
                    for member in members.array { try copy(to: cover, where: "_id", is: member.key) }
                }
            }
        }
    }

    private func copy(to cover: Cover, where column: String, is key: Int64) throws(StoreError) {
        let statement = try connection.statement(
            """
            INSERT OR IGNORE INTO \(cover.name) SELECT \(cover.columns) FROM \(cover.base) \
            WHERE \(quoteIdentifier(column)) = ?
            """
        )
        statement.bind(key, at: 1)
        try statement.run()
    }

    /// Records which rows of the base are hidden.
    private func hide(_ cover: Cover, _ deletions: Deletions) throws(StoreError) {
        var source = cover.name
        if case .external(let owner, _) = cover.table.kind { source = quoteIdentifier(owner) }
        try connection.execute("INSERT INTO \(cover.hidden) SELECT \(cover.key) FROM \(source)")
        guard case .entity = cover.table.kind, deletions.tableNames.contains(cover.table.name) else { return }
        try connection.execute("INSERT OR IGNORE INTO \(cover.hidden) SELECT \"_id\" FROM \(deletions.keys)")
        // A deleted object may have referenced another deleted object, or may still have a position in a relationship.
        try connection.execute("DELETE FROM \(cover.name) WHERE \(deletions.condition("_id"))")
    }

    /// Removes references to deleted rows in the same way as the foreign keys of the store.
    private func removeReferences(to deletions: Deletions, from cover: Cover) throws(StoreError) {
        for column in deletions.columns(in: cover.table) {
            try connection.execute(
                renderReferenceCleanup(
                    ReferenceCleanup(deleteAction: cover.table.deleteAction, column: column),
                    of: cover.table.name,
                    where: deletions.condition(column)
                )
            )
        }
    }

    private mutating func show(_ cover: Cover) throws(StoreError) {
        let rowsName = cover.rows.dropFirst("temp.".count)
        try connection.execute("ALTER TABLE temp.\(cover.name) RENAME TO \(rowsName)")
        try connection.execute("CREATE TEMP VIEW \(cover.name) AS \(cover.selection)")
        removals.append("DROP VIEW temp.\(cover.name)")
        selections[cover.table.name] = cover.selection
    }
}

extension ManagedObject {
    /// The changed relationships that a save does not write to the row of the object.
    fileprivate var changedToManys: [RuntimeEntity.Relationship] {
        guard let changed = changes?.changed else { return [] }
        return runtimeEntity.writtenToManys.filter { changed.contains($0.field) }
    }

    /// The tables that a save of the object writes.
    fileprivate var changedTableNames: Set<String> {
        var names: Set = [runtimeEntity.mapping.tableName]
        for attribute in runtimeEntity.mapping.attributes {
            if let name = attribute.externalTableName { names.insert(name) }
        }
        for relationship in changedToManys {
            switch relationship.storage {
            case .inverseColumn(let table, _, _), .joinTable(let table, _, _, _): names.insert(table)
            case .column, nil: continue
            }
        }
        return names
    }
}

extension SchemaMapping {
    /// Returns the columns of an entity's table that contain not properties, but positions in ordered relationships.
    fileprivate func orderColumns(of tableName: String) -> [String] {
        entities.flatMap(\.relationships).compactMap { relationship in
            guard case .inverseColumn(tableName, _, let orderColumn?) = relationship.storage else { return nil }
            return orderColumn
        }
    }
}
