internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The persistent history of a store in one state: that of an SQLite file, or of a server.
protocol HistorySource {
    /// Returns a Boolean value that indicates whether the store tracks its history.
    func hasHistory() throws -> Bool

    /// The numbers of the first transaction that may be there and of the last one.
    func historyRange() throws -> (first: Int64, last: Int64)

    /// The number of the first transaction at a time or later, or that of the next one.
    func historyNumber(from date: Date) throws -> Int64

    /// The open store that has written a transaction; `nil` if the transaction is not there.
    func historyOrigin(of number: Int64) throws -> Int64?

    /// Reads transactions in their order.
    /// - Parameters:
    ///   - number: The number of the last transaction that is not read.
    ///   - predicate: The condition for transactions; `nil` for all.
    ///   - limit: The maximum number of transactions; 0 for all.
    ///   - progress: The progress whose cancellation ends the reading; `nil` without one.
    func readHistory(after number: Int64, _ predicate: FetchPredicate?, limit: Int, _ progress: OperationProgress?)
        throws -> [HistoryRow]
}

/// A transaction of the persistent history as it is stored.
struct HistoryRow {
    let id, origin: Int64
    let date: Date
    let author, contextName: String?
    /// The JSON text of ``HistoryChanges``; from a server, several texts, one in each line.
    let changes: String
}
