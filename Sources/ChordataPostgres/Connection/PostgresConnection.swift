internal import CChordataPostgres
package import Chordata
internal import Synchronization

/// A connection to a PostgreSQL server in libpq's pipeline mode, used by one thread at a time.
package final class PostgresConnection: ServerConnection {
    let handle: OpaquePointer
    /// The host, the port, the database and the schema.
    package let place: String
    /// The process ID of the server's process.
    package let processID: Int32
    /// The version of the server, such as 150002.
    package let serverVersion: Int32
    /// Cancels a statement from another thread.
    package let canceller: PostgresCanceller
    /// The maximum time that the connection waits for a result; ``storeTimeout`` is that of the store.
    private(set) var statementTimeout: Duration?
    private let storeTimeout: Duration?
    private let statements: PreparedStatements
    private var isPreparing = true
    /// The password, which no message may contain.
    private let secret: String
    /// The error of the connection, after which it cannot be used.
    private(set) var loss: StoreError?
    /// The stream that reads results; other statements must wait for its results.
    private var currentStream: ResultStream?
    /// The stream of the end of a transaction, whose results are read before the next statement.
    private var ending: ResultStream?

    /// Connects to a server, and checks its version and its settings.
    /// - Parameter prepares: Whether statements are prepared; shared by the connections of a store.
    /// - Throws: `StoreError` when the server cannot be reached or does not meet the requirements.
    package init(_ configuration: PostgresConfiguration, prepares: PreparationSwitch) throws(StoreError) {
        let string = try ConnectionString(configuration.connectionString)
        let opened = string.withArrays { chordata_pg_connectdbParams($0, $1, 0) }
        guard let opened else { throw StoreError(.cannotOpen, "libpq is out of memory") }
        handle = opened
        secret = chordata_pg_pass(opened).map { String(cString: $0) } ?? ""
        place = Self.place(of: opened, string, configuration.schema)
        processID = chordata_pg_backendPID(opened)
        serverVersion = chordata_pg_serverVersion(opened)
        canceller = PostgresCanceller(opened)
        statementTimeout = configuration.statementTimeout
        storeTimeout = configuration.statementTimeout
        statements = PreparedStatements(prepares)
        guard chordata_pg_status(opened) == CHORDATA_PG_CONNECTION_OK else {
            throw connectionFailure(connectionMessage)
        }
        chordata_pg_discard_notices(opened)
        try checkServer()
        guard chordata_pg_setnonblocking(opened, 1) == 0, chordata_pg_enterPipelineMode(opened) == 1 else {
            throw StoreError(.cannotOpen, connectionMessage, path: place)
        }
    }

    deinit { chordata_pg_finish(handle) }

    private static func place(of handle: OpaquePointer, _ string: ConnectionString, _ schema: String) -> String {
        func text(_ value: UnsafeMutablePointer<CChar>?, or keyword: String) -> String {
            let actual = value.map { String(cString: $0) } ?? ""
            return actual.isEmpty ? string.value(of: keyword) ?? "" : actual
        }
        let host = text(chordata_pg_host(handle), or: "host")
        let port = text(chordata_pg_port(handle), or: "port")
        return "\(host):\(port)/\(text(chordata_pg_db(handle), or: "dbname")), schema '\(schema)'"
    }

    /// Throws if Chordata does not support the server.
    private func checkServer() throws(StoreError) {
        func parameter(_ name: String) -> String {
            chordata_pg_parameterStatus(handle, name).map { String(cString: $0) } ?? ""
        }
        if serverVersion < 140_000 {
            throw StoreError(
                .unsupportedEnvironment,
                "the server has PostgreSQL \(parameter("server_version")); use PostgreSQL 14 or newer",
                path: place
            )
        }
        let required = [
            ("server_encoding", "UTF8"), ("client_encoding", "UTF8"), ("standard_conforming_strings", "on"),
        ]
        for (name, value) in required where parameter(name) != value {
            throw StoreError(
                .unsupportedEnvironment,
                "the setting '\(name)' of the server is '\(parameter(name))'; it must be '\(value)'"
                    + (name == "server_encoding" ? ", so create the database with the encoding UTF8" : ""),
                path: place
            )
        }
    }

    /// A Boolean value that indicates whether the connection was lost, or has results that were not read.
    package var isLost: Bool { loss != nil || chordata_pg_status(handle) != CHORDATA_PG_CONNECTION_OK }

    package var isInTransaction: Bool {
        chordata_pg_transactionStatus(handle) != CHORDATA_PG_IDLE
    }

    /// A Boolean value that indicates whether the connection can have another user: its transaction has ended, or will
    /// end without another statement.
    var isReturnable: Bool { !isLost && currentStream == nil && (ending != nil || !isInTransaction) }

    /// A Boolean value that indicates whether an unused connection is still open: the server has neither closed it nor
    /// sent the reason why it will.
    package var isUsable: Bool {
        guard readEnding(), !isLost, !isInTransaction, currentStream == nil else { return false }
        guard chordata_pg_wait(chordata_pg_socket(handle), false, 0) != 0 else { return true }
        // Between statements, a server sends changes of settings, or the reason why it ends the connection.
        return chordata_pg_consumeInput(handle) == 1 && !isLost
            && chordata_pg_wait(chordata_pg_socket(handle), false, 0) == 0
    }

    // MARK: Statements

    package func execute(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int] {
        // Another connection can switch the preparation off while these statements are executed.
        let prepares = self.statements.isOn
        let beginsTransaction = ending != nil || !isInTransaction
        var hasRows = false
        do {
            return try run(statements) { index, cells in
                hasRows = true
                try onRow(index, cells)
            }
        } catch let failure as ServerFailure where prepares && failure.error.isOfPreparation {
            // A pooler sent the statement to a server connection that has not prepared it, or that has prepared it for
            // another program. If the transaction was begun by these statements, it is undone completely.
            self.statements.switchOff()
            guard beginsTransaction, !hasRows, !isLost else { throw failure }
            if isInTransaction { _ = try run([ServerStatement("ROLLBACK")]) { _, _ in } }
            return try run(statements, onRow)
        }
    }

    private func run(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int] {
        guard statements.contains(where: \.isCopy) else { return try runTogether(statements, onRow) }
        // Rows cannot be copied in a pipeline.
        var counts: [Int] = []
        while counts.count < statements.count {
            let start = counts.count
            let rest = statements[start...]
            do {
                if rest[start].isCopy {
                    counts.append(try copy(rest[start]))
                } else {
                    counts += try runTogether(Array(rest.prefix { !$0.isCopy })) { try onRow(start + $0, $1) }
                }
            } catch let failure as ServerFailure {
                throw ServerFailure(failure.error, at: failure.index.map { start + $0 })
            }
        }
        return counts
    }

    private func runTogether(
        _ statements: [ServerStatement],
        _ onRow: (_ index: Int, _ cells: UnsafeMutableBufferPointer<StoreCell>) throws -> Void
    ) throws -> [Int] {
        try makeAvailable()
        let arguments = try encode(statements)
        if let outer = currentStream { try outer.readRest() }
        let outer = currentStream
        let stream = ResultStream(self)
        currentStream = stream
        defer { currentStream = outer }
        canceller.begin()
        defer { canceller.end() }
        try send(statements, arguments, stream)
        var counts: [Int] = []
        var failure: (any Error)?
        while let step = try stream.next() {
            switch step {
            case .row(let index, let result):
                guard failure == nil else { continue }
                do {
                    try onRow(index, try stream.decode(result))
                } catch let error as WireError {
                    failure = ServerFailure(unreadable(error), at: index)
                } catch {
                    failure = error
                }
            case .end(let count): counts.append(count)
            case .failure(let error, let index): failure = failure ?? ServerFailure(error, at: index)
            }
        }
        if let failure { throw failure }
        return counts
    }

    /// Waits for the end of the previous transaction.
    /// - Throws: `ServerFailure` if the connection is lost.
    private func makeAvailable() throws(ServerFailure) {
        guard readEnding() else { throw ServerFailure(lose(), at: nil) }
        if let loss { throw ServerFailure(loss, at: nil) }
    }

    /// Copies rows into a table, outside of the pipeline mode.
    /// - Returns: The number of rows.
    private func copy(_ statement: ServerStatement) throws -> Int {
        try makeAvailable()
        if let outer = currentStream { try outer.readRest() }
        let rows: [UInt8]
        do throws(WireError) {
            rows = try encodeRows(of: statement.arguments)
        } catch {
            throw ServerFailure(refusal("a value of a copied row", error), at: 0)
        }
        try check(chordata_pg_exitPipelineMode(handle))
        defer { if chordata_pg_enterPipelineMode(handle) != 1 { lose() } }
        let stream = ResultStream(self)
        canceller.begin()
        defer { canceller.end() }
        try check(chordata_pg_sendQuery(handle, statement.sql))
        return try stream.copy(rows)
    }

    package var columnNames: [String] { currentStream?.columnNames ?? [] }

    package func setTimeLimited(_ isLimited: Bool) { statementTimeout = isLimited ? storeTimeout : nil }
    package func setPreparing(_ isPreparing: Bool) { self.isPreparing = isPreparing }

    package func endReading() {
        guard ending == nil, !isLost, isInTransaction else { return }
        let stream = ResultStream(self)
        do {
            try send([ServerStatement("COMMIT", isKept: true)], [[]], stream)
            ending = stream
            if chordata_pg_flush(handle) < 0 { lose() }
        } catch {
            lose()
        }
    }

    /// Waits until the transaction whose end was sent has ended.
    func finishReading() { _ = readEnding() }

    /// Reads the results of the end of a transaction.
    /// - Returns: `false` if it has failed.
    private func readEnding() -> Bool {
        guard let stream = ending else { return true }
        ending = nil
        do {
            guard let error = try stream.firstFailure() else { return true }
            guard error.isOfPreparation else { return false }
            // A transaction that only reads ends with ROLLBACK as well.
            statements.switchOff()
            let rollback = ResultStream(self)
            try send([ServerStatement("ROLLBACK")], [[]], rollback)
            return try rollback.firstFailure() == nil
        } catch {
            return false
        }
    }

    private func unreadable(_ error: WireError) -> StoreError {
        StoreError(.statementFailed, "a value that the server sent \(error.reason)", path: place)
    }

    private func encode(_ statements: [ServerStatement]) throws -> [[WireArgument]] {
        try statements.enumerated().map { index, statement in
            try statement.arguments.enumerated().map { position, argument in
                do throws(WireError) {
                    let encoded = try argument.encoded()
                    if encoded.bytes?.count ?? 0 > maximumValueSize { throw .tooLarge }
                    return encoded
                } catch {
                    let value = "the value of the parameter \(position + 1) of a statement"
                    throw ServerFailure(refusal(value, error), at: index)
                }
            }
        }
    }

    private func refusal(_ value: String, _ error: WireError) -> StoreError {
        let state = error == .nulCharacter ? "22021" : "54000"
        return StoreError(.statementFailed, "\(value) \(error.reason)", sqlState: state, path: place)
    }

    private func send(_ statements: [ServerStatement], _ arguments: [[WireArgument]], _ stream: ResultStream) throws {
        // The statements that are prepared by this round trip, by their names.
        var prepared: [String: (sql: String, types: [UInt32])] = [:]
        for (statement, arguments) in zip(statements, arguments) {
            let types = arguments.map(\.type.rawValue)
            var name = ""
            switch statement.isKept && isPreparing ? self.statements.name(of: statement.sql, types) : .unnamed {
            case .unnamed: break
            case .known(let known): name = known
            case .new(let new):
                if let (sql, known) = prepared[new] {
                    // Another text may have the same hash.
                    if sql == statement.sql, known == types { name = new }
                    break
                }
                name = new
                prepared[new] = (statement.sql, types)
                try check(chordata_pg_sendPrepare(handle, new, statement.sql, Int32(types.count), types))
                stream.expect(.preparation(new, statement.sql, types))
            }
            try check(
                withBytes(of: arguments) { values, lengths, formats in
                    let count = Int32(arguments.count)
                    return name.isEmpty
                        ? chordata_pg_sendQueryParams(handle, statement.sql, count, types, values, lengths, formats, 1)
                        : chordata_pg_sendQueryPrepared(handle, name, count, values, lengths, formats, 1)
                }
            )
            stream.expect(.statement)
        }
        try check(chordata_pg_pipelineSync(handle))
        stream.expect(.sync)
    }

    private func check(_ result: Int32) throws(ServerFailure) {
        if result != 1 { throw ServerFailure(lose(), at: nil) }
    }

    /// Records that a statement is prepared.
    func didPrepare(_ name: String, _ sql: String, _ types: [UInt32]) { statements.add(name, sql, types) }

    // MARK: Errors

    /// The message of the connection, without its password.
    var connectionMessage: String { redacted(chordata_pg_errorMessage(handle).map { String(cString: $0) } ?? "") }

    /// Returns a message of libpq or the server in one line and without the password.
    func redacted(_ message: String) -> String {
        var text = message.split(whereSeparator: \.isNewline).joined(separator: "; ")
        if !secret.isEmpty { text = text.replacing(secret, with: "********") }
        return text
    }

    /// Records that the connection is lost.
    /// - Parameter error: The error that the server has sent as the reason; `nil` if there is none.
    @discardableResult
    func lose(_ error: StoreError? = nil) -> StoreError {
        if let loss { return loss }
        let message = connectionMessage
        let lost =
            error
            ?? StoreError(
                .connectionLost,
                "the connection to the server was lost\(message.isEmpty ? "" : " (\(message))"); try again",
                path: place
            )
        loss = lost
        return lost
    }
}

/// Calls a closure with the addresses, the lengths and the formats of arguments.
private func withBytes<Result>(
    of arguments: [WireArgument],
    _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Result
) -> Result {
    let count = arguments.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    // At least one byte is allocated, because a value without bytes needs an address too.
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: count + 1) { memory in
        var values: [UnsafePointer<CChar>?] = []
        var offset = 0
        for argument in arguments {
            guard let bytes = argument.bytes, let base = memory.baseAddress else {
                values.append(nil)
                continue
            }
            let address = base + offset
            UnsafeMutableRawPointer(address).copyMemory(from: bytes, byteCount: bytes.count)
            values.append(UnsafePointer(address))
            offset += bytes.count
        }
        let lengths = arguments.map { Int32($0.bytes?.count ?? 0) }
        return body(values, lengths, arguments.map { _ in 1 })
    }
}
