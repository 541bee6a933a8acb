/// A model, its open store, and the contexts that work with it.
///
/// Generated code makes one: `try DoneModel.container(at: "done.sqlite")`.
public final class PersistentContainer: Sendable {
    /// The name of the model.
    public let name: String
    /// The state that the contexts share.
    public let persistentStoreCoordinator: PersistentStoreCoordinator

    /// The context of the main actor; it merges what other contexts save.
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
    ///   - model: The model, from generated code.
    ///   - path: The path of the SQLite file, or `:memory:`.
    ///   - options: How the store is opened.
    /// - Throws: ``StoreError`` when the store cannot be opened, created or migrated. The file is as it was before, or
    ///   waits for a stage in batches.
    public init(model: ModelDefinition, path: String, options: StoreOptions = StoreOptions()) throws(StoreError) {
        name = model.name
        persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: model)
        _ = try persistentStoreCoordinator.addPersistentStore(atPath: path, options: options)
    }

    /// Creates a context for the code that calls this: for the actor that it runs on, or for a task.
    ///
    /// A context of an actor ends its events by itself, after each turn of the actor. The compiler keeps it there. One
    /// that is made where nothing is isolated, or with `nil`, may be sent once to wherever it will be used:
    ///
    /// ```swift
    /// let importer = await Importer(context: container.newContext(isolation: nil))
    /// ```
    ///
    /// - Parameter isolation: The actor that will use the context: the one whose code calls this, or `nil`.
    /// - Returns: A new context without changes.
    public func newContext(isolation: isolated (any Actor)? = #isolation) -> ManagedObjectContext {
        let context = ManagedObjectContext(persistentStoreCoordinator)
        context.setExecutor(of: isolation)
        return context
    }

    /// Runs a closure with a new context, outside the main actor and any other actor; its changes are one event.
    ///
    /// Objects cannot leave the closure: the returned value is Sendable, such as object IDs or `Values`. The closure
    /// must save its changes; unsaved changes are discarded.
    /// - Parameter body: The closure, which is passed the new context.
    /// - Returns: The value that the closure returns.
    /// - Throws: Whatever the closure throws.
    @concurrent
    public func performBackgroundTask<Result: Sendable>(
        _ body: @Sendable (ManagedObjectContext) throws -> Result
    ) async rethrows -> Result {
        let context = ManagedObjectContext(persistentStoreCoordinator)
        return try await context.perform { try body(context) }
    }
}
