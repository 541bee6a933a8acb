internal import CChordataPostgres
internal import Chordata

/// The results of statements that were sent together, read one by one, or of one statement that copies rows.
///
/// If the connection is needed for other statements before all results were read, the rest is read into memory first.
final class ResultStream {
    enum Expectation {
        case preparation(_ name: String, _ sql: String, _ types: [UInt32])
        case statement
        case sync
    }

    enum Step {
        case row(index: Int, result: OpaquePointer)
        /// The end of a statement, with the number of rows that it has read or written.
        case end(count: Int)
        case failure(StoreError, index: Int?)
    }

    private unowned let connection: PostgresConnection
    private var expected: [Expectation] = []
    /// The results that were read into memory; `nil` marks the end of a statement's results.
    private var kept: [OpaquePointer?] = []
    private var keptStart = 0
    /// The index of the current expectation.
    private var place = 0
    private var statementIndex = 0
    private var rowCount = 0
    private var isAtBeginning = true
    /// The number of expectations whose results were received.
    private var receivedCount = 0
    private var isReceivingBeginning = true
    private var decoder: CellDecoder?
    private var decoderIndex = -1
    /// The result of the current row, whose memory the cells use.
    private var current: OpaquePointer?
    private var hasFailed = false
    private var hasTimedOut = false
    /// A Boolean value that indicates whether the server has been sent all statements.
    private var hasSentAll = false

    init(_ connection: PostgresConnection) { self.connection = connection }

    deinit {
        chordata_pg_clear(current)
        for case let result? in kept[keptStart...] { chordata_pg_clear(result) }
    }

    func expect(_ expectation: Expectation) { expected.append(expectation) }

    // MARK: Reading

    /// Returns the next step; `nil` after the last one.
    /// - Throws: `ServerFailure` when the connection is lost.
    func next() throws(ServerFailure) -> Step? {
        while place < expected.count {
            guard let result = try take() else {
                // The results of the statement have ended.
                let isStatement = if case .statement = expected[place] { true } else { false }
                place += 1
                isAtBeginning = true
                guard isStatement else { continue }
                defer { (statementIndex, rowCount) = (statementIndex + 1, 0) }
                if hasFailed { continue }
                return .end(count: rowCount)
            }
            isAtBeginning = false
            switch chordata_pg_resultStatus(result) {
            case CHORDATA_PG_SINGLE_TUPLE:
                chordata_pg_clear(current)
                current = result
                rowCount += 1
                return .row(index: statementIndex, result: result)
            case CHORDATA_PG_TUPLES_OK, CHORDATA_PG_EMPTY_QUERY: chordata_pg_clear(result)
            case CHORDATA_PG_COMMAND_OK:
                if case .preparation(let name, let sql, let types) = expected[place] {
                    connection.didPrepare(name, sql, types)
                } else {
                    rowCount = chordata_pg_cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
                }
                chordata_pg_clear(result)
            case CHORDATA_PG_PIPELINE_ABORTED: chordata_pg_clear(result)
            case CHORDATA_PG_PIPELINE_SYNC:
                chordata_pg_clear(result)
                // A synchronization point is not followed by NULL.
                place += 1
                isAtBeginning = true
            default:
                let error = StoreError(postgresResult: result, connection, hasTimedOut: hasTimedOut)
                chordata_pg_clear(result)
                let index = if case .sync = expected[place] { Int?.none } else { Int?.some(statementIndex) }
                guard !hasFailed else { continue }
                hasFailed = true
                if error.code == .connectionLost { connection.lose(error) }
                return .failure(error, index: index)
            }
        }
        return nil
    }

    /// Reads all results, and returns the first error.
    func firstFailure() throws(ServerFailure) -> StoreError? {
        var first: StoreError?
        while let step = try next() {
            if case .failure(let error, _) = step { first = first ?? error }
        }
        return first
    }

    /// The names of the columns of the current row.
    var columnNames: [String] {
        guard let current else { return [] }
        let columns = 0..<chordata_pg_nfields(current)
        return columns.map { chordata_pg_fname(current, $0).map { String(cString: $0) } ?? "" }
    }

    /// Decodes the row of a result.
    func decode(_ result: OpaquePointer) throws -> UnsafeMutableBufferPointer<StoreCell> {
        if decoder == nil || decoderIndex != statementIndex {
            let columns = 0..<chordata_pg_nfields(result)
            decoder = try CellDecoder(typeNumbers: columns.map { chordata_pg_ftype(result, $0) })
            decoderIndex = statementIndex
        }
        guard let decoder else { preconditionFailure("the decoder must be made before rows are read") }
        try decoder.decode(result, row: 0)
        return decoder.cells
    }

    /// Reads all results that have not been received into memory.
    func readRest() throws(ServerFailure) {
        while receivedCount < expected.count { kept.append(try receive()) }
    }

    private func take() throws(ServerFailure) -> OpaquePointer? {
        if keptStart < kept.count {
            defer {
                keptStart += 1
                if keptStart == kept.count { (kept, keptStart) = ([], 0) }
            }
            return kept[keptStart]
        }
        return try receive()
    }

    // MARK: Copying

    /// The number of bytes that are passed to libpq at a time.
    private static let copiedSize = 1 << 16

    /// Sends the rows of a `COPY` statement, which was sent outside of the pipeline mode, and reads its results.
    /// - Returns: The number of rows.
    /// - Throws: `ServerFailure` when the statement fails, with the index 0, or when the connection is lost.
    func copy(_ rows: [UInt8]) throws(ServerFailure) -> Int {
        // One limit applies to the whole statement.
        var deadline = deadline()
        var count = 0
        var failure: StoreError?
        while let result = try nextResult(&deadline) {
            defer { chordata_pg_clear(result) }
            switch chordata_pg_resultStatus(result) {
            case CHORDATA_PG_COPY_IN: try send(rows, &deadline)
            case CHORDATA_PG_COMMAND_OK:
                count = chordata_pg_cmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
            default:
                let error = StoreError(postgresResult: result, connection, hasTimedOut: hasTimedOut)
                if error.code == .connectionLost { throw ServerFailure(connection.lose(error), at: nil) }
                failure = failure ?? error
            }
        }
        if let failure { throw ServerFailure(failure, at: 0) }
        return count
    }

    private func nextResult(_ deadline: inout ContinuousClock.Instant?) throws(ServerFailure) -> OpaquePointer? {
        try wait(&deadline) { _ in chordata_pg_isBusy(connection.handle) == 0 }
        let result = chordata_pg_getResult(connection.handle)
        if result == nil, connection.isLost { throw ServerFailure(connection.lose(), at: nil) }
        return result
    }

    private func send(_ rows: [UInt8], _ deadline: inout ContinuousClock.Instant?) throws(ServerFailure) {
        let handle = connection.handle
        var start = 0
        while start < rows.count {
            let end = min(start + Self.copiedSize, rows.count)
            let result = rows[start..<end].withUnsafeBytes { bytes in
                let address = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                return chordata_pg_putCopyData(handle, address, Int32(bytes.count))
            }
            guard result == 1 else { throw ServerFailure(connection.lose(), at: nil) }
            start = end
            try wait(&deadline) { hasSentAll in hasSentAll }
        }
        guard chordata_pg_putCopyEnd(handle, nil) == 1 else { throw ServerFailure(connection.lose(), at: nil) }
    }

    // MARK: Receiving

    /// Waits for the next result of the server; `nil` marks the end of a statement's results.
    private func receive() throws(ServerFailure) -> OpaquePointer? {
        if isReceivingBeginning, case .statement = expected[receivedCount] {
            _ = chordata_pg_setSingleRowMode(connection.handle)
        }
        isReceivingBeginning = false
        try waitForResult()
        let result = chordata_pg_getResult(connection.handle)
        let isSync =
            result.map { chordata_pg_resultStatus($0) == CHORDATA_PG_PIPELINE_SYNC } ?? false
        if result == nil || isSync {
            receivedCount += 1
            isReceivingBeginning = true
        }
        if result == nil, connection.isLost { throw ServerFailure(connection.lose(), at: nil) }
        return result
    }

    private func deadline() -> ContinuousClock.Instant? { connection.statementTimeout.map { .now + $0 } }

    /// Sends the data that is not sent yet, and waits until a result can be taken without waiting.
    private func waitForResult() throws(ServerFailure) {
        let handle = connection.handle
        if hasSentAll, chordata_pg_isBusy(handle) == 0 { return }
        var deadline = deadline()
        try wait(&deadline) { _ in chordata_pg_isBusy(handle) == 0 }
    }

    /// Sends data and receives results until a condition is met.
    /// - Parameters:
    ///   - deadline: The time at which the statement is cancelled; `nil` for no limit.
    ///   - isDone: The condition; its argument indicates whether all data was sent.
    private func wait(
        _ deadline: inout ContinuousClock.Instant?,
        until isDone: (_ hasSentAll: Bool) -> Bool
    ) throws(ServerFailure) {
        let handle = connection.handle
        let clock = ContinuousClock()
        while true {
            let rest = chordata_pg_flush(handle)
            if rest < 0 || connection.isLost { throw try lost() }
            hasSentAll = rest == 0
            if isDone(hasSentAll) { return }
            var ready: Int32 = 0
            let time = deadline.map { max(0, milliseconds($0 - clock.now)) } ?? -1
            whileWaitingForServer { ready = chordata_pg_wait(chordata_pg_socket(handle), rest == 1, time) }
            if ready < 0 { throw try lost() }
            if ready == 0, let passed = deadline, passed <= clock.now {
                guard !hasTimedOut else { throw ServerFailure(connection.lose(unresponsive), at: nil) }
                hasTimedOut = true
                connection.canceller.cancel()
                // The server responds to a cancellation soon, or not at all.
                deadline = clock.now + .seconds(5)
            }
            // A connection that the server has closed may still have the reason in its buffer. During a copy, the
            // server can report an error before it has received all rows.
            if ready & 1 != 0, chordata_pg_consumeInput(handle) == 0 { throw try lost() }
        }
    }

    private func lost() throws(ServerFailure) -> ServerFailure {
        // The reason that the server has sent arrives as a result.
        var reason: StoreError?
        if chordata_pg_isBusy(connection.handle) == 0, let result = chordata_pg_getResult(connection.handle) {
            if chordata_pg_resultStatus(result) == CHORDATA_PG_FATAL_ERROR {
                let error = StoreError(postgresResult: result, connection, hasTimedOut: hasTimedOut)
                if error.code == .connectionLost { reason = error }
            }
            chordata_pg_clear(result)
        }
        return ServerFailure(connection.lose(reason), at: nil)
    }

    private var unresponsive: StoreError {
        StoreError(
            .connectionLost,
            "the server answered neither the statement nor the request to cancel it within the time limit; try again",
            path: connection.place
        )
    }

    private func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        return Int32(clamping: seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1)
    }
}
