public import ChordataModel
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The object that connects contexts with their persistent stores, for a stack that is created without a container.
///
/// ```swift
/// let coordinator = PersistentStoreCoordinator(managedObjectModel: DoneModel.definition)
/// try coordinator.addPersistentStore(type: .sqlite, at: URL(filePath: "done.sqlite"))
/// let context = ManagedObjectContext()
/// context.persistentStoreCoordinator = coordinator
/// ```
///
/// A ``PersistentContainer`` creates its coordinator and adds its store itself.
public final class PersistentStoreCoordinator: Sendable {
    /// The model definition, which includes the model's classes and migrations.
    public let definition: ModelDefinition
    private let store = Mutex<PersistentStore?>(nil)
    /// The threads of background tasks.
    let threads = StoreThreadPool()

    /// Creates a coordinator without a store.
    /// - Parameter definition: The model, from generated code.
    public init(managedObjectModel definition: ModelDefinition) { self.definition = definition }

    /// A coordinator with a store that is already open.
    init(managedObjectModel definition: ModelDefinition, store: PersistentStore) {
        self.definition = definition
        self.store.withLock { $0 = store }
    }

    /// The managed object model.
    public var managedObjectModel: ManagedObjectModel { definition.model }
    /// The persistent store in an array; the array is empty until the store is added.
    public var persistentStores: [PersistentStore] { store.withLock { $0.map { [$0] } ?? [] } }

    /// Opens a store; creates it if it does not exist, and migrates it if it belongs to an older version of the model.
    ///
    /// - Parameters:
    ///   - type: The type of the store: an SQLite file or memory.
    ///   - url: The URL of the file; `nil` for a store in memory.
    ///   - options: The options with which the store is opened.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` when the coordinator has a store already, the URL of an SQLite store is `nil` or not a
    ///   file URL, or the store cannot be opened, created or migrated. The file is then unchanged, or at the source
    ///   version of a batched migration stage that is not complete.
    @discardableResult
    public func addPersistentStore(
        type: PersistentStore.StoreType,
        at url: URL?,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> PersistentStore {
        switch type {
        case .inMemory: return try addPersistentStore(atPath: ":memory:", options: options)
        case .sqlite:
            guard let url, url.isFileURL else {
                throw StoreError(
                    .cannotOpen,
                    "an SQLite store needs the URL of a file, not \(url.map { "'\($0)'" } ?? "nil")"
                )
            }
            return try addPersistentStore(atPath: url.path, options: options)
        }
    }

    func addPersistentStore(atPath path: String, options: StoreOptions) throws(StoreError) -> PersistentStore {
        guard persistentStores.isEmpty else { throw alreadyOpen(path) }
        let opened = try openStore(of: definition, path: path, options: options)
        let isFirst = store.withLock { store in
            if store == nil { store = opened }
            return store === opened
        }
        guard isFirst else { throw alreadyOpen(path) }
        return opened
    }

    private func alreadyOpen(_ path: String) -> StoreError {
        StoreError(.cannotOpen, "the coordinator has a store already; use another coordinator for this one", path: path)
    }
}
