import CoreData
import Foundation

/// The list on the screen, which counts the reported changes.
final class SightingList: NSObject, NSFetchedResultsControllerDelegate {
    private let controller: NSFetchedResultsController<Sighting>
    private var counts: [String: Int] = [:]

    init(context: NSManagedObjectContext) throws {
        let request: NSFetchRequest<Sighting> = Sighting.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Sighting.code, ascending: true)]
        controller = NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: nil,
            cacheName: nil
        )
        super.init()
        controller.delegate = self
        try controller.performFetch()
    }

    func reload() throws {
        controller.managedObjectContext.refreshAllObjects()
        try controller.performFetch()
        counts = [:]
    }

    var count: Int { controller.fetchedObjects?.count ?? 0 }

    func draw() {
        let changes = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        if !changes.isEmpty { print("  * \(changes.joined(separator: ", "))") }
        counts = [:]
        for sighting in controller.fetchedObjects ?? [] {
            let mark = sighting.isVerified ? ", verified" : ""
            print("  \(sighting.code ?? ""): \(sighting.quantity) x \(sighting.species ?? "")\(mark)")
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
        case .insert: counts["inserted", default: 0] += 1
        case .delete: counts["deleted", default: 0] += 1
        case .move: counts["moved", default: 0] += 1
        case .update: counts["updated", default: 0] += 1
        @unknown default: break
        }
    }
}
