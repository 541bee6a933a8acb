internal import ChordataSQL
internal import Dispatch

// The persistent history of a store on a server.

extension ServerEngine {
    /// The maximum time that a reader of the history waits for older transactions, which would precede other
    /// transactions.
    private static let placementTimeout = Duration.seconds(2)

    /// Reads one state of the history, with all transactions that were committed before the call, unless an older
    /// transaction of the server still runs after ``placementTimeout``.
    func readHistory<Result>(_ body: (any HistorySource) throws -> Result) throws -> Result {
        let clock = ContinuousClock()
        let deadline = clock.now + Self.placementTimeout
        var awaited: Int64?
        while true {
            var result: Result?
            try withReader { reader in
                let history = ServerHistory(reader: reader)
                let unplaced = try history.lastUnplacedNumber()
                if awaited == nil { awaited = unplaced }
                let isComplete = try awaited.map { try history.isPlaced($0) } ?? true
                if isComplete || clock.now >= deadline { result = try body(history) }
            }
            if let result { return result }
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

extension PersistentStore {
    func deleteHistory(_ request: PersistentHistoryDeleteRequest, on server: ServerEngine) throws -> Int {
        let number: Int64? = try server.readHistory { history in
            try requireHistory(history)
            return switch request.end {
            case .beginning: nil
            case .token: try self.number(of: request.end, history)
            case .date(let date): try history.historyNumber(from: date)
            }
        }
        let progress = OperationProgress(expectedCount: nil)
        try progress?.checkCancellation()
        try Task.checkCancellation()
        let count = try number.map { try server.deleteHistory(before: $0) } ?? 0
        progress?.finish()
        return count
    }
}
