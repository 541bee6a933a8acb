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
        var stale: [StaleTables.Table] = []
        var tables = StaleTables(writer: BatchUpdateWriter(schema: schema, transaction: .sqlite(connection)), now: now)
        for (type, derivations) in zip(schema.runtimeEntities, try schema.derivations()) where !type.entity.isAbstract {
            let ofType = derivations.filter { derivation in
                let line = derivation.field.attribute.flatMap { derivedAttribute($0, of: type.entity) }
                return hasWrittenRows || line.map(computed.contains) != true
            }
            try fillMissingTimestamps(type, ofType, tables.writer)
            let lasting = ofType.filter { !$0.isTimeDependent }
            if !lasting.isEmpty { stale.append(.init(type: type, derivations: lasting)) }
        }
        try tables.deriveInRounds(stale)
    }

    /// A moment that was right when the object was saved is so still, under whatever name: only rows without one get
    /// it.
    private func fillMissingTimestamps(
        _ type: RuntimeEntity,
        _ derivations: [Derivation],
        _ writer: BatchUpdateWriter
    ) throws {
        for derivation in derivations
        where derivation.isTimeDependent && derivation.isRenderable && derivation.field.columnName != nil {
            let request = try FetchRequest<ManagedObject>(entityName: type.entity.name)
                .where(format: "%K == nil", derivation.field.name)
            let missing = try BoundFetchRequest(request, in: schema).predicate
            _ = try writer.derive([derivation], of: type, where: missing, now: now)
        }
    }
}

/// Whole tables whose derived attributes are computed by SQL; the next saves of objects compute what SQL cannot
/// compute.
private struct StaleTables: DerivationRounds {
    /// Attributes of one entity that all its rows may have other values of.
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

/// The derived attributes of a model, each with its expression, as stores write them down: from this a migration knows
/// which are new.
func derivedAttributes(of model: ManagedObjectModel) -> Set<String> {
    Set(model.entities.flatMap { entity in entity.attributes.compactMap { derivedAttribute($0, of: entity) } })
}

/// `nil` for an attribute that is not derived.
private func derivedAttribute(_ attribute: AttributeDescription, of entity: EntityDescription) -> String? {
    attribute.derivationExpression.map { "\(entity.name).\(attribute.name) = \($0)" }
}
