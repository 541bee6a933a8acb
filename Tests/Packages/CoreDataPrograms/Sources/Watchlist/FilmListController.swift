import CoreData
import Foundation

#if canImport(UIKit)
    import UIKit
#elseif canImport(AppKit)
    import AppKit
#endif

/// The films in a section for each genre.
final class FilmListController: NSObject {
    private let context: NSManagedObjectContext
    private let fetchedResultsController: NSFetchedResultsController<Film>
    private let dataSource: DiffableDataSource<NSManagedObjectID>
    private var isFirstSnapshot = true

    init(context: NSManagedObjectContext) {
        self.context = context
        let request: NSFetchRequest<Film> = Film.fetchRequest()
        request.sortDescriptors = [
            NSSortDescriptor(keyPath: \Film.genre, ascending: true),
            NSSortDescriptor(keyPath: \Film.title, ascending: true),
        ]
        fetchedResultsController = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: "genre",
            cacheName: nil
        )
        dataSource = DiffableDataSource { [unowned context] objectID in
            (try? context.existingObject(with: objectID) as? Film)?.rowText
        }
        super.init()
        fetchedResultsController.delegate = self
    }

    func load() throws {
        try fetchedResultsController.performFetch()
        dataSource.draw()
    }

    func search(_ text: String) throws {
        if text.isEmpty {
            fetchedResultsController.fetchRequest.predicate = nil
        } else {
            fetchedResultsController.fetchRequest.predicate = NSPredicate(format: "title CONTAINS[cd] %@", text)
        }
        try fetchedResultsController.performFetch()
    }

    func indexPath(of film: Film) -> IndexPath? {
        fetchedResultsController.indexPath(forObject: film)
    }

    func draw() {
        dataSource.draw()
    }

    func stop() {
        fetchedResultsController.delegate = nil
    }
}

extension FilmListController: NSFetchedResultsControllerDelegate {
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        let names = snapshot.sectionIdentifiers as? [String] ?? []
        let sections = names.map { name in
            (name: name, items: snapshot.itemIdentifiersInSection(withIdentifier: name) as? [NSManagedObjectID] ?? [])
        }
        let count = sections.reduce(0) { $0 + $1.items.count }
        if count != snapshot.numberOfItems || names.count != snapshot.numberOfSections {
            print("  INVALID SNAPSHOT: \(count) of \(snapshot.numberOfItems) items")
        }
        dataSource.apply(sections, animatingDifferences: !isFirstSnapshot)
        isFirstSnapshot = false
    }
}
