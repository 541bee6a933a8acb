import ChordataSQL
import Foundation
import Synchronization

@testable import Chordata

/// An engine that keeps rows in dictionaries: it executes the plans of saves as SQLite does, without SQL.
///
/// It computes no derived attributes and does not insert `Values`.
final class DictionaryEngine: SaveExecutor {
    struct Row: Equatable {
        let entityName: String
        var version: Int64
        /// The values by column.
        var values: [String: UniqueValue]
    }

    /// A row of a join table: the row keys by column.
    typealias Pair = [String: Int64]

    struct Order: Hashable {
        let table, column: String
        let owner: Int64
    }

    struct Contents {
        /// The rows by table, and then by row key.
        var rows: [String: [Int64: Row]] = [:]
        /// The join rows by table.
        var pairs: [String: Set<Pair>] = [:]
        var orders: [Order: [Int64]] = [:]
        /// The external data by the row's table and the attribute's name, and then by row key.
        var bytes: [String: [Int64: Data]] = [:]
    }

    let contents = Mutex(Contents())
    private let nextKey = Atomic<Int64>(1)

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        precondition(plan.derivations == nil && plan.values == nil)
        return try contents.withLock { contents in
            var changed = contents
            var effects = SaveEffects()
            effects.nullifiedRows = try changed.execute(plan)
            contents = changed
            didCommit(effects)
            return effects
        }
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws { try body() }

    func reserveKeys(_ count: Int64) throws -> Range<Int64> {
        let end = nextKey.add(count, ordering: .relaxed).newValue
        return end - count..<end
    }

    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? { try reserveKeys(count) }
}

extension DictionaryEngine.Contents {
    /// - Returns: The rows whose references were nullified.
    fileprivate mutating func execute(_ plan: SavePlan) throws -> [ChangeSet.Row] {
        let constraints = plan.schema.makeUniquenessConstraints()
        for freed in plan.freedValues where rows[freed.type.mapping.tableName]?[freed.key]?.version == freed.version {
            for column in freed.columns { rows[freed.type.mapping.tableName]?[freed.key]?.values[column] = nil }
        }
        for batch in plan.insertions { try forEach(batch) { try $0.insert($1, constraints) } }
        for batch in plan.updates { try forEach(batch) { try $0.update($1, batch.changed, constraints) } }
        for change in plan.externalData {
            let table = "\(change.objectID.runtimeEntity.mapping.tableName).\(change.attribute.field.name)"
            bytes[table, default: [:]][change.objectID.key] = change.bytes
        }
        for change in plan.joinRows {
            func pair(_ member: Int64) -> DictionaryEngine.Pair {
                [change.table.owner: change.owner, change.table.member: member]
            }
            pairs[change.table.name, default: []].subtract(change.removed.map(pair))
            pairs[change.table.name, default: []].formUnion(change.added.map(pair))
        }
        for change in plan.orders { apply(change) }
        let deleted = plan.deletions.flatMap { batch in
            batch.objects.map { IdentityMap.Key(of: $0.takeUnretainedValue()) }
        }
        let nullified =
            plan.hasOtherReaders() ? plan.nullifications.flatMap { nullify($0, Set(deleted), plan.schema) } : []
        for batch in plan.deletions { try forEach(batch) { try $0.delete($1, plan.schema) } }
        try requireReferences(plan.schema)
        return nullified
    }

    private mutating func forEach(_ batch: RowGroup, _ body: (inout Self, ManagedObject) throws -> Void) rethrows {
        for object in batch.objects { try body(&self, object.takeUnretainedValue()) }
    }

    // MARK: Rows

    private mutating func insert(_ object: ManagedObject, _ constraints: [UniquenessConstraint]) throws {
        let type = object.runtimeEntity
        guard rows[type.mapping.tableName]?[object.key] == nil else { throw Self.error(.rowKey) }
        let row = DictionaryEngine.Row(entityName: type.entity.name, version: object.version + 1, values: [:])
        rows[type.mapping.tableName, default: [:]][object.key] = row
        try write(type.columnFields, of: object, constraints)
    }

    private mutating func update(
        _ object: ManagedObject,
        _ changed: PropertyMask,
        _ constraints: [UniquenessConstraint]
    ) throws {
        try requireVersion(of: object)
        rows[object.runtimeEntity.mapping.tableName]?[object.key]?.version += 1
        try write(object.runtimeEntity.columnFields.filter { changed.contains($0.index) }, of: object, constraints)
    }

    private mutating func write(_ fields: [Field], of object: ManagedObject, _ constraints: [UniquenessConstraint])
        throws
    {
        let table = object.runtimeEntity.mapping.tableName
        for field in fields {
            guard let column = field.columnName else { continue }
            rows[table]?[object.key]?.values[column] = storedValue(field, of: object)
        }
        for constraint in constraints where constraint.tableName == table {
            func values(_ row: DictionaryEngine.Row?) -> [UniqueValue]? {
                let values = constraint.columnNames.compactMap { row?.values[$0] }
                return values.count == constraint.columnNames.count ? values : nil
            }
            guard let own = values(rows[table]?[object.key]) else { continue }
            let isTaken = rows[table, default: [:]].contains { $0.key != object.key && values($0.value) == own }
            if isTaken { throw Self.error(.uniqueness(columns: [])) }
        }
    }

    private mutating func delete(_ object: ManagedObject, _ schema: StoreSchema) throws {
        try requireVersion(of: object)
        let table = object.runtimeEntity.mapping.tableName
        rows[table]?[object.key] = nil
        for key in bytes.keys where key.hasPrefix("\(table).") { bytes[key]?[object.key] = nil }
        for reference in schema.references where reference.destination == table {
            if reference.isOfPairs {
                pairs[reference.table] = pairs[reference.table]?.filter { $0[reference.column] != object.key }
            } else {
                let referencing = (rows[reference.table] ?? [:]).filter { _, row in
                    row.values[reference.column] == .key(object.key)
                }
                for key in referencing.keys { rows[reference.table]?[key]?.values[reference.column] = nil }
            }
        }
    }

    private func requireVersion(of object: ManagedObject) throws {
        guard rows[object.runtimeEntity.mapping.tableName]?[object.key]?.version == object.version else {
            throw RowVersionMismatch(entityName: object.runtimeEntity.entity.name)
        }
    }

    // MARK: References

    private mutating func nullify(
        _ nullification: SavePlan.Nullification,
        _ deleted: Set<IdentityMap.Key>,
        _ schema: StoreSchema
    ) -> [ChangeSet.Row] {
        guard case .inverseColumn(let table, let column, _) = nullification.relationship.storage else { return [] }
        return rows[table, default: [:]].sorted { $0.key < $1.key }.compactMap { key, row in
            guard case .key(let owner) = row.values[column], nullification.owners.contains(owner),
                let type = schema.runtimeEntity(named: row.entityName),
                !deleted.contains(IdentityMap.Key(rootIndex: type.rootIndex, key: key))
            else { return nil }
            rows[table]?[key]?.values[column] = nil
            rows[table]?[key]?.version += 1
            return ChangeSet.Row(kind: .updated, type: type, key: key, version: row.version + 1, values: nil)
        }
    }

    private func requireReferences(_ schema: StoreSchema) throws {
        for reference in schema.references {
            let existing = rows[reference.destination] ?? [:]
            let keys: [Int64] =
                if reference.isOfPairs {
                    pairs[reference.table, default: []].compactMap { $0[reference.column] }
                } else {
                    rows[reference.table, default: [:]].values.compactMap { row in
                        if case .key(let key)? = row.values[reference.column] { key } else { nil }
                    }
                }
            guard keys.allSatisfy({ existing[$0] != nil }) else { throw Self.error(.reference) }
        }
    }

    /// Moves each changed member behind the member that precedes it in the order of the context.
    private mutating func apply(_ change: SavePlan.OrderChange) {
        let place = DictionaryEngine.Order(
            table: change.columns.table,
            column: change.columns.order,
            owner: change.owner
        )
        let members = change.members.map(\.key)
        guard case .inserted(let inserted) = change.changed else {
            orders[place] = members
            return
        }
        var order = orders[place, default: []].filter { key in !inserted.contains { $0.key == key } }
        for (index, member) in change.members.enumerated() where inserted.contains(member) {
            let before = members[..<index].last { order.contains($0) }
            order.insert(member.key, at: before.flatMap(order.firstIndex).map { $0 + 1 } ?? 0)
        }
        orders[place] = order
    }

    private static func error(_ violation: ConstraintViolation) -> StoreError {
        var error = StoreError(.statementFailed, "a row violates a constraint")
        error.violation = violation
        return error
    }
}

/// The value that a store has for a field; `nil` for no value.
private func storedValue(_ field: Field, of object: ManagedObject) -> UniqueValue? {
    // A required attribute without a value is written as the value that its property returns.
    guard field.kind.base != .toOne, object.changes?.unset.contains(field.index) == true else {
        return UniqueValue(field, of: object)
    }
    return attributeValue(field.kind, at: object.address(of: field)).map(UniqueValue.init)
}

extension StoreSchema {
    /// A column that references rows of a table.
    struct Reference {
        let table, column, destination: String
        let isOfPairs: Bool
    }

    var references: [Reference] {
        mapping.tables.flatMap { table in
            table.columns.compactMap { column in
                let isOfPairs = if case .join = table.kind { true } else { false }
                guard let destination = column.references else { return nil }
                return Reference(table: table.name, column: column.name, destination: destination, isOfPairs: isOfPairs)
            }
        }
    }
}
