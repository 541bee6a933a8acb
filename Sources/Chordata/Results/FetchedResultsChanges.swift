#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The changes to the results of a controller in one [event](doc:Glossary#Changes), as a Sendable value.
///
/// Old index paths and section indexes refer to the results before the event, and new index paths and section indexes
/// refer to the results after the event. To update a copy of the results, remove the rows with an old index path and
/// then the deleted sections, each in descending order; then insert the inserted sections and then the rows with a new
/// index path, each in ascending order. ``FetchedResultsSnapshot/apply(_:)`` does this.
public struct FetchedResultsChanges: Sendable, Hashable {
    /// An inserted, deleted or updated section.
    public struct Section: Sendable, Hashable {
        /// The index of the section: before the [event](doc:Glossary#Changes) for a deleted section, after the event
        /// for an inserted or updated section.
        public let index: Int
        /// The value of the section key path as a string.
        ///
        /// For a ``HierarchicalResultsController``, the URI of the section's parent object.
        public let name: String
    }

    /// The change of one row.
    public struct Row: Sendable, Hashable {
        /// The object ID of the object after the [event](doc:Glossary#Changes).
        public let objectID: ManagedObjectID
        /// The kind of change.
        public let type: FetchedResultsChangeType
        /// The index path before the [event](doc:Glossary#Changes); `nil` for an inserted row.
        public let indexPath: IndexPath?
        /// The index path after the [event](doc:Glossary#Changes); `nil` for a deleted row.
        public let newIndexPath: IndexPath?
    }

    /// The complete results after ``FetchedResultsController/performFetch()``; `nil` for all other changes, which the
    /// other properties describe.
    public let fetched: FetchedResultsSnapshot?
    /// The deleted sections, by ascending index.
    public let deletedSections: [Section]
    /// The inserted sections, by ascending index.
    public let insertedSections: [Section]
    /// For a ``HierarchicalResultsController``, the sections whose parent objects changed but were not moved, by
    /// ascending index after the [event](doc:Glossary#Changes).
    ///
    /// The array is empty if a key path defines the sections.
    public let updatedSections: [Section]
    /// The changed rows: deletions by ascending old index path, then all others by ascending new index path.
    public let rows: [Row]

    var reconfiguredItemIdentifiers: [ManagedObjectID] {
        rows.lazy.filter { $0.type == .update || $0.type == .move }.map(\.objectID)
    }

    init(fetched: FetchedResultsSnapshot) {
        self.fetched = fetched
        (deletedSections, insertedSections, updatedSections, rows) = ([], [], [], [])
    }

    init(_ changes: ResultsChanges) {
        fetched = nil
        deletedSections = changes.deletedSections.map { Section(index: $0.index, name: $0.section.name.text) }
        insertedSections = changes.insertedSections.map { Section(index: $0.index, name: $0.section.name.text) }
        updatedSections = []
        rows = changes.rows.map(Row.init)
    }

    init(_ changes: ResultsHierarchyChanges) {
        func sections(_ changes: [ResultsHierarchyChanges.SectionChange]) -> [Section] {
            changes.map { Section(index: $0.index, name: $0.section.name) }
        }
        fetched = nil
        deletedSections = sections(changes.deletedSections)
        insertedSections = sections(changes.insertedSections)
        updatedSections = sections(changes.updatedSections)
        rows = changes.rows.map(Row.init)
    }
}

extension FetchedResultsChanges.Row {
    fileprivate init(_ change: ResultsChanges.RowChange) {
        let (row, type, old, new) = change.parts
        self.init(
            objectID: row.objectID,
            type: type,
            indexPath: old.map { IndexPath($0) },
            newIndexPath: new.map { IndexPath($0) }
        )
    }
}

extension CollectionDifference<ManagedObjectID> {
    /// The changes of an event to the only section of a list; a changed row is removed and inserted.
    init(_ changes: FetchedResultsChanges) {
        let parts = changes.rows.flatMap { row in
            let (old, new) = (row.indexPath?.row, row.newIndexPath?.row)
            let removal = old.map { Change.remove(offset: $0, element: row.objectID, associatedWith: new) }
            let insertion = new.map { Change.insert(offset: $0, element: row.objectID, associatedWith: old) }
            return [removal, insertion].compactMap { $0 }
        }
        guard let difference = CollectionDifference(parts) else {
            preconditionFailure(
                "two rows of the changes have the same index path; each row must have an index path of its own"
            )
        }
        self = difference
    }
}
