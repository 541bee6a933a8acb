import CoreData
import Foundation

/// The notes that a device shows.
@MainActor
final class NotesScreen {
    private let context: NSManagedObjectContext
    private var notes: [Note] = []

    init(_ device: Device) {
        context = device.container.viewContext
        context.automaticallyMergesChangesFromParent = false
    }

    func load() throws {
        let request: NSFetchRequest<Note> = Note.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Note.remoteID, ascending: true)]
        notes = try context.fetch(request)
    }

    var titles: [String] { notes.map { $0.title ?? "" } }
}
