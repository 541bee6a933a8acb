package import ChordataModel

/// A model that was read from a store of Core Data.
package struct ExtractedModel: Sendable {
    package var model: ManagedObjectModel
    /// The parts of the store's model that a model file cannot have.
    package var omissions: [String]
}

/// Reads the model that a store of Core Data contains.
package func extractModel(ofStoreAt path: String) throws(CoreDataStoreError) -> ExtractedModel {
    let store = try CoreDataStore(at: path)
    guard let cached = try store.readCachedModel() else {
        throw CoreDataStoreError(
            .unknownModel,
            "does not contain its model (it has no Z_MODELCACHE, like all older stores); use the model of the app that wrote it",
            path: path
        )
    }
    return ExtractedModel(model: cached.model, omissions: cached.omissions)
}
