import CoreData
import Foundation
import TableStandIn

/// All contacts, in a section for each initial.
class ContactsViewController: NSObject {
    let tableView = TableView()
    let managedObjectContext: NSManagedObjectContext
    private var log: [String] = []

    init(managedObjectContext: NSManagedObjectContext) {
        self.managedObjectContext = managedObjectContext
        super.init()
        tableView.dataSource = self
    }

    lazy var fetchedResultsController: NSFetchedResultsController<NSFetchRequestResult> = {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: "Person")
        request.sortDescriptors = [
            NSSortDescriptor(key: "initial", ascending: true),
            NSSortDescriptor(
                key: "lastName",
                ascending: true,
                selector: #selector(NSString.localizedCaseInsensitiveCompare(_:))
            ),
            NSSortDescriptor(key: "firstName", ascending: true),
        ]
        request.fetchBatchSize = 20
        let controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: self.managedObjectContext,
            sectionNameKeyPath: "initial",
            cacheName: "Contacts"
        )
        controller.delegate = self
        return controller
    }()

    func viewDidLoad() {
        NSFetchedResultsController<NSFetchRequestResult>.deleteCache(withName: "Contacts")
        do {
            try fetchedResultsController.performFetch()
        } catch let error as NSError {
            fatalError("Unresolved error \(error), \(error.userInfo)")
        }
        tableView.reloadData()
        tableView.draw()
        print("index: \(fetchedResultsController.sectionIndexTitles.joined())")
        for (index, title) in fetchedResultsController.sectionIndexTitles.enumerated() {
            let section = fetchedResultsController.section(forSectionIndexTitle: title, at: index)
            print("  \(title) is section \(section)")
        }
    }

    func person(at section: Int, _ row: Int) -> Person {
        guard
            let person = fetchedResultsController.object(at: IndexPath(row: row, section: section)) as? Person
        else { fatalError("The row is not a person") }
        return person
    }
}

extension ContactsViewController: TableViewDataSource {
    func numberOfSections(in tableView: TableView) -> Int {
        return fetchedResultsController.sections?.count ?? 0
    }

    func tableView(_ tableView: TableView, numberOfRowsInSection section: Int) -> Int {
        guard let sections = fetchedResultsController.sections else { return 0 }
        return sections[section].numberOfObjects
    }

    func tableView(_ tableView: TableView, textForRow row: Int, inSection section: Int) -> String {
        let person = self.person(at: section, row)
        var text = person.displayName
        if let phone = person.phone { text += " \(phone)" }
        if let group = person.group?.name { text += " (\(group))" }
        return text
    }

    func tableView(_ tableView: TableView, titleForHeaderInSection section: Int) -> String? {
        return fetchedResultsController.sections?[section].indexTitle
    }
}

extension ContactsViewController: NSFetchedResultsControllerDelegate {
    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.removeAll()
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
            log.append("section \(sectionInfo.name) inserted at \(sectionIndex)")
        case .delete:
            tableView.deleteSections(IndexSet(integer: sectionIndex))
            log.append("section \(sectionInfo.name) deleted at \(sectionIndex)")
        default:
            return
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        let name = (anObject as? Person)?.displayName ?? "?"
        switch (type, indexPath, newIndexPath) {
        case (.insert, _, let new?):
            tableView.insertRows(at: [new])
            log.append("\(name) inserted at \(new.section).\(new.row)")
        case (.delete, let old?, _):
            tableView.deleteRows(at: [old])
            log.append("\(name) deleted at \(old.section).\(old.row)")
        case (.update, let old?, _):
            tableView.reloadRows(at: [old])
            log.append("\(name) updated at \(old.section).\(old.row)")
        case (.move, let old?, let new?):
            tableView.deleteRows(at: [old])
            tableView.insertRows(at: [new])
            log.append("\(name) moved from \(old.section).\(old.row) to \(new.section).\(new.row)")
        default:
            log.append("\(name): index paths are missing")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        tableView.endUpdates()
        for line in log.sorted() { print("  * \(line)") }
    }
}

extension IndexPath {
    // UIKit declares these.
    init(row: Int, section: Int) {
        self.init(indexes: [section, row])
    }

    var section: Int { return self[0] }
    var row: Int { return self[1] }
}
