internal import CChordataSQLite

/// A logger that is called for each SQL statement of a store; set it as ``StoreOptions/statementLogger``.
///
/// ```swift
/// let logger = StatementLogger { print($0) }
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(statementLogger: logger))
/// ```
/// The handler is called on the thread that ran the statement, which can be any thread, while that thread uses a
/// connection of the store. During a write, or if the store is in memory, the store is also locked until the handler
/// returns. The handler must not use the store.
public final class StatementLogger: Sendable, Hashable {
    /// A record of a statement that has run.
    public struct Record: Sendable, Hashable, CustomStringConvertible {
        /// The SQL text; values are replaced by question marks unless ``StatementLogger/includesValues`` is `true`.
        public var sql: String
        /// The number of rows that the statement returned or wrote.
        public var rowCount: Int
        /// The duration of the statement, including the program's work for each row.
        public var duration: Duration

        /// A textual description in one line, such as `0.420 ms, 20 rows: SELECT …`.
        public var description: String {
            "\(duration.inMilliseconds) ms, \(rowCount) \(rowCount == 1 ? "row" : "rows"): \(sql)"
        }
    }

    /// A Boolean value that indicates whether the SQL texts contain values, which can be confidential.
    public let includesValues: Bool
    let handler: @Sendable (Record) -> Void

    /// Creates a logger that calls a handler after each statement.
    /// - Parameters:
    ///   - includesValues: `true` to include values, which can be confidential, in the SQL texts.
    ///   - handler: The closure that is called with each statement that has run.
    public init(includesValues: Bool = false, _ handler: @escaping @Sendable (Record) -> Void) {
        self.includesValues = includesValues
        self.handler = handler
    }

    /// Returns a Boolean value that indicates whether two loggers are the same instance.
    public static func == (left: StatementLogger, right: StatementLogger) -> Bool { left === right }
    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Counts the rows of a connection's statements, and reports each completed statement to a logger.
final class StatementTrace {
    private let logger: StatementLogger
    /// A Boolean value that indicates whether statements that begin now are internal ones, which are not reported.
    var isPaused = false
    /// For each statement, its start, because SQLite itself counts milliseconds only, and the number of rows that it
    /// has returned so far.
    private var running: [OpaquePointer: (start: ContinuousClock.Instant, rowCount: Int)] = [:]

    init(_ logger: StatementLogger) { self.logger = logger }

    /// Registers the trace with SQLite; the trace must live as long as the connection.
    func observe(_ connection: OpaquePointer) {
        sqlite3_trace_v2(
            connection,
            UInt32(SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE),
            { event, trace, statement, _ in
                guard let trace, let statement else { return 0 }
                let counter = Unmanaged<StatementTrace>.fromOpaque(trace).takeUnretainedValue()
                switch Int32(event) {
                case SQLITE_TRACE_STMT: counter.begin(OpaquePointer(statement))
                case SQLITE_TRACE_ROW: counter.countRow(of: OpaquePointer(statement))
                default: counter.finish(OpaquePointer(statement))  // SQLITE_TRACE_PROFILE, the last registered event.
                }
                return 0
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    /// Records the start of a statement; the statements of its triggers are part of it.
    private func begin(_ statement: OpaquePointer) {
        guard !isPaused, running[statement] == nil, !isOfFullTextIndex(statement) else { return }
        running[statement] = (.now, 0)
    }

    /// Returns a Boolean value that indicates whether FTS5 runs the statement as part of another one; such statements
    /// have their table names in single quotes.
    private func isOfFullTextIndex(_ statement: OpaquePointer) -> Bool {
        guard let text = sqlite3_sql(statement) else { return false }
        return String(cString: text).contains("'main'.")
    }

    /// Counts a row that a statement returns, or for which it calls the row function.
    func countRow(of statement: OpaquePointer) { running[statement]?.rowCount += 1 }

    private func finish(_ statement: OpaquePointer) {
        guard let (start, given) = running.removeValue(forKey: statement) else { return }
        let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
        var rowCount = given
        if sqlite3_stmt_readonly(statement) == 0 {
            rowCount = Int(sqlite3_changes(sqlite3_db_handle(statement)))
        } else if RowCallbackAggregate.isSelection(sql) {
            rowCount = max(0, given - 1)  // The calls, and the one row that such a statement returns.
        }
        let text = logger.includesValues ? text(of: statement) : nil
        logger.handler(StatementLogger.Record(sql: text ?? sql, rowCount: rowCount, duration: .now - start))
    }

    /// Returns the SQL text with its values.
    private func text(of statement: OpaquePointer) -> String? {
        guard let expanded = sqlite3_expanded_sql(statement) else { return nil }
        defer { sqlite3_free(expanded) }
        return String(cString: expanded)
    }
}
