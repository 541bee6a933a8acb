internal import ChordataModel
internal import ChordataSQL

/// An object that fetches, tracks and saves managed objects.
///
/// A context has one object for each row, tracks changes, and saves all changes in one transaction.
///
/// Use a context and its objects in one isolation: on the main actor for ``PersistentContainer/viewContext``, otherwise
/// in the task or on the actor that the context was created for. Contexts and objects are not Sendable, so the compiler
/// checks this.
public final class ManagedObjectContext {
    /// The coordinator whose store the context reads and writes; set it once, before the context is used.
    ///
    /// A child context has the coordinator of its parent.
    public var persistentStoreCoordinator: PersistentStoreCoordinator? {
        get { parent.map(\.persistentStoreCoordinator) ?? coordinator }
        set {
            precondition(
                attachedStore == nil && parent == nil || persistentStoreCoordinator === newValue,
                "the store or parent of a context cannot be changed; create a new context for another coordinator"
            )
            coordinator = newValue
        }
    }
    private var coordinator: PersistentStoreCoordinator?
    /// The parent context, which this context reads from and saves to instead of the store (rule N11 of
    /// <doc:Core-Data-Rules>); set it once, before the context is used.
    ///
    /// A child context is used in the isolation of its parent. See <doc:Child-Contexts>.
    public var parent: ManagedObjectContext? {
        get { parentOverlayReader?.parent }
        set {
            guard newValue !== parent else { return }
            precondition(
                attachedStore == nil && parentOverlayReader == nil,
                "the store or parent of a context cannot be changed; set the parent of a new context before it is used"
            )
            guard let newValue else { return }
            precondition(
                !sequence(first: newValue, next: \.parent).contains { $0 === self },
                "a context cannot be its own ancestor"
            )
            parentOverlayReader = ParentOverlayReader(newValue, for: self)
        }
    }
    /// A Boolean value that indicates whether the context automatically merges saves of other contexts (rule N10 of
    /// <doc:Core-Data-Rules>).
    ///
    /// If the value is `true`, a child context merges all changes of its parent, also unsaved ones.
    ///
    /// The value is `true` for the view context (Core Data: `false`) and `false` for other contexts. A context of a
    /// task merges at its next fetch or save; a context of an actor merges in the actor's next turn.
    public var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent { bindToStore() }
            updateNotification()
        }
    }
    /// A name that identifies the context in the values of ``PersistentContainer/saves``.
    public var name: String?

    /// The policy by which a save resolves conflicts with the store and violated uniqueness constraints; see
    /// <doc:Conflicts>.
    public var mergePolicy = MergePolicy.error
    /// The undo manager that records the context's changes (rule N12 of <doc:Core-Data-Rules>).
    ///
    /// The default is `nil`, because an undo manager retains recorded values.
    public var undoManager: ContextUndoManager? {
        didSet {
            guard undoManager !== oldValue else { return }
            oldValue?.leaveContext()
            undoManager?.enter(self)
            updateUndoRegistration()
        }
    }

    /// The error of the first property access that could not read the store; `nil` if there was none.
    ///
    /// A property access cannot throw. If the store cannot be read, for example because another program has migrated
    /// it, the property has the value that it has if the row was deleted, and saves throw this error, because unsaved
    /// changes may follow from such values. ``refreshAllObjects()`` removes the error and turns the objects without
    /// unsaved changes into faults, which read their rows again on access; ``reset()`` removes it too.
    public internal(set) var readError: (any Error)?

    // An access to a field that is marked so never runs foreign code.
    @exclusivity(unchecked) var attachedStore: PersistentStore?
    private(set) var parentOverlayReader: ParentOverlayReader?
    /// The context through which this private one reads; `nil` for one that reads by itself.
    let source: ManagedObjectContext?
    /// Goes up where unsaved changes may have become others, for children that read them.
    @exclusivity(unchecked) private(set) var changeCount = 0
    let inbox: ContextInbox
    /// The actor that uses the context; `nil` for that of a task.
    var executor: ContextExecutor?
    #if DEBUG
        let accessor = ContextAccessor()
    #endif
    /// Schedules one `processPendingChanges` for the end of the event; `nil` where nothing can be scheduled.
    var scheduleProcessing: (() -> Void)?

    @exclusivity(unchecked) var registry = ObjectRegistry(rootCount: 0)
    /// The result of the last look-up by a class: objects are mostly inserted one after the other.
    @exclusivity(unchecked) var lastEntityType: RuntimeEntity?
    /// The plan of the `Values` that were inserted last: they mostly are of one kind.
    var lastValueInsertion: ValueInsertion?

    /// The objects with unsaved changes, each once, in the order of their first change; and some that have none any
    /// more.
    @exclusivity(unchecked) private var changeList: [ManagedObject] = []
    @exclusivity(unchecked) var hasStaleEntries = false
    /// A Boolean value that indicates whether objects may have been inserted whose numbers are not of the store.
    @exclusivity(unchecked) var hasProvisionalKeys = false
    /// The to-many relationships that were read while the deletion or reassignment of some members was unsaved.
    var incompleteToManys: Set<RelationshipReference> = []
    /// A Boolean value that indicates whether a relationship was set to an object that is to be deleted.
    var mayReferenceDeletedObjects = false
    /// Objects whose insertion was undone in the current event.
    var undoneInsertions: [ManagedObject] = []
    /// Rows that others have deleted while their objects had unsaved changes.
    var deferredDeletions: [IdentityMap.Key: ChangeSet.Row] = [:]
    /// Objects with unsaved changes, or to be deleted, whose rows others have changed since; they are read again if the
    /// changes are given up.
    var remotelyChangedObjects: Set<ManagedObject> = []
    /// A Boolean value that indicates whether anything that others have written was merged.
    var hasMerged = false
    /// The to-many relationships that others have changed while they had unsaved changes.
    var staleToManys: Set<RelationshipReference> = []
    /// The objects that hooks of a save have changed; `nil` while none are called.
    @exclusivity(unchecked) var changedByHooks: [ManagedObject]?
    /// A Boolean value that indicates whether changes are noted to be undone.
    @exclusivity(unchecked) var recordsUndo = false
    /// The objects changed in the current event.
    @exclusivity(unchecked) var event = ContextEvent()
    var observers: [WeakObserver] = []
    /// Notifies observers that their objects do not belong to this context any more.
    var resetCount = 0
    /// Set at the first access to ``changes``.
    var changeBroadcast: Broadcast<ObjectIDChanges>?
    /// Set at the first access to ``saves``.
    var saveBroadcast: Broadcast<ObjectIDChanges>?
    /// Set at the first access to ``merges``.
    var mergeBroadcast: Broadcast<ObjectIDChanges>?
    /// A Boolean value that indicates whether a save has begun and its changes are not those of the store yet.
    var isSaving = false
    /// The number of saves with observers that did not return yet.
    var announcedSaves = 0
    @exclusivity(unchecked) private(set) var isProcessing = false
    /// The connection of the event's read transaction, once something was read.
    @exclusivity(unchecked) var reader: SQLiteConnection?
    /// The start of the current turn: the time of the last merge.
    var eventBegan = ContinuousClock.now
    /// The scope of the current event, within which all reads see one state of the store.
    var eventScope = EventScope.none
    /// The objects that were read and whose hooks were not called yet.
    var awakening: [ManagedObject] = []
    /// A Boolean value that indicates whether a value that cannot be read is treated as missing, because no error can
    /// be thrown.
    var toleratesUnreadableValues = false
    /// `nil` while objects cannot be observed.
    @exclusivity(unchecked) var observation: ObservationTable?
    /// The rows of objects without unsaved changes that a fetch found and is to bring these up to; `nil` where it
    /// leaves them alone.
    @exclusivity(unchecked) var refetchedRows: [RowSnapshot]?
    /// The state of a save's conflict resolution.
    var resolution = ConflictResolution()
    /// A Boolean value that indicates whether lifecycle hooks of objects are called; false for a private context.
    let callsHooks: Bool

    /// Creates a context without a coordinator, for a Core Data stack that is created without a
    /// ``PersistentContainer``.
    ///
    /// - Parameter isolation: The actor that will use the context; the default is the isolation of the caller. See
    ///   ``PersistentContainer/newContext(isolation:)``.
    public init(isolation: isolated (any Actor)? = #isolation) {
        callsHooks = true
        source = nil
        inbox = ContextInbox()
        setExecutor(of: isolation)
    }

    init(_ coordinator: PersistentStoreCoordinator) {
        callsHooks = true
        source = nil
        inbox = ContextInbox()
        self.coordinator = coordinator
    }

    /// A private scratch context, whose saves are attributed to another context and not merged there.
    /// - Parameter readsThrough: Whether it reads what that one would read now.
    init(for context: ManagedObjectContext, readsThrough: Bool = false) {
        callsHooks = false
        source = readsThrough ? context : nil
        inbox = context.inbox
        bind(to: context.store)
    }

    /// The store of the coordinator.
    var store: PersistentStore {
        if let attachedStore { return attachedStore }
        if let parent {
            // What others save comes by the parent.
            bind(to: parent.store)
            return parent.store
        }
        guard let coordinator = persistentStoreCoordinator else {
            preconditionFailure("the context has no persistentStoreCoordinator; set it before the context is used")
        }
        guard let store = coordinator.persistentStores.first else {
            preconditionFailure(
                "the context's coordinator has no store; call addPersistentStore before the context is used"
            )
        }
        bind(to: store)
        store.register(inbox)
        return store
    }

    /// Registers the context's inbox with the store, before anything was fetched; later when there is no store yet.
    func bindToStore() {
        if persistentStoreCoordinator?.persistentStores.isEmpty == false { _ = store }
    }

    var schema: StoreSchema { store.schema }

    private func bind(to store: PersistentStore) {
        attachedStore = store
        registry = ObjectRegistry(rootCount: store.schema.rootCount)
    }

    deinit {
        endReading()
        forEachRegistered { object in
            object.leaveContext()
            breakCycles(of: object)
        }
    }

    // MARK: State

    /// The objects with unsaved changes, each once, in the order of their first change.
    var changedObjects: [ManagedObject] {
        if hasStaleEntries {
            for object in changeList where !object.hasChanges { object.isTracked = false }
            changeList.removeAll { !$0.isTracked }
            hasStaleEntries = false
        }
        return changeList
    }

    /// A Boolean value that indicates whether the context has unsaved changes.
    public var hasChanges: Bool { !changedObjects.isEmpty }
    /// The inserted objects that have not been saved yet.
    public var insertedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .inserted }) }
    /// The saved objects with unsaved changes.
    public var updatedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .updated }) }
    /// The objects that the next save deletes.
    public var deletedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .deleted }) }
    /// All objects that are registered in the context.
    public var registeredObjects: Set<ManagedObject> {
        var all: Set<ManagedObject> = []
        forEachRegistered { all.insert($0) }
        return all
    }

    // MARK: Changes

    /// Forgets the unsaved changes of an object that another context deleted.
    func dropChanges(of object: ManagedObject) {
        object.changes = nil
        // Also where it was only to be deleted, which keeps no list of changes.
        if object.isTracked { hasStaleEntries = true }
    }

    func list(_ object: ManagedObject) {
        guard !object.isTracked else { return }
        object.isTracked = true
        changeList.append(object)
    }

    /// Empties the list of changed objects.
    func takeChangedObjects() -> [ManagedObject] {
        recordUnsavedChange()
        let objects = changedObjects
        objects.forEachUnretained { $0.isTracked = false }
        changeList = []
        return objects
    }

    func recordChange(of object: ManagedObject, field: Int) {
        let access = beginAccess()
        defer { access.end() }
        if object.isAwakening { return }
        if object.isFault { fulfillFault(object) }
        willChangeObserved(object, field)
        if recordsUndo { recordUndo(of: object, field) }
        if object.state == .clean {
            object.state = .updated
            beginChanges(of: object)
            list(object)
        } else if object.state == .deleted, object.changes == nil {  // It was deleted before it was changed.
            beginChanges(of: object)
        }
        object.withChanges { changes in
            if object.state != .inserted { changes.keepCommittedValue(of: field, in: object) }
            changes.recordChange(of: field)
        }
        trackChange(of: object)
    }

    @inline(__always)
    func beginChanges(of object: ManagedObject) {
        let changes = object.changes ?? ObjectChanges(of: object)
        changes.committedUnset = changes.unset
        object.changes = changes
    }

    @inline(__always)
    func recordUnsavedChange() { changeCount &+= 1 }

    @inline(__always)
    func trackChange(of object: ManagedObject) {
        recordUnsavedChange()
        changedByHooks?.append(object)
        guard !object.isInEvent else { return }
        object.isInEvent = true
        event.local.append(object)
        scheduleProcessing?()
    }

    /// Merges saves of other contexts, applies pending changes, and notifies observers of the changes since the last
    /// notification.
    ///
    /// Other contexts' saves are merged only if ``automaticallyMergesChangesFromParent`` is `true`.
    ///
    /// Saves call this method. Fetches notify observers too, but do not merge within a closure of
    /// ``performAndWait(_:)`` or the first second of an actor's turn. For a context of an actor, such as the view
    /// context, the method is also called after each turn in which the context is used.
    public func processPendingChanges() {
        let access = beginAccess()
        defer { access.end() }
        guard !isProcessing else { return }
        endReading()
        processChanges(merges: true)
        undoManager?.endEvent()
    }

    /// The same within an event, as a fetch does it: what other contexts saved is not merged before the event ends.
    func processChanges() { processChanges(merges: isBetweenEvents) }

    private func processChanges(merges: Bool) {
        let access = beginAccess()
        defer { access.end() }
        guard !isProcessing else { return }
        if merges { beginEvent() }
        isProcessing = true
        parent?.processChanges(merges: merges && parent?.isBetweenEvents == true)
        if merges, automaticallyMergesChangesFromParent { mergeInbox() }
        removeReferencesToUndoneInsertions()
        observation?.finishChanges()
        if !event.isEmpty {
            recordUnsavedChange()
            let finished = event
            event = ContextEvent()
            notify(finished)
            for object in finished.forgotten + finished.mergedDeleted {
                unregister(object)
                emptyRelationships(of: object)
            }
            // Another context may insert these objects next and list them, so this one must not list them any more.
            if !finished.forgotten.isEmpty || !finished.mergedDeleted.isEmpty { _ = changedObjects }
        }
        isProcessing = false
        sweepIfDue()
    }
}

@available(*, unavailable, message: "a context is confined to its task or actor; create another one with newContext()")
extension ManagedObjectContext: Sendable {}
