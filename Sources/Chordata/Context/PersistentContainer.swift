/// A model, its open store, and the contexts that work with it.
///
/// Generated code makes one: `try DoneModel.container(at: "done.sqlite")`.
public final class PersistentContainer: Sendable {
    /// The name of the model.
    public let name: String
    /// What the contexts share.
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// The context of the main actor; it merges what other contexts save.
    @MainActor public var viewContext: ManagedObjectContext {
        if let context = existingViewContext { return context }
        let context = makeViewContext()
        existingViewContext = context
        return context
    }

    @MainActor private var existingViewContext: ManagedObjectContext?
    @MainActor private var isProcessingScheduled = false

    /// Opens a store, creating it if there is none and migrating it if it belongs to an older version of the model.
    ///
    /// - Parameters:
    ///   - model: The model, from generated code.
    ///   - path: The path of the SQLite file, or `:memory:`.
    ///   - options: How the store is opened.
    /// - Throws: ``StoreError``; the file is as it was before.
    public init(model: ModelDefinition, path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
        name = model.name
        persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
        _ = try persistentStoreCoordinator.addPersistentStore(atPath: path, options: options)
    }

    /// A context for a task or an actor other than the main one.
    public func newContext() -> sending ManagedObjectContext {
        ManagedObjectContext(persistentStoreCoordinator)
    }

    /// Runs a closure with a context of its own, away from the main actor.
    ///
    /// Objects stay inside: what is returned is Sendable, such as object IDs or `Values`. The closure saves what it wants
    /// kept.
    public func performBackgroundTask<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) async throws -> Result {
        let context = ManagedObjectContext(persistentStoreCoordinator)
        return try context.performAndWait { try body(context) }
    }

    @MainActor private func makeViewContext() -> ManagedObjectContext {
        let context = ManagedObjectContext(persistentStoreCoordinator)
        context.automaticallyMergesChangesFromParent = true
        context.endsEvents = true
        context.scheduleProcessing = { [weak self] in
            // The view context is only touched on the main actor.
            MainActor.assumeIsolated { self?.scheduleProcessing() }
        }
        context.inbox.setNotification { [weak self] in
            Task { @MainActor in self?.viewContext.processPendingChanges() }
        }
        return context
    }

    @MainActor private func scheduleProcessing() {
        guard !isProcessingScheduled else { return }
        isProcessingScheduled = true
        Task { @MainActor in
            isProcessingScheduled = false
            viewContext.processPendingChanges()
        }
    }
}
