/// A container that encapsulates a Core Data stack: a model, its open store and its contexts.
///
/// Generated code has a function that creates one, such as `try DoneModel.container(at: "done.sqlite")`.
public final class PersistentContainer: Sendable {
    /// The name of the model.
    public let name: String
    /// The coordinator that connects the contexts with the store.
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// The context of the main actor; it automatically merges saves of other contexts.
    @MainActor public var viewContext: ManagedObjectContext {
        if let context = existingViewContext { return context }
        let context = newContext()
        context.automaticallyMergesChangesFromParent = true
        existingViewContext = context
        return context
    }

    @MainActor private var existingViewContext: ManagedObjectContext?

    /// Opens a store, creating it if it does not exist and migrating it if it belongs to an older version of the model.
    ///
    /// - Parameters:
    ///   - model: The definition of the model, from generated code or created with a ``ManagedObjectModel``.
    ///   - path: The path of the SQLite file, or `:memory:`.
    ///   - options: The options with which the store is opened.
    /// - Throws: ``StoreError`` when the store cannot be opened, created or migrated. The file is then unchanged, or at
    ///   the source version of a migration step with a batched stage, even if all batches of the stage are complete.
    public init(model: ModelDefinition, path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
        name = model.name
        persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
        _ = try persistentStoreCoordinator.addPersistentStore(atPath: path, options: options)
    }

    /// Opens several stores, each with the entities of a configuration of the model.
    ///
    /// ```swift
    /// let container = try PersistentContainer(
    ///     model: LibraryModel.definition,
    ///     storeDescriptions: [
    ///         PersistentStoreDescription(
    ///             path: "catalogue.sqlite",
    ///             configuration: "Catalogue",
    ///             options: StoreOptions(isReadOnly: true)
    ///         ),
    ///         PersistentStoreDescription(path: "loans.sqlite", configuration: "Loans"),
    ///     ]
    /// )
    /// ```
    ///
    /// Stores that do not exist are created, and stores with older versions of the model are migrated, in the order of
    /// the array. See <doc:Several-Stores>.
    ///
    /// - Parameters:
    ///   - model: The definition of the model, from generated code or created with a ``ManagedObjectModel``.
    ///   - storeDescriptions: The descriptions of the stores, at least one.
    /// - Throws: ``StoreError`` when a store cannot be opened, created or migrated, when a description names a
    ///   configuration that the model does not have, or when the stores cannot be used together. Stores that were
    ///   created or migrated before the error remain created or migrated.
    public init(model: ModelDefinition, storeDescriptions: [PersistentStoreDescription]) throws(StoreError) {
        precondition(!storeDescriptions.isEmpty, "a container needs at least one store description")
        name = model.name
        persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
        for description in storeDescriptions {
            _ = try persistentStoreCoordinator.addPersistentStore(
                atPath: description.path,
                configuration: description.configuration,
                options: description.options
            )
        }
    }

    /// Creates a container for a coordinator whose store is already open.
    package init(_ coordinator: PersistentStoreCoordinator) {
        name = coordinator.definition.name
        persistentStoreCoordinator = coordinator
    }

    /// Statistics of the store's saves, waiting times, connections and write-ahead log: counts since the store was
    /// opened, and values at the time of the access.
    ///
    /// ```swift
    /// let statistics = container.statistics
    /// print("\(statistics.saveCount) saves, \(statistics.saveQueue.waitingCount) waiting")
    /// ```
    /// The property briefly acquires some locks and asks the file system for the size of the log file; it does not read
    /// the store.
    public var statistics: StoreStatistics { store.statistics }

    /// The store, or all stores together, which are open as long as the container exists.
    var store: PersistentStore {
        guard let store = persistentStoreCoordinator.storeOfContexts else {
            preconditionFailure("the coordinator of the container has no store")
        }
        return store
    }

    /// Creates a context for the isolation of the caller: for its actor, or for a task.
    ///
    /// A context of an actor processes pending changes automatically after each [turn](doc:Glossary#Changes) of the
    /// actor. The compiler ensures that it is used only on this actor. A context that is created in nonisolated code,
    /// or with `nil`, can be sent once to the isolation in which it will be used:
    ///
    /// ```swift
    /// let importer = await Importer(context: container.newContext(isolation: nil))
    /// ```
    ///
    /// - Parameter isolation: The actor that will use the context, or `nil`; the default is the isolation of the
    ///   caller.
    /// - Returns: A new context without changes.
    public func newContext(isolation: isolated (any Actor)? = #isolation) -> ManagedObjectContext {
        let context = ManagedObjectContext(persistentStoreCoordinator)
        context.setExecutor(of: isolation)
        return context
    }

    /// Runs a closure with a new context on threads of the store.
    ///
    /// All reads in the closure see the same state of the store until the closure saves, refreshes, merges or waits
    /// at an `await`. Objects cannot leave the closure: the returned value is Sendable, such as object IDs, or copies
    /// of objects in the generated types ``ManagedObjectValues``. The closure must save its changes; unsaved changes
    /// are discarded.
    ///
    /// The closure and its child tasks run one at a time, so the context stays confined to the closure. They may block
    /// their thread, for example in the synchronous `save()` while other saves run: the threads of a store do not
    /// belong to Swift's concurrency pool.
    /// - Parameter body: The closure, which is passed the new context.
    /// - Returns: The value that the closure returns.
    /// - Throws: Any error that the closure throws.
    @concurrent
    public func performBackgroundTask<Result: Sendable, Failure: Error>(
        _ body: @Sendable (ManagedObjectContext) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let coordinator = persistentStoreCoordinator
        return try await BackgroundExecutor.run(on: coordinator.threads) { executor async throws(Failure) -> Result in
            try await executor.withContext(of: coordinator, body)
        }
    }
}
