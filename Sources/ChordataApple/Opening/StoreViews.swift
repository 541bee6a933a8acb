internal import Chordata
internal import ChordataModel
internal import ChordataSQL

/// The temporary views that show the tables of a store of Core Data as those of a store of Chordata.
///
/// SQLite inserts the queries of views into the statements that use them, so objects are found by the primary keys and
/// indexes of Core Data's tables.
struct StoreViews: Sendable {
    /// The statements that create the views.
    let statements: [String]

    enum Function {
        static let versionHash = "chordata_apple_version_hash"
    }

    init(_ schema: CoreDataSchema, _ mapping: SchemaMapping) {
        let builder = ViewBuilder(schema: schema, mapping: mapping)
        statements =
            builder.roots.flatMap { builder.tableViews(of: $0) } + builder.memberViews + builder.pairViews
            + [
                // The version of the model, which is read again after another process has written.
                """
                CREATE TEMP VIEW "_metadata" ("key", "value") AS SELECT 'versionHash', \
                \(Function.versionHash)("Z_PLIST") FROM main."Z_METADATA"
                """
            ]
    }
}

private struct ViewBuilder {
    let schema: CoreDataSchema
    let mapping: SchemaMapping

    var roots: [EntityDescription] { schema.model.entities.filter { $0.superentityName == nil } }

    private func view(_ name: String, _ columns: [(name: String, value: String)], _ rest: String) -> String {
        let list = columns.map { "\($0.value) AS \(quoteIdentifier($0.name))" }.joined(separator: ", ")
        return "CREATE TEMP VIEW \(quoteIdentifier(name)) AS SELECT \(list) FROM \(rest)"
    }

    func tableViews(of root: EntityDescription) -> [String] {
        guard let mapped = mapping.entity(named: root.name) else { return [] }
        let table = "main." + quoteIdentifier(CoreDataSchema.tableName(ofRoot: root.name))
        var columns: [(name: String, value: String)] = [("_id", "\"Z_PK\""), ("_version", "\"Z_OPT\"")]
        var views: [String] = []
        if mapped.isInHierarchy {
            let cases = schema.closure(of: root.name).map { name in
                "WHEN \(schema.entityNumbers[name] ?? 0) THEN \(sqlLiteral(text: name))"
            }
            columns.append(("_entity", "CASE \"Z_ENT\" \(cases.joined(separator: " ")) END"))
        }
        for name in schema.closure(of: root.name) {
            guard let entity = schema.model.entity(named: name), let mapped = mapping.entity(named: name) else {
                continue
            }
            for attribute in mapped.attributes {
                guard let place = schema.places[PropertyPath(name, attribute.path)] else { continue }
                var value = quoteIdentifier(place.column)
                switch attribute.attribute.attributeType {
                case .decimal: value = "\(ImportPlan.Function.decimal)(\(value))"
                case .binaryData, .transformable:
                    guard attribute.attribute.allowsExternalBinaryDataStorage else { break }
                    guard let external = attribute.externalTableName else {
                        value = "\(ImportPlan.Function.externalData)(\(value))"
                        break
                    }
                    let bytes = "\(ImportPlan.Function.externalData)(\(value))"
                    views.append(
                        view(external, [("_id", "\"Z_PK\""), ("bytes", bytes)], "\(table) WHERE \(value) IS NOT NULL")
                    )
                    value = "\(ImportPlan.Function.externalSize)(\(value))"
                case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .date, .uuid,
                    .uri, .composite, .objectID:
                    break
                }
                columns.append((attribute.columnName, value))
            }
            for relationship in schema.storedRelationships(of: entity) {
                guard case .column(let column)? = mapped.relationship(named: relationship.name)?.storage,
                    let place = schema.places[PropertyPath(name, [relationship.name])]
                else { continue }
                columns.append((column, quoteIdentifier(place.column)))
                if let order = place.orderColumn, let inverse = schema.inverse(of: relationship),
                    case .inverseColumn(_, _, let orderColumn?)? = mapping.entity(named: inverse.entityName)?
                        .relationship(named: inverse.relationship.name)?.storage
                {
                    columns.append((orderColumn, quoteIdentifier(order)))
                }
            }
        }
        views.append(view(mapped.tableName, columns, table))
        return views
    }

    /// The pairs of to-many relationships without an inverse.
    var memberViews: [String] {
        schema.memberPlaces.compactMap { path, place in
            guard
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { return nil }
            var columns = [(source, quoteIdentifier(place.column)), (destination, "\"Z_PK\"")]
            if let order, let orderColumn = place.orderColumn { columns.append((order, quoteIdentifier(orderColumn))) }
            return view(
                table,
                columns,
                "main.\(quoteIdentifier(place.table)) WHERE \(quoteIdentifier(place.column)) IS NOT NULL"
            )
        }
    }

    var pairViews: [String] {
        schema.pairs.compactMap { path, pairs in
            guard
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { return nil }
            let keys = [pairs.sourceColumn, pairs.destinationColumn].map(quoteIdentifier)
            let rows = "main." + quoteIdentifier(pairs.table)
            guard pairs.inverse != path else {
                // A relationship that is its own inverse has a row for each direction.
                let first = view(table, [(source, keys[0]), (destination, keys[1])], rows)
                return first + " UNION SELECT \(keys[1]), \(keys[0]) FROM \(rows)"
            }
            var columns = [(source, keys[0]), (destination, keys[1])]
            if let order, let orderColumn = pairs.orderColumn { columns.append((order, quoteIdentifier(orderColumn))) }
            if let orderColumn = pairs.inverseOrderColumn,
                case .joinTable(_, _, _, let order?)? = mapping.entity(named: pairs.inverse.entityName)?
                    .relationship(named: pairs.inverse.names[0])?.storage
            {
                columns.append((order, quoteIdentifier(orderColumn)))
            }
            return view(table, columns, rows)
        }
    }
}
