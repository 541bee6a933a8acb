internal import ChordataModel
internal import Synchronization

/// The set of objects that match a request, kept right with the saves of all contexts (S45–S55).
///
/// Where ``FetchedResultsController`` follows its context, change by change and in order, this one follows the store: it hears of each save
/// of any context, on the main actor and after it, and asks which of the saved objects match. What is not saved it does not know.
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
    /// What is wanted; it needs no sort keys, and limit and offset do not count.
    public let fetchRequest: FetchRequest<Object>
    /// The context whose objects are given; it lives on the main actor.
    public let managedObjectContext: ManagedObjectContext
    /// Hears of what saves did.
    ///
    /// The controller does not keep it alive.
    public weak var delegate: (any FetchedObjectsControllerDelegate)?
    /// The objects that match, as of the last save that was heard of; `nil` before ``loadObjects()``.
    public private(set) var fetchedObjects: Set<Object>?
    /// Why the last save could not be followed; `nil` when it was.
    ///
    /// The set then stays as it was until ``loadObjects()``.
    public private(set) var updateError: (any Error)?

    private let saves = SaveSubscription()
    private var dependencies = ResultsDependencies([])
    private var resetCount = 0

    /// Creates a controller, which knows nothing until ``loadObjects()``.
    public init(fetchRequest: FetchRequest<Object>, managedObjectContext: ManagedObjectContext) {
        var fetchRequest = fetchRequest
        (fetchRequest.fetchLimit, fetchRequest.fetchOffset) = (0, 0)
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        let coordinator = managedObjectContext.persistentStoreCoordinator
        saves.setPredicate { $0.persistentStoreCoordinator === coordinator }
    }

    /// Which contexts' saves count; those of this context's coordinator, unless another condition is set (S52).
    ///
    /// It is called where the saved context lives, in the save.
    public var savedContextPredicate: @Sendable (ManagedObjectContext) -> Bool {
        get { saves.predicate }
        set { saves.setPredicate(newValue) }
    }

    /// Fetches the objects, and follows saves from here on (S46); may be called again at any time.
    /// - Throws: What ``ManagedObjectContext/fetch(_:)`` throws.
    public func loadObjects() throws {
        let bound = try BoundFetchRequest(fetchRequest, in: managedObjectContext.schema)
        dependencies = ResultsDependencies(bound.dependencies)
        // From here on, so that no save falls between.
        let stream = saves.begin(for: ObjectIdentifier(managedObjectContext))
        fetchedObjects = Set(try managedObjectContext.fetch(fetchRequest))
        resetCount = managedObjectContext.resetCount
        updateError = nil
        guard let stream else { return }
        Task { [weak self] in
            for await save in stream { self?.follow(save) }
        }
    }

    private func follow(_ save: SaveSubscription.Save) {
        guard var objects = fetchedObjects, resetCount == managedObjectContext.resetCount, updateError == nil else {
            return
        }
        do {
            // Its own saves it knows.
            if !save.isOwn { managedObjectContext.mergeChanges(save.changes) }
            let written = save.changes.inserted.union(save.changes.updated).filter { id in
                managedObjectContext.ownEntityType(of: id) != nil
            }
            let matching = try matchingObjects(among: written, save.changes)
            let gone = objects.filter { $0.managedObjectContext == nil || save.changes.deleted.contains($0.objectID) }
            var (additions, deletions, updates) = (Set<Object>(), gone, Set<Object>())
            for object in matching.objects where !objects.contains(object) { additions.insert(object) }
            for object in objects.subtracting(gone) {
                let isWritten = written.contains(object.objectID)
                if matching.objects.contains(object) {
                    if isWritten { updates.insert(object) }
                } else if isWritten || matching.areAll {
                    deletions.insert(object)
                }
            }
            guard !additions.isEmpty || !deletions.isEmpty || !updates.isEmpty else { return }
            objects.subtract(deletions)
            objects.formUnion(additions)
            fetchedObjects = objects
            delegate?.controllerWillUpdateObjects(self)
            if !additions.isEmpty { delegate?.controller(self, didDetectAdditions: additions) }
            if !deletions.isEmpty { delegate?.controller(self, didDetectDeletions: deletions) }
            if !updates.isEmpty { delegate?.controller(self, didDetectUpdates: updates) }
            delegate?.controllerDidUpdateObjects(self)
        } catch {
            updateError = error
        }
    }

    /// The objects that match: all of them where other objects decide which do, otherwise those that were written.
    private func matchingObjects(among written: Set<ManagedObjectID>, _ changes: ObjectIDChanges) throws
        -> (objects: Set<Object>, areAll: Bool)
    {
        let context = managedObjectContext
        let model = context.schema.model
        let areAll = written.union(changes.deleted).contains { dependencies.includes($0.entityType, in: model) }
        if areAll { return (Set(try context.fetch(fetchRequest)), true) }
        let wanted = written.filter { id in
            model.entity(id.entityName, isKindOf: fetchRequest.entityName)
                || model.entity(fetchRequest.entityName, isKindOf: id.entityName)
        }
        if wanted.isEmpty { return ([], false) }
        let request = fetchRequest.where(try FetchPredicate(format: "SELF IN %@", Array(wanted)))
        return (Set(try context.fetch(request)), false)
    }
}

/// What a controller hears of saves, wherever these happen.
private final class SaveSubscription: Sendable {
    struct Save: Sendable {
        let changes: ObjectIDChanges
        /// Whether the context was the controller's own.
        let isOwn: Bool
    }

    private struct State {
        var predicate: @Sendable (ManagedObjectContext) -> Bool = { _ in true }
        var number: Int?
        var continuation: AsyncStream<Save>.Continuation?
    }

    private let state = Mutex(State())

    var predicate: @Sendable (ManagedObjectContext) -> Bool { state.withLock(\.predicate) }

    func setPredicate(_ predicate: @escaping @Sendable (ManagedObjectContext) -> Bool) {
        state.withLock { $0.predicate = predicate }
    }

    /// The saves from now on; `nil` where they are heard already.
    func begin(for own: ObjectIdentifier) -> AsyncStream<Save>? {
        guard state.withLock({ $0.number == nil }) else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Save.self, bufferingPolicy: .unbounded)
        let number = SaveListeners.add { [weak self] context, changes in
            guard let self, self.predicate(context) else { return }
            continuation.yield(Save(changes: changes, isOwn: ObjectIdentifier(context) == own))
        }
        state.withLock { ($0.number, $0.continuation) = (number, continuation) }
        return stream
    }

    deinit {
        state.withLock { state in
            if let number = state.number { SaveListeners.remove(number) }
            state.continuation?.finish()
        }
    }
}
