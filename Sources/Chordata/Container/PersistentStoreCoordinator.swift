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
/// A ``PersistentContainer`` creates its coordinator and adds its stores itself. For several stores, see
/// <doc:Several-Stores>.
public final class PersistentStoreCoordinator: Sendable {
    /// The model definition, which includes the model's classes and migrations.
    public let definition: ModelDefinition
    private let state: Mutex<State>
    /// A lock that is held while a store is opened and added.
    private let adding = Mutex(())
    /// The threads of background tasks.
    let threads = StoreThreadPool()

    private struct State: Sendable {
        var stores: [PersistentStore] = []
        /// The options of the first store.
        var options = StoreOptions()
        /// The store that contexts use: the only store, or all stores together.
        var storeOfContexts: PersistentStore?
        /// A Boolean value that indicates whether a context uses this store.
        var isUsed = false
    }

    /// Creates a coordinator without a store.
    /// - Parameter definition: The model, from generated code.
    public init(managedObjectModel definition: ModelDefinition) {
        self.definition = definition
        state = Mutex(State())
    }

    /// Creates a coordinator with a store that is already open.
    package init(managedObjectModel definition: ModelDefinition, store: PersistentStore) {
        self.definition = definition
        state = Mutex(State(stores: [store], storeOfContexts: store, isUsed: true))
    }

    /// The managed object model.
    public var managedObjectModel: ManagedObjectModel { definition.model }
    /// The persistent stores, in the order in which they were added.
    public var persistentStores: [PersistentStore] { state.withLock { $0.stores } }

    /// The schema of the contexts, to which stores can still be added.
    var schema: StoreSchema? { state.withLock { $0.storeOfContexts?.schema } }

    /// The store that the contexts of the coordinator use; stores can still be added.
    var currentStoreOfContexts: PersistentStore? { state.withLock { $0.storeOfContexts } }

    /// Removes the only store, for the module `CoreData`.
    ///
    /// Another store can be added, for new contexts; contexts that have used the store keep it.
    /// - Returns: `false` if the coordinator has several stores or does not have this store.
    package func removeOnlyStore(_ store: PersistentStore) -> Bool {
        state.withLock { state in
            guard state.stores.count == 1, state.stores[0] === store else { return false }
            (state.stores, state.storeOfContexts, state.isUsed) = ([], nil, false)
            return true
        }
    }

    /// The store that contexts use; `nil` if there is no store.
    ///
    /// No store can be added after this property has returned a store.
    var storeOfContexts: PersistentStore? {
        state.withLock { state in
            state.isUsed = state.storeOfContexts != nil
            return state.storeOfContexts
        }
    }

    /// Returns the store with the URL of a file; `nil` if the coordinator has no store with this URL.
    public func persistentStore(for url: URL) -> PersistentStore? {
        let path = realPath(url.path)
        return persistentStores.first { $0.type != .inMemory && realPath($0.path) == path }
    }

    /// Returns the store that has the object with an object ID.
    ///
    /// The existence of the row is not checked.
    /// - Returns: The store; `nil` if the object ID belongs to a store of another coordinator.
    public func persistentStore(for objectID: ManagedObjectID) -> PersistentStore? {
        let identifier = objectID.storeIdentifier
        return persistentStores.first { $0.identifier == identifier }
    }

    /// Opens a store; creates it if it does not exist, and migrates it if it belongs to an older version of the model.
    ///
    /// Add all stores before the first context of the coordinator is used.
    /// - Parameters:
    ///   - type: The type of the store: an SQLite file or memory.
    ///   - configuration: The name of the configuration of the model whose entities the store has; `nil` for all
    ///     entities. See <doc:Several-Stores>.
    ///   - url: The URL of the file; `nil` for a store in memory.
    ///   - options: The options with which the store is opened.
    /// - Returns: The open store.
    /// - Throws: ``StoreError`` when the model has no such configuration, when a context already uses the coordinator,
    ///   when the stores cannot be used together, when the URL of an SQLite store is `nil` or not a file URL, or when
    ///   the store cannot be opened, created or migrated. The file is then unchanged, or at the source version of a
    ///   migration step with a batched stage, even if all batches of the stage are complete; a file that did not exist
    ///   may be a new store without objects.
    @discardableResult
    public func addPersistentStore(
        type: PersistentStore.StoreType,
        configuration: String? = nil,
        at url: URL?,
        options: StoreOptions = StoreOptions()
    ) throws(StoreError) -> PersistentStore {
        switch type {
        case .inMemory:
            return try addPersistentStore(atPath: ":memory:", configuration: configuration, options: options)
        case .sqlite:
            guard let url, url.isFileURL else {
                throw StoreError(
                    .cannotOpen,
                    "an SQLite store needs the URL of a file, not \(url.map { "'\($0)'" } ?? "nil")"
                )
            }
            return try addPersistentStore(atPath: url.path, configuration: configuration, options: options)
        case .postgresql:
            throw StoreError(
                .unsupportedEnvironment,
                "a store on a PostgreSQL server is opened by PersistentContainer(model:postgres:) of the module "
                    + "ChordataPostgres"
            )
        }
    }

    func addPersistentStore(
        atPath path: String,
        configuration: String? = nil,
        options: StoreOptions
    ) throws(StoreError) -> PersistentStore {
        try adding.withLock { _ throws(StoreError) in
            let (former, isUsed) = state.withLock { ($0.stores, $0.isUsed) }
            try requireAddable(path, configuration, to: former, isUsed: isUsed)
            let opened = try openStore(
                of: definition,
                path: path,
                configuration: configuration,
                firstKey: configuration == nil && former.isEmpty
                    ? 1
                    : StorePartition.firstKey(
                        except: try former.map { store throws(StoreError) in try store.keySpace() }
                    ),
                options: options
            )
            if let twin = former.first(where: { $0.identifier == opened.identifier }) {
                throw StoreError(
                    .cannotOpen,
                    "is a copy of the store '\(twin.path)' with the same identifier, so an object ID would not identify which of "
                        + "them has the object; open the two with different coordinators",
                    path: path
                )
            }
            let stores = former + [opened]
            let firstOptions = former.isEmpty ? options : state.withLock { $0.options }
            // The partition checks configurations, including the configuration of a single store.
            let isSingle = stores.count == 1 && configuration == nil
            let storeOfContexts =
                isSingle ? opened : try combineStores(stores, of: definition, options: firstOptions)
            let isInUse = state.withLock { state in
                if state.isUsed { return true }
                if !isSingle { for store in stores { store.join(storeOfContexts) } }
                state.stores = stores
                state.options = firstOptions
                state.storeOfContexts = storeOfContexts
                return false
            }
            if isInUse { throw inUse(path) }
            if options.reportsRemoteChanges { try opened.reportRemoteChanges() }
            return opened
        }
    }

    private func requireAddable(
        _ path: String,
        _ configuration: String?,
        to stores: [PersistentStore],
        isUsed: Bool
    ) throws(StoreError) {
        if isUsed { throw inUse(path) }
        let model = definition.model
        if let configuration, model.configuration(named: configuration) == nil {
            let names = model.configurations.map { "'\($0.name)'" }
            throw StoreError(
                .cannotOpen,
                "cannot be opened with configuration '\(configuration)', which model '\(definition.name)' does not have"
                    + (names.isEmpty
                        ? "; add it to the model" : " (it has \(names.joined(separator: ", ")))"),
                path: path
            )
        }
        if path != ":memory:", stores.contains(where: { realPath($0.path) == realPath(path) }) {
            throw StoreError(.cannotOpen, "is already a store of this coordinator", path: path)
        }
    }

    private func inUse(_ path: String) -> StoreError {
        StoreError(
            .cannotOpen,
            "cannot be added, because the coordinator's stores are in use; add all stores before the first context is used, "
                + "or use another coordinator for this store",
            path: path
        )
    }
}
