internal import ChordataModel
internal import ChordataSQL

/// An object that fetches, tracks and saves managed objects.
///
/// A context has at most one object for each row, tracks changes, and saves all changes in one transaction.
///
/// Use a context and its objects in one isolation: on the main actor for ``PersistentContainer/viewContext``, otherwise
/// in the task or on the actor for which the context was created. The compiler checks this, because neither is
/// Sendable.
public final class ManagedObjectContext {
    /// The coordinator whose store the context reads and writes; set it once, before the context is used.
    ///
    /// A child context has the coordinator of its parent.
    public var persistentStoreCoordinator: PersistentStoreCoordinator? {
        get { parent.map(\.persistentStoreCoordinator) ?? coordinator }
        set {
            precondition(
                reader.boundStore == nil && parent == nil || persistentStoreCoordinator === newValue,
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
        get { parentContext }
        set {
            guard newValue !== parentContext else { return }
            precondition(
                reader.boundStore == nil && reader.parentOverlay == nil,
                "the store or parent of a context cannot be changed; set the parent of a new context before it is used"
            )
            guard let newValue else { return }
            precondition(
                !sequence(first: newValue, next: \.parent).contains { $0 === self },
                "a context cannot be its own ancestor"
            )
            parentContext = newValue
            reader.parentOverlay = ParentOverlayReader(newValue.saver, for: saver, of: self)
            processor.parent = newValue.processor
            saver.parent = newValue.saver
            executor.association?.parentDidChange()
        }
    }
    private var parentContext: ManagedObjectContext?
    /// A Boolean value that indicates whether the context automatically merges saves of other contexts (rule N10 of
    /// <doc:Core-Data-Rules>).
    ///
    /// If the value is `true`, a child context merges all changes of its parent, including unsaved changes.
    ///
    /// The value is `true` for the view context (Core Data: `false`) and `false` for other contexts. A context that is
    /// isolated to an actor merges in the actor's next turn; every other context, such as that of a background task,
    /// merges at its next fetch or save. Both merge earlier if ``processPendingChanges()`` is called, and a context
    /// that is isolated to an actor also if it is saved.
    public var automaticallyMergesChangesFromParent: Bool {
        get { processor.mergesAutomatically }
        set {
            processor.mergesAutomatically = newValue
            if newValue { bindToStore() }
            updateNotification()
        }
    }
    /// A name that identifies the context in the values of ``PersistentContainer/saves``, in the persistent history and
    /// in the records of a ``SaveLogger``.
    public var name: String? {
        get { saver.contextName }
        set { saver.contextName = newValue }
    }

    /// The author that the persistent history attributes the transactions of the context to; see
    /// ``PersistentHistoryTransaction/author``.
    public var transactionAuthor: String? {
        get { saver.transactionAuthor }
        set { saver.transactionAuthor = newValue }
    }
    /// The policy by which a save resolves conflicts with the store and violated uniqueness constraints; see
    /// <doc:Conflicts>.
    public var mergePolicy: MergePolicy {
        get { saver.mergePolicy }
        set { saver.mergePolicy = newValue }
    }
    /// The undo manager that records the context's changes (rule N12 of <doc:Core-Data-Rules>).
    ///
    /// The default is `nil`, because an undo manager retains recorded values.
    public var undoManager: ContextUndoManager? {
        get { editor.undoManager }
        set {
            let old = editor.undoManager
            guard newValue !== old else { return }
            editor.undoManager = newValue
            old?.leaveContext()
            newValue?.enter(self)
            updateUndoRegistration()
        }
    }

    /// The error of the first property access that could not read the store; `nil` if there was none.
    ///
    /// A property access cannot throw. If the store cannot be read, for example because another program has migrated
    /// it, the property has the same value as if the row was deleted (`nil` if it is optional, the default of the model
    /// or zero if it is a required attribute, empty if it is a to-many relationship), and saves throw this error,
    /// because unsaved changes may follow from such values. ``refreshAllObjects()`` removes the error and turns the
    /// objects without unsaved changes into faults, which read their rows again on access; ``reset()`` removes it too.
    public var readError: (any Error)? { reader.error }

    // The components. Each calls only those before it, with the exceptions in the decision "Components of a context".
    let executor: ContextExecutor
    let notifier: ContextNotifier
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor
    let merger: ChangeMerger
    let processor: EventProcessor
    package let fetcher: ObjectFetcher
    let saver: ContextSaver
    let inserter: ValuesInserter

    /// Creates a context without a coordinator, for a Core Data stack that is created without a
    /// ``PersistentContainer``.
    ///
    /// - Parameter isolation: The actor that will use the context; the default is the isolation of the caller. See
    ///   ``PersistentContainer/newContext(isolation:)``.
    public convenience init(isolation: isolated (any Actor)? = #isolation) {
        self.init(inbox: ContextInbox(), isPrivate: false)
        setExecutor(of: isolation)
    }

    package convenience init(_ coordinator: PersistentStoreCoordinator) {
        self.init(inbox: ContextInbox(), isPrivate: false)
        self.coordinator = coordinator
    }

    /// Creates a private scratch context, whose saves are attributed to another context and not merged there.
    /// - Parameters:
    ///   - merger: The merger of the other context.
    ///   - readsThrough: Whether the context reads the state that the other context would read now.
    convenience init(for merger: ChangeMerger, readsThrough: Bool) {
        self.init(inbox: merger.inbox, through: readsThrough ? merger.reader : nil, isPrivate: true)
        bind(to: merger.reader.store)
    }

    /// - Parameter isPrivate: Whether the context calls no hooks and posts no notifications.
    private init(inbox: ContextInbox, through source: RowReader? = nil, isPrivate: Bool) {
        executor = ContextExecutor()
        notifier = ContextNotifier(postsNotifications: !isPrivate)
        graph = ObjectGraph(callsHooks: !isPrivate, notifier: notifier, executor: executor)
        reader = RowReader(graph, through: source)
        editor = ObjectEditor(graph, reader)
        merger = ChangeMerger(inbox, graph, reader, editor)
        processor = EventProcessor(merger)
        fetcher = ObjectFetcher(processor) { [merger] readsThrough in
            let scratch = ManagedObjectContext(for: merger, readsThrough: readsThrough)
            return (scratch, scratch.fetcher)
        }
        saver = ContextSaver(fetcher)
        inserter = ValuesInserter(saver)
        graph.setOwner(.passUnretained(self)) { [unowned self] in _ = store }
    }

    var inbox: ContextInbox { merger.inbox }

    /// The store of the coordinator.
    var store: PersistentStore {
        if let store = reader.boundStore { return store }
        if let parent {
            // The saves of other contexts arrive through the parent.
            bind(to: parent.store)
            return parent.store
        }
        guard let coordinator = persistentStoreCoordinator else {
            preconditionFailure("the context has no persistentStoreCoordinator; set it before the context is used")
        }
        guard let store = coordinator.storeOfContexts else {
            preconditionFailure(
                "the context's coordinator has no store; call addPersistentStore before the context is used"
            )
        }
        bind(to: store)
        store.inboxes.register(inbox)
        return store
    }

    /// Registers the context's inbox with the store before anything is fetched; later if there is no store yet.
    func bindToStore() {
        if persistentStoreCoordinator?.persistentStores.isEmpty == false { _ = store }
    }

    var schema: StoreSchema { store.schema }

    private func bind(to store: PersistentStore) {
        reader.bind(to: store)
        graph.bind(to: store.schema)
    }

    deinit {
        reader.unpin()
        graph.forEachRegistered { object in
            object.leaveContext()
            graph.breakCycles(of: object)
        }
        graph.removeOwner()
    }

    // MARK: State

    /// A Boolean value that indicates whether the context has unsaved changes.
    public var hasChanges: Bool { !graph.changedObjects.isEmpty }
    /// The inserted objects that have not been saved yet.
    public var insertedObjects: Set<ManagedObject> { Set(graph.changedObjects.filter { $0.state == .inserted }) }
    /// The saved objects with unsaved changes.
    public var updatedObjects: Set<ManagedObject> { Set(graph.changedObjects.filter { $0.state == .updated }) }
    /// The objects that the next save deletes.
    public var deletedObjects: Set<ManagedObject> { Set(graph.changedObjects.filter { $0.state == .deleted }) }
    /// All objects that are [registered](doc:Glossary#Objects) in the context.
    public var registeredObjects: Set<ManagedObject> {
        var all: Set<ManagedObject> = []
        graph.forEachRegistered { all.insert($0) }
        return all
    }

    // MARK: Changes

    /// Merges saves of other contexts, ends the current [event](doc:Glossary#Changes), and notifies observers of the
    /// changes since the last notification.
    ///
    /// Other contexts' saves are merged only if ``automaticallyMergesChangesFromParent`` is `true`.
    ///
    /// Saves call this method. Fetches notify observers too, but do not merge within a closure of
    /// ``performAndWait(_:)``, nor during the first second of a [turn](doc:Glossary#Changes) of the context's actor.
    /// For a context of an actor, the method is also called after each turn in which the context is used.
    public func processPendingChanges() { processor.processPendingChanges() }
}
