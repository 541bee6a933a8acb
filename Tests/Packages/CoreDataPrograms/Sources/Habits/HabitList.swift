import CoreData
import Foundation

/// The list of habits, whose controller calls the delegate on the main queue.
@MainActor
final class HabitList: NSObject {
    private let controller: NSFetchedResultsController<Habit>
    private var changes: [String] = []
    private(set) var numberOfBatches = 0

    init(context: NSManagedObjectContext) throws {
        let request: NSFetchRequest<Habit> = Habit.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Habit.sortOrder, ascending: true)]
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

    var habits: [Habit] { controller.fetchedObjects ?? [] }

    /// Prints the changes since the last call.
    func printChanges() {
        print("  changes: \(changes.sorted())")
        changes = []
    }

    func draw() {
        changes = []
        for habit in habits { print("  \(habit.summary)") }
    }

    private func record(_ change: String) { changes.append(change) }

    private func endBatch() { numberOfBatches += 1 }
}

extension HabitList: NSFetchedResultsControllerDelegate {
    nonisolated func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        let change =
            switch type {
            case .insert: "insert \(newIndexPath?.last ?? -1)"
            case .delete: "delete \(indexPath?.last ?? -1)"
            case .move: "move \(indexPath?.last ?? -1) to \(newIndexPath?.last ?? -1)"
            case .update: "update \(indexPath?.last ?? -1)"
            @unknown default: "unknown"
            }
        MainActor.assumeIsolated { record(change) }
    }

    nonisolated func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
        MainActor.assumeIsolated { endBatch() }
    }
}
