/// Processes the pending changes of a context: merges what other contexts have saved, ends the event, and notifies
/// observers of its changes.
final class EventProcessor {
    let executor: ContextExecutor
    let notifier: ContextNotifier
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor
    let merger: ChangeMerger
    /// The processor of the parent context; `nil` for a context without a parent.
    var parent: EventProcessor?
    /// A Boolean value that indicates whether saves of other contexts are merged automatically.
    var mergesAutomatically = false

    init(_ merger: ChangeMerger) {
        executor = merger.graph.executor
        notifier = merger.graph.notifier
        graph = merger.graph
        reader = merger.reader
        editor = merger.editor
        self.merger = merger
    }

    // MARK: Events

    /// Runs a closure as a part of an event; see ``ManagedObjectContext/performAndWait(_:)``.
    func performAndWait<Result>(_ body: () throws -> Result) rethrows -> Result {
        let access = executor.beginAccess()
        defer { access.end() }
        mergeBeforeEvent()
        let outerScope = executor.beginClosure()
        defer {
            executor.endClosure(in: outerScope)
            if outerScope == .none { reader.endReading() }
        }
        return try body()
    }

    /// Runs a closure whose reads all see the newest state of the store, and only this state.
    func readingOnce<Result>(_ body: () throws -> Result) throws -> Result {
        reader.readNewest()
        defer { reader.endReading() }
        return try performAndWait(body)
    }

    /// Merges what other contexts saved, unless an event has begun.
    private func mergeBeforeEvent() {
        guard mergesAutomatically || parent != nil, isBetweenEvents else { return }
        beginEvent()
        parent?.processChanges()
        if mergesAutomatically { merger.mergeInbox() }
    }

    /// Begins an event, which reads the newest state of the store.
    private func beginEvent() {
        reader.endReading()
        executor.beginEvent()
    }

    /// A Boolean value that indicates whether the context can merge without changing objects in the middle of an event.
    private var isBetweenEvents: Bool {
        !notifier.isProcessing && executor.isBetweenEvents
    }

    // MARK: Pending changes

    /// Merges saves of other contexts, ends the event, and notifies observers.
    func processPendingChanges() {
        let access = executor.beginAccess()
        defer { access.end() }
        guard !notifier.isProcessing else { return }
        reader.endReading()
        processChanges(merges: true)
        editor.undoManager?.endEvent()
    }

    /// Processes changes within an event, as a fetch does; saves of other contexts are merged after the event.
    func processChanges() { processChanges(merges: isBetweenEvents) }

    private func processChanges(merges: Bool) {
        let access = executor.beginAccess()
        defer { access.end() }
        guard !notifier.isProcessing else { return }
        if merges { beginEvent() }
        notifier.process {
            parent?.processChanges(merges: merges && parent?.isBetweenEvents == true)
            if merges, mergesAutomatically { merger.mergeInbox() }
            editor.removeReferencesToUndoneInsertions()
            graph.observation?.finishChanges()
            if !graph.event.isEmpty {
                let finished = graph.finishEvent()
                notify(finished)
                if !finished.forgotten.isEmpty || !finished.mergedDeleted.isEmpty {
                    for object in finished.forgotten + finished.mergedDeleted {
                        graph.unregister(object)
                        graph.emptyRelationships(of: object)
                    }
                    // Another context may insert these objects next and track their changes, so this context must stop
                    // tracking them.
                    _ = graph.changedObjects
                }
            }
        }
        graph.sweepIfDue()
    }

    /// Notifies observers of an event; changes that are made from here on belong to the next event.
    private func notify(_ finished: ContextEvent) {
        let change = notifier.isObserved ? ContextChange(finished) : nil
        finished.local.forEachUnretained { object in
            object.isInEvent = false
            object.isNewInEvent = false
        }
        if let change { notifier.notify(change, sender: graph.sender) }
        if let merged = finished.merged { notifier.notifyOfMerge(merged, sender: graph.sender) }
    }

    // MARK: Saves

    /// 5B step 1: notifies observers of pending changes, until the observers make no further changes.
    func flushPendingChanges() throws(ChangeLimitExceededError) {
        processPendingChanges()
        // If an observer saves, its changes are reported after the observer returns.
        guard !notifier.isProcessing else { return }
        for _ in 0..<ChangeLimitExceededError.limit {
            guard !graph.event.isEmpty else { return }
            processPendingChanges()
        }
        let names = Set(graph.event.local.map(\.runtimeEntity.entity.name))
        throw ChangeLimitExceededError(hook: "a notification observer", entityNames: names)
    }
}
