/// The part of a program that forms one event of a context.
enum EventScope {
    /// There are no events: each read is a separate transaction, because no transaction may stay open while the context
    /// waits.
    case none
    /// A turn of the context's actor. A turn that takes longer than a second has several events, in case the program
    /// never ends its turn.
    case turn
    /// The closure of ``ManagedObjectContext/performAndWait(_:)``.
    case closure

    static let longestTurn = Duration.seconds(1)
}

/// The data that the module `CoreData` keeps with a context.
package protocol ContextAssociation: AnyObject {
    /// A method that is called after the context was given a parent.
    func parentDidChange()
}

/// The isolation in which a context is used, and the scope of its events.
final class ContextExecutor {
    /// The job that ends an event on the context's actor; `nil` if a task uses the context.
    private(set) var job: ProcessingJob?
    /// The scope of the current event, within which all reads see one state of the store.
    private(set) var eventScope = EventScope.none
    /// The start of the current event, which is the time of the last merge.
    private var eventBegan = ContinuousClock.now
    /// The data that the module `CoreData` keeps with the context.
    var association: (any ContextAssociation)?
    /// A Boolean value that indicates whether each new object has a temporary object ID, as in Core Data.
    var givesTemporaryIDs: Bool { association != nil }
    #if DEBUG
        let accessor = ContextAccessor()
    #endif

    /// Makes each turn of an actor an event of the context.
    func attach(_ job: ProcessingJob) {
        self.job?.cancel()
        self.job = job
        beginTurns()
    }

    /// Makes each turn of the actor the scope of an event.
    func beginTurns() { eventScope = .turn }

    /// Makes each read a separate transaction, even within a turn of the actor.
    func endTurns() { eventScope = .none }

    /// Begins the event of a closure, which ends with ``endClosure(in:)``.
    /// - Returns: The scope of the outer event.
    func beginClosure() -> EventScope {
        let outerScope = eventScope
        eventScope = .closure
        return outerScope
    }

    func endClosure(in outerScope: EventScope) { eventScope = outerScope }

    /// Schedules the processing of pending changes at the end of the actor's turn; does nothing for a context of a
    /// task, which has no turns.
    @inline(__always)
    func scheduleProcessing() { job?.schedule() }

    /// Begins an event, which reads the newest state of the store.
    func beginEvent() { eventBegan = .now }

    /// A Boolean value that indicates whether a merge now would leave the state that the current event reads unchanged.
    var isBetweenEvents: Bool {
        switch eventScope {
        case .none: true
        case .closure: false
        case .turn: .now - eventBegan > EventScope.longestTurn
        }
    }
}
