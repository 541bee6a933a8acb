import CoreData
import Foundation
import TableStandIn

/// The screen with all items, in a section for each list.
final class TodoListController: NSObject {
    let tableView = TableView()
    private let context: NSManagedObjectContext
    /// The changes that the results controller reported in the current batch, for the console.
    private var log: [String] = []

    init(context: NSManagedObjectContext) {
        self.context = context
        super.init()
        tableView.dataSource = self
    }

    lazy var fetchedResultsController: NSFetchedResultsController<TodoItem> = {
        let request: NSFetchRequest<TodoItem> = TodoItem.fetchRequest()
        request.predicate = NSPredicate(format: "list != nil")
        request.sortDescriptors = [
            NSSortDescriptor(key: "list.name", ascending: true),
            NSSortDescriptor(key: "isDone", ascending: true),
            NSSortDescriptor(key: "priority", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: "list.name",
            cacheName: nil
        )
        controller.delegate = self
        return controller
    }()

    func viewDidLoad() {
        do {
            try fetchedResultsController.performFetch()
        } catch {
            fatalError("Failed to fetch the items: \(error)")
        }
        tableView.reloadData()
        tableView.draw()
    }

    func item(titled title: String) -> TodoItem {
        guard let item = fetchedResultsController.fetchedObjects?.first(where: { $0.title == title }) else {
            fatalError("There is no item '\(title)'")
        }
        return item
    }

    func toggle(_ title: String) {
        let item = self.item(titled: title)
        item.isDone = !item.isDone
    }
}

extension TodoListController: TableViewDataSource {
    func numberOfSections(in tableView: TableView) -> Int {
        return fetchedResultsController.sections?.count ?? 0
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        return fetchedResultsController.sections?[section].numberOfObjects ?? 0
    }

    func tableView(_ tableView: TableView, textForRow row: Int, inSection section: Int) -> String {
        return fetchedResultsController.object(at: IndexPath(row: row, section: section)).rowText
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        guard let info = fetchedResultsController.sections?[section] else { return nil }
        return "\(info.name) (\(info.numberOfObjects))"
    }
}

extension TodoListController: NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log = []
        tableView.beginUpdates()
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int,
        for type: NSFetchedResultsChangeType
    ) {
        switch type {
        case .insert:
            tableView.insertSections(IndexSet(integer: sectionIndex))
            log.append("insert section \(sectionIndex) \(sectionInfo.name)")
        case .delete:
            tableView.deleteSections(IndexSet(integer: sectionIndex))
            log.append("delete section \(sectionIndex) \(sectionInfo.name)")
        default:
            break
        }
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
            guard let newIndexPath = newIndexPath else { return }
            tableView.insertRows(at: [newIndexPath])
            log.append("insert \(newIndexPath.shortText)")
        case .delete:
            guard let indexPath = indexPath else { return }
            tableView.deleteRows(at: [indexPath])
            log.append("delete \(indexPath.shortText)")
        case .update:
            guard let indexPath = indexPath else { return }
            tableView.reloadRows(at: [indexPath])
            log.append("update \(indexPath.shortText)")
        case .move:
            guard let indexPath = indexPath, let newIndexPath = newIndexPath else { return }
            tableView.moveRow(at: indexPath, to: newIndexPath)
            log.append("move \(indexPath.shortText) -> \(newIndexPath.shortText)")
        @unknown default:
            fatalError("Unknown change type")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        tableView.endUpdates()
        for line in log.sorted() { print("  * \(line)") }
        tableView.draw()
    }
}

extension IndexPath {
    // UIKit declares these.
    init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    var section: Int { return self[0] }
    var row: Int { return self[1] }

    var shortText: String { return "\(section).\(row)" }
}
