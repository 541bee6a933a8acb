internal import Chordata
internal import ChordataSQL
internal import Dispatch

// The persistent history of a store on a server.

extension ServerEngine {
    /// The maximum time that a reader of the history waits for older transactions, which would precede other
    /// transactions.
    private static let placementTimeout = Duration.seconds(2)

    /// Reads one state of the history, with all transactions that were committed before the call, unless an older
    /// transaction of the server still runs after ``placementTimeout``.
    func readHistory(_ body: (any HistorySource) throws -> Void) throws {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.placementTimeout
        var awaited: Int64?
        while true {
            var isRead = false
            try withReader { reader in
                let history = ServerHistory(reader: reader)
                let unplaced = try history.lastUnplacedNumber()
                if awaited == nil { awaited = unplaced }
                let isComplete = try awaited.map { try history.isPlaced($0) } ?? true
                if isComplete || clock.now >= deadline {
                    try body(history)
                    isRead = true
                }
            }
            if isRead { return }
            whileWaitingForServer { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(5)) }
        }
    }

    /// Ends the persistent history; earlier tokens expire when it begins again.
    ///
    /// One statement ends it; a cancellation has an effect only before it.
    func stopTrackingHistory() throws {
        // As with a store in a file, there is nothing to cancel if there is no history.
        var hasHistory = false
        try withReader { hasHistory = try ServerHistory(reader: $0).hasHistory() }
        guard hasHistory else { return }
        let progress = OperationProgress(expectedCount: nil)
        try progress?.checkCancellation()
        try Task.checkCancellation()
        try write(at: [0]) { transaction in
            let name = StoreQuery.Arguments.values([.attribute(.string(ServerHistory.name))])
            try transaction.run(StoreQuery("DELETE FROM \"_sequence\" WHERE \"name\" = $1", name))
        } didCommit: {
        }
        progress?.finish()
    }

    /// Deletes the transactions before a number.
    /// - Returns: The number of deleted transactions.
    ///
    /// The server deletes them with one statement; a cancellation has an effect only before it.
    func deleteHistory(before number: Int64) throws -> Int {
        let connection = try database.take(for: "the deletion of the persistent history")
        defer { database.release(connection) }
        return try connection.deleteSaves(in: schemaName, where: "\"id\" < $1", [.integer(number)])
    }
}
