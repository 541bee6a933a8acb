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

    /// Reports one row. Insert has only a new index path, delete only an old one, move and update have both.
    func controller<Parent: ManagedObject, Object: ManagedObject>(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports a section that came (with its new index) or went (with its old one), or whose parent has changed (with
    /// its new one).
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
