internal import ChordataModel

// The tables of a store on a PostgreSQL server. Names are not qualified: the statements run in a transaction whose
// search path begins with the schema of the store.

/// Writes the statements that create a store's tables, indexes and foreign keys on a PostgreSQL server, one per string
/// and without a semicolon.
package func renderPostgresSchema(_ mapping: SchemaMapping) -> [String] {
    let types = PostgresColumnTypes(mapping)
    // Tables reference each other in any order.
    return mapping.tables.map { renderPostgresTable($0, types) } + [renderSaveTable()]
        + mapping.tables.flatMap { table in table.indexes.map { renderPostgresIndex($0, on: table.name) } }
        + mapping.tables.flatMap { table in
            table.columns.compactMap { renderPostgresForeignKey(of: $0, in: table) }
        }
}

/// The table with a row for each save.
///
/// By it, a save is executed once although it is repeated after a lost connection, and other processes find the changed
/// rows in the order of the commits.
private func renderSaveTable() -> String {
    """
    CREATE TABLE "_save" (
        "origin" bigint NOT NULL,
        "number" bigint NOT NULL,
        "xid" xid8 NOT NULL DEFAULT pg_current_xact_id(),
        "at" double precision NOT NULL,
        "author" text COLLATE "C",
        "context" text COLLATE "C",
        "changes" bytea,
        CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
    )
    """
}

private func renderPostgresTable(_ table: Table, _ types: PostgresColumnTypes) -> String {
    var lines = table.columns.map { column in
        "\(quoteIdentifier(column.name)) \(types.type(of: column, in: table))"
            + (column.isNotNull || column.isRowID ? " NOT NULL" : "")
    }
    let key = table.primaryKey.isEmpty ? table.columns.filter(\.isRowID).map(\.name) : table.primaryKey
    let columns = key.map(quoteIdentifier).joined(separator: ", ")
    lines.append("CONSTRAINT \(quoteIdentifier(primaryKeyName(of: table.name))) PRIMARY KEY (\(columns))")
    return """
        CREATE TABLE \(quoteIdentifier(table.name)) (
            \(lines.joined(separator: ",\n    "))
        )\(table.isUpdated ? " WITH (fillfactor = 90)" : "")
        """
}

/// The name of the index of a primary key, which no table and no other index has.
package func primaryKeyName(of tableName: String) -> String { PostgresNames.shortened("_pk_" + tableName) }

private func renderPostgresIndex(_ index: Index, on tableName: String) -> String {
    let elements = index.elements.map { element in
        PostgresDialect().sorted(quoteIdentifier(element.columnName), ascending: element.isAscending)
    }
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(quoteIdentifier(index.name))"
        + " ON \(quoteIdentifier(tableName)) (\(elements.joined(separator: ", ")))"
}

private func renderPostgresForeignKey(of column: Column, in table: Table) -> String? {
    guard let destination = column.references else { return nil }
    return "ALTER TABLE \(quoteIdentifier(table.name)) ADD FOREIGN KEY (\(quoteIdentifier(column.name)))"
        + " REFERENCES \(quoteIdentifier(destination)) (\"_id\") ON DELETE \(table.deleteAction)"
        + " DEFERRABLE INITIALLY DEFERRED"
}

extension Table {
    /// A Boolean value that indicates whether the version of a row changes with each update, which then stays on the
    /// page of the row if there is space.
    fileprivate var isUpdated: Bool {
        switch kind {
        case .entity: true
        case .join, .external, .system: false
        }
    }
}

/// The types of the columns of a store on a PostgreSQL server.
package struct PostgresColumnTypes {
    private var attributeTypes: [String: [String: AttributeType]] = [:]

    package init(_ mapping: SchemaMapping) {
        for entity in mapping.entities {
            for attribute in entity.attributes where attribute.externalTableName == nil {
                attributeTypes[entity.tableName, default: [:]][attribute.columnName] = attribute.attribute.attributeType
            }
        }
    }

    /// The type of a column, with its collation.
    package func type(of column: Column, in table: Table) -> String {
        if let type = attributeTypes[table.name]?[column.name], let name = type.postgresType { return name }
        return switch column.type {
        case .integer: "bigint"
        case .real: "double precision"
        case .text: AttributeType.text
        case .blob: "bytea"
        }
    }
}

extension AttributeType {
    fileprivate static let text = "text COLLATE \"C\""

    /// The type of a column; `nil` for types that have no column of their own.
    package var postgresType: String? {
        switch self {
        case .integer16, .integer32, .integer64: "bigint"
        case .boolean: "boolean"
        case .double, .float, .date: "double precision"
        case .decimal: "numeric"
        case .string, .uri: Self.text
        case .uuid: "uuid"
        case .binaryData, .transformable: "bytea"
        case .composite, .undefined, .objectID: nil
        }
    }
}
