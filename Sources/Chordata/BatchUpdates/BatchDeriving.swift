internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The update of derived attributes after a batch update; see ManagedObjectContext+Deriving.swift for those of objects.
struct BatchDeriving {
    private let writer: BatchUpdateWriter
    /// The rows that are updated, by entity type.
    private let rows: [Int: [Int64]]
    private let assignedNames: Set<String>
    private let derivations: [[Derivation]]
    /// The rows whose references changed.
    private let formerOwners: [Int: Set<Int64>]
    private let now = Date()

    /// Reads the references to rows before they are written; `nil` where nothing is derived.
    init?(_ writer: BatchUpdateWriter, _ update: BoundBatchUpdate, _ rows: [Int: [Int64]]) throws {
        guard writer.schema.hasDerivations else { return nil }
        self.writer = writer
        self.rows = rows
        assignedNames = Set(update.assignments.map(\.field.name))
        derivations = try writer.schema.makeDerivations()
        let movesRows = update.assignments.contains { $0.field.relationship != nil }
        formerOwners = movesRows ? try Self.owners(of: rows, derivations, writer) : [:]
    }

    private var schema: StoreSchema { writer.schema }

    /// Computes the derived attributes of the rows, and of those that derive from them.
    /// - Returns: The keys of the rows that were written, by entity type.
    func derive() throws -> [Int: [Int64]] {
        var seen = rows.mapValues(Set.init)
        for (index, keys) in rows { try deriveOwn(schema.entityTypes[index], keys, changedNames: assignedNames) }
        var owners = try Self.owners(of: rows, derivations, writer)
        owners.merge(formerOwners) { $0.union($1) }
        var written: [Int: Set<Int64>] = [:]
        var roundsWithoutNews = 0
        // What one row changes, others may derive from; a chain of such steps is as long as the model makes it.
        while roundsWithoutNews < ChangeLimitExceededError.limit {
            var changed: [Int: [Int64]] = [:]
            for (index, keys) in owners {
                let type = schema.entityTypes[index]
                let crossing = derivations[index].filter { !$0.paths.isEmpty }
                let keys = try derive(crossing, of: type, among: keys.sorted())
                guard !keys.isEmpty else { continue }
                try deriveOwn(type, keys, changedNames: Set(crossing.map(\.field.name)))
                changed[index] = keys
            }
            if changed.isEmpty { return written.mapValues { $0.sorted() } }
            written.merge(changed.mapValues(Set.init)) { $0.union($1) }
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
    private func deriveOwn(_ type: RuntimeEntity, _ keys: [Int64], changedNames: Set<String>) throws {
        let ofType = derivations[type.index]
        var affected = ofType.filter { $0.isTimeDependent || !$0.propertyNames.isDisjoint(with: changedNames) }
        var keys = keys
        for _ in 0..<ChangeLimitExceededError.limit {
            keys = try derive(affected, of: type, among: keys)
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
        let columns = try derivations.filter { $0.field.columnName != nil }.map { derivation in
            let bound = try derivation.expression.bind(to: name, in: schema.model, now: now)
            guard bound.expression.isRenderable, bound.type != .opaque else {
                throw BatchUpdateError.notUpdatable(
                    assignedNames.ordered(by: <).joined(separator: "', '"),
                    entityName: rows.keys.first.map { schema.entityTypes[$0].entity.name } ?? name,
                    reason:
                        "cannot be updated, because this requires a new value of the derived attribute '\(derivation.field.name)' of '\(name)', which SQL "
                        + "cannot compute"
                )
            }
            return ComputedColumn(derivation.field, bound.expression)
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
