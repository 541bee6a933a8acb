#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The part of a results controller that does not depend on its delegates: the list, which follows the events of a
/// context, and the observers of the list that are not delegates.
///
/// The follower observes the context from the first fetch on. It updates the list only while there are observers (F15),
/// and stops when an update fails or the context is reset, until the next fetch. The controller retains the follower;
/// neither the follower nor the context retains the controller.
final class ListFollower<List: FollowedList> {
    let context: ManagedObjectContext
    /// The observers that are not delegates.
    let observers = ResultsObservers()
    /// The controller, which notifies its delegates.
    weak var controller: (any ListController<List.Changes>)?
    /// The list; `nil` before the first fetch.
    private(set) var list: List?
    private var status = UpdateStatus()
    /// A Boolean value that indicates whether there were events without an observer.
    private var hasMissedEvents = false
    /// The number of events that are being reported to a delegate, which may read rows of this list.
    private var reportCount = 0
    private var observesContext = false

    init(_ context: ManagedObjectContext) { self.context = context }

    // MARK: Contents

    /// The error that prevented the last update; `nil` after a successful update.
    var changeError: (any Error)? {
        observers.recordAccess()
        return status.error
    }

    /// The list as object IDs; it has no sections before the first fetch.
    var snapshot: FetchedResultsSnapshot {
        observers.recordAccess()
        return list?.snapshot ?? FetchedResultsSnapshot(sections: [])
    }

    /// Returns the row at an index path; traps if the index path is out of range.
    func row(at indexPath: IndexPath) -> ResultsRow {
        guard let list else { preconditionFailure("call performFetch() before object(at:)") }
        precondition(
            indexPath.count == 2 && (0..<list.sectionCount).contains(indexPath.section)
                && (0..<list.rows(ofSection: indexPath.section).count).contains(indexPath.row),
            "index path \(indexPath) is out of range; the list has \(list.sectionCount) sections"
        )
        return list.rows(ofSection: indexPath.section)[indexPath.row]
    }

    // MARK: Fetching

    /// Replaces the list; if the closure throws, the follower is unchanged.
    ///
    /// The caller then calls ``notifyOfFetch()``.
    func fetch(_ makeList: () throws -> List) rethrows {
        precondition(
            reportCount == 0,
            "performFetch() was called while changes are reported; call it in controllerDidChangeContent(_:)"
        )
        list = try makeList()
        status = UpdateStatus(ofResultsFetchedIn: context)
        hasMissedEvents = false
        guard !observesContext else { return }
        observesContext = true
        context.notifier.add(self)
    }

    /// Notifies the observers that are not delegates of a new list.
    func notifyOfFetch() { observers.notify(FetchedResultsChanges(fetched: snapshot)) }

    // MARK: Changes

    /// Runs a closure that notifies a delegate of the changes of one event; in the meantime, a fetch traps.
    func report(_ body: () -> Void) {
        reportCount += 1
        body()
        reportCount -= 1
    }
}

extension ListFollower: ContextObserver {
    func contextDidChange(_ change: ContextChange) {
        guard let controller, let list, status.canUpdate(in: context) else { return }
        guard controller.hasDelegate || observers.hasObservers else {
            hasMissedEvents = true
            return
        }
        do {
            let changes = try list.follow(change, afterMissedEvents: hasMissedEvents)
            hasMissedEvents = false
            if !changes.isEmpty { controller.listDidChange(changes) }
        } catch {
            status.fail(error)
            observers.end()
        }
    }

    func contextDidChangeKey(_ old: Int64, of object: ManagedObject) { list?.changeKey(old, of: object) }
}

/// A results controller, which has delegates.
protocol ListController<Changes>: AnyObject {
    associatedtype Changes
    /// A Boolean value that indicates whether a delegate observes the list.
    var hasDelegate: Bool { get }
    /// Notifies all observers of the changes of an event to the list.
    func listDidChange(_ changes: Changes)
}

/// A list that a ``ListFollower`` updates.
protocol FollowedList: AnyObject {
    associatedtype Changes: ListChanges
    /// The number of sections.
    var sectionCount: Int { get }
    /// The list as object IDs.
    var snapshot: FetchedResultsSnapshot { get }
    /// The rows of a section.
    func rows(ofSection index: Int) -> OrderStatisticTree<ResultsRow>
    /// Updates the list with an event of its context; after an error, the list is as it was before the event.
    func follow(_ change: ContextChange, afterMissedEvents hasMissedEvents: Bool) throws -> Changes
    /// Records that an object has another key.
    func changeKey(_ old: Int64, of object: ManagedObject)
}

/// The changes of an event to a list.
protocol ListChanges {
    var isEmpty: Bool { get }
}

extension ResultsChanges: ListChanges {}
extension ResultsHierarchyChanges: ListChanges {}

extension ResultsEngine: FollowedList {
    var sectionCount: Int { list.sections.count }
    var snapshot: FetchedResultsSnapshot { FetchedResultsSnapshot(list) }
    func rows(ofSection index: Int) -> OrderStatisticTree<ResultsRow> { list.sections[index].rows }
}

extension ResultsHierarchy: FollowedList {
    var sectionCount: Int { count }
    var snapshot: FetchedResultsSnapshot { FetchedResultsSnapshot(self) }
    func rows(ofSection index: Int) -> OrderStatisticTree<ResultsRow> { self[index].rows }
}
