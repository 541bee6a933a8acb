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
    /// The to-many relationship whose members are the rows.
    public let relationshipName: String
    /// The sort keys of the rows in a section; if the array is empty, rows are in the order of the relationship.
    ///
    /// If the relationship is not ordered either, rows are sorted by row key.
    public let sortKeys: [SortKey]
    /// The context to which the fetched objects belong.
    public let managedObjectContext: ManagedObjectContext
    /// The delegate that is notified of every change; the controller does not retain it.
    public weak var delegate: (any HierarchicalResultsControllerDelegate<Parent, Object>)?
    /// The error that prevented the last update of the list; `nil` after a successful one.
    ///
    /// After an error, the results do not change until ``performFetch()`` is called.
    public var changeError: (any Error)? {
        resultsObservers.recordAccess()
        return stopError
    }

    private var stopError: (any Error)?
    /// The number of events that are being reported to a delegate, which may read rows of this list.
    private var reportCount = 0
    private var hierarchy: ResultsHierarchy?
    private var hasMissedEvents = false
    private var resetCount = 0
    private var listener: ContextEventObserver?
    private let resultsObservers = ResultsObservers()

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

    private static func name(of relationship: AnyKeyPath) -> String {
        guard let names = propertyKeys(of: relationship), names.count == 1 else {
            preconditionFailure("\(relationship) is not a relationship of \(Parent.self)")
        }
        return names[0]
    }

    /// Fetches the parent objects and the objects of their to-many relationship; can be called again at any time.
    /// - Throws: ``FetchError`` when the property is not a to-many relationship or its objects are not of class
    ///   `Object`, ``FetchError`` or ``FetchPredicateError`` when a sort key does not match the model, and any error
    ///   that ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
    /// - Precondition: No delegate is being notified of changes; calls in `controllerDidChangeContent` are allowed.
    public func performFetch() throws {
        precondition(
            reportCount == 0,
            "performFetch() was called while changes are reported; call it in controllerDidChangeContent(_:)"
        )
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
        hierarchy = try ResultsHierarchy(fetchRequest, relationship, in: managedObjectContext)
        stopError = nil
        hasMissedEvents = false
        resetCount = managedObjectContext.notifier.resetCount
        if listener == nil {
            listener = ContextEventObserver(managedObjectContext) { [weak self] change in
                self?.contextDidChange(change)
            } didChangeKey: { [weak self] old, object in
                self?.hierarchy?.changeKey(old, of: object)
            }
        }
        resultsObservers.notify(FetchedResultsChanges(fetched: snapshot))
    }

    // MARK: Contents

    /// The sections, one for each parent; `nil` before the first fetch.
    /// - Complexity: O(n) in the number of parent objects.
    public var sections: [HierarchicalResultsSection<Parent, Object>]? {
        resultsObservers.recordAccess()
        return hierarchy.map { hierarchy in
            (0..<hierarchy.count).map { HierarchicalResultsSection(section: hierarchy[$0]) }
        }
    }

    /// The current results as object IDs, in sections that are identified by the object IDs of their parents.
    ///
    /// The snapshot is empty before the first fetch.
    /// - Complexity: O(n).
    public var snapshot: FetchedResultsSnapshot {
        resultsObservers.recordAccess()
        return hierarchy.map { FetchedResultsSnapshot($0) } ?? FetchedResultsSnapshot(sections: [])
    }

    /// Returns the object at an index path; an index path out of range traps.
    /// - Returns: The object.
    /// - Complexity: O(log n).
    public func object(at indexPath: IndexPath) -> Object {
        guard let hierarchy else { preconditionFailure("call performFetch() before object(at:)") }
        precondition(
            indexPath.count == 2 && (0..<hierarchy.count).contains(indexPath.section)
                && (0..<hierarchy[indexPath.section].rows.count).contains(indexPath.row),
            "index path \(indexPath) is out of range; the list has \(hierarchy.count) sections"
        )
        return hierarchy[indexPath.section].rows[indexPath.row].object(as: Object.self)
    }

    /// Returns the first index path of an object, which may be a member of several parents.
    /// - Returns: The index path; `nil` when the object is not in the results.
    /// - Complexity: O(log n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        hierarchy?.position(of: object).map { IndexPath($0) }
    }

    // MARK: Changes

    /// An asynchronous sequence of the future changes to the results, one value for each event and each
    /// ``performFetch()``.
    ///
    /// The sequence behaves like ``FetchedResultsController/changes``.
    public var changes: AsyncStream<FetchedResultsChanges> { resultsObservers.makeStream() }

    private func contextDidChange(_ change: ContextChange) {
        guard let hierarchy, resetCount == managedObjectContext.notifier.resetCount,
            stopError == nil  // What it could not follow, it does not know.
        else { return }
        guard delegate != nil || resultsObservers.hasObservers else {
            hasMissedEvents = true
            return
        }
        do {
            let changes = try hierarchy.follow(change, afterMissedEvents: hasMissedEvents)
            hasMissedEvents = false
            guard !changes.isEmpty else { return }
            resultsObservers.notify(FetchedResultsChanges(changes))
            if let delegate { report(changes, to: delegate) }
        } catch {
            stopError = error
            resultsObservers.end()
        }
    }

    private func report(
        _ changes: ResultsHierarchyChanges,
        to delegate: any HierarchicalResultsControllerDelegate<Parent, Object>
    ) {
        reportCount += 1
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
        reportCount -= 1
        delegate.controllerDidChangeContent(self)
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
