import CChordataSQLite
import ChordataModel
import ChordataSQL
import Testing

/// Puts the objects of a world into the tables of a store, and reads what tables have.
struct StoreImage {
    let database: ScratchDatabase
    let mapping: SchemaMapping

    init(_ database: ScratchDatabase, _ model: ManagedObjectModel) {
        self.database = database
        mapping = makeSchemaMapping(of: model)
    }

    // MARK: Writing

    func write(_ world: World) throws {
        for statement in renderSchema(mapping) { try database.run(statement) }
        try database.run("PRAGMA foreign_keys=ON; BEGIN")
        for object in world.objects { try write(object, world) }
        for object in world.objects { try writeLinks(of: object, world) }
        try database.run("COMMIT")
    }

    private func write(_ object: World.Object, _ world: World) throws {
        let entity = try #require(mapping.entity(named: object.entity))
        var columns = ["_id", "_version"]
        var cells: [Cell] = [.integer(object.id), .integer(1)]
        if entity.isInHierarchy {
            columns.append("_entity")
            cells.append(.text(object.entity))
        }
        var bytes: [(table: String, cell: Cell)] = []
        for attribute in entity.attributes {
            var cell = object.values[attribute.path.joined(separator: ".")] ?? .null
            if let table = attribute.externalTableName, case .blob(let value) = cell {
                bytes.append((table, cell))
                cell = .integer(Int64(value.count))
            }
            columns.append(attribute.columnName)
            cells.append(cell)
        }
        try insert(columns, cells, into: entity.tableName)
        for (table, cell) in bytes { try insert(["_id", "bytes"], [.integer(object.id), cell], into: table) }
    }

    private func insert(_ columns: [String], _ cells: [Cell], into table: String) throws {
        let names = columns.map { quoteIdentifier($0) }.joined(separator: ", ")
        let values = columns.map { _ in "?" }.joined(separator: ", ")
        try database.run("INSERT OR IGNORE INTO \(quoteIdentifier(table)) (\(names)) VALUES (\(values))", cells)
    }

    private func writeLinks(of object: World.Object, _ world: World) throws {
        let entity = try #require(mapping.entity(named: object.entity))
        for relationship in entity.relationships {
            for (place, target) in (object.links[relationship.name] ?? []).enumerated() {
                switch relationship.storage {
                case .column(let column): try set(column, .integer(target), of: object.id, in: entity.tableName)
                case .inverseColumn(let table, _, let order):
                    if let order { try set(order, .integer(Int64(place)), of: target, in: table) }
                case .joinTable(let table, let source, let destination, let order):
                    try insert([source, destination], [.integer(object.id), .integer(target)], into: table)
                    guard let order else { continue }
                    try database.run(
                        "UPDATE \(quoteIdentifier(table)) SET \(order) = ? WHERE \(source) = ? AND \(destination) = ?",
                        [.integer(Int64(place)), .integer(object.id), .integer(target)]
                    )
                }
            }
        }
    }

    private func set(_ column: String, _ cell: Cell, of id: Int64, in table: String) throws {
        try database.run(
            "UPDATE \(quoteIdentifier(table)) SET \(quoteIdentifier(column)) = ? WHERE _id = ?",
            [cell, .integer(id)]
        )
    }

    // MARK: Reading

    /// A line for each value of each object.
    func lines() throws -> Set<String> {
        var lines: Set<String> = []
        for entity in mapping.entities where mapping.model.entity(named: entity.entityName)?.isAbstract == false {
            let condition = entity.isInHierarchy ? " WHERE _entity = ?" : ""
            let rows = try database.cells(
                "SELECT _id FROM \(quoteIdentifier(entity.tableName))\(condition)",
                entity.isInHierarchy ? [.text(entity.entityName)] : []
            )
            for row in rows {
                guard case .integer(let id) = row[0] else { continue }
                lines.insert(Self.line(id, entity.entityName))
                for attribute in entity.attributes {
                    lines.insert(
                        Self.line(id, attribute.path.joined(separator: "."), try value(of: attribute, id, entity))
                    )
                }
                for relationship in entity.relationships {
                    let links = try links(of: relationship, id, entity)
                    lines.insert(
                        Self.line(id, relationship.name, links, isOrdered: relationship.relationship.isOrdered)
                    )
                }
            }
        }
        // What does not belong to a row's entity is nothing.
        for table in mapping.tables {
            guard case .entity(let root) = table.kind else { continue }
            for name in mapping.model.subentityClosure(of: root) {
                guard let entity = mapping.entity(named: name), entity.isInHierarchy else { continue }
                var own: Set<String> = ["_id", "_version", "_entity"]
                own.formUnion(entity.attributes.map(\.columnName))
                for relationship in entity.relationships {
                    if case .column(let column) = relationship.storage { own.formUnion([column, "_order_" + column]) }
                }
                for column in table.columns where !own.contains(column.name) {
                    let strangers = try database.cells(
                        "SELECT _id FROM \(quoteIdentifier(table.name)) WHERE _entity = ? AND \(quoteIdentifier(column.name)) IS NOT NULL",
                        [.text(name)]
                    )
                    if !strangers.isEmpty { lines.insert("\(name) has values in \(column.name): \(strangers)") }
                }
            }
        }
        return lines
    }

    private func value(of attribute: AttributeMapping, _ id: Int64, _ entity: EntityMapping) throws -> Cell {
        let cell = try database.cells(
            "SELECT \(quoteIdentifier(attribute.columnName)) FROM \(quoteIdentifier(entity.tableName)) WHERE _id = ?",
            [.integer(id)]
        )[0][0]
        guard let table = attribute.externalTableName else { return cell }
        let bytes = try database.cells("SELECT bytes FROM \(quoteIdentifier(table)) WHERE _id = ?", [.integer(id)])
        switch (cell, bytes.first?.first) {
        case (.null, nil): return .null
        case (.integer(let count), .blob(let bytes)?) where Int(count) == bytes.count: return .blob(bytes)
        case (let cell, let bytes): return .text("the length \(cell) of \(String(describing: bytes))")
        }
    }

    private func links(of mapped: RelationshipMapping, _ id: Int64, _ entity: EntityMapping) throws -> [Cell] {
        let sql: String
        switch mapped.storage {
        case .column(let column):
            sql =
                "SELECT \(quoteIdentifier(column)) FROM \(quoteIdentifier(entity.tableName)) "
                + "WHERE _id = ? AND \(quoteIdentifier(column)) IS NOT NULL"
        case .inverseColumn(let table, let column, let order):
            sql =
                "SELECT _id FROM \(quoteIdentifier(table)) WHERE \(quoteIdentifier(column)) = ? "
                + "ORDER BY \(order.map { quoteIdentifier($0) } ?? "_id"), _id"
        case .joinTable(let table, let source, let destination, let order):
            sql =
                "SELECT \(destination) FROM \(quoteIdentifier(table)) WHERE \(source) = ? ORDER BY \(order ?? destination), \(destination)"
        }
        return try database.cells(sql, [.integer(id)]).map { $0[0] }
    }

    /// The same of a world.
    static func lines(of world: World) -> Set<String> {
        var lines: Set<String> = []
        for object in world.objects {
            lines.insert(line(object.id, object.entity))
            for attribute in world.attributes(object.entity) where !attribute.isTransient {
                for leaf in attribute.leaves {
                    let path = leaf.path.joined(separator: ".")
                    lines.insert(line(object.id, path, object.values[path] ?? .text("missing")))
                }
            }
            for relationship in world.relationships(object.entity) {
                let links = (object.links[relationship.name] ?? [-1]).map { Cell.integer($0) }
                lines.insert(line(object.id, relationship.name, links, isOrdered: relationship.isOrdered))
            }
        }
        return lines
    }

    private static func line(_ id: Int64, _ entity: String) -> String { "\(id) is \(entity)" }
    private static func line(_ id: Int64, _ path: String, _ cell: Cell) -> String { "\(id).\(path) = \(cell)" }
    private static func line(_ id: Int64, _ name: String, _ links: [Cell], isOrdered: Bool) -> String {
        let texts = links.map(\.description)
        return "\(id).\(name) -> \((isOrdered ? texts : texts.sorted()).joined(separator: ", "))"
    }
}
