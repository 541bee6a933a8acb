#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A delegate that is notified of every change to a hierarchical results controller's sections and rows.
///
/// All methods have defaults, so implement those you need. They come as those of ``FetchedResultsControllerDelegate``
/// do: for one event ``controllerWillChangeContent(_:)``, all section changes, all row changes,
/// ``controllerDidChangeContent(_:)``. A moved parent is reported as a deleted and an inserted section, whose rows
/// move.
public protocol HierarchicalResultsControllerDelegate: AnyObject {
    /// Comes before the changes of an event.
    func controllerWillChangeContent<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>
    )

    /// Reports the change of one row.
    /// - Parameters:
    ///   - controller: The controller, which already has the new state.
    ///   - object: The object of the row.
    ///   - indexPath: The place before the event; `nil` for an insertion.
    ///   - type: The kind of the change.
    ///   - newIndexPath: The place after the event; `nil` for a deletion.
    func controller<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports an inserted or deleted section, or one whose parent has changed.
    /// - Parameters:
    ///   - controller: The controller, which already has the new state.
    ///   - section: The section.
    ///   - sectionIndex: The index of the section after the event; for a deleted one that before it.
    ///   - type: Insert, delete or update.
    func controller<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange section: HierarchicalResultsSection<Parent, Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    )

    /// Comes after the changes of an event.
    func controllerDidChangeContent<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>
    )
}

extension HierarchicalResultsControllerDelegate {
    /// Does nothing.
    public func controllerWillChangeContent<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>
    ) {}

    /// Does nothing.
    public func controller<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// Does nothing.
    public func controller<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange section: HierarchicalResultsSection<Parent, Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// Does nothing.
    public func controllerDidChangeContent<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>
    ) {}
}
