internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The metadata of a store, which its `_metadata` table contains.
public struct StoreMetadata: Sendable, Hashable {
    /// The identifier of the store, which never changes.
    public var storeUUID: UUID
    /// The name of the model to which the store belongs.
    public var modelName: String
    /// The name of the model version.
    public var versionName: String
    /// The hash of the model version.
    public var versionHash: String
    /// The hashes of the model version's entities, keyed by entity name.
    public var entityHashes: [String: String]
    /// The custom metadata that programs set with ``PersistentStore/setMetadata(_:forKey:)``.
    public var notes: [String: String] = [:]
    /// The tables that Chordata created, as written by ``PhysicalSchema``; `nil` in older stores without this entry.
    package var schema: String?
    /// The version's entities and properties, as written by ``ModelSummary``; `nil` in older stores without this entry.
    var modelSummary: String?
    /// The derived attributes whose values the store has, as written by ``derivedAttributes(of:)``; empty in older
    /// stores without this entry.
    package var derivedAttributes: Set<String> = []

    package init(_ definition: ModelDefinition, storeUUID: UUID) {
        self.storeUUID = storeUUID
        modelName = definition.name
        versionName = definition.versionName
        versionHash = definition.versionHash
        entityHashes = definition.model.versionHashesByEntityName
        modelSummary = ModelSummary(definition.model).text
        derivedAttributes = Chordata.derivedAttributes(of: definition.model)
    }

    init(storeUUID: UUID, modelName: String, versionName: String, versionHash: String) {
        self.storeUUID = storeUUID
        self.modelName = modelName
        self.versionName = versionName
        self.versionHash = versionHash
        entityHashes = [:]
    }
}
