import CoreData
import Foundation
import TableStandIn

/// A list of one section on the screen, with the text of each row.
final class ListController<Object: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate, TableViewDataSource {
    let tableView = TableView()
    let fetchedResultsController: NSFetchedResultsController<Object>
    private let text: (Object) -> String
    private var log: [String] = []

    init(
        _ request: NSFetchRequest<Object>,
        context: NSManagedObjectContext,
        text: @escaping (Object) -> String
    ) throws {
        self.text = text
        fetchedResultsController = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        super.init()
        tableView.dataSource = self
        fetchedResultsController.delegate = self
        try fetchedResultsController.performFetch()
        tableView.reloadData()
    }

    var objects: [Object] {
        return fetchedResultsController.fetchedObjects ?? []
    }

    /// Prints the changes since the last call, then the rows.
    func flush() {
        for line in log { print("  * \(line)") }
        log = []
        tableView.draw()
    }

    // MARK: TableViewDataSource

    func numberOfSections(in tableView: TableView) -> Int {
        return fetchedResultsController.sections?.count ?? 0
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        return fetchedResultsController.sections?[section].numberOfObjects ?? 0
    }

    func tableView(_ tableView: TableView, textForRow row: Int, inSection section: Int) -> String {
        return text(fetchedResultsController.object(at: IndexPath(indexes: [section, row])))
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        return nil
    }

    // MARK: NSFetchedResultsControllerDelegate

    private var changes: [String] = []

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        tableView.beginUpdates()
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        switch type {
        case .insert:
            if let path = newIndexPath {
                tableView.insertRows(at: [path])
                changes.append("insert \(path[1])")
            }
        case .delete:
            if let path = indexPath {
                tableView.deleteRows(at: [path])
                changes.append("delete \(path[1])")
            }
        case .move:
            if let path = indexPath, let newPath = newIndexPath {
                tableView.moveRow(at: path, to: newPath)
                changes.append("move \(path[1]) to \(newPath[1])")
            }
        case .update:
            if let path = indexPath {
                tableView.reloadRows(at: [path])
                changes.append("update \(path[1])")
            }
        @unknown default:
            break
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        tableView.endUpdates()
        log += changes.sorted()
        changes = []
    }
}
