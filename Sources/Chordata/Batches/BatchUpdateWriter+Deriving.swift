internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// What follows from rows that were updated without objects; see ManagedObjectContext+Deriving.swift for those of objects.

extension BatchUpdateWriter {
    /// Computes the derived attributes of rows that were updated, and of those that derive from them.
    /// - Returns: The keys of the rows that were written, by entity type.
    func deriveAttributes(of rows: [Int: [Int64]]) throws -> [Int: [Int64]] {
        guard schema.hasDerivations else { return [:] }
        let derivations = try schema.makeDerivations()
        let now = Date()
        for (index, keys) in rows {
            _ = try derive(derivations[index], of: schema.entityTypes[index], among: keys, now)
        }
        var written: [Int: Set<Int64>] = [:]
        // What one row changes, others may derive from; a chain of such steps is as long as the model makes it.
        var changed = Set(rows.keys)
        for _ in 0..<EndlessChangesError.limit {
            var next: Set<Int> = []
            for type in schema.entityTypes where !type.entity.isAbstract {
                let ofType = derivations[type.index]
                let affected = ofType.filter { leads($0, toAny: changed) }
                let keys = try derive(affected, of: type, among: nil, now)
                guard !keys.isEmpty else { continue }
                // Such as the time of the last change.
                _ = try derive(ofType.filter(\.paths.isEmpty), of: type, among: keys, now)
                written[type.index, default: []].formUnion(keys)
                next.insert(type.index)
            }
            if next.isEmpty { return written.mapValues(Array.init) }
            changed = next
        }
        throw EndlessChangesError(derivationsOf: Set(changed.map { schema.entityTypes[$0].entity.name }))
    }

    /// Whether a derivation goes along a relationship to one of some entities.
    private func leads(_ derivation: Derivation, toAny types: Set<Int>) -> Bool {
        derivation.paths.joined().contains { relationship in
            types.contains {
                schema.model.entity(schema.entityTypes[$0].entity.name, isKindOf: relationship.destinationEntityName)
            }
        }
    }

    /// Computes attributes of some rows of one entity, or of all.
    /// - Returns: The keys of those that had others.
    private func derive(_ derivations: [Derivation], of type: EntityType, among keys: [Int64]?, _ now: Date) throws
        -> [Int64]
    {
        let columns = derivations.filter { $0.field.columnName != nil }
        guard !columns.isEmpty else { return [] }
        let name = type.entity.name
        let computed = try columns.map { derivation in
            let bound = try derivation.expression.bind(to: name, in: schema.model, now: now)
            guard bound.expression.isRenderable, bound.type != .opaque else {
                throw FetchError.uncomputable(derivation.field.name, entityName: name)
            }
            return ComputedColumn(field: derivation.field, expression: bound.expression)
        }
        let objects = keys?.map { ManagedObjectID(entityType: type, key: $0).predicateArgumentValue.value }
        let rows = try read(
            computed,
            of: type,
            where: objects.map { .isObject(of: name, among: $0) },
            includesSubentities: false
        )
        var changed: [Int64] = []
        let columnNames = columns.compactMap(\.field.columnName)
        try forEachWritten(columnNames, of: type, rows, ifDifferent: true) { changed.append($1) }
        return changed
    }
}
