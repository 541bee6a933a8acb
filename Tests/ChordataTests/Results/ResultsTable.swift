import Chordata
import Foundation
import Testing

/// A table that uses only the delegate, and replays its calls as a table view does: deletions by their old index paths,
/// then insertions by their new ones (F25, F26, S33–S35), in any order of the calls (F36).
final class ResultsTable<Object: ManagedObject>: FetchedResultsControllerDelegate {
    var rows: [[ManagedObjectID]] = []
    private(set) var willCount = 0
    private(set) var didCount = 0
    /// The moves, updates, insertions and deletions of the last event.
    private(set) var changes: [(type: FetchedResultsChangeType, id: ManagedObjectID)] = []
    private var deletes: [IndexPath] = []
    private var inserts: [(IndexPath, ManagedObjectID)] = []
    private var updates: [(IndexPath, ManagedObjectID)] = []
    private var sectionDeletes: [Int] = []
    private var sectionInserts: [Int] = []

    func show(_ controller: FetchedResultsController<Object>) {
        rows = controller.sections?.map { $0.objects.map(\.objectID) } ?? []
    }

    func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {
        willCount += 1
        (deletes, inserts, updates, sectionDeletes, sectionInserts, changes) = ([], [], [], [], [], [])
    }

    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange object: Object,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        changes.append((type, object.objectID))
        #expect((indexPath == nil) == (type == .insert) && (newIndexPath == nil) == (type == .delete))
        // F23: the controller already returns the new state.
        if let newIndexPath { #expect(controller.object(at: newIndexPath) === object) }
        if type == .update, let newIndexPath { updates.append((newIndexPath, object.objectID)) }
        if type == .update { return }
        if let indexPath { deletes.append(indexPath) }
        if let newIndexPath { inserts.append((newIndexPath, object.objectID)) }
    }

    func controller(
        _ controller: FetchedResultsController<Object>,
        didChange sectionInfo: FetchedResultsSectionInfo<Object>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        #expect(changes.isEmpty)
        #expect((sectionInfo.numberOfObjects == 0) == (type == .delete))
        if type == .delete { sectionDeletes.append(sectionIndex) } else { sectionInserts.append(sectionIndex) }
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {
        didCount += 1
        for path in deletes.sorted().reversed() { rows[path.section].remove(at: path.row) }
        for index in sectionDeletes.sorted().reversed() {
            #expect(rows[index].isEmpty)
            rows.remove(at: index)
        }
        for index in sectionInserts.sorted() { rows.insert([], at: index) }
        for (path, id) in inserts.sorted(by: { $0.0 < $1.0 }) { rows[path.section].insert(id, at: path.row) }
        // A save may have changed the ID of an object.
        for (path, id) in updates { rows[path.section][path.row] = id }
    }
}
