import ChordataModel
import ChordataSQL
import Foundation
import Testing

@testable import Chordata

/// The contents of a store: the values of the properties of all objects, as SQL literals.
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
        for type in store.schema.runtimeEntities where !type.entity.isAbstract { try readRows(of: type, store) }
        for type in store.schema.runtimeEntities where !type.entity.isAbstract {
            for case let relationship? in type.relationships { try readMembers(of: relationship, type, store) }
        }
    }

    private mutating func readRows(of type: RuntimeEntity, _ store: PersistentStore) throws {
        let fields = type.fields.filter { $0.columnName != nil }
        func literal(_ column: String) -> String {
            let name = quoteIdentifier(column)
            return store.database == nil ? "coalesce(CAST(\(name) AS text), 'NULL')" : "quote(\(name))"
        }
        let columns = ["CAST(\"_id\" AS text)"] + fields.compactMap(\.columnName).map(literal)
        var sql = "SELECT \(columns.joined(separator: ", ")) FROM \(quoteIdentifier(type.mapping.tableName))"
        if type.mapping.isInHierarchy { sql += " WHERE \"_entity\" = \(sqlLiteral(text: type.entity.name))" }
        for row in try store.texts(sql, columnCount: columns.count) {
            var values = ["entity": type.entity.name]
            for (index, field) in fields.enumerated() { values[field.name] = row[index + 1] }
            objects[try identity(row[0], type)] = values
        }
        for field in type.externalFields.map(\.field) {
            guard let table = type.mapping.attribute(at: [field.name])?.externalTableName else { continue }
            let sql = "SELECT CAST(\"_id\" AS text), \(literal("bytes")) FROM \(quoteIdentifier(table))"
            for row in try store.texts(sql, columnCount: 2) {
                let identity = try identity(row[0], type)
                guard objects[identity]?["entity"] == type.entity.name else { continue }
                objects[identity]?[field.name, default: ""] += " " + row[1]
            }
        }
    }

    private func identity(_ key: String, _ type: RuntimeEntity) throws -> Identity {
        Identity(rootIndex: type.rootIndex, key: try #require(Int64(key)))
    }

    private mutating func readMembers(
        of relationship: RuntimeEntity.Relationship,
        _ type: RuntimeEntity,
        _ store: PersistentStore
    ) throws {
        let (table, owner, member, order): (String, String, String, String?)
        switch relationship.storage {
        case .column, nil: return
        case .inverseColumn(let name, let column, let orderColumn):
            (table, owner, member, order) = (name, column, "_id", orderColumn)
        case .joinTable(let name, let source, let destination, let orderColumn):
            (table, owner, member, order) = (name, source, destination, orderColumn)
        }
        let sql = """
            SELECT CAST("\(owner)" AS text), CAST("\(member)" AS text) FROM "\(table)" WHERE "\(owner)" IS NOT NULL
                ORDER BY \(order.map { "\"\($0)\", " } ?? "")"\(member)"
            """
        for row in try store.texts(sql, columnCount: 2) {
            let identity = try identity(row[0], type)
            guard objects[identity]?["entity"] == type.entity.name else { continue }
            objects[identity]?[relationship.description.name, default: ""] += " \(row[1])"
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
