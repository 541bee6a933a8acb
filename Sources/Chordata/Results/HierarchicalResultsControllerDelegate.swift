#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A delegate that is notified of every change to a hierarchical results controller's sections and rows.
///
/// All methods have default implementations; implement only the methods that you need. For each
/// [event](doc:Glossary#Changes), the methods are called in the order of ``FetchedResultsControllerDelegate``:
/// ``controllerWillChangeContent(_:)``, all section changes, all row changes, ``controllerDidChangeContent(_:)``. A
/// moved parent is reported as a deleted section, an inserted section, and moves of its rows.
///
/// `Parent` and `Object` are the classes of the controller's parent objects and rows, which the compiler infers from
/// the methods; see ``FetchedResultsControllerDelegate``.
public protocol HierarchicalResultsControllerDelegate<Parent, Object>: AnyObject {
    /// The class of the parent objects.
    associatedtype Parent: ManagedObject
    /// The class of the objects of the rows.
    associatedtype Object: ManagedObject

    /// A method that is called before the changes of an event are reported.
    func controllerWillChangeContent(
        _ controller: HierarchicalResultsController<Parent, Object>
    )

    /// Reports the change of one row.
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - object: The object of the row.
    ///   - indexPath: The index path before the event; `nil` for an insertion.
    ///   - type: The kind of the change.
    ///   - newIndexPath: The index path after the event; `nil` for a deletion.
    func controller(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports an inserted or deleted section, or a section whose parent object has changed.
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - section: The section.
    ///   - sectionIndex: The index of the section after the event, or before the event for a deleted section.
    ///   - type: The kind of the change: an insertion, a deletion or an update.
    func controller(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange section: HierarchicalResultsSection<Parent, Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    )

    /// A method that is called after all changes of an event have been reported.
    func controllerDidChangeContent(
        _ controller: HierarchicalResultsController<Parent, Object>
    )
}

extension HierarchicalResultsControllerDelegate {
    /// The default implementation, which does nothing.
    public func controllerWillChangeContent(
        _ controller: HierarchicalResultsController<Parent, Object>
    ) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: HierarchicalResultsController<Parent, Object>,
        didChange section: HierarchicalResultsSection<Parent, Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// The default implementation, which does nothing.
    public func controllerDidChangeContent(
        _ controller: HierarchicalResultsController<Parent, Object>
    ) {}
}
