internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Computes derived attributes of rows by SQL, in the transaction that writes the rows: for batch updates, for inserted
/// values, and for saves those attributes that follow relationships.
struct StoredDerivations {
    private let writer: BatchUpdateWriter
    /// The rows that are written, by entity type.
    private var rows: [Int: [Int64]]
    /// The keys of rows by entity type whose own derived attributes may have changed.
    private let moved: [Int: Set<Int64>]
    /// The properties of these rows that are written, and from which attributes of the rows themselves may derive;
    /// `nil` where those are computed before.
    private let assignedNames: Set<String>?
    private let derivations: [[Derivation]]
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

    /// Reads what derives from the rows of a save, before they are written.
    init(_ plan: SavePlan.DerivationPlan, in schema: StoreSchema, _ connection: SQLiteConnection) throws {
        writer = BatchUpdateWriter(schema: schema, connection: connection)
        derivations = plan.derivations
        rows = plan.written
        moved = plan.moved
        assignedNames = plan.assignedNames
        if !plan.former.isEmpty { try readFormerOwners(of: plan.former) }
    }

    /// Sets the rows of values that were inserted.
    mutating func setInserted(_ keys: [Int64], of type: RuntimeEntity) { rows = [type.index: keys] }

    /// Computes the derived attributes of a save's rows, and of those that derive from them, after the rows were
    /// written.
    /// - Returns: The rows that were written for that; of inserted values only other rows.
    func execute() throws -> [DerivedRow] {
        let counts = try derive()
        let inserted = assignedNames == nil ? [:] : rows
        return try counts.orderedByKey.flatMap { index, counts -> [DerivedRow] in
            let keys = counts.keys.sorted()
            let read = try readRowSnapshots(
                of: keys,
                inTableOf: schema.entityTypes[index],
                schema,
                writer.connection
            )
            let known = Set(inserted[index] ?? [])
            return read.filter { !known.contains($0.key) }
                .map { DerivedRow(row: $0, baseVersion: $0.version - Int64(counts[$0.key] ?? 0)) }
        }
    }

    /// Notes what derives from rows whose references are about to change, or that are about to be deleted.
    mutating func readFormerOwners(of rows: [Int: [Int64]]) throws {
        formerOwners = try Self.owners(of: rows, derivations, writer)
    }

    private var schema: StoreSchema { writer.schema }

    /// Computes the derived attributes of the rows, and of those that derive from them.
    /// - Returns: The keys of the rows that were written for that, by entity type, with the number of times.
    func derive() throws -> [Int: [Int64: Int]] {
        var seen = rows.mapValues(Set.init)
        var written: [Int: [Int64: Int]] = [:]
        func note(_ keys: [Int64], _ index: Int) {
            for key in keys { written[index, default: [:]][key, default: 0] += 1 }
        }
        if let assignedNames {
            for (index, keys) in rows {
                let type = schema.entityTypes[index]
                try deriveOwn(type, keys, changedNames: assignedNames) { note($0, index) }
            }
        }
        var owners = try Self.owners(of: rows, derivations, writer)
        owners.merge(formerOwners) { $0.union($1) }
        owners.merge(moved) { $0.union($1) }
        var roundsWithoutNews = 0
        // What one row changes, others may derive from; a chain of such steps is as long as the model makes it.
        while roundsWithoutNews < ChangeLimitExceededError.limit {
            var changed: [Int: [Int64]] = [:]
            for (index, keys) in owners {
                let type = schema.entityTypes[index]
                let crossing = derivations[index].filter { !$0.paths.isEmpty }
                let keys = try derive(crossing, of: type, among: keys.sorted())
                guard !keys.isEmpty else { continue }
                note(keys, index)
                try deriveOwn(type, keys, changedNames: Set(crossing.map(\.field.name))) { note($0, index) }
                changed[index] = keys
            }
            if changed.isEmpty { return written }
            let count = seen.values.reduce(0) { $0 + $1.count }
            seen.merge(changed.mapValues(Set.init)) { $0.union($1) }
            roundsWithoutNews = seen.values.reduce(0) { $0 + $1.count } == count ? roundsWithoutNews + 1 : 0
            owners = try Self.owners(of: changed, derivations, writer)
        }
        throw ChangeLimitExceededError(derivationsOf: Set(written.keys.map { schema.entityTypes[$0].entity.name }))
    }

    /// The rows whose derived attributes go along a path to some rows.
    private static func owners(of rows: [Int: [Int64]], _ derivations: [[Derivation]], _ writer: BatchUpdateWriter)
        throws
        -> [Int: Set<Int64>]
    {
        let model = writer.schema.model
        var owners: [Int: Set<Int64>] = [:]
        for type in writer.schema.entityTypes where !type.entity.isAbstract {
            for path in Set(derivations[type.index].flatMap(\.paths)) {
                let destination = path[path.count - 1].destinationEntityName
                let ids = rows.flatMap { index, keys -> [ManagedObjectID] in
                    let changed = writer.schema.entityTypes[index]
                    guard model.entity(changed.entity.name, isKindOf: destination) else { return [] }
                    return keys.map { ManagedObjectID(entityType: changed, key: $0) }
                }
                guard !ids.isEmpty else { continue }
                let format = path.contains(where: \.isToMany) ? "ANY %K IN %@" : "%K IN %@"
                var request = try FetchRequest<ManagedObject>(entityName: type.entity.name)
                    .where(format: format, path.map(\.name).joined(separator: "."), ids)
                request.includesSubentities = false
                let found = try writer.readKeys(of: BoundFetchRequest(request, in: writer.schema))
                owners[type.index, default: []].formUnion(found[type.index] ?? [])
            }
        }
        return owners
    }

    /// Computes what derives from properties of the rows themselves, and from each other, until nothing changes.
    private func deriveOwn(
        _ type: RuntimeEntity,
        _ keys: [Int64],
        changedNames: Set<String>,
        note: ([Int64]) -> Void
    ) throws {
        let ofType = derivations[type.index]
        var affected = ofType.filter { $0.isTimeDependent || !$0.propertyNames.isDisjoint(with: changedNames) }
        var keys = keys
        for _ in 0..<ChangeLimitExceededError.limit {
            keys = try derive(affected, of: type, among: keys)
            note(keys)
            let names = Set(affected.map(\.field.name))
            affected = ofType.filter { $0.readsDerived && !$0.propertyNames.isDisjoint(with: names) }
            if keys.isEmpty || affected.isEmpty { return }
        }
        throw ChangeLimitExceededError(derivationsOf: [type.entity.name])
    }

    /// Computes attributes of some rows of one entity.
    /// - Returns: The keys of those that had others.
    private func derive(_ derivations: [Derivation], of type: RuntimeEntity, among keys: [Int64]) throws -> [Int64] {
        let name = type.entity.name
        var columns: [ComputedColumn] = []
        for derivation in derivations where derivation.field.columnName != nil {
            guard derivation.isRenderable else {
                // A save has computed it in memory.
                guard let assignedNames else { continue }
                throw BatchUpdateError.notUpdatable(
                    assignedNames.ordered(by: <).joined(separator: "', '"),
                    entityName: rows.keys.first.map { schema.entityTypes[$0].entity.name } ?? name,
                    reason:
                        "cannot be updated, because this requires a new value of the derived attribute '\(derivation.field.name)' of '\(name)', which SQL "
                        + "cannot compute"
                )
            }
            let bound = try derivation.expression.bind(to: name, in: schema.model, now: now)
            columns.append(ComputedColumn(derivation.field, bound.expression))
        }
        guard !columns.isEmpty, !keys.isEmpty else { return [] }
        let objects = keys.map { ManagedObjectID(entityType: type, key: $0).predicateArgumentValue.value }
        let computed = try writer.compute(
            columns,
            of: type,
            where: .isObject(of: name, among: objects),
            includesSubentities: false
        )
        return try writer.write(computed, of: type, ifDifferent: true)
    }
}

/// A row whose derived attributes a save has computed by SQL.
struct DerivedRow {
    let row: RowSnapshot
    /// The version that the row had before.
    let baseVersion: Int64
}
