import CoreData
import Foundation

/// The stack of the app: one coordinator, a context for the screens, and contexts for work in the background.
class CoreDataStack {
    private let directory: URL
    private var observer: NSObjectProtocol?

    init(directory: URL) {
        self.directory = directory
    }

    lazy var managedObjectModel: NSManagedObjectModel = {
        guard
            let modelURL = Bundle.main.url(forResource: "Contacts", withExtension: "momd"),
            let model = NSManagedObjectModel(contentsOf: modelURL)
        else { fatalError("The model is missing") }
        return model
    }()

    lazy var persistentStoreCoordinator: NSPersistentStoreCoordinator = {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: self.managedObjectModel)
        let url = self.directory.appendingPathComponent("Contacts.sqlite")
        let options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
            NSSQLitePragmasOption: ["journal_mode": "WAL"],
        ]
        do {
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType,
                configurationName: nil,
                at: url,
                options: options
            )
        } catch {
            fatalError("Cannot open the store: \(error)")
        }
        return coordinator
    }()

    lazy var mainContext: NSManagedObjectContext = {
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = self.persistentStoreCoordinator
        // Saves of other contexts are merged into the context of the screens.
        self.observer = NotificationCenter.default.addObserver(
            forName: NSNotification.Name.NSManagedObjectContextDidSave,
            object: nil,
            queue: nil
        ) { [weak context, weak self] notification in
            guard
                let context = context,
                let sender = notification.object as? NSManagedObjectContext,
                sender !== context,
                sender.persistentStoreCoordinator === self?.persistentStoreCoordinator
            else { return }
            context.perform {
                context.mergeChanges(fromContextDidSave: notification)
            }
        }
        return context
    }()

    func newWorkerContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    func saveMainContext() {
        guard mainContext.hasChanges else { return }
        do {
            try mainContext.save()
        } catch let error as NSError {
            fatalError("Unresolved error \(error), \(error.userInfo)")
        }
    }

    deinit {
        if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    }
}

/// Runs the main run loop until the condition is true, for at most ten seconds.
func waitOnMainRunLoop(until condition: () -> Bool) {
    let limit = Date(timeIntervalSinceNow: 10)
    while !condition() {
        if Date() > limit { fatalError("The condition did not become true") }
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.02))
    }
}
