package import Chordata
package import ChordataSQL

// The form of objects in the tables of a store, computed without the runtime, so that errors of the runtime are found.

extension StoreContents {
    // MARK: Writing

    /// Writes the objects into the empty tables of a store.
    package func write(to connection: SQLiteConnection, _ mapping: SchemaMapping) throws(StoreError) {
        try connection.execute("BEGIN IMMEDIATE")
        for object in inOrder { try insert(object, connection, mapping) }
        for object in inOrder { try insertLinks(of: object, connection, mapping) }
        try connection.run("UPDATE \"_sequence\" SET \"next\" = ?", [.integer((objects.keys.max() ?? 0) + 1)])
        try connection.execute("COMMIT")
    }

    private func insert(_ object: Object, _ connection: SQLiteConnection, _ mapping: SchemaMapping) throws(StoreError) {
        guard let entity = mapping.entity(named: object.entityName) else { return }
        var row: [(column: String, value: SQLValue)] = [("_id", .integer(object.id)), ("_version", .integer(1))]
        if entity.isInHierarchy { row.append(("_entity", .text(object.entityName))) }
        for attribute in entity.attributes {
            var value = object.values[attribute.path.joined(separator: ".")] ?? .null
            if attribute.externalTableName != nil, case .blob(let bytes) = value {
                value = .integer(Int64(bytes.count))
            }
            row.append((attribute.columnName, value))
        }
        try connection.insert(row, into: entity.tableName)
        for attribute in entity.attributes {
            guard let table = attribute.externalTableName,
                let bytes = object.values[attribute.path.joined(separator: ".")], bytes != .null
            else { continue }
            try connection.insert([("_id", .integer(object.id)), ("bytes", bytes)], into: table)
        }
    }

    private func insertLinks(of object: Object, _ connection: SQLiteConnection, _ mapping: SchemaMapping)
        throws(StoreError)
    {
        guard let entity = mapping.entity(named: object.entityName) else { return }
        for relationship in entity.relationships {
            for (place, target) in (object.links[relationship.name] ?? []).enumerated() {
                let order = SQLValue.integer(Int64(place))
                switch relationship.storage {
                case .column(let column):
                    try connection.set(column, .integer(target), where: ["_id": object.id], in: entity.tableName)
                case .inverseColumn(let table, _, let orderColumn?):
                    try connection.set(orderColumn, order, where: ["_id": target], in: table)
                case .inverseColumn(_, _, nil): break  // The other end writes it.
                case .joinTable(let table, let source, let destination, let orderColumn):
                    let keys = [source: object.id, destination: target]
                    // The other end may already have inserted the row.
                    try connection.insert(keys.map { ($0.key, .integer($0.value)) }, into: table, "OR IGNORE ")
                    if let orderColumn { try connection.set(orderColumn, order, where: keys, in: table) }
                }
            }
        }
    }

    // MARK: Reading

    /// Reads the objects of a store.
    /// - Returns: The objects, and descriptions of contents of the tables that are not objects of the model.
    package static func read(
        from connection: SQLiteConnection,
        _ mapping: SchemaMapping
    ) throws(StoreError) -> (contents: StoreContents, unexpectedValues: [String]) {
        var contents = StoreContents()
        var unexpectedValues: [String] = []
        for entity in mapping.entities where mapping.model.entity(named: entity.entityName)?.isAbstract == false {
            for object in try objects(of: entity, connection) {
                if let other = contents.objects.updateValue(object, forKey: object.id) {
                    unexpectedValues.append(
                        "objects of '\(other.entityName)' and '\(object.entityName)' have the same row key \(object.id)"
                    )
                }
            }
            unexpectedValues += try foreignValues(of: entity, connection, mapping)
        }
        for table in mapping.tables {
            guard case .entity(let root) = table.kind else { continue }
            let names = Set(mapping.model.subentityClosure(of: root))
            let own = contents.objects.values.count { names.contains($0.entityName) }
            let count = try connection.rows("SELECT count(*) FROM \(quoteIdentifier(table.name))")
            if count != [[.integer(Int64(own))]] {
                unexpectedValues.append(
                    "table '\(table.name)' has rows whose column '_entity' does not have the name of an entity of the model"
                )
            }
        }
        return (contents, unexpectedValues)
    }

    private static func objects(of entity: EntityMapping, _ connection: SQLiteConnection) throws(StoreError) -> [Object]
    {
        let columns = ["_id"] + entity.attributes.map(\.columnName)
        let rows = try connection.rows(
            "SELECT \(columns.map(quoteIdentifier).joined(separator: ", ")) FROM \(quoteIdentifier(entity.tableName))"
                + (entity.isInHierarchy ? " WHERE \"_entity\" = ?" : ""),
            entity.isInHierarchy ? [.text(entity.entityName)] : []
        )
        var objects: [Int64: Object] = [:]
        for row in rows {
            guard case .integer(let id) = row[0] else { continue }
            var object = Object(id: id, entityName: entity.entityName)
            for (attribute, value) in zip(entity.attributes, row.dropFirst()) {
                object.values[attribute.path.joined(separator: ".")] = value
            }
            for relationship in entity.relationships { object.links[relationship.name] = [] }
            objects[id] = object
        }
        for attribute in entity.attributes {
            guard let table = attribute.externalTableName else { continue }
            let path = attribute.path.joined(separator: ".")
            for row in try connection.rows("SELECT \"_id\", \"bytes\" FROM \(quoteIdentifier(table))") {
                guard case .integer(let id) = row[0], case .blob(let bytes) = row[1] else { continue }
                // A length that differs from that of the bytes is kept, so that the comparison finds it.
                if objects[id]?.values[path] == .integer(Int64(bytes.count)) { objects[id]?.values[path] = row[1] }
            }
        }
        for relationship in entity.relationships {
            for row in try connection.rows(selectLinks(of: relationship, entity)) {
                guard case .integer(let source) = row[0], case .integer(let target) = row[1] else { continue }
                objects[source]?.links[relationship.name]?.append(target)
            }
        }
        return Array(objects.values)
    }

    private static func selectLinks(of relationship: RelationshipMapping, _ entity: EntityMapping) -> String {
        func select(_ source: String, _ destination: String, _ table: String, by order: String?) -> String {
            let (source, destination) = (quoteIdentifier(source), quoteIdentifier(destination))
            return "SELECT \(source), \(destination) FROM \(quoteIdentifier(table)) WHERE \(source) IS NOT NULL "
                + "AND \(destination) IS NOT NULL ORDER BY \(order.map { quoteIdentifier($0) + ", " } ?? "")\(destination)"
        }
        return switch relationship.storage {
        case .column(let column): select("_id", column, entity.tableName, by: nil)
        case .inverseColumn(let table, let column, let order): select(column, "_id", table, by: order)
        case .joinTable(let table, let source, let destination, let order):
            select(source, destination, table, by: order)
        }
    }

    /// Finds values in columns of other entities, which must be NULL in an entity's rows.
    private static func foreignValues(
        of entity: EntityMapping,
        _ connection: SQLiteConnection,
        _ mapping: SchemaMapping
    ) throws(StoreError) -> [String] {
        guard entity.isInHierarchy, let table = mapping.table(named: entity.tableName) else { return [] }
        var own: Set<String> = ["_id", "_version", "_entity"]
        own.formUnion(entity.attributes.map(\.columnName))
        for relationship in entity.relationships {
            if case .column(let column) = relationship.storage { own.formUnion([column, "_order_" + column]) }
        }
        var found: [String] = []
        for column in table.columns where !own.contains(column.name) {
            let rows = try connection.rows(
                "SELECT 1 FROM \(quoteIdentifier(table.name)) WHERE \"_entity\" = ? AND \(quoteIdentifier(column.name)) IS NOT NULL LIMIT 1",
                [.text(entity.entityName)]
            )
            if !rows.isEmpty {
                found.append(
                    "rows of '\(entity.entityName)' have values in '\(column.name)', which is a column of "
                        + "another entity"
                )
            }
        }
        return found
    }
}

extension SQLiteConnection {
    fileprivate func insert(
        _ row: [(column: String, value: SQLValue)],
        into table: String,
        _ conflict: String = ""
    ) throws(StoreError) {
        let columns = row.map { quoteIdentifier($0.column) }.joined(separator: ", ")
        let places = row.map { _ in "?" }.joined(separator: ", ")
        try run("INSERT \(conflict)INTO \(quoteIdentifier(table)) (\(columns)) VALUES (\(places))", row.map(\.value))
    }

    fileprivate func set(_ column: String, _ value: SQLValue, where keys: [String: Int64], in table: String)
        throws(StoreError)
    {
        let keys = keys.sorted { $0.key < $1.key }
        try run(
            "UPDATE \(quoteIdentifier(table)) SET \(quoteIdentifier(column)) = ? WHERE "
                + keys.map { "\(quoteIdentifier($0.key)) = ?" }.joined(separator: " AND "),
            [value] + keys.map { .integer($0.value) }
        )
    }
}
