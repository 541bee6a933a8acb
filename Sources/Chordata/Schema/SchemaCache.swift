internal import ChordataModel
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The schemas of a model definition, which are created and compared with a store once per process.
final class SchemaCache: Sendable {
    /// The state of a store's file in which its tables and indexes are known to be those of the model.
    struct StoreState: Equatable {
        let storeUUID: UUID
        let file: FileIdentity
        /// SQLite's schema version, which each change of the tables and indexes increments.
        let schemaVersion: Int64
    }

    struct Entry {
        let state: StoreState
        let schema: StoreSchema
    }

    private struct Contents {
        var mapping: SchemaMapping?
        /// The checked stores, the most recent one last.
        var entries: [Entry] = []
    }

    /// The maximum number of entries; a program rarely has more stores with one model.
    private static let entryLimit = 8
    private let contents = Mutex(Contents())

    /// Returns the tables of the model.
    func mapping(of model: ManagedObjectModel) -> SchemaMapping {
        contents.withLock { contents in
            if let mapping = contents.mapping { return mapping }
            let mapping = makeSchemaMapping(of: model)
            contents.mapping = mapping
            return mapping
        }
    }

    /// Returns the state of a store's file that was compared with the model, and the schema of the store.
    func entry(for file: FileIdentity) -> Entry? {
        contents.withLock { contents in contents.entries.last { $0.state.file == file } }
    }

    /// Keeps the schema of a store that was compared with the model.
    func keep(_ schema: StoreSchema, for state: StoreState) {
        contents.withLock { contents in
            contents.entries.removeAll { $0.state.file == state.file }
            if contents.entries.count == Self.entryLimit { contents.entries.removeFirst() }
            contents.entries.append(Entry(state: state, schema: schema))
        }
    }
}
