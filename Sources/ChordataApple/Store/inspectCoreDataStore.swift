internal import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Foundation

/// The contents of a store of Core Data.
package struct CoreDataInspection: Sendable {
    package struct Count: Sendable {
        package var entityName: String
        package var count: Int64
    }

    package struct History: Sendable {
        package var transactionCount: Int64
        package var changeCount: Int64
    }

    package struct ExternalFiles: Sendable {
        /// The number of values that are in files.
        package var referenceCount: Int64
        package var missingCount: Int64
        package var folder: String
    }

    /// The differences between a version of a model and the store.
    package struct VersionComparison: Sendable {
        package var versionName: String
        /// The entities whose hashes differ, or that only one side has.
        package var differentEntityNames: [String]
        /// The entities whose hashes cannot be computed.
        package var uncomputedEntityNames: [String]
        /// The differences of the tables.
        package var differences: [String]
    }

    package var metadata: CoreDataMetadata
    /// The model of the store; `nil` if it is not known.
    package var identified: IdentifiedModel?
    /// The reason why the model of the store is not known; `nil` if it is.
    package var problem: String?
    package var entities: [Count]
    /// The contents of the history; `nil` for a store without one.
    package var history: History?
    package var externalFiles: ExternalFiles?
    package var comparisons: [VersionComparison]
    package var brokenInvariants: [BrokenInvariant]
}

/// Returns a Boolean value that indicates whether a file is a store of Core Data; `false` if it cannot be read.
package func isCoreDataStore(at path: String) -> Bool {
    guard FileManager.default.fileExists(atPath: path) else { return false }
    do {
        let snapshot = try openSnapshot(of: path)
        let sql = "SELECT count(*) FROM sqlite_schema WHERE \"name\" IN ('Z_PRIMARYKEY', 'Z_METADATA')"
        return try snapshot.connection.rows(sql).first?.first?.integer == 2
    } catch {
        // The caller opens the file as another kind of store, and reports its errors.
        return false
    }
}

/// Reads the contents of a store of Core Data; neither the store nor its log is changed.
/// - Parameter versions: The versions of a model that may be that of the store, the current one last.
package func inspectCoreDataStore(at path: String, versions: [NamedModel]) throws(CoreDataStoreError)
    -> CoreDataInspection
{
    let store = try CoreDataStore(at: path)
    var inspection = CoreDataInspection(
        metadata: store.metadata,
        entities: [],
        comparisons: compare(store, with: versions),
        brokenInvariants: []
    )
    do throws(CoreDataStoreError) {
        inspection.identified = try identifyModel(of: store, among: versions)
    } catch {
        inspection.problem = error.message
    }
    if let model = inspection.identified?.model {
        let schema = CoreDataSchema(of: model, tableNames: Set(store.tables.keys))
        inspection.entities = try countRows(of: store, schema)
        inspection.externalFiles = try countExternalFiles(of: store, schema)
        inspection.brokenInvariants = try checkInvariants(of: store, schema)
    } else {
        inspection.entities = try countRows(of: store)
    }
    if store.tables["ATRANSACTION"] != nil, store.tables["ACHANGE"] != nil {
        inspection.history = .init(
            transactionCount: try store.integer("SELECT count(*) FROM \"ATRANSACTION\""),
            changeCount: try store.integer("SELECT count(*) FROM \"ACHANGE\"")
        )
    }
    return inspection
}

private func compare(_ store: CoreDataStore, with versions: [NamedModel]) -> [CoreDataInspection.VersionComparison] {
    versions.map { version in
        let hashes = VersionHashes(of: version.model)
        let stored = store.metadata.versionHashes
        let names = Set(version.model.entities.map(\.name)).union(stored.keys)
        let different = names.filter { name in
            hashes.reasonsByEntityName[name] == nil
                ? hashes.entityVersionHashesByName[name] != stored[name] : stored[name] == nil
        }
        let schema = CoreDataSchema(of: version.model, tableNames: Set(store.tables.keys))
        return CoreDataInspection.VersionComparison(
            versionName: version.name,
            differentEntityNames: different.sorted(),
            uncomputedEntityNames: hashes.reasonsByEntityName.keys.sorted(),
            differences: schema.differences(from: store) + schema.additions(of: store)
        )
    }
}

private func countRows(of store: CoreDataStore, _ schema: CoreDataSchema) throws(CoreDataStoreError)
    -> [CoreDataInspection.Count]
{
    var counts: [Int64: Int64] = [:]
    // Entities whose names differ only in case would share a table.
    for table in Set(schema.tables.filter { !$0.isJoinTable }.map(\.name)) where store.tables[table] != nil {
        for row in try store.rows("SELECT \"Z_ENT\", count(*) FROM \(quoteIdentifier(table)) GROUP BY 1") {
            counts[row[0].integer ?? 0, default: 0] += row[1].integer ?? 0
        }
    }
    return schema.entityNames.filter { schema.model.entity(named: $0)?.isAbstract == false }.map { name in
        .init(entityName: name, count: counts[Int64(schema.entityNumbers[name] ?? 0)] ?? 0)
    }
}

/// Counts rows by the names of the entities in the store.
private func countRows(of store: CoreDataStore) throws(CoreDataStoreError) -> [CoreDataInspection.Count] {
    var counts: [Int64: Int64] = [:]
    for (table, columns) in store.tables where columns.contains(where: { $0.name == "Z_ENT" }) {
        guard !CoreDataStore.systemTables.contains(table) else { continue }
        for row in try store.rows("SELECT \"Z_ENT\", count(*) FROM \(quoteIdentifier(table)) GROUP BY 1") {
            counts[row[0].integer ?? 0, default: 0] += row[1].integer ?? 0
        }
    }
    return store.primaryKeys.map { .init(entityName: $0.name, count: counts[$0.number] ?? 0) }
}

private func countExternalFiles(of store: CoreDataStore, _ schema: CoreDataSchema) throws(CoreDataStoreError)
    -> CoreDataInspection.ExternalFiles?
{
    var found = CoreDataInspection.ExternalFiles(referenceCount: 0, missingCount: 0, folder: store.externalFolder)
    var hasAttributes = false
    for entity in schema.model.entities {
        for attribute in entity.declaredAttributes where attribute.allowsExternalBinaryDataStorage {
            guard let place = schema.places[PropertyPath(entity.name, [attribute.name])],
                store.hasColumn(place.column, in: place.table)
            else { continue }
            hasAttributes = true
            let column = quoteIdentifier(place.column)
            let rows = try store.rows(
                "SELECT CAST(substr(\(column), 2, 36) AS TEXT) FROM \(quoteIdentifier(place.table)) "
                    + "WHERE \"Z_ENT\" IN (\(schema.numbers(below: entity.name).map(String.init).joined(separator: ","))) "
                    + "AND hex(substr(\(column), 1, 1)) = '02'"
            )
            for row in rows {
                found.referenceCount += 1
                guard let name = row[0].text, UUID(uuidString: name) != nil,
                    FileManager.default.fileExists(atPath: found.folder + "/" + name)
                else {
                    found.missingCount += 1
                    continue
                }
            }
        }
    }
    return hasAttributes ? found : nil
}
