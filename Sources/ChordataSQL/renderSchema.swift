/// Writes the statements that create a store's tables, indexes and full-text indexes, one per string and without a
/// semicolon.
///
/// The text is SQLite's own, without custom functions or collations, so that other tools can open and change the file.
///
/// - Parameter strict: Whether SQLite checks the types of values, which it can since 3.37.
package func renderSchema(_ mapping: SchemaMapping, strict: Bool = true) -> [String] {
    mapping.tables.flatMap { table in
        [renderCreateTable(table, strict: strict)] + table.indexes.map { renderCreateIndex($0, on: table.name) }
    } + mapping.fullTextIndexes.flatMap(\.statements)
}

/// Writes the statement that creates a table without its indexes.
///
/// - Parameter name: The table's temporary name, if a migration creates it in addition to the old table.
package func renderCreateTable(_ table: Table, as name: String? = nil, strict: Bool = true) -> String {
    var lines = table.columns.map { renderColumn($0, of: table) }
    if table.primaryKey.count > 1 {
        lines.append("PRIMARY KEY (\(table.primaryKey.map(quoteIdentifier).joined(separator: ", ")))")
    }
    var options: [String] = []
    if strict { options.append("STRICT") }
    // A join table consists of its primary key: without a rowid it is stored once, not twice.
    if table.isWithoutRowID { options.append("WITHOUT ROWID") }
    return """
        CREATE TABLE \(quoteIdentifier(name ?? table.name)) (
            \(lines.joined(separator: ",\n    "))
        )\(options.isEmpty ? "" : " " + options.joined(separator: ", "))
        """
}

/// Writes a column as in `CREATE TABLE` and `ADD COLUMN`.
package func renderColumn(_ column: Column, of table: Table) -> String {
    var text = "\(quoteIdentifier(column.name)) \(column.type.rawValue)"
    if column.isRowID { text += " PRIMARY KEY" }
    if column.isNotNull { text += " NOT NULL" }
    if table.primaryKey == [column.name] { text += " PRIMARY KEY" }
    if let destination = column.references {
        // This keeps the file consistent when another program deletes a row: a reference is nullified, and join rows
        // and external bytes of the row are deleted. It is deferred, because a save writes rows in any order.
        text += " REFERENCES \(quoteIdentifier(destination)) (\"_id\") ON DELETE \(table.deleteAction)"
        text += " DEFERRABLE INITIALLY DEFERRED"
    }
    return text
}

/// Writes the statement that creates an index.
///
/// - Parameter ifNotExists: Whether an existing index with that name is kept.
package func renderCreateIndex(_ index: Index, on tableName: String, ifNotExists: Bool = false) -> String {
    let elements = index.elements.map { quoteIdentifier($0.columnName) + ($0.isAscending ? "" : " DESC") }
    return
        "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(ifNotExists ? "IF NOT EXISTS " : "")\(quoteIdentifier(index.name))"
        + " ON \(quoteIdentifier(tableName)) (\(elements.joined(separator: ", ")))"
}

extension Table {
    /// The action of SQLite on this table's rows when the referenced row is deleted; with the delete rule No Action, it
    /// is the only effect of the deletion (D1).
    package var deleteAction: String {
        switch kind {
        case .join, .external: "CASCADE"
        case .entity, .system: "SET NULL"
        }
    }

    var isWithoutRowID: Bool {
        switch kind {
        case .join: true
        case .entity, .external, .system: false
        }
    }
}
