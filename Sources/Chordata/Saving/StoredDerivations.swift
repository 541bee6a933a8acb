internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Computes derived attributes of rows by SQL, in the transaction that writes the rows: for batch updates, for inserted
/// values and, in saves, for those attributes that follow relationships.
package struct StoredDerivations {
    fileprivate let writer: BatchUpdateWriter
    /// The rows that are written, by entity type.
    private var rows: [Int: [Int64]]
    /// The keys, by entity type, of the rows whose own derived attributes may have changed.
    private let moved: [Int: Set<Int64>]
    /// The properties of these rows that are written, and from which attributes of the rows themselves may derive;
    /// `nil` if those attributes were computed before.
    fileprivate let assignedNames: Set<String>?
    fileprivate let derivations: [[Derivation]]
    /// The rows that derive from the rows as they are before they are written.
    private var formerOwners: [Int: Set<Int64>] = [:]
    private let now = Date()

    /// - Parameter rows: The rows that are written, by entity type.
    init(_ writer: BatchUpdateWriter, _ derivations: [[Derivation]], _ rows: [Int: [Int64]], assigned: Set<String>?) {
        self.writer = writer
        self.derivations = derivations
        self.rows = rows
        moved = [:]
        assignedNames = assigned
    }

    /// Reads the rows that derive from the rows of a save, before the latter are written.
    /// - Parameter evaluator: The evaluator that computes what the SQL of a server cannot compute; `nil` for SQLite.
    package init(
        _ plan: SavePlan.DerivationPlan,
        in schema: StoreSchema,
        _ transaction: StoreTransaction,
        _ evaluator: RowEvaluator? = nil
    ) throws {
        writer = BatchUpdateWriter(schema: schema, transaction: transaction, evaluator: evaluator)
        derivations = plan.derivations
        rows = plan.written
        moved = plan.moved
        assignedNames = plan.assignedNames
        if !plan.former.isEmpty { try readFormerOwners(of: plan.former) }
    }

    /// Sets the rows of values that were inserted.
    package mutating func setInserted(_ keys: [Int64], of type: RuntimeEntity) { rows = [type.index: keys] }

    /// Computes the derived attributes of a save's rows, and of those that derive from them, after the rows were
    /// written.
    /// - Returns: The rows that were written for this; for inserted values, only other rows.
    package func execute() throws -> [DerivedRow] {
        let counts = try derive()
        let inserted = assignedNames == nil ? [:] : rows
        return try counts.orderedByKey.flatMap { index, counts -> [DerivedRow] in
            let keys = counts.keys.sorted()
            let read = try readRowSnapshots(
                of: keys,
                inTableOf: schema.runtimeEntities[index],
                schema,
                writer.transaction.reader
            )
            let known = Set(inserted[index] ?? [])
            return read.filter { !known.contains($0.key) }
                .map { DerivedRow(row: $0, baseVersion: $0.version - Int64(counts[$0.key] ?? 0)) }
        }
    }

    /// Records the rows that derive from rows whose references are about to change, or that are about to be deleted.
    mutating func readFormerOwners(of rows: [Int: [Int64]]) throws {
        formerOwners = try owners(of: rows)
    }

    fileprivate var schema: StoreSchema { writer.schema }

    /// Computes the derived attributes of the rows, and of those that derive from them.
    /// - Returns: The keys of the rows that were written for this, by entity type, with the number of times.
    func derive() throws -> [Int: [Int64: Int]] {
        var derived = DerivedKeys(self, rows)
        if let assignedNames {
            for (index, keys) in rows.orderedByKey {
                try derived.deriveOwn(schema.runtimeEntities[index], keys, changedNames: assignedNames)
            }
        }
        var owners = try owners(of: rows)
        owners.merge(formerOwners) { $0.union($1) }
        owners.merge(moved) { $0.union($1) }
        try derived.deriveInRounds(owners.mapValues { $0.sorted() })
        return derived.written
    }

    /// Returns the rows whose derived attributes follow a path to some rows.
    fileprivate func owners(of rows: [Int: [Int64]]) throws -> [Int: Set<Int64>] {
        var owners: [Int: Set<Int64>] = [:]
        try schema.forEachPath(of: derivations) { type, path, destination in
            let ids = rows.flatMap { index, keys -> [ManagedObjectID] in
                let changed = schema.runtimeEntities[index]
                guard schema.model.entity(changed.entity.name, isKindOf: destination) else { return [] }
                return keys.map { ManagedObjectID(runtimeEntity: changed, key: $0) }
            }
            guard !ids.isEmpty else { return }
            let format = path.contains(where: \.isToMany) ? "ANY %K IN %@" : "%K IN %@"
            var request = try FetchRequest<ManagedObject>(entityName: type.entity.name)
                .where(format: format, path.map(\.name).joined(separator: "."), ids)
            request.includesSubentities = false
            let found = try writer.transaction.reader.readKeys(of: BoundFetchRequest(request, in: schema), in: schema)
            owners[type.index, default: []].formUnion(found[type.index] ?? [])
        }
        return owners
    }

    /// Computes attributes of some rows of one entity.
    /// - Returns: The keys of the rows whose values have changed.
    fileprivate func derive(_ derivations: [Derivation], of type: RuntimeEntity, among keys: [Int64]) throws -> [Int64]
    {
        let name = type.entity.name
        // A save has computed in memory what SQL cannot compute.
        if assignedNames != nil,
            let derivation = derivations.first(where: { $0.field.columnName != nil && !$0.isRenderable })
        {
            throw UncomputableDerivation(attributeName: derivation.field.name, entityName: name)
        }
        guard !keys.isEmpty else { return [] }
        let objects = keys.map { ManagedObjectID(runtimeEntity: type, key: $0).predicateArgumentValue.value }
        return try writer.derive(derivations, of: type, where: .isObject(of: name, among: objects), now: now)
    }
}

/// Rows whose derived attributes are computed by SQL, as keys by entity type: those that derive from other rows, and
/// those of the rows themselves.
private struct DerivedKeys: DerivationRounds {
    private let stored: StoredDerivations
    private var seen: [Int: Set<Int64>]
    /// The keys of the rows that were written, with the number of times.
    private(set) var written: [Int: [Int64: Int]] = [:]

    init(_ stored: StoredDerivations, _ rows: [Int: [Int64]]) {
        self.stored = stored
        seen = rows.mapValues(Set.init)
    }

    mutating func derive(_ rows: [Int: [Int64]]) throws -> [Int: [Int64]]? {
        var changed: [Int: [Int64]] = [:]
        for (index, keys) in rows.orderedByKey {
            let type = stored.schema.runtimeEntities[index]
            let crossing = stored.derivations[index].filter { !$0.paths.isEmpty }
            let keys = try stored.derive(crossing, of: type, among: keys)
            guard !keys.isEmpty else { continue }
            recordWrites(of: keys, type)
            try deriveOwn(type, keys, changedNames: Set(crossing.map(\.field.name)))
            changed[index] = keys
        }
        return changed.isEmpty ? nil : changed
    }

    mutating func trackChanges(of rows: [Int: [Int64]]) -> Bool {
        var hasNewRows = false
        for (index, keys) in rows {
            let count = seen[index]?.count ?? 0
            seen[index, default: []].formUnion(keys)
            if seen[index]?.count != count { hasNewRows = true }
        }
        return hasNewRows
    }

    func dependents(of changed: [Int: [Int64]]) throws -> [Int: [Int64]]? {
        try stored.owners(of: changed).mapValues { $0.sorted() }
    }

    func entityNames(of changed: [Int: [Int64]]) -> Set<String> {
        Set(written.keys.map { stored.schema.runtimeEntities[$0].entity.name })
    }

    /// Computes the attributes that derive from properties of the rows themselves, and from each other, until nothing
    /// changes.
    mutating func deriveOwn(_ type: RuntimeEntity, _ keys: [Int64], changedNames: Set<String>) throws {
        let affected = stored.derivations[type.index].filter {
            $0.isTimeDependent || !$0.propertyNames.isDisjoint(with: changedNames)
        }
        var rows = DerivedOwnKeys(stored: stored, type: type)
        try rows.deriveInRounds(.init(keys: keys, affected: affected))
        for keys in rows.written { recordWrites(of: keys, type) }
    }

    private mutating func recordWrites(of keys: [Int64], _ type: RuntimeEntity) {
        for key in keys { written[type.index, default: [:]][key, default: 0] += 1 }
    }
}

/// Rows of one entity whose attributes that derive from attributes of the same row are computed by SQL.
private struct DerivedOwnKeys: DerivationRounds {
    struct Rows {
        let keys: [Int64]
        /// The attributes whose values may have changed.
        let affected: [Derivation]
    }

    let stored: StoredDerivations
    let type: RuntimeEntity
    /// The keys of the rows that each round has written.
    private(set) var written: [[Int64]] = []

    init(stored: StoredDerivations, type: RuntimeEntity) { (self.stored, self.type) = (stored, type) }

    mutating func derive(_ rows: Rows) throws -> Rows? {
        let keys = try stored.derive(rows.affected, of: type, among: rows.keys)
        if keys.isEmpty { return nil }
        written.append(keys)
        return Rows(keys: keys, affected: rows.affected)
    }

    func dependents(of changed: Rows) -> Rows? {
        let names = Set(changed.affected.map(\.field.name))
        let affected = stored.derivations[type.index].filter {
            $0.readsDerived && !$0.propertyNames.isDisjoint(with: names)
        }
        return affected.isEmpty ? nil : Rows(keys: changed.keys, affected: affected)
    }

    func entityNames(of changed: Rows) -> Set<String> { [type.entity.name] }
}

extension BatchUpdateWriter {
    /// Computes derived attributes of the rows of one entity that meet a condition, if SQLite could compute them; what
    /// the SQL of a server cannot compute, the evaluator does.
    /// - Returns: The keys of the rows whose values have changed.
    func derive(_ derivations: [Derivation], of type: RuntimeEntity, where predicate: BoundPredicate?, now: Date) throws
        -> [Int64]
    {
        let columns = try derivations.filter { $0.isRenderable && $0.field.columnName != nil }.map { derivation in
            let bound = try derivation.expression.bind(to: type.entity.name, in: schema.model, now: now)
            return ComputedColumn(derivation.field, bound.expression)
        }
        guard !columns.isEmpty else { return [] }
        let rows = try compute(columns, of: type, where: predicate, includesSubentities: false)
        return try write(rows, of: type, ifDifferent: true)
    }
}

/// An error for a batch operation that requires a new value of a derived attribute that SQL cannot compute.
struct UncomputableDerivation: Error {
    let attributeName: String
    let entityName: String
}

/// A row whose derived attributes a save has computed by SQL.
package struct DerivedRow {
    let row: RowSnapshot
    /// The version that the row had before.
    let baseVersion: Int64
}
