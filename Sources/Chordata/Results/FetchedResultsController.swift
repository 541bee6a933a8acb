internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A live list: the objects of a fetch request, in sections, kept right while the context changes.
///
/// It belongs to its context and is used in the context's isolation. It follows every change of the context, including
/// merged saves of other contexts, for its observers: its ``delegate``, ``snapshotDelegate`` or ``differenceDelegate``,
/// consumers of ``changes``, and code that tracks ``fetchedObjects`` or ``sections`` (`withObservationTracking`,
/// `Observations`), from the first access on. Without observers its contents stay as fetched (rule F15 of
/// <doc:Core-Data-Rules>); the first event with an observer reports all insertions, deletions and moves since then.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The fetch request; with a ``FetchRequest/fetchBatchSize`` objects are made on access.
    ///
    /// A change takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Object>
    /// The context whose objects are shown.
    public let managedObjectContext: ManagedObjectContext
    /// The property whose value makes the sections, dotted over to-one relationships; `nil` for one section.
    public let sectionNameKeyPath: String?
    /// The name under which order and sections are kept beside the store, so that the next launch neither sorts nor
    /// sections again; `nil` for none.
    ///
    /// What was kept serves as long as nothing in the store has changed, and for the same request; otherwise it is
    /// replaced (rules F41, F42 of <doc:Core-Data-Rules>). Nothing is kept of a store in memory, while the context has
    /// unsaved changes, of sections by transient or computed properties, and of conditions that the store cannot
    /// answer.
    public let cacheName: String?
    /// The delegate that is notified of every change, row by row, unless one of the other two delegates is set.
    ///
    /// The controller keeps none of them alive (rule F8 of <doc:Core-Data-Rules>).
    public weak var delegate: (any FetchedResultsControllerDelegate)? {
        didSet { knownSections = nil }  // The titles are the delegate's.
    }
    /// The delegate that is notified of every change as a snapshot; the ``delegate`` is then asked for index titles
    /// only (rule F38 of <doc:Core-Data-Rules>).
    public weak var snapshotDelegate: (any FetchedResultsSnapshotDelegate)?
    /// The delegate that is notified of every change as a difference, without a section key path and a
    /// ``snapshotDelegate`` (rule F39 of <doc:Core-Data-Rules>).
    public weak var differenceDelegate: (any FetchedResultsDifferenceDelegate)?

    /// The error that prevented the last update of the list; `nil` after a successful one.
    ///
    /// The list then keeps its results until ``performFetch()``: its sections were no longer consecutive, or the store
    /// could not be read.
    public var changeError: (any Error)? {
        resultsObservers.recordAccess()
        return stopError
    }

    private var stopError: (any Error)?
    /// The number of events that are being reported to a delegate, which may read rows of this list.
    private var reportCount = 0
    private var computedSectionName: ((ManagedObject) -> String)?
    private var tracker: ResultsEngine?
    /// A Boolean value that indicates whether there were events without a delegate.
    private var hasMissedEvents = false
    /// F20: the context's when the objects were fetched; after a reset the list knows none that is alive.
    private var resetCount = 0
    private var listener: ContextEventObserver?
    private let resultsObservers = ResultsObservers()
    // What was asked for since the list changed last.
    private var knownObjects: [Object]?
    private var knownSections: [FetchedResultsSectionInfo<Object>]?

    /// Creates a controller, which is empty until ``performFetch()``.
    ///
    /// With a section key path the request must sort so that the objects of a section are consecutive.
    /// - Parameters:
    ///   - fetchRequest: The request for the objects.
    ///   - managedObjectContext: The context whose objects are shown.
    ///   - sectionNameKeyPath: The property that makes the sections, dotted over to-one relationships; `nil` for one
    ///     section.
    ///   - cacheName: The name under which order and sections are kept; see ``cacheName``.
    public init(
        fetchRequest: FetchRequest<Object>,
        managedObjectContext: ManagedObjectContext,
        sectionNameKeyPath: String? = nil,
        cacheName: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.sectionNameKeyPath = sectionNameKeyPath
        self.cacheName = cacheName
    }

    /// Creates a controller whose sections are made by a property: one of the model, over to-one relationships if need
    /// be, transient ones included, or one that an extension computes.
    ///
    /// A computed property is read again when the object changes: it has to be made of the object's own properties. Its
    /// sections are named by its text; `nil` is the empty one.
    /// ```swift
    /// extension Player { var initial: String { String(name.prefix(1)) } }
    /// FetchedResultsController(fetchRequest: byName, managedObjectContext: context, sectionedBy: \.initial)
    /// ```
    /// - Parameters:
    ///   - fetchRequest: The request for the objects; it must sort so that the objects of a section are consecutive.
    ///   - managedObjectContext: The context whose objects are shown.
    ///   - keyPath: The property that makes the sections.
    ///   - cacheName: The name under which order and sections are kept; see ``cacheName``.
    public init<Value>(
        fetchRequest: FetchRequest<Object>,
        managedObjectContext: ManagedObjectContext,
        sectionedBy keyPath: KeyPath<Object, Value>,
        cacheName: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.cacheName = cacheName
        if let keys = keys(of: keyPath) {
            sectionNameKeyPath = keys.joined(separator: ".")
        } else {
            sectionNameKeyPath = "\(keyPath)"
            computedSectionName = { object in
                let value = unsafeDowncast(object, to: Object.self)[keyPath: keyPath] as Any
                return (value as? String) ?? (value as? any OptionalValue)?.text ?? "\(value)"
            }
        }
    }

    /// Fetches the objects and makes the sections; may be called again at any time (rule F5 of <doc:Core-Data-Rules>).
    /// - Throws: ``FetchError`` when the request of a list with sections does not sort, the section key path is not a
    ///   property, or the objects of a section are not consecutive; and any error that
    ///   ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
    /// - Precondition: No delegate is being notified of changes; calls in `controllerDidChangeContent` are allowed.
    public func performFetch() throws {
        precondition(
            reportCount == 0,
            "performFetch() was called while changes are reported; call it in controllerDidChangeContent(_:)"
        )
        var sectionKey: ResultsSectionKey?
        if let sectionNameKeyPath {
            guard !fetchRequest.sortKeys.isEmpty else {
                throw FetchError.missingSortKey(entityName: fetchRequest.entityName)
            }
            let schema = managedObjectContext.schema
            sectionKey =
                if let computedSectionName {
                    ResultsSectionKey(sectionNameKeyPath, computedBy: computedSectionName)
                } else {
                    try ResultsSectionKey(sectionNameKeyPath, of: schema.entityType(of: fetchRequest), in: schema)
                }
        }
        tracker = try ResultsEngine(
            fetchRequest,
            in: managedObjectContext,
            sectionKey: sectionKey,
            keepsIdentities: true,
            cacheName: cacheName
        )
        forgetKnown()
        stopError = nil
        hasMissedEvents = false
        resetCount = managedObjectContext.resetCount
        if listener == nil {
            listener = ContextEventObserver(managedObjectContext) { [weak self] change in
                self?.contextDidChange(change)
            } didChangeKey: { [weak self] old, object in
                self?.contextDidChangeKey(old, of: object)
            }
        }
        resultsObservers.notify(FetchedResultsChanges(fetched: snapshot))
        snapshotDelegate?.controller(self, didChangeContentWith: snapshot)
    }

    /// Deletes what is kept under a ``cacheName``, or with `nil` all of it, of the stores that the program has opened
    /// (rule F43 of <doc:Core-Data-Rules>).
    ///
    /// What no longer holds is not used in any case; needed is this only where another program has written to a store
    /// without Chordata.
    /// - Parameter name: A ``cacheName``; `nil` for all.
    public static func deleteCache(withName name: String?) { SectionCacheFile.delete(named: name) }

    // MARK: Contents

    /// All objects in order; `nil` before the first fetch.
    /// - Complexity: O(n) after a change, when first asked.
    public var fetchedObjects: [Object]? {
        resultsObservers.recordAccess()
        guard let tracker else { return nil }
        if let knownObjects { return knownObjects }
        var objects: [Object] = []
        objects.reserveCapacity(tracker.list.count)
        tracker.list.sections.forEach { objects += $0.rows.objects() as [Object] }
        // Who keeps identities does not keep the objects by way of what was asked for.
        if !tracker.keepsIdentities { knownObjects = objects }
        return objects
    }

    /// The sections; `nil` before the first fetch.
    ///
    /// Without a section key path there is always one (rule F4 of <doc:Core-Data-Rules>).
    /// - Complexity: O(n) in the number of sections after a change, when first asked.
    public var sections: [FetchedResultsSectionInfo<Object>]? {
        resultsObservers.recordAccess()
        guard let tracker else { return nil }
        if let knownSections { return knownSections }
        var sections: [FetchedResultsSectionInfo<Object>] = []
        tracker.list.sections.forEach { sections.append(sectionInfo($0)) }
        knownSections = sections
        return sections
    }

    /// The identities of what is shown; without sections before the first fetch.
    /// - Complexity: O(n).
    public var snapshot: FetchedResultsSnapshot {
        resultsObservers.recordAccess()
        return tracker.map { FetchedResultsSnapshot($0.list) } ?? FetchedResultsSnapshot(sections: [])
    }

    /// Returns the object at an index path; traps when it is out of range (rule F13 of <doc:Core-Data-Rules>).
    /// - Returns: The object.
    /// - Complexity: O(log n).
    public func object(at indexPath: IndexPath) -> Object {
        guard let sections = tracker?.list.sections else {
            preconditionFailure("call performFetch() before object(at:)")
        }
        precondition(
            indexPath.count == 2 && (0..<sections.count).contains(indexPath.section)
                && (0..<sections[indexPath.section].rows.count).contains(indexPath.row),
            "index path \(indexPath) is out of range; the list has \(sections.count) sections"
        )
        return sections[indexPath.section].rows[indexPath.row].object(as: Object.self)
    }

    /// Returns the index path of an object.
    /// - Returns: The index path; `nil` when the object is not in the list.
    /// - Complexity: O(log n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        guard let list = tracker?.list, object.managedObjectContext === managedObjectContext,
            let row = list[object.key], row.isOf(object)
        else { return nil }
        return IndexPath(list.position(of: row))
    }

    /// The index titles of all sections.
    public var sectionIndexTitles: [String] { sections?.map(\.indexTitle) ?? [] }

    /// Returns the section of an index title (rule F12 of <doc:Core-Data-Rules>).
    /// - Parameters:
    ///   - title: One of ``sectionIndexTitles``.
    ///   - sectionIndex: The index of the title there; that of another title traps.
    /// - Returns: The index of the section.
    public func section(forSectionIndexTitle title: String, at sectionIndex: Int) -> Int {
        let titles = sectionIndexTitles
        precondition(
            titles.indices.contains(sectionIndex) && titles[sectionIndex] == title,
            "the list has no section with index title '\(title)' at \(sectionIndex)"
        )
        return sectionIndex
    }

    private func sectionInfo(_ section: ResultsSection) -> FetchedResultsSectionInfo<Object> {
        let title = delegate?.controller(self, sectionIndexTitleForSectionName: section.name.text)
        return FetchedResultsSectionInfo(
            indexTitle: title ?? section.name.text.prefix(1).uppercased(),
            section: section
        )
    }

    private func forgetKnown() {
        knownObjects = nil
        knownSections = nil
    }

    // MARK: Changes

    /// The changes from now on, event by event, and the results after each ``performFetch()``.
    ///
    /// The values may be consumed anywhere, and wait until they are: none is lost, and none is joined with another one,
    /// because the places in each are those that the one before has left. Each call makes a sequence of its own, for as
    /// many consumers as there are; it ends with the controller, and where the list cannot follow a change, for which
    /// there is a ``changeError`` then. Identities may be those of unsaved objects.
    ///
    /// ```swift
    /// var shown = controller.snapshot
    /// for await change in controller.changes { shown.apply(change) }
    /// ```
    public var changes: AsyncStream<FetchedResultsChanges> { resultsObservers.makeStream() }

    /// F15: whether changes have observers.
    private var isFollowed: Bool {
        delegate != nil || snapshotDelegate != nil || differenceDelegate != nil || resultsObservers.hasObservers
    }

    private func contextDidChange(_ change: ContextChange) {
        guard let tracker, resetCount == managedObjectContext.resetCount,
            stopError == nil  // What it could not follow, it does not know.
        else { return }
        guard isFollowed else {
            hasMissedEvents = true
            return
        }
        do {
            let changes = try tracker.follow(change, afterMissedEvents: hasMissedEvents)
            hasMissedEvents = false
            if !changes.isEmpty { notify(changes) }
        } catch {
            stopError = error
            resultsObservers.end()
        }
    }

    private func contextDidChangeKey(_ old: Int64, of object: ManagedObject) {
        tracker?.changeKey(old, of: object)
    }

    private func notify(_ changes: ResultsChanges) {
        forgetKnown()
        // Where only a delegate observes rows, it is not needed.
        lazy var values = FetchedResultsChanges(changes)
        resultsObservers.notify(values)
        if let snapshotDelegate {
            var snapshot = snapshot
            snapshot.reconfiguredItemIdentifiers = values.reconfiguredItemIdentifiers
            snapshotDelegate.controller(self, didChangeContentWith: snapshot)
        } else if let differenceDelegate, sectionNameKeyPath == nil {
            differenceDelegate.controller(self, didChangeContentWith: CollectionDifference(values))
        } else if let delegate {
            report(changes, to: delegate)
        }
    }

    private func report(_ changes: ResultsChanges, to delegate: any FetchedResultsControllerDelegate) {
        reportCount += 1
        delegate.controllerWillChangeContent(self)
        for change in changes.deletedSections {
            delegate.controller(
                self,
                didChange: sectionInfo(change.section),
                atSectionIndex: change.index,
                for: .delete
            )
        }
        for change in changes.insertedSections {
            delegate.controller(
                self,
                didChange: sectionInfo(change.section),
                atSectionIndex: change.index,
                for: .insert
            )
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

/// Recognizes optionals by their type alone.
private protocol OptionalValue {
    var text: String { get }
}

extension Optional: OptionalValue {
    fileprivate var text: String { map { "\($0)" } ?? "" }
}

extension IndexPath {
    init(_ position: ResultsPosition) { self.init(row: position.row, section: position.section) }
}

extension ResultsChanges.RowChange {
    /// The reported change.
    var parts: (row: ResultsRow, type: FetchedResultsChangeType, old: ResultsPosition?, new: ResultsPosition?) {
        switch self {
        case .delete(let row, let old): (row, .delete, old, nil)
        case .insert(let row, let new): (row, .insert, nil, new)
        case .move(let row, let old, let new): (row, .move, old, new)
        case .update(let row, let old, let new): (row, .update, old, new)
        }
    }
}
