/// Reads a store and executes its saves.
///
/// Contexts call an engine once for each transaction, save and query, not for each row or value. ``SQLiteStore`` is the
/// engine of all stores that a program can open. Batch updates, child contexts and changes of the metadata are
/// statements of SQLite, which do not go through the engine.
protocol StoreEngine: SaveExecutor {
    /// The number of committed transactions of this program.
    var commitCount: Int { get }

    /// Begins a read transaction on a connection that has no other user until ``endReading(_:)``.
    /// - Returns: The connection; `nil` for a store that has only one connection, for which each read is a transaction.
    /// - Throws: ``StoreError`` when the store cannot be read.
    func beginReading() throws -> StoreReader?

    /// Ends a read transaction.
    func endReading(_ connection: StoreReader)

    /// Checks, after a read within a read transaction, that the store has the model version with which it was opened.
    ///
    /// It is checked after reading, because only a read finds out that the store has changed.
    /// - Parameter hasFailed: Whether the read has failed: then a table or a column may be missing, or rows may be of
    ///   unknown entities.
    /// - Throws: ``StoreError`` when another program has migrated the store.
    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError)

    /// Reads with a connection that has no other user during the call.
    /// - Throws: ``StoreError`` when the store cannot be read or has another model version now, and what the closure
    ///   throws.
    func withReader(_ body: (StoreReader) throws -> Void) throws
}

extension StoreEngine {
    /// Reads within a read transaction.
    /// - Throws: ``StoreError`` when the store cannot be read or has another model version now, and what the closure
    ///   throws.
    @inline(__always)
    func read(with connection: StoreReader, _ body: (StoreReader) throws -> Void) throws {
        do {
            try body(connection)
        } catch {
            try checkVersion(of: connection, hasFailed: true)
            throw error
        }
        try checkVersion(of: connection, hasFailed: false)
    }
}

/// Executes saves, and reserves row keys.
protocol SaveExecutor: AnyObject, Sendable {
    /// Executes a save in one transaction.
    /// - Parameters:
    ///   - plan: All that the save writes.
    ///   - didCommit: A closure that is called after the transaction was committed, before the next save begins.
    /// - Returns: What was written beside the rows of the plan.
    /// - Throws: ``RowVersionMismatch`` when a row is not as it was read, ``StoreError`` when the store cannot be
    ///   written, with its ``StoreError/violation`` when a row would violate a constraint. Nothing was written then.
    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects

    /// Runs a closure that saves, when its save need not wait for others; the task waits without blocking a thread.
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

/// Thrown within a save's transaction when a row is not as it was read.
struct RowVersionMismatch: Error {
    let entityName: String
}

/// A constraint of a store's tables that a statement violates.
enum ConstraintViolation: Sendable, Hashable {
    /// Values that must be unique; the columns are qualified with the name of their table.
    case uniqueness(columns: [String])
    /// A row key that another row has.
    case rowKey
    /// A reference to a row that does not exist.
    case reference

    /// A Boolean value that indicates whether values must be unique.
    var isOfUniqueness: Bool {
        switch self {
        case .uniqueness: true
        case .rowKey, .reference: false
        }
    }
}
