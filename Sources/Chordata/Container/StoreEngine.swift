/// An engine that reads and writes a store.
///
/// Contexts call an engine once for each transaction, save and query, not for each row or value. ``SQLiteStore`` is the
/// engine of stores in SQLite; the module `ChordataPostgres` has the engine of stores on a server. Features that only
/// SQLite has are not part of the protocol: child contexts, full-text indexes, pinned query generations, several stores
/// and operations on files use ``PersistentStore/sqlite``.
package protocol StoreEngine: SaveExecutor {
    /// The number of committed transactions of this program.
    var commitCount: Int { get }

    /// Begins a read transaction on a connection that has no other user until ``endReading(_:)``.
    /// - Returns: The connection; `nil` for a store that has only one connection, in which each read is a transaction.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func beginReading() throws -> StoreReader?

    /// Ends a read transaction.
    func endReading(_ connection: StoreReader)

    /// Checks, after a read within a read transaction, that the store has the model version with which it was opened.
    ///
    /// The version is checked after reading, because only a read detects that the store has changed.
    /// - Parameter hasFailed: Whether the read has failed: then a table or a column may be missing, or rows may be of
    ///   unknown entities.
    /// - Throws: ``StoreError`` when another program has migrated the store.
    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError)

    /// Reads with a connection that has no other user during the call.
    /// - Throws: ``StoreError`` when the store cannot be read or has another model version now, and what the closure
    ///   throws.
    func withReader(_ body: (StoreReader) throws -> Void) throws

    /// Runs a transaction that writes rows on each of the given stores; an error that the closure throws rolls back all
    /// of them.
    /// - Parameters:
    ///   - places: The indexes of the stores in the coordinator; 0 for the only store.
    ///   - body: A closure that is called once for each store; a server calls it again if another transaction has
    ///     prevented this one.
    ///   - didCommit: A closure that is called after all transactions were committed, before the next writer begins.
    /// - Throws: ``StoreError`` when a store cannot be written, and what the closure throws.
    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws

    /// The counts of the saves of all contexts.
    var counters: StoreCounters { get }
    /// The logger that is called for each save; `nil` for no logging.
    var saveLogger: SaveLogger? { get }

    /// Reads the metadata of the store.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func metadata() throws -> StoreMetadata

    /// Sets a value in ``StoreMetadata/notes``, in a transaction of its own.
    /// - Throws: ``StoreError`` when the store cannot be written.
    func setNote(_ value: String?, forKey key: String) throws

    /// A Boolean value that indicates whether section caches can be stored next to the store.
    var hasSectionCaches: Bool { get }

    /// Returns the name of the contents that a connection reads, which a section cache uses to identify them; `nil` if
    /// they have no name.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func contentsName(_ reader: StoreReader) throws -> String?

    /// Assigns a name to the contents of the store, unless another writer is active.
    /// - Throws: ``StoreError`` when the store cannot be written.
    func nameContents() throws
}

extension StoreEngine {
    /// Reads within a read transaction.
    /// - Throws: ``StoreError`` when the store cannot be read or has another model version now, and what the closure
    ///   throws.
    @inline(__always)
    package func read(with connection: StoreReader, _ body: (StoreReader) throws -> Void) throws {
        do {
            try body(connection)
        } catch {
            try checkVersion(of: connection, hasFailed: true)
            throw error
        }
        try checkVersion(of: connection, hasFailed: false)
    }
}

/// The engine of a store on a server, which records its persistent history itself.
package protocol ServerStoreEngine: StoreEngine {
    /// The number that identifies this open store as the writer of its transactions.
    var historyOrigin: Int64 { get }

    /// Reads one state of the history, with all transactions that were committed before the call, unless an older
    /// transaction of the server still runs after a few seconds.
    /// - Throws: ``StoreError`` when the store cannot be read, and what the closure throws.
    func readHistory(_ body: (any HistorySource) throws -> Void) throws

    /// Ends the persistent history; earlier tokens expire when it begins again.
    ///
    /// One statement ends it; a cancellation has an effect only before it.
    /// - Throws: ``StoreError`` when the store cannot be written; `CancellationError` when the current task or the
    ///   current `Progress` is cancelled.
    func stopTrackingHistory() throws

    /// Deletes the transactions before a number.
    ///
    /// The server deletes them with one statement; a cancellation has an effect only before it.
    /// - Returns: The number of deleted transactions.
    /// - Throws: ``StoreError`` when the store cannot be written.
    func deleteHistory(before number: Int64) throws -> Int
}

/// An object that executes saves and reserves row keys.
package protocol SaveExecutor: AnyObject, Sendable {
    /// Executes a save in one transaction.
    /// - Parameters:
    ///   - plan: Everything that the save writes.
    ///   - didCommit: A closure that is called after the transaction was committed, before the next save begins.
    /// - Returns: The changes that were written in addition to the rows of the plan.
    /// - Throws: ``RowVersionMismatch`` when a row has changed since it was read, ``StoreError`` when the store cannot
    ///   be written, with its ``StoreError/violation`` when a row would violate a constraint. If an error is thrown,
    ///   nothing was written.
    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects

    /// Runs a closure that saves, when its save does not have to wait for other saves; the task waits without blocking
    /// a thread.
    /// - Throws: `CancellationError` when the task is cancelled while it waits, and what the closure throws.
    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws

    /// Reserves row keys that no row has or had.
    /// - Parameter count: The number of consecutive keys.
    /// - Throws: ``StoreError`` when the store cannot be written.
    func reserveKeys(_ count: Int64) throws -> Range<Int64>

    /// Reserves row keys, but neither waits for another writer nor for the disk.
    /// - Returns: The keys; `nil` when another writer in this process is active.
    /// - Throws: ``StoreError`` when the store is locked by another process or cannot be written.
    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>?
}

/// An error that is thrown within the transaction of a save when a row has changed since it was read.
package struct RowVersionMismatch: Error {
    let entityName: String

    package init(entityName: String) { self.entityName = entityName }
}

/// A constraint of a store's tables that a statement violates.
package enum ConstraintViolation: Sendable, Hashable {
    /// Values that must be unique; the columns are qualified with the name of their table.
    case uniqueness(columns: [String])
    /// A row key that another row has.
    case rowKey
    /// A reference to a row that does not exist.
    case reference
    /// A value that does not have the type of its column.
    case mistypedValue

    /// A Boolean value that indicates whether a uniqueness constraint is violated.
    package var isOfUniqueness: Bool {
        switch self {
        case .uniqueness: true
        case .rowKey, .reference, .mistypedValue: false
        }
    }
}
