package import ChordataModel

/// Decides in which table and column each property of a model is stored on a PostgreSQL server.
///
/// The layout is that of ``makeSchemaMapping(of:)`` without full-text indexes. A name of more than 63 bytes is
/// truncated, and ends with a hash of the complete name; a property `xmin` is stored in `property_xmin`, because each
/// table has a column of that name, and an entity `text` in `entity_text`.
package func makePostgresMapping(of model: ManagedObjectModel) -> SchemaMapping {
    let mapping = makeSchemaMapping(of: model)
    // Tables and indexes share one set of names.
    let relations = PostgresNames(
        mapping.tables.flatMap { table in [table.name] + table.indexes.map(\.name) },
        reserved: PostgresNames.columnTypes,
        prefix: "entity_"
    )
    var columns: [String: PostgresNames] = [:]
    for table in mapping.tables {
        columns[table.name] = PostgresNames(
            table.columns.map(\.name),
            reserved: PostgresNames.systemColumns,
            prefix: "property_"
        )
    }
    func column(_ name: String, of table: String) -> String { columns[table]?[name] ?? name }
    let tables = mapping.tables.map { table in
        Table(
            name: relations[table.name],
            kind: kind(of: table, relations, column),
            columns: table.columns.map { original in
                var renamed = original
                renamed.name = column(original.name, of: table.name)
                renamed.references = original.references.map { relations[$0] }
                return renamed
            },
            primaryKey: table.primaryKey.map { column($0, of: table.name) },
            indexes: table.indexes.map { index in
                Index(
                    name: relations[index.name],
                    elements: index.elements.map {
                        Index.Element(column($0.columnName, of: table.name), isAscending: $0.isAscending)
                    },
                    isUnique: index.isUnique
                )
            }
        )
    }
    return SchemaMapping(
        model: model,
        tables: tables,
        entities: mapping.entities.map { rename($0, relations, column) }
    )
}

private func kind(of table: Table, _ relations: PostgresNames, _ column: (String, String) -> String) -> Table.Kind {
    switch table.kind {
    case .system, .entity, .join: table.kind
    case .external(let owner, let name): .external(table: relations[owner], column: column(name, owner))
    }
}

private func rename(
    _ entity: EntityMapping,
    _ relations: PostgresNames,
    _ column: (String, String) -> String
) -> EntityMapping {
    EntityMapping(
        entityName: entity.entityName,
        tableName: relations[entity.tableName],
        isInHierarchy: entity.isInHierarchy,
        attributes: entity.attributes.map { original in
            var attribute = original
            attribute.columnName = column(original.columnName, entity.tableName)
            attribute.externalTableName = original.externalTableName.map { relations[$0] }
            return attribute
        },
        relationships: entity.relationships.map { original in
            var relationship = original
            switch original.storage {
            case .column(let name): relationship.storage = .column(column(name, entity.tableName))
            case .inverseColumn(let table, let name, let order):
                relationship.storage = .inverseColumn(
                    table: relations[table],
                    column: column(name, table),
                    orderColumn: order.map { column($0, table) }
                )
            case .joinTable(let table, let source, let destination, let order):
                relationship.storage = .joinTable(
                    table: relations[table],
                    sourceColumn: column(source, table),
                    destinationColumn: column(destination, table),
                    orderColumn: order.map { column($0, table) }
                )
            }
            return relationship
        }
    )
}
