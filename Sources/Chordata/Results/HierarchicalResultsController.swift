internal import ChordataModel
public import OrderedCollections

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A live list with one section for each parent object, also for those without rows: the members of a to-many
/// relationship, in its own order or sorted.
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
/// It follows the context as ``FetchedResultsController`` does, and for whom that does.
public final class HierarchicalResultsController<Parent: ManagedObject, Object: ManagedObject> {
    /// The request for the parents; its sort is the order of the sections.
    ///
    /// A change takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Parent>
    /// The to-many relationship whose members are the rows.
    public let relationshipName: String
    /// The sort keys of the rows of a section; without any they have the order of the relationship, and of one without
    /// an order that of their keys.
    public let sortKeys: [SortKey]
    /// The context whose objects are shown.
    public let managedObjectContext: ManagedObjectContext
    /// The delegate that is notified of every change; the controller does not retain it.
    public weak var delegate: (any HierarchicalResultsControllerDelegate)?
    /// The error that prevented the last update of the list; `nil` after a successful one.
    ///
    /// The list then stays as it was until ``performFetch()``.
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

    /// Creates a controller, which is empty until ``performFetch()``.
    /// - Parameters:
    ///   - fetchRequest: The request for the parents, each of which is a section.
    ///   - relationshipName: The name of the to-many relationship whose objects are the rows.
    ///   - sortKeys: The order of the rows; empty for that of an ordered relationship.
    ///   - managedObjectContext: The context whose objects are shown.
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

    /// Creates a controller of sorted members.
    /// - Parameters:
    ///   - fetchRequest: The request for the parents, each of which is a section.
    ///   - relationship: The to-many relationship whose objects are the rows; any other key path traps.
    ///   - sortKeys: The order of the rows.
    ///   - managedObjectContext: The context whose objects are shown.
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

    /// Creates a controller of members in the order of their relationship.
    /// - Parameters:
    ///   - fetchRequest: The request for the parents, each of which is a section.
    ///   - relationship: The ordered to-many relationship whose objects are the rows; any other key path traps.
    ///   - sortKeys: The order of the rows; empty for that of the relationship.
    ///   - managedObjectContext: The context whose objects are shown.
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

    /// Fetches parents and rows; may be called again at any time.
    /// - Throws: ``FetchError`` when the property is not a to-many relationship or its objects are not of class
    ///   `Object`, ``FetchError`` or ``FetchPredicateError`` when a sort key does not fit the model, and any error that
    ///   ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
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
            throw FetchError.unknownEntity(relationship.destination.entity.name, className: "\(Object.self)")
        }
        hierarchy = try ResultsHierarchy(fetchRequest, relationship, in: managedObjectContext)
        stopError = nil
        hasMissedEvents = false
        resetCount = managedObjectContext.resetCount
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
    /// - Complexity: O(n) in the number of parents.
    public var sections: [HierarchicalResultsSection<Parent, Object>]? {
        resultsObservers.recordAccess()
        return hierarchy.map { hierarchy in
            (0..<hierarchy.count).map { HierarchicalResultsSection(section: hierarchy[$0]) }
        }
    }

    /// The object IDs of the visible objects, in sections identified by the object IDs of their parents.
    ///
    /// Empty before the first fetch.
    /// - Complexity: O(n).
    public var snapshot: FetchedResultsSnapshot {
        resultsObservers.recordAccess()
        return hierarchy.map { FetchedResultsSnapshot($0) } ?? FetchedResultsSnapshot(sections: [])
    }

    /// Returns the object at an index path; traps when it is out of range.
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
    /// - Returns: The index path; `nil` when the object is not in the list.
    /// - Complexity: O(log n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        hierarchy?.position(of: object).map { IndexPath($0) }
    }

    // MARK: Changes

    /// The changes from now on, event by event, and the results after each ``performFetch()``, as
    /// ``FetchedResultsController/changes``.
    public var changes: AsyncStream<FetchedResultsChanges> { resultsObservers.makeStream() }

    private func contextDidChange(_ change: ContextChange) {
        guard let hierarchy, resetCount == managedObjectContext.resetCount,
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

    private func report(_ changes: ResultsHierarchyChanges, to delegate: any HierarchicalResultsControllerDelegate) {
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

/// One section of a hierarchical results controller: a parent and its rows.
///
/// What it says of its rows is what the list has now, also when the list has changed since.
public struct HierarchicalResultsSection<Parent: ManagedObject, Object: ManagedObject> {
    let section: ResultsHierarchySection

    /// The object whose members the rows are.
    public var parent: Parent { unsafeDowncast(section.parent, to: Parent.self) }
    /// The rows, in order.
    /// - Complexity: O(n).
    public var objects: [Object] { section.rows.objects() }
    /// The number of rows.
    public var numberOfObjects: Int { section.rows.count }
}
