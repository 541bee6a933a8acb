/// Counts failed saves of a context, and reports saves to the save logger of the store.
struct SaveOutcomeReporter {
    /// The report for the save logger; `nil` if there is no logger.
    let report: SaveReport?
    private let store: PersistentStore
    private let graph: ObjectGraph

    init(_ store: PersistentStore, _ graph: ObjectGraph, contextName: @autoclosure () -> String?) {
        self.store = store
        self.graph = graph
        report = store.engine.saveLogger.map { SaveReport($0, contextName: contextName()) }
    }

    /// Reports a save that did not throw, unless it had nothing to write.
    func didSave() {
        if let report, report.groupSize > 0 { report.send(.committed) }
    }

    /// Counts and reports a save that threw.
    func didFail(_ error: any Error) {
        let outcome = SaveLogger.Record.Outcome(error)
        store.engine.counters.count(outcome)
        guard let report else { return }
        if report.counts == nil { report.count(graph.changedObjects) }
        report.send(outcome)
    }
}

extension SaveReport {
    /// Counts the objects for which a save has something to write.
    func count(_ changes: [ManagedObject]) {
        var counts = (inserted: 0, updated: 0, deleted: 0)
        for object in changes where object.hasStoredChanges {
            switch object.state {
            case .inserted: counts.inserted += 1
            case .updated: counts.updated += 1
            case .deleted: counts.deleted += 1
            case .clean, .detached: break
            }
        }
        self.counts = counts
    }
}
