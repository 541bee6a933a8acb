internal import ChordataPredicate

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The persistent history of a store (an SQLite file or a server), as of one state of the store.
package protocol HistorySource {
    /// Returns a Boolean value that indicates whether the store tracks its history.
    func hasHistory() throws -> Bool

    /// Returns the number of the first transaction that may still exist, and the number of the last transaction.
    func historyRange() throws -> (first: Int64, last: Int64)

    /// Returns the number of the first transaction at or after a time; if there is none, the number of the next
    /// transaction.
    func historyNumber(from date: Date) throws -> Int64

    /// Returns the number of the open store that wrote a transaction; `nil` if the transaction does not exist.
    func historyOrigin(of number: Int64) throws -> Int64?

    /// Reads transactions in order.
    /// - Parameters:
    ///   - number: The number of the transaction after which reading begins.
    ///   - predicate: The condition for transactions; `nil` for all.
    ///   - limit: The maximum number of transactions; 0 for all.
    ///   - progress: The progress whose cancellation stops the read; `nil` if there is none.
    func readHistory(after number: Int64, _ predicate: FetchPredicate?, limit: Int, _ progress: OperationProgress?)
        throws -> [HistoryRow]
}

/// A transaction of the persistent history as it is stored.
package struct HistoryRow {
    package let id, origin: Int64
    let date: Date
    let author, contextName: String?
    /// The JSON text of ``HistoryChanges``; from a server, possibly several texts, one per line.
    let changes: String

    package init(id: Int64, origin: Int64, date: Date, author: String?, contextName: String?, changes: String) {
        (self.id, self.origin, self.date, self.changes) = (id, origin, date, changes)
        (self.author, self.contextName) = (author, contextName)
    }
}
