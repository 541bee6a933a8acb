internal import Observation
internal import Synchronization

/// The observers of a controller other than its delegates: consumers of sequences, and code that tracks its results.
final class ResultsObservers {
    private var broadcast: AsyncBroadcast<FetchedResultsChanges>?
    private let registrar = ObservationRegistrar()
    private let probe = TrackingProbe()
    private lazy var contents = \ResultsObservers[observed: ObservedField(index: 0, probe: probe)]
    /// A Boolean value that indicates whether tracking code has read the results.
    private var isObserved = false

    /// A Boolean value that indicates whether there is an observer.
    var hasObservers: Bool { isObserved || broadcast?.hasSubscribers == true }

    /// Records that the results are read.
    func recordAccess() {
        probe.isHashed.store(false, ordering: .relaxed)
        registrar.access(self, keyPath: contents)
        if probe.isHashed.load(ordering: .relaxed) { isObserved = true }
    }

    /// Returns a sequence of all future changes.
    func makeStream() -> AsyncStream<FetchedResultsChanges> {
        let broadcast = broadcast ?? AsyncBroadcast()
        self.broadcast = broadcast
        return broadcast.makeStream()
    }

    /// Reports a change.
    func notify(_ changes: @autoclosure () -> FetchedResultsChanges) {
        if let broadcast, broadcast.hasSubscribers { broadcast.send(changes()) }
        registrar.withMutation(of: self, keyPath: contents) {}
    }

    /// Ends the sequences, because no further change would follow the changes that they have received.
    func end() {
        broadcast?.finish()
        registrar.withMutation(of: self, keyPath: contents) {}
    }
}

extension ResultsObservers: Observable {
    /// A placeholder for the results in key paths of observation.
    subscript(observed _: ObservedField) -> Void { () }
}
