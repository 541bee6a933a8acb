import CMallocStatistics
import Chordata
import Foundation
import GRDB

private let waitingCount = 1_000
private let connectionCount = 64
/// The products of the store that fills the cache of each connection.
private let storedCount = 800_000

/// Measures the costs of connections that read and of saves that wait, from which the defaults of the limits are
/// derived.
func measureLimits(_ options: Options, _ stores: Stores) async throws {
    try measureConnections(options, stores)
    for count in [waitingCount, 2 * waitingCount, 4 * waitingCount] {
        try await measureWaiting(count, "saves of background tasks", stores) { container, sample in
            try await container.performBackgroundTask { context in
                _ = Product(context: context, sample)
                try await context.save()
            }
        } waiting: {
            $0.saveQueue.waitingCount
        }
        try await measureWaiting(count, "writes", stores) { container, sample in
            try await container.write { context in _ = Product(context: context, sample) }
        } waiting: {
            $0.writeQueue.waitingCount
        }
    }
}

// MARK: Connections

private func measureConnections(_ options: Options, _ stores: Stores) throws {
    let path = try stores.copy()
    let container = try CatalogModel.container(at: path)
    var random = RequestSource(client: 0, seed: options.seed, keys: stores.keys)
    let samples = (stores.keys.count..<storedCount).map { _ in random.product() }
    try container.newContext().insertValues(samples.map { Product.Values($0) })
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    print("\nConnections: \(connectionCount) open at the same time; the file has \(size >> 20) MiB")
    try measureConnections(container, "one row is read by its ID") { context in
        let products: [Product.Values] = try context.fetchValues(for: [ObjectID<Product>(key: stores.keys[0])])
        precondition(products.count == 1)
    }
    try measureConnections(container, "all rows are read") { context in
        // No index helps with this condition.
        let count = try context.count(for: Product.fetchRequest().where(.contains(\.name, "zzz")))
        precondition(count == 0)
    }
    try stores.remove(path)
}

private func measureConnections(
    _ container: PersistentContainer,
    _ title: String,
    _ read: (ManagedObjectContext) throws -> Void
) throws {
    release_free_memory()
    let before = live_bytes()
    var after = 0
    let clock = ContinuousClock()
    var opening = Duration.zero
    /// Reads in nested transactions of different contexts.
    func nest(_ depth: Int) throws {
        guard depth > 0 else {
            after = live_bytes()
            return
        }
        let context = container.newContext()
        try context.performAndWait {
            opening += try clock.measure { try read(context) }
            try nest(depth - 1)
        }
    }
    try nest(connectionCount)
    let count = container.statistics.readers
    precondition(count.peakOpenCount >= connectionCount)
    var again = Duration.zero
    for _ in 0..<connectionCount {
        let context = container.newContext()
        again += try clock.measure { try context.performAndWait { try read(context) } }
    }
    let bytes = (after - before) / connectionCount
    print(
        "  \(title): \(bytes / 1_024) KiB for each connection; \(opening / connectionCount) with a new connection, "
            + "\(again / connectionCount) with an idle one"
    )
}

// MARK: Saves that wait

private func measureWaiting(
    _ count: Int,
    _ title: String,
    _ stores: Stores,
    _ save: @escaping @Sendable (PersistentContainer, ProductSample) async throws -> Void,
    waiting: (StoreStatistics) -> Int
) async throws {
    let path = try stores.copy()
    let limits = StoreOptions(busyTimeout: .seconds(120), maximumWaitingSaveCount: count)
    let container = try CatalogModel.container(at: path, options: limits)
    // The first save reserves row keys and starts a thread.
    let sample = makeProducts()[0]
    try await save(container, sample)
    // Another connection has locked the store, so the first save has its turn and waits.
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let locking = try DatabaseQueue(path: path, configuration: configuration)
    try await locking.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
    release_free_memory()
    let (before, residentBefore) = (live_bytes(), residentBytes())
    let start = ContinuousClock.now
    let tasks = (0..<count).map { _ in Task { try await save(container, sample) } }
    while waiting(container.statistics) < count - 1 { try await Task.sleep(for: .milliseconds(10)) }
    let (bytes, resident) = (live_bytes() - before, residentBytes() - residentBefore)
    let arrival = ContinuousClock.now - start
    try await locking.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
    let released = ContinuousClock.now
    for task in tasks { try await task.value }
    print(
        "\n\(count) waiting \(title): \(bytes / count) bytes for each, resident \(resident / count); all wait after "
            + "\(arrival), are saved after \(ContinuousClock.now - released)"
    )
    try stores.remove(path)
}

private func residentBytes() -> Int {
    // The second number is the number of resident pages.
    let numbers = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return (numbers.flatMap { Int($0[1]) } ?? 0) * 4_096
}
