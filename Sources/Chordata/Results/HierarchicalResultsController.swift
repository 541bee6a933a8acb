internal import ChordataModel
public import OrderedCollections

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A controller that keeps the members of a to-many relationship up to date, with one section for each parent object.
///
/// The rows of a section are the members, in the order of the relationship or sorted. Parents without members have an
/// empty section.
///
/// ```swift
/// let controller = HierarchicalResultsController(
///     fetchRequest: Team.fetchRequest().sorted(by: \.name),
///     relationship: \.players,
///     sortedBy: [SortKey(\Player.name)],
///     managedObjectContext: context
/// )
/// ```
///
/// The controller tracks the changes of its context while it has observers, in the same manner as a
/// ``FetchedResultsController``.
public final class HierarchicalResultsController<Parent: ManagedObject, Object: ManagedObject> {
    /// The fetch request for the parent objects; its sort keys determine the order of the sections.
    ///
    /// A change takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Parent>
    /// The name of the to-many relationship whose members are the rows.
    public let relationshipName: String
    /// The sort keys of the rows in a section; if the array is empty, rows are in the order of the relationship.
    ///
    /// If the relationship is not ordered either, rows are sorted by [row key](doc:Glossary#Store).
    public let sortKeys: [SortKey]
    /// The context to which the fetched objects belong.
    public let managedObjectContext: ManagedObjectContext
    /// The delegate that is notified of every change; the controller does not retain it.
    public weak var delegate: (any HierarchicalResultsControllerDelegate<Parent, Object>)?
    /// The error that prevented the last update of the list; `nil` after a successful update.
    ///
    /// After an error, the results do not change until ``performFetch()`` is called.
    public var changeError: (any Error)? { follower.changeError }

    private let follower: ListFollower<ResultsHierarchy>

    /// Creates a controller with the name of a relationship; its results are empty until ``performFetch()`` is called.
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the parent objects, each of which is a section.
    ///   - relationshipName: The name of the to-many relationship whose objects are the rows.
    ///   - sortKeys: The sort keys of the rows; empty for the order of the relationship.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    public init(
        fetchRequest: FetchRequest<Parent>,
        relationshipName: String,
        sortedBy sortKeys: [SortKey] = [],
        managedObjectContext: ManagedObjectContext
    ) {
        self.fetchRequest = fetchRequest
        self.relationshipName = relationshipName
        self.sortKeys = sortKeys
        self.managedObjectContext = managedObjectContext
        follower = ListFollower(managedObjectContext)
        follower.controller = self
    }

    /// Creates a controller whose rows are the sorted members of a to-many relationship.
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the parent objects, each of which is a section.
    ///   - relationship: The to-many relationship whose objects are the rows. Any other key path traps.
    ///   - sortKeys: The sort keys of the rows.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    public convenience init(
        fetchRequest: FetchRequest<Parent>,
        relationship: KeyPath<Parent, Set<Object>>,
        sortedBy sortKeys: [SortKey],
        managedObjectContext: ManagedObjectContext
    ) {
        self.init(
            fetchRequest: fetchRequest,
            relationshipName: Self.name(of: relationship),
            sortedBy: sortKeys,
            managedObjectContext: managedObjectContext
        )
    }

    /// Creates a controller whose rows are the members of an ordered relationship, in its order.
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the parent objects, each of which is a section.
    ///   - relationship: The ordered to-many relationship whose objects are the rows. Any other key path traps.
    ///   - sortKeys: The sort keys of the rows; empty for the order of the relationship.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    public convenience init(
        fetchRequest: FetchRequest<Parent>,
        relationship: KeyPath<Parent, OrderedSet<Object>>,
        sortedBy sortKeys: [SortKey] = [],
        managedObjectContext: ManagedObjectContext
    ) {
        self.init(
            fetchRequest: fetchRequest,
            relationshipName: Self.name(of: relationship),
            sortedBy: sortKeys,
            managedObjectContext: managedObjectContext
        )
    }

    /// Creates a controller whose rows are the members of a to-many relationship, for classes that were generated with
    /// the types of Core Data.
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the parent objects, each of which is a section.
    ///   - relationship: The to-many relationship whose objects are the rows; its destination must be the class of the
    ///     rows. Any other key path traps.
    ///   - sortKeys: The sort keys of the rows; empty for the order of an ordered relationship.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    public convenience init<Objects: RelationshipCollection>(
        fetchRequest: FetchRequest<Parent>,
        relationship: KeyPath<Parent, Objects?>,
        sortedBy sortKeys: [SortKey] = [],
        managedObjectContext: ManagedObjectContext
    ) {
        self.init(
            fetchRequest: fetchRequest,
            relationshipName: Self.name(of: relationship),
            sortedBy: sortKeys,
            managedObjectContext: managedObjectContext
        )
    }

    private static func name(of relationship: AnyKeyPath) -> String {
        guard let names = propertyKeys(of: relationship), names.count == 1 else {
            preconditionFailure("\(relationship) is not a relationship of \(Parent.self)")
        }
        return names[0]
    }

    /// Fetches the parent objects and the objects of their to-many relationship; the method can be called again at any
    /// time.
    /// - Throws: ``FetchError`` when the property is not a to-many relationship or its objects are not of class
    ///   `Object`, ``FetchError`` or ``FetchPredicateError`` when a sort key does not match the model, and any error
    ///   that ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
    /// - Precondition: No delegate is being notified of changes; calls in `controllerDidChangeContent` are allowed.
    public func performFetch() throws {
        try follower.fetch { try ResultsHierarchy(fetchRequest, relationship(), in: managedObjectContext) }
        follower.notifyOfFetch()
    }

    /// Returns the relationship of the rows, for a fetch.
    private func relationship() throws -> ResultsHierarchy.Relationship {
        let relationship = try ResultsHierarchy.Relationship(
            relationshipName,
            of: fetchRequest,
            sortedBy: sortKeys,
            in: managedObjectContext.schema
        )
        guard relationship.destination.objectClass is Object.Type || Object.self == ManagedObject.self else {
            throw FetchError.unknownEntity(
                relationship.destination.entity.name,
                className: "\(Object.self)",
                suggestion: nil
            )
        }
        return relationship
    }

    // MARK: Contents

    /// The sections, one for each parent; `nil` before the first fetch.
    /// - Complexity: O(n) in the number of parent objects.
    public var sections: [HierarchicalResultsSection<Parent, Object>]? {
        follower.observers.recordAccess()
        return follower.list.map { hierarchy in
            (0..<hierarchy.count).map { HierarchicalResultsSection(section: hierarchy[$0]) }
        }
    }

    /// The current results as object IDs, in sections that are identified by the object IDs of their parents.
    ///
    /// The snapshot is empty before the first fetch.
    /// - Complexity: O(n).
    public var snapshot: FetchedResultsSnapshot { follower.snapshot }

    /// Returns the object at an index path; an index path out of range traps.
    /// - Returns: The object.
    /// - Complexity: O(log n).
    public func object(at indexPath: IndexPath) -> Object { follower.row(at: indexPath).object(as: Object.self) }

    /// Returns the first index path of an object, which may be a member of several parents.
    /// - Returns: The index path; `nil` when the object is not in the results.
    /// - Complexity: O(log n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        follower.list?.position(of: object).map { IndexPath($0) }
    }

    // MARK: Changes

    /// An asynchronous sequence of the future changes to the results, one value for each [event](doc:Glossary#Changes)
    /// and each ``performFetch()``.
    ///
    /// The sequence behaves like ``FetchedResultsController/changes``.
    public var changes: AsyncStream<FetchedResultsChanges> { follower.observers.makeStream() }

    private func report(
        _ changes: ResultsHierarchyChanges,
        to delegate: any HierarchicalResultsControllerDelegate<Parent, Object>
    ) {
        follower.report { reportContent(changes, to: delegate) }
        delegate.controllerDidChangeContent(self)
    }

    private func reportContent(
        _ changes: ResultsHierarchyChanges,
        to delegate: any HierarchicalResultsControllerDelegate<Parent, Object>
    ) {
        delegate.controllerWillChangeContent(self)
        let sections = [
            (changes.deletedSections, FetchedResultsChangeType.delete), (changes.insertedSections, .insert),
            (changes.updatedSections, .update),
        ]
        for (changes, type) in sections {
            for change in changes {
                let section = HierarchicalResultsSection<Parent, Object>(section: change.section)
                delegate.controller(self, didChange: section, atSectionIndex: change.index, for: type)
            }
        }
        for change in changes.rows {
            let (row, type, old, new) = change.parts
            delegate.controller(
                self,
                didChange: row.object(as: Object.self),
                at: old.map { IndexPath($0) },
                for: type,
                newIndexPath: new.map { IndexPath($0) }
            )
        }
    }
}

extension HierarchicalResultsController: ListController {
    var hasDelegate: Bool { delegate != nil }

    func listDidChange(_ changes: ResultsHierarchyChanges) {
        follower.observers.notify(FetchedResultsChanges(changes))
        if let delegate { report(changes, to: delegate) }
    }
}

/// A section of a hierarchical results controller: a parent object and its rows.
///
/// The properties reflect the controller's current rows, even if these have changed since the section was read. After
/// another `performFetch()`, read the sections again.
public struct HierarchicalResultsSection<Parent: ManagedObject, Object: ManagedObject> {
    let section: ResultsHierarchySection

    /// The parent object, whose relationship contains the objects of the section.
    public var parent: Parent { unsafeDowncast(section.parent, to: Parent.self) }
    /// The objects of the rows, in order.
    /// - Complexity: O(n).
    public var objects: [Object] { section.rows.objects() }
    /// The number of rows.
    public var numberOfObjects: Int { section.rows.count }
}
