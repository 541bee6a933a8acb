internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Computes the derived attributes that a store has not, or has by another expression, or of values that its migration
/// has written.
struct MigrationDeriving {
    /// Attributes of one entity, and how each is computed.
    private struct Stale {
        let type: RuntimeEntity
        var derivations: [Derivation]
    }

    private let schema: StoreSchema
    private let connection: SQLiteConnection
    private let now = Date()

    /// Call it within the transaction, when the tables are those of the current version.
    init(_ definition: ModelDefinition, _ mapping: SchemaMapping, _ storeUUID: UUID, _ connection: SQLiteConnection) {
        schema = StoreSchema(
            model: definition.model,
            mapping: mapping,
            classes: definition.classes,
            storeUUID: storeUUID,
            nonStrictTables: []
        )
        self.connection = connection
    }

    /// - Parameters:
    ///   - computed: Those of ``derivedAttributes(of:)`` that the store has.
    ///   - hasWrittenRows: Whether the migration has written values that others may derive from.
    func derive(computed: Set<String>, hasWrittenRows: Bool) throws(StoreError) {
        do {
            try deriveAttributes(computed, hasWrittenRows)
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.migrationFailed, "\(error)", path: connection.path)
        }
    }

    private func deriveAttributes(_ computed: Set<String>, _ hasWrittenRows: Bool) throws {
        var stale: [Stale] = []
        for (type, derivations) in zip(schema.entityTypes, try schema.derivations()) where !type.entity.isAbstract {
            let ofType = derivations.filter { derivation in
                let line = derivation.field.attribute.flatMap { derivedAttribute($0, of: type.entity) }
                return hasWrittenRows || line.map(computed.contains) != true
            }
            try fillMissingTimestamps(type, ofType)
            let lasting = ofType.filter { !$0.isTimeDependent }
            if !lasting.isEmpty { stale.append(Stale(type: type, derivations: lasting)) }
        }
        // What one row changes, others may derive from; a chain of such steps is as long as the model makes it.
        for _ in 0..<ChangeLimitExceededError.limit where !stale.isEmpty {
            var hasWritten = false
            for item in stale where try !compute(item).isEmpty { hasWritten = true }
            if !hasWritten { return }
            for index in stale.indices { stale[index].derivations.removeAll { !$0.readsDerived && $0.paths.isEmpty } }
            stale.removeAll(where: \.derivations.isEmpty)
        }
        guard !stale.isEmpty else { return }
        throw ChangeLimitExceededError(derivationsOf: Set(stale.map(\.type.entity.name)))
    }

    /// - Returns: The keys of the rows that had others.
    private func compute(_ stale: Stale) throws -> [Int64] {
        let name = stale.type.entity.name
        var columns: [ComputedColumn] = []
        for derivation in stale.derivations where derivation.field.columnName != nil {
            let bound = try derivation.expression.bind(to: name, in: schema.model, now: now)
            // What SQLite cannot compute, the next save of the object does.
            guard bound.expression.isRenderable, bound.type != .opaque else { continue }
            columns.append(ComputedColumn(derivation.field, bound.expression))
        }
        guard !columns.isEmpty else { return [] }
        return try write(columns, of: stale.type, where: nil)
    }

    /// A moment that was right when the object was saved is so still, under whatever name: only rows without one get
    /// it.
    private func fillMissingTimestamps(_ type: RuntimeEntity, _ derivations: [Derivation]) throws {
        for derivation in derivations where derivation.isTimeDependent && derivation.field.columnName != nil {
            let bound = try derivation.expression.bind(to: type.entity.name, in: schema.model, now: now)
            guard bound.expression.isRenderable, bound.type != .opaque else { continue }
            let request = try FetchRequest<ManagedObject>(entityName: type.entity.name)
                .where(format: "%K == nil", derivation.field.name)
            let missing = try BoundFetchRequest(request, in: schema).predicate
            _ = try write([ComputedColumn(derivation.field, bound.expression)], of: type, where: missing)
        }
    }

    private func write(_ columns: [ComputedColumn], of type: RuntimeEntity, where predicate: BoundPredicate?) throws
        -> [Int64]
    {
        let writer = BatchUpdateWriter(schema: schema, connection: connection)
        let rows = try writer.compute(columns, of: type, where: predicate, includesSubentities: false)
        return try writer.write(rows, of: type, ifDifferent: true)
    }
}

/// The derived attributes of a model, each with its expression, as stores write them down: from this a migration knows
/// which are new.
func derivedAttributes(of model: ManagedObjectModel) -> Set<String> {
    Set(model.entities.flatMap { entity in entity.attributes.compactMap { derivedAttribute($0, of: entity) } })
}

/// `nil` for an attribute that is not derived.
private func derivedAttribute(_ attribute: AttributeDescription, of entity: EntityDescription) -> String? {
    attribute.derivationExpression.map { "\(entity.name).\(attribute.name) = \($0)" }
}
