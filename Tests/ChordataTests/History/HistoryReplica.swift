import ChordataModel
import ChordataSQL
import Foundation
import Testing

@testable import Chordata

/// A second store, which is changed only by the changes in the history of the first store.
final class HistoryReplica {
    private let store: PersistentStore
    private let connection: SQLiteConnection
    private var schema: StoreSchema { store.schema }

    /// Creates a store without rows.
    init(of store: PersistentStore, _ definition: ModelDefinition, at path: String) throws {
        _ = try PersistentContainer(model: definition, path: path)
        self.store = store
        connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        // SQLite must not nullify references itself: these are changes that the history must contain.
        try connection.execute("PRAGMA foreign_keys = OFF")
        // Rows get their current values, so two rows can temporarily have the same values.
        for index in try readIndexes(connection) where index.isUnique {
            try connection.execute("DROP INDEX \(quoteIdentifier(index.name))")
        }
        try connection.execute("ATTACH \(sqlLiteral(text: store.path)) AS original")
    }

    // MARK: Replaying

    /// Applies a change: an inserted object gets all current values of the original, and an updated object gets the
    /// current values of the properties that the change names.
    func replay(_ change: PersistentHistoryChange) throws {
        let name = change.changedObjectID.entityName
        let type = try #require(schema.runtimeEntity(named: name))
        let key = change.changedObjectID.key
        switch change.changeType {
        case .insert:
            try connection.execute(
                "INSERT INTO main.\(table(type)) SELECT * FROM original.\(table(type)) WHERE \"_id\" = \(key)"
            )
            for field in type.fields where field.columnName == nil || field.kind.base == .external {
                try copy(field, of: key, type)
            }
        case .update:
            for name in change.updatedProperties {
                try copy(try #require(type.field(named: name)), of: key, type)
            }
        case .delete: try delete(key, type)
        }
    }

    private func table(_ type: RuntimeEntity) -> String { quoteIdentifier(type.mapping.tableName) }

    private func copy(_ field: Field, of key: Int64, _ type: RuntimeEntity) throws {
        if let column = field.columnName.map(quoteIdentifier) {
            let row = "FROM original.\(table(type)) WHERE \"_id\" = \(key)"
            try connection.execute(
                """
                UPDATE main.\(table(type)) SET \(column) = (SELECT \(column) \(row))
                    WHERE "_id" = \(key) AND EXISTS (SELECT 1 \(row))
                """
            )
        }
        if let bytes = type.mapping.attribute(at: [field.name])?.externalTableName.map(quoteIdentifier) {
            try connection.execute("DELETE FROM main.\(bytes) WHERE \"_id\" = \(key)")
            try connection.execute("INSERT INTO main.\(bytes) SELECT * FROM original.\(bytes) WHERE \"_id\" = \(key)")
        }
        switch type.relationships[field.index]?.storage {
        case .column, nil: break
        case .inverseColumn(let members, let owner, let order?):
            // The members themselves are determined by their to-ones; this end has only their order.
            try connection.execute(
                """
                UPDATE main."\(members)" AS m
                    SET "\(order)" = (SELECT "\(order)" FROM original."\(members)" AS o WHERE o."_id" = m."_id")
                    WHERE "\(owner)" = \(key)
                        OR "_id" IN (SELECT "_id" FROM original."\(members)" WHERE "\(owner)" = \(key))
                """
            )
        case .inverseColumn(_, _, orderColumn: nil): break
        case .joinTable(let pairs, let source, _, _):
            try connection.execute("DELETE FROM main.\"\(pairs)\" WHERE \"\(source)\" = \(key)")
            try connection.execute(
                "INSERT INTO main.\"\(pairs)\" SELECT * FROM original.\"\(pairs)\" WHERE \"\(source)\" = \(key)"
            )
        }
    }

    /// Deletes a row, with everything that exists only together with it: external data and join rows.
    private func delete(_ key: Int64, _ type: RuntimeEntity) throws {
        try connection.execute("DELETE FROM main.\(table(type)) WHERE \"_id\" = \(key)")
        for attribute in type.mapping.attributes {
            guard let bytes = attribute.externalTableName.map(quoteIdentifier) else { continue }
            try connection.execute("DELETE FROM main.\(bytes) WHERE \"_id\" = \(key)")
        }
        for owner in schema.runtimeEntities {
            for case let relationship? in owner.relationships {
                guard case .joinTable(let pairs, let source, let destination, _) = relationship.storage else {
                    continue
                }
                if owner.rootIndex == type.rootIndex {
                    try connection.execute("DELETE FROM main.\"\(pairs)\" WHERE \"\(source)\" = \(key)")
                }
                if relationship.destinationRootIndex == type.rootIndex {
                    try connection.execute("DELETE FROM main.\"\(pairs)\" WHERE \"\(destination)\" = \(key)")
                }
            }
        }
    }

    // MARK: Comparing

    /// The rows that only one of the stores has.
    ///
    /// All columns are compared, except for the versions of rows, and the positions of rows that are not members.
    func differences() throws -> [String] {
        var differences: [String] = []
        for table in schema.mapping.tables where table.kind != .system {
            let name = quoteIdentifier(table.name)
            let columns = table.columns.map(\.name).filter { $0 != "_version" }.map { column in
                guard let owner = ownerColumn(ofPositions: column, in: table.name) else {
                    return quoteIdentifier(column)
                }
                return "CASE WHEN \(quoteIdentifier(owner)) IS NULL THEN NULL ELSE \(quoteIdentifier(column)) END"
            }
            let list = columns.enumerated().map { "\($1) AS \"c\($0)\"" }.joined(separator: ", ")
            for (one, other) in [("main", "original"), ("original", "main")] {
                let text = columns.indices.map { "quote(\"c\($0)\")" }.joined(separator: " || ' ' || ")
                let statement = try connection.prepare(
                    "SELECT \(text) FROM (SELECT \(list) FROM \(one).\(name) EXCEPT SELECT \(list) FROM \(other).\(name))"
                )
                while try statement.step() {
                    differences.append("only in \(one == "main" ? "the replica" : "the store"): \(table.name) ")
                    differences[differences.count - 1] += statement.text(at: 0) ?? ""
                }
            }
        }
        return differences
    }

    /// The to-one of the members whose positions a column has; `nil` for another column.
    private func ownerColumn(ofPositions column: String, in table: String) -> String? {
        for type in schema.runtimeEntities {
            for case let relationship? in type.relationships {
                if case .inverseColumn(let members, let owner, let order?)? = relationship.storage,
                    (members, order) == (table, column)
                {
                    return owner
                }
            }
        }
        return nil
    }
}
