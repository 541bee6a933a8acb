internal import ChordataModel
internal import ChordataSQL

/// A place to work with objects: it fetches them, keeps one object per row, tracks what changes, and saves all changes in
/// one transaction.
///
/// A context and its objects are used from one place: the main actor for ``PersistentContainer/viewContext``, otherwise
/// the task or actor that got the context. They are not Sendable, so the compiler checks that.
public final class ManagedObjectContext {
    /// The coordinator whose store the context reads and writes; set once, before the context is used.
    public var persistentStoreCoordinator: PersistentStoreCoordinator? {
        didSet {
            precondition(
                attachedStore == nil || persistentStoreCoordinator === oldValue,
                "a context stays with its store; make another context for another coordinator"
            )
        }
    }
    /// Whether saves of other contexts are merged into this one as they happen.
    ///
    /// True for the view context; other contexts merge when ``processPendingChanges()`` is called.
    public var automaticallyMergesChangesFromParent = false

    var attachedStore: PersistentStore?
    let inbox = ContextInbox()
    /// Schedules one `processPendingChanges` for the end of the event; `nil` where nothing can be scheduled.
    var scheduleProcessing: (() -> Void)?

    /// By root entity.
    var identityMaps: [IdentityMap] = []
    var registrationsSinceSweep = 0
    var survivorsOfSweep = 0

    /// The objects with unsaved changes, each once, in the order of their first change; and some that have none any more.
    private var listedObjects: [ManagedObject] = []
    private var hasUnlistedObjects = false
    /// The to-many relationships that were read while objects in them were to be deleted.
    var membersWithoutDeleted: [(object: ManagedObject, field: Int)] = []
    /// The objects changed in the current event.
    var event = ContextEvent()
    var observers: [WeakObserver] = []
    private var isProcessing = false
    /// The connection of the event's read transaction, once something was read.
    var reader: SQLiteConnection?
    var readerBegan = ContinuousClock.now
    /// An event that takes longer than that is none: the program waits for something, or never ends its turn of the main actor.
    private static let longestEvent = Duration.seconds(1)
    /// Whether somebody ends events: otherwise each read is a transaction of its own, because none may stay open while the context
    /// waits for something.
    var endsEvents = false
    /// The objects that were read and not told so yet.
    var awakening: [ManagedObject] = []
    /// By entity, once a save has needed them.
    var derivations: [[Derivation]]?
    /// Whether objects are told what happens to them; false for a context that nobody sees.
    let callsHooks: Bool

    /// Creates a context without a coordinator, for a stack that is built by hand.
    public init() { callsHooks = true }

    init(_ coordinator: PersistentStoreCoordinator) {
        callsHooks = true
        persistentStoreCoordinator = coordinator
    }

    /// A context that nobody sees.
    init(_ store: PersistentStore, callsHooks: Bool) {
        self.callsHooks = callsHooks
        attach(to: store)
    }

    /// The store of the coordinator.
    var store: PersistentStore {
        if let attachedStore { return attachedStore }
        guard let coordinator = persistentStoreCoordinator else {
            preconditionFailure("the context has no persistentStoreCoordinator; set it before the context is used")
        }
        guard let store = coordinator.persistentStores.first else {
            preconditionFailure(
                "the context's coordinator has no store; call addPersistentStore before the context is used"
            )
        }
        attach(to: store)
        return store
    }

    var schema: StoreSchema { store.schema }

    private func attach(to store: PersistentStore) {
        attachedStore = store
        identityMaps = Array(repeating: IdentityMap(), count: store.schema.rootCount)
        store.register(inbox)
    }

    deinit {
        endReading()
        for map in identityMaps {
            map.forEach { object in
                object.contextReference = nil
                breakCycles(of: object)
            }
        }
    }

    // MARK: State

    /// The objects with unsaved changes, each once, in the order of their first change.
    var changedObjects: [ManagedObject] {
        if hasUnlistedObjects {
            for object in listedObjects where !object.hasChanges { object.isListed = false }
            listedObjects.removeAll { !$0.isListed }
            hasUnlistedObjects = false
        }
        return listedObjects
    }

    /// Whether a save would write something.
    public var hasChanges: Bool { !changedObjects.isEmpty }
    /// The objects that were inserted and not saved.
    public var insertedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .inserted }) }
    /// The objects with changes that are not saved.
    public var updatedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .updated }) }
    /// The objects to be deleted at the next save.
    public var deletedObjects: Set<ManagedObject> { Set(changedObjects.filter { $0.state == .deleted }) }
    /// All objects the context knows.
    public var registeredObjects: Set<ManagedObject> {
        var all: Set<ManagedObject> = []
        for map in identityMaps { map.forEach { all.insert($0) } }
        return all
    }

    // MARK: Changes

    /// Forgets the unsaved changes of an object that another context deleted.
    func dropChanges(of object: ManagedObject) {
        guard object.changes != nil else { return }
        object.changes = nil
        hasUnlistedObjects = true
    }

    private func list(_ object: ManagedObject) {
        guard !object.isListed else { return }
        object.isListed = true
        listedObjects.append(object)
    }

    /// Empties the list of changed objects.
    private func takeChangedObjects() -> [ManagedObject] {
        let objects = changedObjects
        for object in objects { object.isListed = false }
        listedObjects = []
        return objects
    }

    func insertNewObject(of type: EntityType) -> ManagedObject {
        let object = type.objectClass.init(ObjectInitialization(entityType: type))
        insertNew(object)
        return object
    }

    func insertNew(_ object: ManagedObject) {
        object.key = store.nextKey()
        object.state = .inserted
        let changes = ObjectChanges(committed: nil)
        changes.unset = object.entityType.initiallyUnset
        object.changes = changes
        for (field, value) in object.entityType.defaults {
            _ = setAttributeValue(value, field.kind, at: object.address(of: field))
        }
        register(object)
        list(object)
        note(object)
        object.entityType.hooks.awakeFromInsert?(object)
    }

    func recordChange(of object: ManagedObject, field: Int) {
        if object.isAwakening { return }
        if object.isFault { fulfillFault(object) }
        if object.state == .clean {
            keepCommittedValues(of: object)
            object.state = .updated
            list(object)
        }
        if let changes = object.changes {
            changes.changed.insert(field)
            changes.unset.remove(field)
        }
        note(object)
    }

    /// Keeps the values before the first change.
    private func keepCommittedValues(of object: ManagedObject) {
        let changes = object.changes ?? ObjectChanges(committed: nil)
        changes.committed = FieldBlock(of: object)
        object.changes = changes
    }

    private func note(_ object: ManagedObject) {
        guard !object.isInEvent else { return }
        object.isInEvent = true
        event.local.append(object)
        scheduleProcessing?()
    }

    /// Marks an object for deletion at the next save and applies the delete rules of its relationships.
    ///
    /// An object that was never saved is simply forgotten.
    public func delete(_ object: ManagedObject) {
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' can only be deleted in its own context"
        )
        // Rules may lead on for ever so long, so those that they lead to wait in a list.
        var pending = [object]
        while let next = pending.popLast() { pending += markDeleted(next).reversed() }
    }

    /// Marks one object as deleted, and gives those that the rule Cascade of its relationships leads to.
    private func markDeleted(_ object: ManagedObject) -> [ManagedObject] {
        guard object.state != .deleted, object.state != .gone, !object.isPreparingForDeletion else { return [] }
        if object.isFault { fulfillFault(object) }
        if let prepareForDeletion = object.entityType.hooks.prepareForDeletion {
            object.isPreparingForDeletion = true
            prepareForDeletion(object)
            object.isPreparingForDeletion = false
        }
        let wasInserted = object.state == .inserted
        if object.state == .clean {
            keepCommittedValues(of: object)
            list(object)
        }
        object.state = .deleted
        note(object)
        let targets = propagateDeletion(of: object)
        // D6: an insertion that was undone never reaches the store.
        if wasInserted {
            hasUnlistedObjects = true
            object.state = .gone
            event.forgotten.append(object)
        }
        return targets
    }

    /// Merges what other contexts saved, applies what is pending, and tells observers what changed since the last time.
    ///
    /// Called by fetches and saves, and at the end of each turn of the main actor for the view context.
    public func processPendingChanges() {
        guard !isProcessing else { return }
        endReading()
        processChanges()
    }

    /// The same within an event, as a fetch does it.
    func processChanges() {
        guard !isProcessing else { return }
        // What others saved is newer than what the event reads.
        if automaticallyMergesChangesFromParent, !inbox.isEmpty { endReading() }
        if reader != nil, .now - readerBegan > Self.longestEvent { endReading() }
        isProcessing = true
        if automaticallyMergesChangesFromParent { mergeInbox() }
        if !event.isEmpty {
            let finished = event
            event = ContextEvent()
            for object in finished.local { object.isInEvent = false }
            observers.removeAll { $0.observer == nil }
            if !observers.isEmpty {
                let change = ContextChange(finished)
                if !change.isEmpty {
                    for box in observers { box.observer?.context(self, didChange: change) }
                }
            }
            for object in finished.forgotten + finished.mergedDeleted { unregister(object) }
        }
        isProcessing = false
        if registrationsSinceSweep > max(survivorsOfSweep, 1_000) { sweep() }
    }

    /// Forgets all unsaved changes: inserted objects go, deleted ones come back, changed ones get their saved values.
    public func rollback() {
        processPendingChanges()
        for object in takeChangedObjects() {
            if object.state == .inserted {
                object.state = .gone
                event.forgotten.append(object)
            } else {
                restore(object)
                event.refreshed.append(object)
            }
        }
        for (object, field) in membersWithoutDeleted {
            object.toManyReference(object.entityType.fields[field]).pointee.storage = nil
        }
        membersWithoutDeleted = []
        processPendingChanges()
    }

    private func restore(_ object: ManagedObject) {
        if let committed = object.changes?.committed {
            for field in object.entityType.columnFields {
                if field.kind.base == .toOne {
                    let reference = object.toOneReference(field)
                    let key = committed.key(of: field)
                    if reference.pointee.key != key { reference.pointee.object = nil }
                    reference.pointee.key = key
                } else {
                    copyField(
                        field.kind,
                        from: committed.address(of: field),
                        to: object.address(of: field),
                        isInitialized: true
                    )
                }
            }
        }
        for field in object.entityType.fields where field.kind.base == .toMany {
            object.toManyReference(field).pointee.storage = nil
        }
        object.changes = nil
        object.state = .clean
    }

    /// Called when a save succeeded: nothing is pending any more.
    func finishSave() {
        let saved = takeChangedObjects()
        membersWithoutDeleted = []
        for object in saved where object.state != .deleted {
            object.state = .clean
            object.changes = nil
            let base = object.fieldBase
            for offset in object.entityType.toManyOffsets {
                (base + offset).assumingMemoryBound(to: ToMany.self).pointee.storage?.committedKeys = nil
            }
        }
        if schema.hasDidSave {
            for object in saved { object.entityType.hooks.didSave?(object) }
        }
        for object in saved where object.state == .deleted {
            object.state = .gone
            object.changes = nil
            unregister(object)
            breakCycles(of: object)
        }
    }

    /// Lets go of everything: unsaved changes, and all objects, which must not be used any more.
    public func reset() {
        for map in identityMaps {
            map.forEach { object in
                object.contextReference = nil
                object.state = .gone
                object.changes = nil
                breakCycles(of: object)
            }
        }
        endReading()
        identityMaps = Array(repeating: IdentityMap(), count: identityMaps.count)
        listedObjects = []
        membersWithoutDeleted = []
        event = ContextEvent()
    }
}

@available(*, unavailable, message: "a context is used where it lives; make one with newContext() for another place")
extension ManagedObjectContext: Sendable {}
