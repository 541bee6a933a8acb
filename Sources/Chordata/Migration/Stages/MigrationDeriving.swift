internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Computes the derived attributes that a store does not have, that it has with another expression, or that depend on
/// values that its migration has written.
package struct MigrationDeriving {
    private let writer: BatchUpdateWriter
    private let now = Date()

    /// Call this initializer within the transaction, when the tables are those of the current version.
    /// - Parameter evaluator: The evaluator that computes what the SQL of a server cannot compute; `nil` for SQLite.
    package init(_ schema: StoreSchema, _ transaction: StoreTransaction, _ evaluator: RowEvaluator? = nil) {
        writer = BatchUpdateWriter(schema: schema, transaction: transaction, evaluator: evaluator)
    }

    /// - Parameters:
    ///   - computed: The elements of ``derivedAttributes(of:)`` that the store already has.
    ///   - hasWrittenRows: `true` if the migration has written values from which other values may be derived.
    package func derive(computed: Set<String>, hasWrittenRows: Bool) throws {
        let schema = writer.schema
        let all = zip(schema.runtimeEntities, try schema.derivations()).filter { !$0.0.entity.isAbstract }
        var hasStale = false
        var tables: [StaleTables.Table] = []
        for (type, derivations) in all {
            func isStale(_ derivation: Derivation) -> Bool {
                let line = derivation.field.attribute.flatMap { derivedAttribute($0, of: type.entity) }
                return hasWrittenRows || line.map(computed.contains) != true
            }
            try fillMissingTimestamps(type, derivations.filter(isStale))
            if derivations.contains(where: isStale) { hasStale = true }
            // An attribute that is not stale can derive from one that is.
            let lasting = derivations.filter {
                !$0.isTimeDependent && (isStale($0) || $0.readsDerived || !$0.paths.isEmpty)
            }
            if !lasting.isEmpty { tables.append(.init(type: type, derivations: lasting)) }
        }
        guard hasStale else { return }
        var rounds = StaleTables(writer: writer, now: now)
        try rounds.deriveInRounds(tables)
    }

    /// A timestamp that was correct when the object was saved remains correct, even if the attribute was renamed: only
    /// rows without a timestamp get one.
    private func fillMissingTimestamps(_ type: RuntimeEntity, _ derivations: [Derivation]) throws {
        for derivation in derivations
        where derivation.isTimeDependent && derivation.isRenderable && derivation.field.columnName != nil {
            let request = try FetchRequest<ManagedObject>(entityName: type.entity.name)
                .where(format: "%K == nil", derivation.field.name)
            let missing = try BoundFetchRequest(request, in: writer.schema).predicate
            _ = try writer.derive([derivation], of: type, where: missing, now: now)
        }
    }
}

/// Whole tables whose derived attributes are computed by SQL, or on a server by the evaluator.
///
/// Attributes that SQLite cannot compute are computed at the next saves of the objects.
private struct StaleTables: DerivationRounds {
    /// Attributes of one entity whose values may have changed in all its rows.
    struct Table {
        let type: RuntimeEntity
        let derivations: [Derivation]
    }

    let writer: BatchUpdateWriter
    let now: Date

    func derive(_ tables: [Table]) throws -> [Table]? {
        var hasWritten = false
        for table in tables {
            let keys = try writer.derive(table.derivations, of: table.type, where: nil, now: now)
            if !keys.isEmpty { hasWritten = true }
        }
        return hasWritten ? tables : nil
    }

    func dependents(of tables: [Table]) -> [Table]? {
        let dependents = tables.compactMap { table -> Table? in
            let derivations = table.derivations.filter { $0.readsDerived || !$0.paths.isEmpty }
            return derivations.isEmpty ? nil : Table(type: table.type, derivations: derivations)
        }
        return dependents.isEmpty ? nil : dependents
    }

    func entityNames(of tables: [Table]) -> Set<String> { Set(tables.map(\.type.entity.name)) }
}

/// Returns the derived attributes of a model, each with its expression, in the form in which stores record them; a
/// migration uses the record to find new attributes.
func derivedAttributes(of model: ManagedObjectModel) -> Set<String> {
    Set(model.entities.flatMap { entity in entity.attributes.compactMap { derivedAttribute($0, of: entity) } })
}

/// Returns the text for one attribute; `nil` if the attribute is not derived.
private func derivedAttribute(_ attribute: AttributeDescription, of entity: EntityDescription) -> String? {
    attribute.derivationExpression.map { "\(entity.name).\(attribute.name) = \($0)" }
}
