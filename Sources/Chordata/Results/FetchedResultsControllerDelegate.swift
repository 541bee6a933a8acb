#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The kind of change of a row or a section, numbered as in Core Data (rule F24 of <doc:Core-Data-Rules>).
public enum FetchedResultsChangeType: UInt, Sendable, Hashable {
    case insert = 1
    case delete = 2
    /// Only for rows.
    case move = 3
    /// Only for rows.
    case update = 4
}

/// A delegate that is notified of every change to a results controller's rows.
///
/// All methods have defaults, so implement those you need. For one event come ``controllerWillChangeContent(_:)``, all
/// section changes, all row changes, ``controllerDidChangeContent(_:)`` (rules F22, F23 of <doc:Core-Data-Rules>). Old
/// index paths are places before the event, new ones after it; the controller already answers with the new state. What
/// is changed or saved in a callback is an event of its own; ``FetchedResultsController/performFetch()`` is for after
/// the last one.
public protocol FetchedResultsControllerDelegate: AnyObject {
    /// Comes before the changes of an event.
    func controllerWillChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>)

    /// Reports the change of one row (rule F25 of <doc:Core-Data-Rules>).
    /// - Parameters:
    ///   - controller: The controller, which already has the new state.
    ///   - object: The object of the row.
    ///   - indexPath: The place before the event; `nil` for an insertion.
    ///   - type: The kind of the change.
    ///   - newIndexPath: The place after the event; `nil` for a deletion.
    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports an inserted or deleted section.
    /// - Parameters:
    ///   - controller: The controller, which already has the new state.
    ///   - sectionInfo: The section; a deleted one has no objects.
    ///   - sectionIndex: The index of an inserted section after the event, or of a deleted one before it.
    ///   - type: Insert or delete.
    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    )

    /// Comes after the changes of an event.
    func controllerDidChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>)

    /// Returns the index title of a section (rule F11 of <doc:Core-Data-Rules>).
    /// - Returns: The title; `nil` for the first letter of the section's name, in upper case.
    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension FetchedResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>) {}

    /// Does nothing.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent<Object: ManagedObject>(_ controller: FetchedResultsController<Object>) {}

    /// Leaves the title to the controller.
    /// - Returns: `nil`.
    public func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { nil }
}

/// A delegate that is notified of every change to a results controller's rows with a snapshot of the new results.
public protocol FetchedResultsSnapshotDelegate: AnyObject {
    /// Gives what is shown, after each event that changed it and after each ``FetchedResultsController/performFetch()``
    /// (rule F38 of <doc:Core-Data-Rules>).
    /// - Complexity: A snapshot costs O(n) in the number of rows.
    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    )
}

/// A delegate that is notified of every change to the rows of a results controller without sections, as a difference of
/// object IDs.
public protocol FetchedResultsDifferenceDelegate: AnyObject {
    /// Gives what an event has changed (rule F39 of <doc:Core-Data-Rules>): rows that moved, and those that changed and
    /// stayed, are removals and insertions that are associated with each other.
    func controller<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith difference: CollectionDifference<ManagedObjectID>
    )
}
