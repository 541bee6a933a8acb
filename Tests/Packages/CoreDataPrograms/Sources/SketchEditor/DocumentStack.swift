import CoreData
import Foundation

/// A document is a store with one context, whose changes can be undone.
class DocumentStack {
    let url: URL
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let undoManager = UndoManager()

    init(url: URL) throws {
        self.url = url
        guard let model = NSManagedObjectModel.mergedModel(from: [Bundle.main]) else {
            fatalError("The model is missing")
        }
        self.model = model
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        undoManager.groupsByEvent = false
        undoManager.levelsOfUndo = 20
        context.undoManager = undoManager

        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: url,
            options: nil
        )
        var metadata = coordinator.metadata(for: store)
        metadata["EditorVersion"] = 3
        coordinator.setMetadata(metadata, for: store)
    }

    /// Saves the document and returns the code of the error.
    func save() -> Int? {
        do {
            try context.save()
            return nil
        } catch let error as NSError {
            return error.code
        }
    }

    func close() {
        for store in coordinator.persistentStores {
            do {
                try coordinator.remove(store)
            } catch {
                print("cannot close: \(error)")
            }
        }
    }
}
