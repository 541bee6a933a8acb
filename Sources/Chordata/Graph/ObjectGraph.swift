/// The objects of a context: the registered objects, the objects with unsaved changes, and the changes in the current
/// event.
///
/// The graph does not read the store; it has only the state in memory.
final class ObjectGraph {
    // An access to a field with this attribute runs no other code, except for a `deinit` when it releases the last
    // reference to an object.
    @exclusivity(unchecked) var registry = ObjectRegistry(rootCount: 0)
    @exclusivity(unchecked) var unsaved = UnsavedChanges()
    /// The changes since observers were last notified.
    @exclusivity(unchecked) var event = ContextEvent()
    @exclusivity(unchecked) var remote = RemoteState()
    /// The observed objects; `nil` if objects cannot be observed.
    @exclusivity(unchecked) private(set) var observation: ObservationTable?
    /// A Boolean value that indicates whether changes are recorded for undo.
    @exclusivity(unchecked) private(set) var recordsUndo = false
    /// A Boolean value that indicates whether lifecycle hooks of objects are called; `false` for a private context.
    let callsHooks: Bool
    let notifier: ContextNotifier
    let executor: ContextExecutor
    private var boundSchema: StoreSchema?
    /// Binds the context to its store, if there is a store by then, before the first use of the schema.
    private var bindToStore: (() -> Void)?
    /// The context to which objects belong; the graph only passes it to new objects.
    private(set) var owner: Unmanaged<ManagedObjectContext>?

    init(callsHooks: Bool, notifier: ContextNotifier, executor: ContextExecutor) {
        self.callsHooks = callsHooks
        self.notifier = notifier
        self.executor = executor
    }

    /// Sets the context to which new objects belong, and a closure that binds it to its store.
    func setOwner(_ context: Unmanaged<ManagedObjectContext>, bindToStore: @escaping () -> Void) {
        owner = context
        self.bindToStore = bindToStore
    }

    /// The context, as the sender of notifications.
    var sender: AnyObject {
        guard let owner else { preconditionFailure("a context that is being released must not notify observers") }
        return owner.takeUnretainedValue()
    }

    /// Returns a Boolean value that indicates whether an object belongs to the context.
    func isOwner(of object: ManagedObject) -> Bool { object.managedObjectContext === owner?.takeUnretainedValue() }

    /// Removes the reference to the context, which is being released; a caller may retain its components for longer.
    func removeOwner() { (owner, bindToStore) = (nil, nil) }

    /// The schema of the store, to which the first use binds the context.
    var schema: StoreSchema {
        if let boundSchema { return boundSchema }
        bindToStore?()
        guard let boundSchema else { preconditionFailure("the closure must bind the context") }
        return boundSchema
    }

    /// Sets the schema of the objects, before there are any.
    func bind(to schema: StoreSchema) {
        boundSchema = schema
        bindToStore = nil
        registry = ObjectRegistry(rootCount: schema.rootCount)
    }

    /// Detaches all objects, before they are removed.
    /// - Returns: The object IDs, if observers of a reset may need them.
    func detachAll() -> Set<ManagedObjectID> {
        var ids: Set<ManagedObjectID> = []
        let mayBeObserved = ContextNotification.didChangeObjects.mayBeObserved
        forEachRegistered { object in
            if mayBeObserved { ids.insert(object.objectID) }
            object.leaveContext()
            object.state = .detached
            object.changes = nil
            breakCycles(of: object)
        }
        return ids
    }

    /// Removes all objects and changes.
    func removeAll() {
        _ = unsaved.takeObjects()
        registry = ObjectRegistry(rootCount: boundSchema?.rootCount ?? 0)
        // A hook of a save may have called this method.
        let changedByHooks = unsaved.changedByHooks
        unsaved = UnsavedChanges(generation: unsaved.generation)
        unsaved.changedByHooks = changedByHooks.map { _ in [] }
        event = ContextEvent()
        remote = RemoteState()
    }

    /// Enables the observation of objects, or removes their observers.
    func setObservable(_ isObservable: Bool) {
        observation = isObservable ? ObservationTable() : nil
        forEachRegistered {
            if isObservable { $0.slowPath.insert(.observable) } else { $0.slowPath.subtract(.observing) }
        }
    }

    // MARK: Changes

    /// Sets whether changes are recorded for undo.
    func recordUndo(_ isRecorded: Bool) { recordsUndo = isRecorded }

    /// Runs a closure whose changes are not recorded for undo.
    func withoutUndo<Result>(_ body: () throws -> Result) rethrows -> Result {
        let recorded = recordsUndo
        recordsUndo = false
        defer { recordsUndo = recorded }
        return try body()
    }

    /// The objects with unsaved changes, each once, in the order of their first change.
    var changedObjects: [ManagedObject] { unsaved.objects }

    /// Discards the unsaved changes of an object that another context deleted.
    func dropChanges(of object: ManagedObject) {
        object.changes = nil
        // This includes an object that was only marked for deletion, which has no `changes`.
        if object.isTracked { unsaved.removeStaleEntriesLater() }
    }

    @inline(__always)
    func beginChanges(of object: ManagedObject) {
        let changes = object.changes ?? ObjectChanges(of: object)
        changes.committedUnset = changes.unset
        object.changes = changes
        object.markAsRead()
    }

    /// Records that an object has changed in the current event.
    @inline(__always)
    func trackChange(of object: ManagedObject) {
        unsaved.recordChange()
        unsaved.changedByHooks?.append(object)
        guard !object.isInEvent else { return }
        object.isInEvent = true
        event.local.append(object)
        executor.scheduleProcessing()
    }

    /// Records that an object without changes in this event has other values than before.
    /// - Parameter fields: The fields that may have changed; `nil` if they are unknown.
    func recordRefresh(of object: ManagedObject, fields: PropertyMask?) {
        if let fields {
            event.refreshedFields.append((object, fields))
        } else {
            event.refreshed.append(object)
        }
    }

    // MARK: Events

    /// Ends the current event; later changes belong to the next event.
    /// - Returns: The changes of the event.
    func finishEvent() -> ContextEvent {
        unsaved.recordChange()
        var finished = ContextEvent()
        swap(&finished, &event)
        return finished
    }
}
