import CoreData
import Foundation

enum SightingsError: Error {
    case batchInsertFailed
}

/// The store of the app.
///
/// Imports bypass the contexts; the persistent history brings them to the view context.
final class SightingsStore {
    static let appAuthor = "app"

    let container: NSPersistentContainer
    private(set) var sawRemoteChange = false
    private var lastToken: NSPersistentHistoryToken?
    private var observer: NSObjectProtocol?

    init(url: URL) throws {
        container = NSPersistentContainer(name: "Sightings")
        guard let description = container.persistentStoreDescriptions.first else {
            fatalError("The container has no description")
        }
        description.url = url
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        var loadError: Error?
        container.loadPersistentStores { _, error in loadError = error }
        if let error = loadError { throw error }

        let viewContext = container.viewContext
        viewContext.name = "viewContext"
        viewContext.transactionAuthor = SightingsStore.appAuthor
        viewContext.automaticallyMergesChangesFromParent = false
        viewContext.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        viewContext.undoManager = nil

        observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange,
            object: container.persistentStoreCoordinator,
            queue: nil
        ) { [weak self] _ in
            DispatchQueue.main.async { self?.sawRemoteChange = true }
        }
    }

    deinit {
        if let observer = observer { NotificationCenter.default.removeObserver(observer) }
    }

    private func newTaskContext(author: String) -> NSManagedObjectContext {
        let context = container.newBackgroundContext()
        context.name = "\(author)Context"
        context.transactionAuthor = author
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        context.undoManager = nil
        return context
    }

    // MARK: Imports

    /// Inserts the rows, and returns their number.
    func insertRows(_ rows: [SightingRow]) async throws -> Int {
        let context = newTaskContext(author: "import")
        return try await context.perform {
            var index = 0
            let request = NSBatchInsertRequest(entity: Sighting.entity()) { (dictionary: NSMutableDictionary) -> Bool in
                guard index < rows.count else { return true }
                dictionary.addEntries(from: rows[index].dictionaryValue)
                index += 1
                return false
            }
            request.resultType = .count
            guard
                let result = try context.execute(request) as? NSBatchInsertResult,
                let count = result.result as? Int
            else { throw SightingsError.batchInsertFailed }
            return count
        }
    }

    /// Inserts the rows, whose values replace those of existing rows with the same code.
    func upsertRows(_ rows: [SightingRow]) async throws {
        let context = newTaskContext(author: "import")
        try await context.perform {
            let request = NSBatchInsertRequest(entityName: "Sighting", objects: rows.map(\.dictionaryValue))
            request.resultType = .statusOnly
            let result = try context.execute(request) as? NSBatchInsertResult
            guard result?.result as? Bool == true else { throw SightingsError.batchInsertFailed }
        }
    }

    // MARK: Changes in the background

    func verify(species: String) async throws -> Int {
        let context = newTaskContext(author: "verify")
        return try await context.perform {
            let request = NSBatchUpdateRequest(entity: Sighting.entity())
            request.predicate = NSPredicate(format: "species ==[c] %@", species)
            request.propertiesToUpdate = ["isVerified": NSNumber(value: true)]
            request.resultType = .updatedObjectsCountResultType
            let result = try context.execute(request) as? NSBatchUpdateResult
            return result?.result as? Int ?? 0
        }
    }

    func correct(code: String, quantity: Int32) async throws {
        let context = newTaskContext(author: "correct")
        try await context.perform {
            let request: NSFetchRequest<Sighting> = Sighting.fetchRequest()
            request.predicate = NSPredicate(format: "code == %@", code)
            try context.fetch(request).first?.quantity = quantity
            try context.save()
        }
    }

    func deleteSightings(fewerThan quantity: Int) async throws -> Int {
        let context = newTaskContext(author: "delete")
        return try await context.perform {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: "Sighting")
            request.predicate = NSPredicate(format: "quantity < %d", quantity)
            request.resultType = .managedObjectIDResultType
            let delete = NSBatchDeleteRequest(objectIDs: try context.fetch(request))
            delete.resultType = .resultTypeCount
            let result = try context.execute(delete) as? NSBatchDeleteResult
            return result?.result as? Int ?? 0
        }
    }

    // MARK: History

    /// Merges the transactions of other authors since the last call into the view context, and returns them.
    func mergeHistory() async throws -> [NSPersistentHistoryTransaction] {
        let token = lastToken
        let context = newTaskContext(author: "history")
        let transactions: [NSPersistentHistoryTransaction] = try await context.perform {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            if let fetchRequest = NSPersistentHistoryTransaction.fetchRequest {
                fetchRequest.predicate = NSPredicate(format: "author != %@", SightingsStore.appAuthor)
                request.fetchRequest = fetchRequest
            }
            request.resultType = .transactionsAndChanges
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }
        let viewContext = container.viewContext
        await viewContext.perform {
            for transaction in transactions {
                viewContext.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            }
        }
        lastToken = transactions.last?.token ?? token
        return transactions
    }

    /// Deletes the history and returns how many transactions are left.
    func deleteHistory() async throws -> Int {
        let context = newTaskContext(author: "history")
        return try await context.perform {
            _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return (result?.result as? [NSPersistentHistoryTransaction])?.count ?? 0
        }
    }
}
