import CBarePostgres

/// The parts of libpq that a hand-written program needs: prepared statements in a pipeline, and COPY.
final class BareConnection {
    /// A prepared statement with its arguments.
    typealias Statement = (name: String, arguments: BareBuffer?)

    private let handle: OpaquePointer
    private let cells = UnsafeMutablePointer<bare_cell>.allocate(capacity: 16)

    init(_ connectionString: String) throws {
        if let reason = bare_load() { throw BareError(message: String(cString: reason)) }
        guard let opened = bare_connectdb(connectionString) else { throw BareError(message: "libpq is out of memory") }
        handle = opened
        guard bare_status(handle) == 0 else { throw error() }
        // libpq prints notices otherwise.
        try execute("SET client_min_messages = warning")
    }

    deinit {
        cells.deallocate()
        bare_finish(handle)
    }

    /// Executes a statement without arguments and without a result.
    func execute(_ sql: String) throws { try check(bare_exec(handle, sql), BARE_COMMAND_OK) }

    /// Prepares a statement, which lives as long as the connection.
    /// - Returns: Its name.
    @discardableResult
    func prepare(_ name: String, _ sql: String) throws -> String {
        try check(bare_prepare(handle, name, sql, 0, nil), BARE_COMMAND_OK)
        return name
    }

    /// Executes prepared statements in one round trip.
    /// - Parameter onRow: A closure that is called for each row; the values are valid during the call.
    /// - Returns: The number of rows that the statements have read or written.
    @discardableResult
    func run(_ statements: [Statement], _ onRow: (UnsafePointer<bare_cell>) -> Void = { _ in }) throws -> Int {
        bare_enterPipelineMode(handle)
        for statement in statements {
            guard send(statement) == 1 else { throw error() }
        }
        guard bare_pipelineSync(handle) == 1 else { throw error() }
        var count = 0
        for _ in statements {
            bare_setSingleRowMode(handle)
            while let result = bare_getResult(handle) {
                defer { bare_clear(result) }
                switch bare_resultStatus(result) {
                case BARE_SINGLE_TUPLE:
                    bare_cells(result, cells)
                    onRow(cells)
                case BARE_TUPLES_OK, BARE_COMMAND_OK: count += Int(String(cString: bare_cmdTuples(result))) ?? 0
                default: throw error()
                }
            }
        }
        try check(bare_getResult(handle), BARE_PIPELINE_SYNC)
        bare_exitPipelineMode(handle)
        return count
    }

    private func send(_ statement: Statement) -> Int32 {
        guard let arguments = statement.arguments else {
            return bare_sendQueryPrepared(handle, statement.name, 0, nil, nil, nil, 1)
        }
        let starts = arguments.arguments
        let values: [UnsafePointer<CChar>?] = starts.map {
            UnsafePointer((arguments.bytes + $0).assumingMemoryBound(to: CChar.self))
        }
        let lengths = starts.indices.map { index in
            Int32((index + 1 < starts.count ? starts[index + 1] : arguments.count) - starts[index])
        }
        let formats = [Int32](repeating: 1, count: starts.count)
        return bare_sendQueryPrepared(handle, statement.name, Int32(starts.count), values, lengths, formats, 1)
    }

    /// Executes a COPY in the binary format, which takes two round trips.
    /// - Parameter add: A closure that appends the row with an index.
    func copy(_ sql: String, count: Int, _ add: (Int, BareBuffer) -> Void) throws {
        try check(bare_exec(handle, sql), BARE_COPY_IN)
        let buffer = BareBuffer()
        for byte in Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0] { buffer.addBytes(of: byte) }
        buffer.addBytes(of: Int64(0))
        for index in 0..<count {
            add(index, buffer)
            if buffer.count > 60_000 { try put(buffer) }
        }
        buffer.addBytes(of: Int16(-1))
        try put(buffer)
        guard bare_putCopyEnd(handle, nil) == 1 else { throw error() }
        try check(bare_getResult(handle), BARE_COMMAND_OK)
        // The end of the results.
        bare_clear(bare_getResult(handle))
    }

    private func put(_ buffer: BareBuffer) throws {
        let bytes = UnsafePointer(buffer.bytes.assumingMemoryBound(to: CChar.self))
        guard bare_putCopyData(handle, bytes, Int32(buffer.count)) == 1 else { throw error() }
        buffer.removeAll()
    }

    /// Returns the integers in the first column of a query.
    func integers(_ sql: String) throws -> [Int64] {
        try prepare("", sql)
        var integers: [Int64] = []
        try run([("", nil)]) { integers.append($0[0].integer) }
        return integers
    }

    /// Returns the text in the first column of a query with one row.
    func text(_ sql: String) throws -> String {
        try prepare("", sql)
        var text = ""
        try run([("", nil)]) { text = $0[0].text ?? "" }
        return text
    }

    private func check(_ result: OpaquePointer?, _ status: Int32) throws {
        defer { bare_clear(result) }
        guard bare_resultStatus(result) == status else { throw error() }
    }

    private func error() -> BareError { BareError(message: String(cString: bare_errorMessage(handle))) }
}

/// The error that is thrown for a failure of libpq or the server.
struct BareError: Error {
    let message: String
}
