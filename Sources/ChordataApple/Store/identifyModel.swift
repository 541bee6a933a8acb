package import ChordataModel

/// The model of a store, and how it was found.
package struct IdentifiedModel: Sendable {
    package enum Source: Sendable, Hashable {
        /// The version whose hashes match the store's; the hashes of the named entities cannot be computed.
        case versionHashes(uncomputed: [String])
        /// The store's own model.
        case cache
        /// The version whose tables match the store's.
        case tables
    }

    /// The name of the version; `nil` for the store's own model.
    package var versionName: String?
    package var model: ManagedObjectModel
    package var source: Source
    /// The parts of the store's own model that could not be read.
    package var omissions: [String] = []
}

/// A version of a model.
package struct NamedModel: Sendable {
    package var name: String
    package var model: ManagedObjectModel

    package init(name: String, model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}

/// Finds the model of a store: the version with the same hashes, or else the store's own model, or else the version
/// with the same tables.
///
/// If several versions have these hashes or tables, the last one is used; Core Data does not distinguish them either.
/// - Parameter versions: The versions of a model, the current one last.
func identifyModel(of store: CoreDataStore, among versions: [NamedModel]) throws(CoreDataStoreError) -> IdentifiedModel
{
    let tableNames = Set(store.tables.keys)
    for version in versions.reversed() {
        let hashes = VersionHashes(of: version.model)
        let uncomputed = hashes.reasonsByEntityName.keys.sorted()
        guard !store.metadata.versionHashes.isEmpty,
            Set(hashes.entityVersionHashesByName.keys).union(uncomputed) == Set(store.metadata.versionHashes.keys),
            hashes.entityVersionHashesByName.allSatisfy({ store.metadata.versionHashes[$0] == $1 }),
            // The tables must match if the hashes do not decide.
            uncomputed.isEmpty
                || CoreDataSchema(of: version.model, tableNames: tableNames).differences(from: store).isEmpty
        else { continue }
        return IdentifiedModel(
            versionName: version.name,
            model: version.model,
            source: .versionHashes(uncomputed: uncomputed)
        )
    }
    let byTables = identifyByTables(store, among: versions)
    do throws(CoreDataStoreError) {
        if let cached = try store.readCachedModel() {
            return IdentifiedModel(model: cached.model, source: .cache, omissions: cached.omissions)
        }
    } catch {
        // A damaged cache does not matter if a version is known.
        guard byTables != nil else { throw error }
    }
    if let byTables { return byTables }
    throw CoreDataStoreError(
        .unknownModel,
        versions.isEmpty
            ? "does not contain its model (it has no Z_MODELCACHE); use the model of the app that wrote it"
            : "does not contain its model (it has no Z_MODELCACHE), and no version of the given model has its hashes or its "
                + "tables; use the model of the app that wrote it",
        path: store.path
    )
}

/// Returns the last version whose tables match a store's, and whose version hashes do not contradict the store's.
func identifyByTables(_ store: CoreDataStore, among versions: [NamedModel]) -> IdentifiedModel? {
    let tableNames = Set(store.tables.keys)
    let version = versions.last { version in
        // Tables are not sufficient, because several types have the same columns.
        let hashes = VersionHashes(of: version.model).entityVersionHashesByName
        guard hashes.allSatisfy({ store.metadata.versionHashes[$0] == nil || store.metadata.versionHashes[$0] == $1 })
        else {
            return false
        }
        let schema = CoreDataSchema(of: version.model, tableNames: tableNames)
        return schema.differences(from: store).isEmpty && schema.additions(of: store).isEmpty
    }
    return version.map { IdentifiedModel(versionName: $0.name, model: $0.model, source: .tables) }
}
