internal import ChordataModel

// The tables of a store on a PostgreSQL server. Names are not qualified: the statements run in a transaction whose
// search path begins with the schema of the store.

/// Writes the statements that create a store's tables, indexes and foreign keys on a PostgreSQL server, one per string
/// and without a semicolon.
package func renderPostgresSchema(_ mapping: SchemaMapping, _ profile: PostgresProfile = .postgresql) -> [String] {
    let types = PostgresColumnTypes(mapping, profile)
    let tables = mapping.tables.map { renderPostgresTable($0, named: $0.name, types) } + renderSaveTables(profile)
    let indexes = mapping.tables.flatMap { table in
        table.indexes.map { renderPostgresIndex($0, on: table.name, profile: profile) }
    }
    guard profile.hasForeignKeys else { return tables + indexes }
    // Tables reference each other in any order.
    let foreignKeys = mapping.tables.flatMap { table in
        table.columns.compactMap { renderPostgresForeignKey(of: $0, in: table) }
    }
    return tables + indexes + foreignKeys
}

/// Writes the statements that create the tables with a row for each save.
///
/// With this row, a save is executed only once even if it is repeated after a lost connection, and other processes find
/// the changed rows in the order of the commits. Changes that only the server knows are stored as a part.
private func renderSaveTables(_ profile: PostgresProfile) -> [String] {
    [
        """
        CREATE TABLE "_save" (
            "id" bigint NOT NULL DEFAULT \(profile.saveNumber),
            "origin" bigint NOT NULL,
            "number" bigint NOT NULL,
            "at" double precision NOT NULL,
            "author" \(profile.textType),
            "context" \(profile.textType),
            "changes" \(profile.textType),
            CONSTRAINT "_pk__save" PRIMARY KEY ("origin", "number")
        )
        """,
        "CREATE INDEX \"_save_id\" ON \"_save\" (\"id\")",
        """
        CREATE TABLE "_save_part" (
            "origin" bigint NOT NULL,
            "number" bigint NOT NULL,
            "part" bigint NOT NULL,
            "changes" \(profile.textType) NOT NULL,
            CONSTRAINT "_pk__save_part" PRIMARY KEY ("origin", "number", "part"),
            FOREIGN KEY ("origin", "number") REFERENCES "_save" ("origin", "number") ON DELETE CASCADE
        )
        """,
    ]
}

/// Writes the statement that creates a table, without its indexes and foreign keys.
/// - Parameter name: The name of the table, which may be a temporary one.
package func renderPostgresTable(_ table: Table, named name: String, _ types: PostgresColumnTypes) -> String {
    var lines = table.columns.map { column in
        "\(quoteIdentifier(column.name)) \(types.type(of: column, in: table))"
            + (column.isNotNull || column.isRowID ? " NOT NULL" : "")
    }
    let key = table.primaryKey.isEmpty ? table.columns.filter(\.isRowID).map(\.name) : table.primaryKey
    let columns = key.map(quoteIdentifier).joined(separator: ", ")
    lines.append("CONSTRAINT \(quoteIdentifier(primaryKeyName(of: name))) PRIMARY KEY (\(columns))")
    return """
        CREATE TABLE \(quoteIdentifier(name)) (
            \(lines.joined(separator: ",\n    "))
        )\(table.isUpdated ? types.profile.updatedTableParameter : "")
        """
}

/// Returns the name of the index of a primary key, which no table and no other index has.
package func primaryKeyName(of tableName: String) -> String { PostgresNames.shortened("_pk_" + tableName) }

/// Writes the statement that creates an index.
package func renderPostgresIndex(
    _ index: Index,
    on tableName: String,
    ifNotExists: Bool = false,
    profile: PostgresProfile = .postgresql
) -> String {
    let elements = index.elements.map { element in
        profile.indexElement(quoteIdentifier(element.columnName), isAscending: element.isAscending)
    }
    return
        "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(ifNotExists ? "IF NOT EXISTS " : "")\(quoteIdentifier(index.name))"
        + " ON \(quoteIdentifier(tableName)) (\(elements.joined(separator: ", ")))"
}

/// Returns the name of the foreign key of a column.
package func foreignKeyName(of columnName: String, in tableName: String) -> String {
    PostgresNames.shortened("_fk_\(tableName)_\(columnName)")
}

/// Returns the name that a table, column or index that is not in a model has in PostgreSQL.
package func postgresName(_ name: String) -> String { PostgresNames.shortened(name) }

/// Writes the statement that creates the foreign key of a column; `nil` for a column without a foreign key.
package func renderPostgresForeignKey(of column: Column, in table: Table) -> String? {
    guard let destination = column.references else { return nil }
    return "ALTER TABLE \(quoteIdentifier(table.name)) ADD CONSTRAINT "
        + "\(quoteIdentifier(foreignKeyName(of: column.name, in: table.name))) FOREIGN KEY "
        + "(\(quoteIdentifier(column.name)))"
        + " REFERENCES \(quoteIdentifier(destination)) (\"_id\") ON DELETE \(table.deleteAction)"
        + " DEFERRABLE INITIALLY DEFERRED"
}

extension Table {
    /// A Boolean value that indicates whether rows are updated, with a new version each time; an updated row stays on
    /// its page if there is space.
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
    fileprivate let profile: PostgresProfile

    package init(_ mapping: SchemaMapping, _ profile: PostgresProfile = .postgresql) {
        self.profile = profile
        for entity in mapping.entities {
            for attribute in entity.attributes where attribute.externalTableName == nil {
                attributeTypes[entity.tableName, default: [:]][attribute.columnName] = attribute.attribute.attributeType
            }
        }
    }

    /// Returns the type of a column, with its collation.
    package func type(of column: Column, in table: Table) -> String {
        if let type = attributeTypes[table.name]?[column.name], let name = type.postgresType(profile) { return name }
        return switch column.type {
        case .integer: "bigint"
        case .real: "double precision"
        case .text: profile.textType
        case .blob: "bytea"
        }
    }
}

extension AttributeType {
    /// Returns the type of a column; `nil` for types that have no column of their own.
    fileprivate func postgresType(_ profile: PostgresProfile) -> String? {
        switch self {
        case .integer16, .integer32, .integer64: "bigint"
        case .boolean: "boolean"
        case .double, .float, .date: "double precision"
        case .decimal: "numeric"
        case .string, .uri: profile.textType
        case .uuid: "uuid"
        case .binaryData, .transformable: "bytea"
        case .composite, .undefined, .objectID: nil
        }
    }
}
