import ChordataModel
import ChordataSQL
import Foundation

@testable import Chordata

/// What a store has of all objects: the values of their properties as SQL literals.
struct StoredObjects: Equatable {
    struct Identity: Hashable {
        let rootIndex: Int
        let key: Int64
    }

    /// The values by property name.
    ///
    /// The name of the entity has the key `entity`. Members of to-many relationships are row keys.
    typealias Values = [String: String]

    private(set) var objects: [Identity: Values] = [:]

    init(_ store: PersistentStore) throws {
        try store.sqlite.read { connection in
            for type in store.schema.entityTypes where !type.entity.isAbstract {
                try readRows(of: type, connection)
            }
            for type in store.schema.entityTypes where !type.entity.isAbstract {
                for case let relationship? in type.relationships { try readMembers(of: relationship, type, connection) }
            }
        }
    }

    private mutating func readRows(of type: RuntimeEntity, _ connection: SQLiteConnection) throws {
        let fields = type.fields.filter { $0.columnName != nil }
        let columns = fields.compactMap(\.columnName).map { ", quote(\(quoteIdentifier($0)))" }.joined()
        var sql = "SELECT \"_id\"\(columns) FROM \(quoteIdentifier(type.mapping.tableName))"
        if type.mapping.isInHierarchy { sql += " WHERE \"_entity\" = \(sqlLiteral(text: type.entity.name))" }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        while try statement.step() {
            var values = ["entity": type.entity.name]
            for (index, field) in fields.enumerated() { values[field.name] = statement.text(at: Int32(index + 1)) }
            objects[Identity(rootIndex: type.rootIndex, key: statement.integer(at: 0))] = values
        }
        for field in type.externalFields.map(\.field) {
            guard let table = type.mapping.attribute(at: [field.name])?.externalTableName else { continue }
            let bytes = try connection.statement("SELECT \"_id\", quote(\"bytes\") FROM \(quoteIdentifier(table))")
            defer { bytes.reset() }
            while try bytes.step() {
                let identity = Identity(rootIndex: type.rootIndex, key: bytes.integer(at: 0))
                guard objects[identity]?["entity"] == type.entity.name else { continue }
                objects[identity]?[field.name, default: ""] += " " + (bytes.text(at: 1) ?? "")
            }
        }
    }

    private mutating func readMembers(
        of relationship: RuntimeEntity.Relationship,
        _ type: RuntimeEntity,
        _ connection: SQLiteConnection
    ) throws {
        let sql: String
        switch relationship.storage {
        case .column, nil: return
        case .inverseColumn(let table, let column, let order):
            sql = """
                SELECT "\(column)", "_id" FROM "\(table)" WHERE "\(column)" IS NOT NULL
                    ORDER BY \(order.map { "\"\($0)\", " } ?? "")"_id"
                """
        case .joinTable(let table, let source, let destination, let order):
            sql = """
                SELECT "\(source)", "\(destination)" FROM "\(table)"
                    ORDER BY \(order.map { "\"\($0)\", " } ?? "")"\(destination)"
                """
        }
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        while try statement.step() {
            let identity = Identity(rootIndex: type.rootIndex, key: statement.integer(at: 0))
            guard objects[identity]?["entity"] == type.entity.name else { continue }
            objects[identity]?[relationship.description.name, default: ""] += " \(statement.integer(at: 1))"
        }
    }
}

extension StoredObjects {
    /// The same objects without a property whose values depend on the time.
    func without(_ name: String) -> StoredObjects {
        var result = self
        for identity in objects.keys { result.objects[identity]?[name] = nil }
        return result
    }

    /// The same objects without their to-many relationships.
    var withoutMembers: StoredObjects {
        var result = self
        for (identity, values) in objects { result.objects[identity] = values.filter { !$0.value.hasPrefix(" ") } }
        return result
    }
}
