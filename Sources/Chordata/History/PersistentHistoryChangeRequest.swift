public import ChordataPredicate

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A request to read transactions of the persistent history of a store.
///
/// ```swift
/// let request = PersistentHistoryChangeRequest.fetchHistory(after: lastToken)
///     .where(try FetchPredicate(format: "author != 'import'"))
/// for transaction in try context.execute(request) {
///     print(transaction.timestamp, transaction.changes.count)
/// }
/// ```
public struct PersistentHistoryChangeRequest: Sendable {
    /// The condition for transactions; `nil` for all.
    ///
    /// The properties are `author`, `contextName`, `timestamp` and `transactionNumber`.
    public var predicate: FetchPredicate?
    /// The maximum number of transactions; 0 for all.
    public var fetchLimit = 0
    /// The stores of the context's coordinator whose transactions are read; `nil` for all that track their history.
    public var affectedStores: [PersistentStore]?
    let start: PersistentHistoryPosition

    /// Creates a request for the transactions after the transaction of a token or, if the token is `nil`, for all
    /// transactions.
    public static func fetchHistory(after token: PersistentHistoryToken?) -> PersistentHistoryChangeRequest {
        PersistentHistoryChangeRequest(start: token.map { .token($0) } ?? .beginning)
    }

    /// Creates a request for the transactions at or after a given time.
    public static func fetchHistory(after date: Date) -> PersistentHistoryChangeRequest {
        PersistentHistoryChangeRequest(start: .date(date))
    }

    /// Creates a request for the transactions after a given transaction.
    public static func fetchHistory(after transaction: PersistentHistoryTransaction) -> PersistentHistoryChangeRequest {
        fetchHistory(after: transaction.token)
    }

    /// Adds a condition for the transactions.
    /// - Returns: A copy of the request with the condition; transactions must match all added conditions.
    public func `where`(_ predicate: FetchPredicate) -> PersistentHistoryChangeRequest {
        var request = self
        request.predicate = self.predicate.map { $0 && predicate } ?? predicate
        return request
    }
}

/// A request to delete transactions of the persistent history of a store, so that it does not grow indefinitely.
///
/// ```swift
/// try context.execute(.deleteHistory(before: lastToken))
/// ```
public struct PersistentHistoryDeleteRequest: Sendable {
    /// The stores of the context's coordinator whose transactions are deleted; `nil` for all that track their history.
    public var affectedStores: [PersistentStore]?
    let end: PersistentHistoryPosition

    /// Creates a request that deletes the transactions before the transaction of a token; the token's own transaction
    /// remains.
    public static func deleteHistory(before token: PersistentHistoryToken) -> PersistentHistoryDeleteRequest {
        PersistentHistoryDeleteRequest(end: .token(token))
    }

    /// Creates a request that deletes the transactions before a given time.
    public static func deleteHistory(before date: Date) -> PersistentHistoryDeleteRequest {
        PersistentHistoryDeleteRequest(end: .date(date))
    }

    /// Creates a request that deletes the transactions before a given transaction.
    public static func deleteHistory(before transaction: PersistentHistoryTransaction) -> PersistentHistoryDeleteRequest
    {
        deleteHistory(before: transaction.token)
    }
}

/// A position in a history.
enum PersistentHistoryPosition: Sendable {
    case beginning
    case token(PersistentHistoryToken)
    case date(Date)
}
