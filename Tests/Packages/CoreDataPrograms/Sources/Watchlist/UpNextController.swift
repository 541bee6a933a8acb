import CoreData
import Foundation

/// The films that are not watched yet, in the order in which they were added.
final class UpNextController: NSObject, NSFetchedResultsControllerDelegate {
    private let context: NSManagedObjectContext
    private let controller: NSFetchedResultsController<Film>
    private var identifiers: [NSManagedObjectID] = []
    private var isLoaded = false

    init(context: NSManagedObjectContext) throws {
        self.context = context
        let request: NSFetchRequest<Film> = Film.fetchRequest()
        request.predicate = NSPredicate(format: "isWatched == %@", NSNumber(value: false))
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Film.addedAt, ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        super.init()
        controller.delegate = self
        try controller.performFetch()
        identifiers = controller.fetchedObjects?.map(\.objectID) ?? []
        isLoaded = true
    }

    var titles: [String] {
        identifiers.map { (context.object(with: $0) as? Film)?.title ?? "?" }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        guard isLoaded else { return }
        guard let changed = identifiers.applying(diff) else {
            return print("  INVALID DIFFERENCE")
        }
        identifiers = changed
        let moves = diff.insertions.filter { change in
            if case .insert(_, _, let origin) = change { return origin != nil }
            return false
        }
        print("  \(diff.insertions.count) in, \(diff.removals.count) out, \(moves.count) moved")
    }
}
