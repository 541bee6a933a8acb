/// Executes the saves of a store, and reserves its row keys.
///
/// Contexts call an engine once for each save, not for each row or value. ``SQLiteStore`` is the engine of all stores
/// that a program can open. Fetches, batch updates and changes of the metadata are statements, which do not go through
/// the engine.
protocol StoreEngine: AnyObject, Sendable {
    /// Executes a save in one transaction.
    /// - Parameters:
    ///   - plan: All that the save writes.
    ///   - didCommit: A closure that is called after the transaction was committed, before the next save begins.
    /// - Returns: What was written beside the rows of the plan.
    /// - Throws: ``RowVersionMismatch`` when a row is not as it was read, ``StoreError`` when the store cannot be
    ///   written, with its ``StoreError/violation`` when a row would violate a constraint. Nothing was written then.
    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects

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
