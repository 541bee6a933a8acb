import Chordata
import DoneList
import Foundation

/// The whole list.
struct ListMessage: Encodable, Sendable {
    struct Section: Encodable, Sendable {
        let title: String
        let items: [DoneList.Item]
    }

    let sections: [Section]

    @MainActor
    init(_ snapshot: FetchedResultsSnapshot, of list: DoneList) {
        sections = snapshot.sections.map { section in
            Section(
                title: DoneList.title(ofSection: section.name),
                items: section.itemIdentifiers.map(list.item)
            )
        }
    }
}

/// The changes of the list in one event.
struct ChangeMessage: Encodable, Sendable {
    struct Section: Encodable, Sendable {
        let index: Int
        let title: String
    }

    struct Row: Encodable, Sendable {
        /// Section and row before the event.
        let old: [Int]?
        /// Section and row after the event.
        let new: [Int]?
        let item: DoneList.Item
    }

    let deletedSections: [Int]
    let insertedSections: [Section]
    let rows: [Row]

    @MainActor
    init(_ changes: FetchedResultsChanges, of list: DoneList) {
        deletedSections = changes.deletedSections.map(\.index)
        insertedSections = changes.insertedSections.map {
            Section(index: $0.index, title: DoneList.title(ofSection: $0.name))
        }
        rows = changes.rows.map { row in
            Row(
                old: row.indexPath.map { [$0.section, $0.row] },
                new: row.newIndexPath.map { [$0.section, $0.row] },
                item: list.item(row.objectID)
            )
        }
    }
}
