#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The results of a controller at one point in time, as object IDs in sections.
///
/// A snapshot is Sendable. To update a copy in another isolation, call ``apply(_:)`` on the copy.
public struct FetchedResultsSnapshot: Sendable, Hashable {
    /// A section of a snapshot: consecutive rows with the same section name.
    public struct Section: Sendable, Hashable {
        /// The value of the section key path as a string.
        ///
        /// For a ``HierarchicalResultsController``, the URI of the section's parent object. Without a section key path,
        /// an empty string.
        public internal(set) var name: String
        /// The object IDs of the rows, in order.
        public internal(set) var itemIdentifiers: [ManagedObjectID]
    }

    /// The sections, in order; for a ``FetchedResultsController`` without a section key path, there is always one
    /// section after the first fetch.
    public internal(set) var sections: [Section]
    /// The object IDs of the rows that were in the list before the last event (see <doc:Glossary>) and that the event
    /// changed, whether they moved or not; empty in ``FetchedResultsController/snapshot`` and in the snapshot after a
    /// fetch.
    public internal(set) var reconfiguredItemIdentifiers: [ManagedObjectID] = []

    /// The names of the sections.
    public var sectionIdentifiers: [String] { sections.map(\.name) }
    /// The object IDs of all objects of the list.
    public var itemIdentifiers: [ManagedObjectID] { sections.flatMap(\.itemIdentifiers) }
    /// The number of sections.
    public var numberOfSections: Int { sections.count }
    /// The number of rows in all sections.
    public var numberOfItems: Int { sections.reduce(0) { $0 + $1.itemIdentifiers.count } }

    /// Returns the object IDs of the rows of a section.
    /// - Parameter name: The name of the section; see ``sectionIdentifiers``.
    /// - Returns: The object IDs, in order; `nil` when no section has that name.
    public func itemIdentifiers(inSection name: String) -> [ManagedObjectID]? {
        sections.first { SectionName($0.name) == SectionName(name) }?.itemIdentifiers
    }

    init(sections: [Section]) { self.sections = sections }

    init(_ list: ResultsList) {
        sections = []
        list.sections.forEach { sections.append(Section(name: $0.name.text, itemIdentifiers: $0.rows.objectIDs)) }
    }

    init(_ hierarchy: ResultsHierarchy) {
        sections = (0..<hierarchy.count).map { index in
            Section(name: hierarchy[index].name, itemIdentifiers: hierarchy[index].rows.objectIDs)
        }
    }

    /// The object ID at an index path; an index path out of range traps.
    /// - Returns: The object ID.
    public subscript(indexPath: IndexPath) -> ManagedObjectID {
        sections[indexPath.section].itemIdentifiers[indexPath.row]
    }

    /// Applies changes to the snapshot.
    /// - Parameter changes: The next changes of the controller from which the snapshot comes.
    /// - Precondition: The changes come from the same controller and directly follow the snapshot or the changes that
    ///   were applied last.
    public mutating func apply(_ changes: FetchedResultsChanges) {
        if let fetched = changes.fetched {
            self = fetched
            return
        }
        for old in changes.rows.lazy.filter({ $0.type != .update }).compactMap(\.indexPath).sorted().reversed() {
            sections[old.section].itemIdentifiers.remove(at: old.row)
        }
        for section in changes.deletedSections.reversed() { sections.remove(at: section.index) }
        for section in changes.insertedSections {
            sections.insert(Section(name: section.name, itemIdentifiers: []), at: section.index)
        }
        for section in changes.updatedSections { sections[section.index].name = section.name }
        // These rows are in the order of their new index paths.
        for row in changes.rows where row.type == .insert || row.type == .move {
            guard let new = row.newIndexPath else { continue }
            sections[new.section].itemIdentifiers.insert(row.objectID, at: new.row)
        }
        // A save may have given these objects other object IDs.
        for row in changes.rows where row.type == .update {
            guard let new = row.newIndexPath else { continue }
            sections[new.section].itemIdentifiers[new.row] = row.objectID
        }
        reconfiguredItemIdentifiers = changes.reconfiguredItemIdentifiers
    }
}
