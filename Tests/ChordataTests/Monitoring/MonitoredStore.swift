import ChordataTestStores
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// A store whose saves can fail for every reason: its objects have a required name that must be unique.
struct MonitoredStore {
    let container: PersistentContainer

    init(path: String, options: StoreOptions = StoreOptions()) throws {
        var name = AttributeDescription(name: "name", attributeType: .string)
        name.isOptional = false
        let entity = EntityDescription(
            name: "Item",
            attributes: [name, AttributeDescription(name: "count", attributeType: .integer64, isOptional: true)],
            uniquenessConstraints: [["name"]]
        )
        let definition = ModelDefinition(
            name: "Monitored",
            versionName: "Monitored",
            model: try ManagedObjectModel(entities: [entity])
        )
        container = try definition.testContainer(at: path, options: options)
        // The first row keys are reserved by an insertion, in a separate transaction.
        try container.store.ensureKeys()
    }

    static var request: FetchRequest<ManagedObject> { FetchRequest(entityName: "Item") }

    @discardableResult
    static func insert(_ name: String?, _ context: ManagedObjectContext) -> ManagedObject {
        let item = EntityDescription.insertNewObject(forEntityName: "Item", into: context)
        if let name { item.setValue(name, forKey: "name") }
        return item
    }

    /// Creates a context with the given parent.
    static func child(of parent: ManagedObjectContext) -> ManagedObjectContext {
        let child = ManagedObjectContext(isolation: nil)
        child.parent = parent
        return child
    }

    /// Inserts an object in a new context and saves it.
    func save(_ name: String) throws -> ManagedObjectID {
        let context = container.newContext(isolation: nil)
        let item = Self.insert(name, context)
        try context.save()
        return item.objectID
    }

    func names() throws -> [String] {
        try container.newContext(isolation: nil).fetch(Self.request).compactMap { $0.value(forKey: "name") as? String }
            .sorted()
    }

    var statistics: StoreStatistics { container.statistics }
    var sqlite: SQLiteStore { container.store.sqlite }

    /// Waits until a condition is true because of other threads.
    static func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Starts tasks that wait in a queue, one after another.
    static func start(_ bodies: [@Sendable () async throws -> Void], waitingIn queue: WriteQueue) async throws
        -> [Task<Void, any Error>]
    {
        var tasks: [Task<Void, any Error>] = []
        for (number, body) in bodies.enumerated() {
            tasks.append(Task.detached { try await body() })
            try await until { queue.waitingCount == number + 1 }
        }
        return tasks
    }

    /// Starts tasks one after another while the store is not available, waits for some time, and ends when all tasks
    /// have ended.
    /// - Returns: The results, and the minimum time for which every task has waited.
    func whileTaken(
        by queue: WriteQueue? = nil,
        for time: Duration = .zero,
        _ bodies: [@Sendable () async throws -> Void]
    ) async throws -> (results: [Result<Void, any Error>], time: Duration) {
        let queue = queue ?? sqlite.writeQueue
        try await queue.takeTurn()
        let tasks = try await Self.start(bodies, waitingIn: queue)
        let start = ContinuousClock.now
        try await Self.until { .now - start >= time }
        let waited = .now - start
        queue.finishTurn()
        var results: [Result<Void, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return (results, waited)
    }
}

/// Keeps the records of a save logger.
final class SaveLog: Sendable {
    private let records = Mutex<[SaveLogger.Record]>([])
    var logger: SaveLogger { SaveLogger { [self] record in records.withLock { $0.append(record) } } }

    /// The records since the last call.
    func take() -> [SaveLogger.Record] {
        records.withLock { records in
            defer { records = [] }
            return records
        }
    }
}

extension SaveLogger.Record {
    /// The numbers of inserted, updated and deleted objects.
    var counts: [Int] { [insertedCount, updatedCount, deletedCount] }
}
