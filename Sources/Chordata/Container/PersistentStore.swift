internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An open store, which its contexts share.
///
/// The store has the model's classes, assigns [row keys](doc:Glossary#Store) to new objects, and passes changes between
/// contexts.
public final class PersistentStore: Sendable {
    /// The type of a store.
    public enum StoreType: Sendable, Hashable {
        /// A store in an SQLite file.
        case sqlite
        /// A store in memory, which is deleted when its coordinator is released.
        case inMemory
        /// A store on a PostgreSQL server; see the module `ChordataPostgres`.
        case postgresql
    }

    /// The identifier of the store, which never changes.
    public let identifier: UUID
    /// The SQLite database; `nil` for a store on a server.
    let database: SQLiteStore?
    /// The SQLite database of a store that is known to have one.
    var sqlite: SQLiteStore {
        guard let database else { preconditionFailure("store '\(path)' is on a server") }
        return database
    }
    /// The engine that reads and writes the store: the engine of SQLite or of a server.
    package let engine: any StoreEngine
    /// The engine of a store on a server; `nil` for an SQLite database.
    var server: (any ServerStoreEngine)? { engine as? any ServerStoreEngine }
    let schema: StoreSchema
    /// The name of the configuration of the model whose entities the store has; `nil` for all entities.
    public let configurationName: String?
    /// The stores of the coordinator, if this object combines all of them; `nil` for a single store.
    let partition: StorePartition?
    /// The combined store, if the contexts of the coordinator use several stores.
    private let combined = Mutex(WeakStore())
    /// The metadata of a database that another library has created, which has no metadata of Chordata.
    private let foreignMetadata: StoreMetadata?
    private let keys: Mutex<KeyBlock>
    /// The inboxes of the contexts, which saves are posted to.
    package let inboxes: ContextInboxes
    /// The queue of ``PersistentContainer/write(attemptLimit:_:)``.
    let serialWrites: WriteQueue
    /// The stream of the saves of all contexts.
    let saves = AsyncBroadcast<ContextSave>()
    /// The stream of the transactions of other containers.
    let remoteChanges = AsyncBroadcast<RemoteChange>()
    /// Reports the transactions of other containers; `nil` if the options do not request it.
    let reporter = Mutex<RemoteChangeReporter?>(nil)

    private struct WeakStore: Sendable {
        weak var store: PersistentStore?
    }

    /// Row keys for new objects, reserved from the store in blocks.
    private struct KeyBlock {
        var next: Int64 = 0
        var end: Int64 = 0
        /// The size of the next block.
        var size: Int64 = 1_024
    }

    /// The first provisional key; all greater keys are provisional, too.
    static let firstProvisionalKey: Int64 = 1 << 62

    init(
        identifier: UUID,
        sqlite: SQLiteStore,
        engine: (any StoreEngine)? = nil,
        schema: StoreSchema,
        configurationName: String? = nil,
        partition: StorePartition? = nil,
        foreignMetadata: StoreMetadata? = nil
    ) {
        self.configurationName = configurationName
        self.partition = partition
        self.foreignMetadata = foreignMetadata
        self.identifier = identifier
        database = sqlite
        serialWrites = WriteQueue(limit: sqlite.writeQueue.limit, path: sqlite.path)
        self.engine = engine ?? sqlite
        inboxes = ContextInboxes()
        self.schema = schema
        keys = Mutex(KeyBlock())
        path = sqlite.path
    }

    /// Creates a store on a database server.
    /// - Parameter path: The location of the store.
    package init(identifier: UUID, server: any StoreEngine, path: String, schema: StoreSchema) {
        configurationName = nil
        partition = nil
        foreignMetadata = nil
        self.identifier = identifier
        database = nil
        serialWrites = WriteQueue(limit: StoreOptions().maximumWaitingSaveCount, path: path)
        engine = server
        // Each save is queued after its commit, so two saves can be queued in another order than they were committed.
        inboxes = ContextInboxes(areOrdered: false)
        self.schema = schema
        keys = Mutex(KeyBlock())
        self.path = path
    }

    /// Returns the SQLite database, for a feature that the engines of servers do not have.
    /// - Throws: ``StoreError/Code/unsupportedEnvironment`` for a store on a server.
    func requireDatabase(for feature: String) throws(StoreError) -> SQLiteStore {
        if let database { return database }
        throw StoreError(
            .unsupportedEnvironment,
            "\(feature) need a store in an SQLite file, because they are not available for a store on a server",
            path: path
        )
    }

    /// The store that the contexts of the coordinator use: the store itself, or all stores together.
    var storeOfContexts: PersistentStore { combined.withLock { $0.store } ?? self }

    /// Records the combined store that the contexts of the coordinator use.
    func join(_ combined: PersistentStore) { self.combined.withLock { $0.store = combined } }

    /// Returns a Boolean value that indicates whether the store, or one of several stores, has the given identifier.
    func contains(_ identifier: UUID) -> Bool {
        self.identifier == identifier || partition?.stores.contains { $0.identifier == identifier } == true
    }

    /// The type of the store.
    @_disfavoredOverload  // The module `CoreData` has one of type String.
    public var type: StoreType {
        guard let database else { return .postgresql }
        return database.isInMemory ? .inMemory : .sqlite
    }
    /// The path of the file; `:memory:` for a store in memory, and the host, port, database and schema of a store on a
    /// server.
    public let path: String

    /// A Boolean value that indicates whether the store is read-only.
    public var isReadOnly: Bool { database?.isReadOnly ?? false }

    /// Statistics of the store's saves, waiting times, connections and write-ahead log: counts since the store was
    /// opened, and values at the time of the access.
    ///
    /// The property briefly acquires some locks and asks the file system for the size of the log file; it does not read
    /// the store.
    public var statistics: StoreStatistics {
        guard let database else {
            var statistics = engine.counters.statistics
            statistics.writeQueue = serialWrites.statistics
            return statistics
        }
        var statistics = database.statistics
        if let partition { statistics.logSize = partition.stores.reduce(0) { $0 + $1.sqlite.logSize } }
        statistics.writeQueue = serialWrites.statistics
        return statistics
    }

    // MARK: Writing rows

    private func hasRow(of bound: BoundFetchRequest, at place: Int, _ partition: StorePartition) throws -> Bool {
        let isThere = partition.isRow(of: bound.type) { $0 === partition.stores[place] }
        let fragment = renderCount(
            .conjunction([bound.predicate, isThere].compactMap(\.self)),
            limit: 1,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: bound.includesSubentities
        )
        var count: Int64 = 0
        try engine.withReader { count = try $0.readRow(of: StoreQuery(fragment)) { $0.integer(at: 0) } ?? 0 }
        return count > 0
    }

    /// Runs a transaction on each store that may have rows of a request; an error that the closure throws rolls back
    /// all of them.
    /// - Parameters:
    ///   - affected: The stores to which the transactions are limited; `nil` for no limit.
    ///   - didCommit: A closure that is called after all transactions were committed, before the next writer begins.
    /// - Returns: The results of the closure, one for each of these stores.
    func write<Result>(
        rowsOf bound: BoundFetchRequest,
        in affected: [PersistentStore]?,
        _ body: (StoreTransaction) throws -> Result,
        didCommit: ([Result]) -> Void
    ) throws -> [Result] {
        var places = [0]
        if let partition {
            places = try partition.places(of: bound.type).filter { place in
                let store = partition.stores[place]
                guard affected?.contains(where: { $0.identifier == store.identifier }) ?? true else { return false }
                // A read-only store without such rows does not cause an error.
                return try !store.isReadOnly || hasRow(of: bound, at: place, partition)
            }
        }
        var results: [Result] = []
        try engine.write(at: places) {
            // A server repeats a transaction that failed because of a concurrent transaction.
            if partition == nil { results = [] }
            results.append(try body($0))
        } didCommit: {
            didCommit(results)
        }
        return results
    }

    // MARK: Metadata

    /// Returns the metadata of the store.
    /// - Returns: The metadata, read from the store.
    /// - Throws: ``StoreError`` when the store cannot be read, or when another program has removed a table or an entry
    ///   of the metadata.
    public func metadata() throws -> StoreMetadata {
        if let foreignMetadata { return foreignMetadata }
        return try engine.metadata()
    }

    /// Sets a metadata value immediately, outside of any save.
    /// - Parameters:
    ///   - value: The value; `nil` removes it.
    ///   - key: The key in ``StoreMetadata/notes``.
    /// - Throws: ``StoreError`` when the store cannot be written.
    public func setMetadata(_ value: String?, forKey key: String) throws {
        try engine.setNote(value, forKey: key)
    }

    /// Copies the current state of the store to a new file.
    ///
    /// While a store in a file is copied, contexts and other processes can read and write it. Contexts of a store in
    /// memory wait until the copy is complete.
    /// - Parameter path: The path of the copy; no file may exist at this path.
    /// - Throws: ``StoreError`` when a file exists at the path, which is then not changed, or when the store cannot be
    ///   copied. If an error is thrown, no copy is created.
    public func backUp(to path: String) throws {
        guard let database else {
            throw StoreError(
                .unsupportedEnvironment,
                "a store on a server is not copied to a file; use the tools of the server, such as pg_dump",
                path: self.path
            )
        }
        try database.read { try copyStore($0, toNewFile: path) }
    }

    // MARK: Keys

    /// Returns a row key that no other object of the store has or had; a provisional key if the call would have to wait
    /// for the store.
    /// - Parameters:
    ///   - former: The former key of the object, which remains in the same store; 0 for a new object.
    ///   - isProvisional: Whether the key is provisional in any case.
    func nextKey(for object: ManagedObject, near former: Int64 = 0, isProvisional: Bool) -> Int64 {
        if isProvisional { return takeProvisionalKey() }
        // If no keys can be reserved, the object can still be used, and the save throws the error.
        return (partition == nil ? reservedKeys(1) : reservedKey(for: object.runtimeEntity, near: former))
            ?? takeProvisionalKey()
    }

    /// Returns a row key from the store of an object, if the coordinator has several stores.
    private func reservedKey(for type: RuntimeEntity, near former: Int64) -> Int64? {
        if former != 0, let partition, let place = partition.place(of: type, key: former) {
            return partition.stores[place].reservedKeys(1)
        }
        return reservedKeys(1, for: type)
    }

    /// Takes consecutive keys that are reserved for new objects of an entity, and returns the first one; `nil` if the
    /// call would have to wait for the store, or if the count is large, so that the block is left for single objects.
    func reservedKeys(_ count: Int64, for type: RuntimeEntity) -> Int64? {
        if let partition { return partition.storeOfNewObject(of: type)?.reservedKeys(count) }
        return reservedKeys(count)
    }

    private func reservedKeys(_ count: Int64) -> Int64? {
        guard count <= 256 else { return nil }
        if let first = takeKeys(count) { return first }
        do {
            if let reserved = try engine.reserveKeysIfAvailable(blockSize) { useKeys(reserved) }
        } catch {
            return nil  // The store is read-only, full or locked by another process.
        }
        return takeKeys(count)
    }

    /// Reserves keys if there are none, and waits for the store.
    /// - Throws: ``StoreError`` when the store cannot be written.
    func ensureKeys() throws {
        // If there are several stores, each one reserves keys when an object needs one.
        if partition != nil { return }
        if keys.withLock({ $0.next == $0.end }) { useKeys(try engine.reserveKeys(blockSize)) }
    }

    private func takeKeys(_ count: Int64) -> Int64? {
        keys.withLock { block in
            guard count <= block.end - block.next else { return nil }
            block.next += count
            return block.next - count
        }
    }

    /// Returns the next keys of the current block: the given number of keys, or fewer if the block has fewer.
    private func takeKeys(upTo count: Int64) -> Range<Int64> {
        keys.withLock { block in
            let first = block.next
            block.next += min(count, block.end - block.next)
            return first..<block.next
        }
    }

    /// Returns a provisional key for an object to which the store cannot assign a key immediately: a save replaces the
    /// key, or throws the reason why it cannot.
    private func takeProvisionalKey() -> Int64 { schema.provisionalKeys.makeKey() }

    /// Returns permanent keys for objects that have provisional keys.
    func permanentKeys(for objects: [ManagedObject]) throws -> [Int64] {
        guard let partition else { return try permanentKeys(objects.count) }
        return try objects.map { object in
            let place = try partition.requirePlace(ofNew: object.runtimeEntity)
            return try partition.stores[place].permanentKeys(1)[0]
        }
    }

    /// Returns keys that no object of the store has or had.
    func permanentKeys(_ count: Int) throws -> [Int64] {
        var permanent: [Int64] = []
        permanent.reserveCapacity(count)
        while true {
            permanent += takeKeys(upTo: Int64(count - permanent.count))
            if permanent.count == count { return permanent }
            useKeys(try engine.reserveKeys(blockSize))
        }
    }

    /// The number of keys that a save reserves, for ``useKeys(_:)``: the next block when half of the current one is
    /// used; otherwise 0.
    ///
    /// Two saves at the same time may both reserve a block; the first block is then discarded.
    var neededKeyCount: Int64 {
        // If there are several stores, a save reserves the keys of the stores that it writes to.
        partition != nil ? 0 : keys.withLock { $0.end > 0 && ($0.end - $0.next) * 2 < $0.size / 2 ? $0.size : 0 }
    }

    private var blockSize: Int64 { keys.withLock { $0.size } }

    /// Uses the keys of a block whose reservation is committed: before that, another process could get the same keys.
    func useKeys(_ reserved: Range<Int64>) {
        keys.withLock { block in
            // The rest of the old block is discarded; there are plenty of keys.
            block.next = reserved.lowerBound
            block.end = reserved.upperBound
            block.size = min(Int64(reserved.count) * 2, 65_536)
        }
    }
}
