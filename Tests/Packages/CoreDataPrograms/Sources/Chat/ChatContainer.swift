import CoreData
import Foundation

/// The container of the app, whose stores are in a folder of their own.
final class ChatContainer: NSPersistentContainer {
    private static let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("Chat-\(ProcessInfo.processInfo.processIdentifier)", isDirectory: true)

    override class func defaultDirectoryURL() -> URL {
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        return directory
    }

    static func open() -> ChatContainer {
        let container = ChatContainer(name: "Chat")
        container.loadPersistentStores { description, error in
            if let error = error {
                fatalError("Cannot open \(description.url?.lastPathComponent ?? "the store"): \(error)")
            }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
        container.viewContext.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        return container
    }

    func removeFiles() {
        let coordinator = persistentStoreCoordinator
        for store in coordinator.persistentStores {
            guard let url = store.url else { continue }
            do {
                try coordinator.remove(store)
                try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
            } catch {
                print("cannot remove the store: \(error)")
            }
        }
        try? FileManager.default.removeItem(at: ChatContainer.directory)
    }
}

/// Runs the main run loop until the condition is true, for at most ten seconds.
func waitOnMain(until condition: () -> Bool) {
    let limit = Date().addingTimeInterval(10)
    while !condition() {
        if Date() > limit { fatalError("The condition did not become true") }
        _ = RunLoop.main.run(mode: .default, before: Date().addingTimeInterval(0.02))
    }
}
