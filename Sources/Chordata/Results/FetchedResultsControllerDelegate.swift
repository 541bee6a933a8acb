#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The kind of change of a row or a section; raw values are the same as in Core Data (rule F24 of
/// <doc:Core-Data-Rules>).
public enum FetchedResultsChangeType: UInt, Sendable, Hashable {
    case insert = 1
    case delete = 2
    /// A row was moved; sections are never reported as moved.
    case move = 3
    /// A row was updated; only a ``HierarchicalResultsController`` also reports updated sections.
    case update = 4
}

/// A delegate that is notified of every change to a results controller's rows.
///
/// `Object` is the class of the controller's objects, as in `FetchedResultsController<Player>`. The compiler infers it
/// from the methods, and accepts the delegate only for a controller of the same class:
///
/// ```swift
/// final class Screen: FetchedResultsControllerDelegate {
///     func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) { draw() }
/// }
/// ```
///
/// A class can be the delegate of controllers of one class only, because it can conform to a protocol only once. To use
/// one delegate for several classes, create the controllers for a common superclass, such as
/// `FetchedResultsController<ManagedObject>`.
///
/// The methods are called in the isolation of the controller's context. A class that is isolated to the main actor
/// conforms with `@MainActor`: `@MainActor final class Screen: @MainActor FetchedResultsControllerDelegate`.
///
/// All methods have default implementations; implement only the methods that you need. For each
/// [event](doc:Glossary#Changes), the methods are called in this order: ``controllerWillChangeContent(_:)``, all
/// section changes, all row changes, ``controllerDidChangeContent(_:)`` (rules F22, F23 of <doc:Core-Data-Rules>). Old
/// index paths refer to the results before the event, and new index paths refer to the results after the event. During
/// all calls, the controller already has the new results. Changes and saves in these methods belong to a separate
/// event. Of these methods, only ``controllerDidChangeContent(_:)`` may call
/// ``FetchedResultsController/performFetch()``.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// A method that is called before the changes of an event are reported.
    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

    /// Reports the change of one row (rule F25 of <doc:Core-Data-Rules>).
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - object: The object of the row.
    ///   - indexPath: The index path before the event; `nil` for an insertion.
    ///   - type: The kind of the change.
    ///   - newIndexPath: The index path after the event; `nil` for a deletion.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports the change of one row, with the parameter types of Core Data's method.
    ///
    /// Implement this method or the method with a typed object; if both are implemented, only the typed method is
    /// called.
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - object: The object of the row, an `Object`.
    ///   - indexPath: The index path before the event; `nil` for an insertion.
    ///   - type: The kind of the change.
    ///   - newIndexPath: The index path after the event; `nil` for a deletion.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange object: Any,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    )

    /// Reports an inserted or deleted section.
    /// - Parameters:
    ///   - controller: The controller, which already has the new results.
    ///   - sectionInfo: The section; a deleted section has no objects.
    ///   - sectionIndex: The index of an inserted section after the event, or of a deleted section before the event.
    ///   - type: The kind of the change: an insertion or a deletion.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    )

    /// A method that is called after all changes of an event have been reported.
    func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)

    /// Returns the index title of a section (rule F11 of <doc:Core-Data-Rules>).
    /// - Returns: The index title; `nil` to use the first letter of the section's name in upper case.
    func controller(
        _ controller: FetchedResultsController<Object>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String?
}

extension FetchedResultsControllerDelegate {
    /// The default implementation, which does nothing.
    public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

    /// The default implementation, which calls the method with Core Data's parameter types.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        self.controller(controller, didChange: object as Any, at: indexPath, for: type, newIndexPath: newIndexPath)
    }

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChange object: Any,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {}

    /// The default implementation, which does nothing.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {}

    /// The default implementation, which does nothing.
    public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}

    /// The default implementation, with which the controller determines the index title.
    /// - Returns: `nil`.
    public func controller(
        _ controller: FetchedResultsController<Object>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? { nil }
}

/// A delegate that is notified of every change to a results controller's rows with a snapshot of the new results.
///
/// `Object` is the class of the controller's objects, as in ``FetchedResultsControllerDelegate``.
public protocol FetchedResultsSnapshotDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// Reports the new results, after each event that changed them and after each
    /// ``FetchedResultsController/performFetch()`` (rule F38 of <doc:Core-Data-Rules>).
    /// - Complexity: O(n) in the number of rows, for the snapshot.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith snapshot: FetchedResultsSnapshot
    )
}

/// A delegate that is notified of every change to the rows of a results controller without sections, as a difference of
/// object IDs.
///
/// `Object` is the class of the controller's objects, as in ``FetchedResultsControllerDelegate``.
public protocol FetchedResultsDifferenceDelegate<Object>: AnyObject {
    /// The class of the controller's objects.
    associatedtype Object: ManagedObject

    /// Reports the changes of an event (rule F39 of <doc:Core-Data-Rules>).
    ///
    /// A row that moved or was updated, at any index, is a removal and an insertion that are associated with each
    /// other.
    func controller(
        _ controller: FetchedResultsController<Object>,
        didChangeContentWith difference: CollectionDifference<ManagedObjectID>
    )
}
