internal import ChordataModel
internal import Synchronization

/// A controller that keeps the set of objects that match a fetch request up to date with the saves of all contexts
/// (rules S45–S55 of <doc:Core-Data-Rules>).
///
/// A ``FetchedResultsController`` tracks the changes of its context and keeps an ordered list. This controller tracks
/// the store: after each save of a context that ``savedContextPredicate`` selects, the controller fetches the saved
/// objects that match, on the main actor. It ignores unsaved changes.
///
/// ```swift
/// let unsent = FetchedObjectsController(
///     fetchRequest: try Item.fetchRequest().where(format: "syncStatus != 'sent'"),
///     managedObjectContext: container.viewContext
/// )
/// unsent.delegate = uploader
/// try unsent.loadObjects()
/// ```
@MainActor
public final class FetchedObjectsController<Object: ManagedObject> {
    /// The fetch request; sort keys are not necessary, and limit and offset are ignored.
    public let fetchRequest: FetchRequest<Object>
    /// The context to which the fetched objects belong, which is used on the main actor.
    public let managedObjectContext: ManagedObjectContext
    /// The delegate that is notified of saved changes.
    ///
    /// The controller does not retain the delegate.
    public weak var delegate: (any FetchedObjectsControllerDelegate<Object>)?
    /// The objects that match the request, as of the last observed save; `nil` before ``loadObjects()``.
    /// - Complexity: O(n) at the first access after a change.
    public var fetchedObjects: Set<Object>? {
        if knownObjects == nil { knownObjects = members.map { Set($0.values) } }
        return knownObjects
    }
    /// The error that prevented the last update; `nil` after a successful update.
    ///
    /// After an error, ``fetchedObjects`` does not change until ``loadObjects()`` is called.
    public var updateError: (any Error)? { status.error }

    private var members: [ManagedObjectID: Object]?
    private var knownObjects: Set<Object>?
    private var status = UpdateStatus()
    private var dependencies = ResultsDependencies([])
    private let selection = ContextSelection()
    /// The task that follows the selected saves, from the first fetch on.
    private var updates: Task<Void, Never>?

    /// Creates a controller, whose ``fetchedObjects`` is `nil` until ``loadObjects()`` is called.
    /// - Parameters:
    ///   - fetchRequest: The fetch request. Its limit and offset are ignored, and unsaved changes are not included.
    ///   - managedObjectContext: The context to which the fetched objects belong, which is used on the main actor.
    public init(fetchRequest: FetchRequest<Object>, managedObjectContext: ManagedObjectContext) {
        var fetchRequest = fetchRequest
        (fetchRequest.fetchLimit, fetchRequest.fetchOffset) = (0, 0)
        // The controller follows the store, so unsaved changes are not included.
        fetchRequest.includesPendingChanges = false
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
    }

    deinit { updates?.cancel() }

    /// A closure that selects the contexts whose saves the controller observes (rule S52 of <doc:Core-Data-Rules>).
    ///
    /// By default, these are the contexts without a parent that have the same coordinator as this controller's context.
    ///
    /// The closure is called during the save, in the isolation of the saved context.
    public var savedContextPredicate: @Sendable (ManagedObjectContext) -> Bool {
        get {
            selection.predicate ?? ContextSelection.rootContexts(of: managedObjectContext.persistentStoreCoordinator)
        }
        set { selection.setPredicate(newValue) }
    }

    /// Fetches the objects and begins to observe saves (rule S46 of <doc:Core-Data-Rules>).
    ///
    /// The method can be called again at any time.
    /// - Throws: Any error that ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
    public func loadObjects() throws {
        let bound = try BoundFetchRequest(fetchRequest, in: managedObjectContext.schema)
        dependencies = ResultsDependencies(bound.dependencies)
        // The observation begins before the fetch, so that no save is missed in between.
        if updates == nil { updates = followSaves() }
        let objects = try managedObjectContext.fetch(fetchRequest)
        members = Dictionary(uniqueKeysWithValues: objects.map { ($0.objectID, $0) })
        knownObjects = nil
        status = UpdateStatus(ofResultsFetchedIn: managedObjectContext)
    }

    /// Updates the set after each selected save, from now on.
    private func followSaves() -> Task<Void, Never> {
        let isRoot = ContextSelection.rootContexts(of: managedObjectContext.persistentStoreCoordinator)
        // A released controller selects no context.
        let saves = ContextNotifier.savesOfAllContexts.makeStream { [weak selection] context in
            selection.map { ($0.predicate ?? isRoot)(context) } ?? false
        }
        return Task { [weak self] in
            for await save in saves { self?.follow(save) }
        }
    }

    private func follow(_ save: AnyContextSave) {
        guard members != nil, status.canUpdate(in: managedObjectContext) else { return }
        let (context, model) = (managedObjectContext, managedObjectContext.schema.model)
        let written = save.changes.inserted.union(save.changes.updated).filter {
            context.reader.runtimeEntityInStore(of: $0) != nil
        }
        // If other objects decide which objects match, the affected objects are unknown.
        let areAll = written.union(save.changes.deleted).contains { dependencies.includes($0.runtimeEntity, in: model) }
        let wanted = written.filter { id in
            model.entity(id.entityName, isKindOf: fetchRequest.entityName)
                || model.entity(fetchRequest.entityName, isKindOf: id.entityName)
        }
        let deleted = save.changes.deleted.filter { members?[$0] != nil }
        guard areAll || !wanted.isEmpty || !deleted.isEmpty else { return }
        do {
            refreshFromStore(save)
            var (additions, deletions, updates) = (Set<Object>(), Set<Object>(), Set<Object>())
            // The fetch precedes the changes of the set, so that the set is unchanged after an error.
            let matching = try matchingObjects(among: wanted, areAll: areAll)
            for id in deleted { if let object = members?.removeValue(forKey: id) { deletions.insert(object) } }
            for (id, object) in matching where members?.updateValue(object, forKey: id) == nil {
                additions.insert(object)
            }
            for id in areAll ? Set((members ?? [:]).keys) : wanted {
                guard let object = members?[id] else { continue }
                if matching[id] == nil {
                    members?[id] = nil
                    deletions.insert(object)
                } else if wanted.contains(id), !additions.contains(object) {
                    updates.insert(object)
                }
            }
            notify(additions, deletions, updates)
        } catch {
            status.fail(error)
        }
    }

    /// Updates the context's objects to a save; the context already has the changes of its own saves.
    private func refreshFromStore(_ save: AnyContextSave) {
        if save.isOf(managedObjectContext) { return }
        if save.isOf(managedObjectContext.persistentStoreCoordinator),
            managedObjectContext.automaticallyMergesChangesFromParent
        {
            managedObjectContext.processPendingChanges()
        } else {
            managedObjectContext.mergeChanges(save.changes)
        }
    }

    /// Returns the objects that match: all of them, or those with some object IDs.
    private func matchingObjects(among ids: Set<ManagedObjectID>, areAll: Bool) throws -> [ManagedObjectID: Object] {
        if !areAll, ids.isEmpty { return [:] }
        let request = areAll ? fetchRequest : fetchRequest.where(try FetchPredicate(format: "SELF IN %@", Array(ids)))
        let objects = try managedObjectContext.fetch(request)
        return Dictionary(uniqueKeysWithValues: objects.map { ($0.objectID, $0) })
    }

    private func notify(_ additions: Set<Object>, _ deletions: Set<Object>, _ updates: Set<Object>) {
        guard !additions.isEmpty || !deletions.isEmpty || !updates.isEmpty else { return }
        knownObjects = nil
        delegate?.controllerWillUpdateObjects(self)
        if !additions.isEmpty { delegate?.controller(self, didDetectAdditions: additions) }
        if !deletions.isEmpty { delegate?.controller(self, didDetectDeletions: deletions) }
        if !updates.isEmpty { delegate?.controller(self, didDetectUpdates: updates) }
        delegate?.controllerDidUpdateObjects(self)
    }
}

/// A condition for the contexts whose saves a controller follows; it can be set and checked on any thread.
private final class ContextSelection: Sendable {
    /// Wraps the closure, because `withLock` would add a thunk to a bare closure on each access.
    private struct Condition: Sendable {
        var predicate: @Sendable (ManagedObjectContext) -> Bool
    }

    private let condition = Mutex<Condition?>(nil)

    /// The condition; `nil` for ``rootContexts(of:)``.
    var predicate: (@Sendable (ManagedObjectContext) -> Bool)? { condition.withLock { $0 }?.predicate }

    func setPredicate(_ predicate: @escaping @Sendable (ManagedObjectContext) -> Bool) {
        condition.withLock { $0 = Condition(predicate: predicate) }
    }

    /// The default condition: contexts of a coordinator that save to the store.
    static func rootContexts(
        of coordinator: PersistentStoreCoordinator?
    ) -> @Sendable (ManagedObjectContext) -> Bool {
        { $0.persistentStoreCoordinator === coordinator && $0.parent == nil }
    }
}
