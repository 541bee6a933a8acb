internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A controller that keeps the results of a fetch request, in sections, up to date while the context changes.
///
/// Use the controller in its context's isolation. While it has observers, it tracks all changes of the context,
/// including merged saves of other contexts. Observers are its ``delegate``, ``snapshotDelegate`` or
/// ``differenceDelegate``, consumers of ``changes``, and code that tracks ``fetchedObjects`` or ``sections``
/// (`withObservationTracking`, `Observations`), from the first access on. While the controller has no observers, the
/// results do not change (rule F15 of <doc:Core-Data-Rules>); the first [event](doc:Glossary#Changes) with an observer
/// reports all insertions, deletions and moves since the results were last fetched or updated.
public final class FetchedResultsController<Object: ManagedObject> {
    /// The fetch request; if it has a ``FetchRequest/fetchBatchSize``, objects are created on access.
    ///
    /// A change takes effect with the next ``performFetch()``.
    public var fetchRequest: FetchRequest<Object>
    /// The context to which the fetched objects belong.
    public let managedObjectContext: ManagedObjectContext
    /// The key path of the property whose value determines the section of an object; `nil` for one section.
    ///
    /// The path can traverse to-one relationships, such as `team.name`.
    public let sectionNameKeyPath: String?
    /// The name of the cache file in which the order and sections of the results are kept; `nil` for no cache.
    ///
    /// The file is stored next to the store. With a valid cache, the next launch does not have to sort the results and
    /// compute the sections again.
    ///
    /// A cache is valid for the same request while no program has changed objects in the store with Chordata; otherwise
    /// it is replaced (rules F41, F42 of <doc:Core-Data-Rules>). Results are not cached for a store in memory, while
    /// the context has unsaved changes, for sections by transient or computed properties, and for predicates that the
    /// store cannot evaluate.
    public let cacheName: String?
    /// The delegate that is notified of every change, row by row, unless the ``snapshotDelegate`` or, without a section
    /// key path, the ``differenceDelegate`` is set.
    ///
    /// The controller does not retain its delegates (rule F8 of <doc:Core-Data-Rules>).
    public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
        didSet { knownSections = nil }  // The delegate provides the index titles.
    }
    /// The delegate that is notified of every change with a snapshot; if it is set, the ``delegate`` is called only for
    /// index titles (rule F38 of <doc:Core-Data-Rules>).
    public weak var snapshotDelegate: (any FetchedResultsSnapshotDelegate<Object>)?
    /// The delegate that is notified of every change with a difference; it is used only if there is neither a section
    /// key path nor a ``snapshotDelegate`` (rule F39 of <doc:Core-Data-Rules>).
    public weak var differenceDelegate: (any FetchedResultsDifferenceDelegate<Object>)?
    /// The delegate that the module `CoreData` sets, in addition to the ``delegate``.
    package weak var eventDelegate: (any FetchedResultsEventDelegate<Object>)?
    /// A Boolean value that indicates whether the ``delegate`` is notified of objects that only have another object ID.
    package var reportsNewIDs = true

    /// The error that prevented the last update of the list; `nil` after a successful update.
    ///
    /// The error means that the objects of a section were no longer consecutive, or that the store could not be read.
    /// The results then do not change until ``performFetch()`` is called.
    public var changeError: (any Error)? { follower.changeError }

    private let follower: ListFollower<ResultsEngine>
    private var computedSectionName: ((ManagedObject) -> String)?
    // The results that were requested since the last change of the list.
    private var knownObjects: [Object]?
    private var knownSections: [FetchedResultsSectionInfo<Object>]?

    /// Creates a controller, whose results are empty until ``performFetch()`` is called.
    ///
    /// With a section key path, the sort keys of the request must make the objects of a section consecutive.
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the objects.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    ///   - sectionNameKeyPath: The key path of the property whose value determines the section of an object, such as
    ///     `team.name`; `nil` for one section.
    ///   - cacheName: The name of the cache file; see ``cacheName``.
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
        follower = ListFollower(managedObjectContext)
        follower.controller = self
    }

    /// Creates a controller whose sections are defined by the values of a property.
    ///
    /// The property can be a property of the model, including a transient property or a property at the end of a path
    /// across to-one relationships, or a computed property of an extension.
    ///
    /// A computed property is read again only when the object changes, so it must depend only on the object's own
    /// properties. The name of a section is the value as a string; it is empty for `nil`.
    /// ```swift
    /// extension Player { var initial: String { String(name.prefix(1)) } }
    /// FetchedResultsController(fetchRequest: byName, managedObjectContext: context, sectionedBy: \.initial)
    /// ```
    /// - Parameters:
    ///   - fetchRequest: The fetch request for the objects. Its sort keys must make the objects of a section
    ///     consecutive.
    ///   - managedObjectContext: The context to which the fetched objects belong.
    ///   - keyPath: The property whose value determines the section of an object.
    ///   - cacheName: The name of the cache file; see ``cacheName``.
    public init<Value>(
        fetchRequest: FetchRequest<Object>,
        managedObjectContext: ManagedObjectContext,
        sectionedBy keyPath: KeyPath<Object, Value>,
        cacheName: String? = nil
    ) {
        self.fetchRequest = fetchRequest
        self.managedObjectContext = managedObjectContext
        self.cacheName = cacheName
        follower = ListFollower(managedObjectContext)
        if let keys = keys(of: keyPath) {
            sectionNameKeyPath = keys.joined(separator: ".")
        } else {
            sectionNameKeyPath = "\(keyPath)"
            computedSectionName = { object in
                let value = unsafeDowncast(object, to: Object.self)[keyPath: keyPath] as Any
                return (value as? String) ?? (value as? any OptionalValue)?.text ?? "\(value)"
            }
        }
        follower.controller = self
    }

    /// Fetches the objects and computes the sections (rule F5 of <doc:Core-Data-Rules>).
    ///
    /// The method can be called again at any time.
    /// - Throws: ``FetchError`` when a section key path is set and the request has no sort key, when the section key
    ///   path is not a property, or when the objects of a section are not consecutive; and any error that
    ///   ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)`` throws.
    /// - Precondition: No delegate is being notified of changes; calls in `controllerDidChangeContent` are allowed.
    public func performFetch() throws {
        try follower.fetch {
            try ResultsEngine(
                fetchRequest,
                in: managedObjectContext,
                sectionKey: makeSectionKey(),
                keepsIdentities: true,
                cacheName: cacheName
            )
        }
        forgetKnown()
        follower.notifyOfFetch()
        snapshotDelegate?.controller(self, didChangeContentWith: snapshot)
        eventDelegate?.controller(self, didChangeContentIn: FetchedResultsEvent(controller: self, changes: nil))
    }

    /// Returns the section key for a fetch; `nil` for one section.
    private func makeSectionKey() throws -> ResultsSectionKey? {
        guard let sectionNameKeyPath else { return nil }
        guard !fetchRequest.sortKeys.isEmpty else {
            throw FetchError.missingSortKey(entityName: fetchRequest.entityName)
        }
        if let computedSectionName { return ResultsSectionKey(sectionNameKeyPath, computedBy: computedSectionName) }
        let schema = managedObjectContext.schema
        return try ResultsSectionKey(sectionNameKeyPath, of: schema.runtimeEntity(of: fetchRequest), in: schema)
    }

    /// Deletes the cache files with a name, or all of them, of the stores that the program has opened (rule F43 of
    /// <doc:Core-Data-Rules>).
    ///
    /// After a change by Chordata, an outdated cache is not used, so this method is necessary only if another program
    /// has written to a store without Chordata.
    /// - Parameter name: A ``cacheName``, or `nil` for all cache files.
    public static func deleteCache(withName name: String?) { SectionCacheFile.delete(named: name) }

    // MARK: Contents

    /// The fetched objects in order; `nil` before the first fetch.
    /// - Complexity: O(n) at the first access after a change.
    public var fetchedObjects: [Object]? {
        follower.observers.recordAccess()
        guard let engine = follower.list else { return nil }
        if let knownObjects { return knownObjects }
        var objects: [Object] = []
        objects.reserveCapacity(engine.list.count)
        engine.list.sections.forEach { objects += $0.rows.objects() as [Object] }
        // A controller that keeps object IDs must not retain the objects because they were requested once.
        if !engine.keepsIdentities { knownObjects = objects }
        return objects
    }

    /// The sections; `nil` before the first fetch.
    ///
    /// Without a section key path, there is always one section (rule F4 of <doc:Core-Data-Rules>).
    /// - Complexity: O(n) in the number of sections at the first access after a change.
    public var sections: [FetchedResultsSectionInfo<Object>]? {
        follower.observers.recordAccess()
        guard let engine = follower.list else { return nil }
        if let knownSections { return knownSections }
        var sections: [FetchedResultsSectionInfo<Object>] = []
        engine.list.sections.forEach { sections.append(sectionInfo($0)) }
        knownSections = sections
        return sections
    }

    /// The current results as object IDs in sections; it has no sections before the first fetch.
    /// - Complexity: O(n).
    public var snapshot: FetchedResultsSnapshot { follower.snapshot }

    /// Returns the object at an index path; an index path out of range traps (rule F13 of <doc:Core-Data-Rules>).
    /// - Returns: The object.
    /// - Complexity: O(log n).
    public func object(at indexPath: IndexPath) -> Object { follower.row(at: indexPath).object(as: Object.self) }

    /// Returns the index path of an object.
    /// - Returns: The index path; `nil` when the object is not in the results.
    /// - Complexity: O(log n).
    public func indexPath(forObject object: Object) -> IndexPath? {
        guard let list = follower.list?.list, object.managedObjectContext === managedObjectContext,
            let row = list[object.key], row.isOf(object)
        else { return nil }
        return IndexPath(list.position(of: row))
    }

    /// The index titles of all sections.
    public var sectionIndexTitles: [String] { sections?.map(\.indexTitle) ?? [] }

    /// Returns the index of the section for an index title (rule F12 of <doc:Core-Data-Rules>).
    /// - Parameters:
    ///   - title: One of ``sectionIndexTitles``.
    ///   - sectionIndex: The index of the title in ``sectionIndexTitles``. The index of another title traps.
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

    /// An asynchronous sequence of the future changes to the results, one value for each [event](doc:Glossary#Changes)
    /// and each ``performFetch()``.
    ///
    /// The values are Sendable and are buffered until they are consumed. They are neither dropped nor combined, because
    /// the index paths in each value refer to the results after the previous value. Each access returns a new sequence;
    /// use one for each consumer. The sequence finishes when the controller is released, or when an update fails and
    /// sets ``changeError``. Object IDs can be IDs of unsaved objects.
    ///
    /// ```swift
    /// var shown = controller.snapshot
    /// for await change in controller.changes { shown.apply(change) }
    /// ```
    public var changes: AsyncStream<FetchedResultsChanges> { follower.observers.makeStream() }

    private func report(_ changes: ResultsChanges, to delegate: any FetchedResultsControllerDelegate<Object>) {
        follower.report { reportContent(changes, to: delegate) }
        delegate.controllerDidChangeContent(self)
    }

    private func reportContent(_ changes: ResultsChanges, to delegate: any FetchedResultsControllerDelegate<Object>) {
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
    }
}

extension FetchedResultsController: ListController {
    var hasDelegate: Bool {
        delegate != nil || snapshotDelegate != nil || differenceDelegate != nil || eventDelegate != nil
    }

    func listDidChange(_ changes: ResultsChanges) {
        forgetKnown()
        // If only a delegate observes rows, this value is not needed.
        lazy var values = FetchedResultsChanges(changes)
        follower.observers.notify(values)
        if let snapshotDelegate {
            var snapshot = snapshot
            snapshot.reconfiguredItemIdentifiers = values.reconfiguredItemIdentifiers
            snapshotDelegate.controller(self, didChangeContentWith: snapshot)
            return
        }
        if let differenceDelegate, sectionNameKeyPath == nil {
            differenceDelegate.controller(self, didChangeContentWith: CollectionDifference(values))
            return
        }
        eventDelegate?.controller(self, didChangeContentIn: FetchedResultsEvent(controller: self, changes: changes))
        guard let delegate else { return }
        guard !reportsNewIDs, !changes.rekeyed.isEmpty else { return report(changes, to: delegate) }
        let reported = changes.withoutNewKeys
        if !reported.isEmpty { report(reported, to: delegate) }
    }
}

/// A protocol for recognizing optionals by their type alone.
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
