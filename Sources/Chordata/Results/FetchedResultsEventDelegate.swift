/// A delegate that is notified of each [event](doc:Glossary#Changes) and each fetch, and computes only the descriptions
/// of the changes that it needs.
///
/// In Core Data, a delegate can have the methods for rows, snapshots and differences, and the controller knows which of
/// them exist. The module `CoreData` cannot determine this, because all methods have default implementations.
package protocol FetchedResultsEventDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// A method that is called after each fetch, and after each event before the methods of the controller's delegate.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentIn event: FetchedResultsEvent<Object>
    )
}

/// The changes to the results of a controller in one event, or a fetch.
package struct FetchedResultsEvent<Object: ManagedObject> {
    let controller: FetchedResultsController<Object>
    /// The changes; `nil` after a fetch.
    let changes: ResultsChanges?

    /// The current results, with the changed rows.
    /// - Complexity: O(n), where n is the number of results.
    package var snapshot: FetchedResultsSnapshot {
        var snapshot = controller.snapshot
        if let changes {
            snapshot.reconfiguredItemIdentifiers = FetchedResultsChanges(changes).reconfiguredItemIdentifiers
        }
        return snapshot
    }

    /// The difference between the results before and after the event; `nil` after a fetch and for a controller with a
    /// section key path.
    /// - Complexity: O(k log k), where k is the number of changed rows.
    package var difference: CollectionDifference<ManagedObjectID>? {
        guard let changes, controller.sectionNameKeyPath == nil else { return nil }
        return CollectionDifference(FetchedResultsChanges(changes))
    }
}
