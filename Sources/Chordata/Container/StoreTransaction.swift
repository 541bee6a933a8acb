internal import ChordataPredicate
internal import ChordataSQL

/// A connection with which an engine other than SQLite writes to a store within a transaction.
package protocol StoreWriter: StoreConnection {
    /// The location of the store, for error messages.
    var path: String { get }
    /// A Boolean value that indicates whether each transaction is recorded in the persistent history.
    var tracksHistory: Bool { get }

    /// Executes a statement that writes rows.
    /// - Returns: The number of rows that were written.
    /// - Throws: ``StoreError`` when the store cannot be written, with its ``StoreError/violation`` when a row would
    ///   violate a constraint.
    func run(_ query: StoreQuery) throws -> Int

    /// Executes a statement several times.
    /// - Parameters:
    ///   - count: The number of times.
    ///   - arguments: Returns the arguments of an execution by its index.
    /// - Returns: The number of rows that each execution has written.
    /// - Throws: The errors of ``run(_:)``.
    func run(_ sql: String, times count: Int, _ arguments: (Int) -> [PredicateValue]) throws -> [Int]

    /// Executes an UPDATE that does not change the keys of rows.
    /// - Returns: The keys of the rows that were written, in any order.
    /// - Throws: The errors of ``run(_:)``.
    func updatedKeys(by query: StoreQuery) throws -> [Int64]

    /// Records in the persistent history what the transaction has changed.
    func recordHistory(_ changes: HistoryChanges, _ origin: SaveOrigin) throws
}

/// The connection of a write transaction: a connection to SQLite, which is called directly, or one of another engine.
package enum StoreTransaction {
    case sqlite(SQLiteConnection)
    case engine(any StoreWriter)

    /// A reader that sees what the transaction has written.
    var reader: StoreReader {
        switch self {
        case .sqlite(let connection): .sqlite(connection)
        case .engine(let writer): .engine(writer)
        }
    }

    /// A Boolean value that indicates whether each transaction is recorded in the persistent history.
    var tracksHistory: Bool {
        switch self {
        case .sqlite(let connection): connection.tracksHistory
        case .engine(let writer): writer.tracksHistory
        }
    }

    /// Executes a statement that writes rows.
    /// - Returns: The number of rows that were written.
    /// - Throws: ``StoreError`` when the store cannot be written.
    @discardableResult
    package func run(_ query: StoreQuery) throws -> Int {
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(query)
            defer { statement.reset() }
            try statement.run()
            return connection.changes
        case .engine(let writer): return try writer.run(query)
        }
    }

    /// Executes a statement several times; see ``StoreWriter/run(_:times:_:)``.
    @discardableResult
    package func run(_ sql: String, times count: Int, _ arguments: (Int) -> [PredicateValue]) throws -> [Int] {
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(sql)
            defer { statement.reset() }
            return try (0..<count).map { index in
                statement.bind(arguments(index))
                try statement.run()
                return connection.changes
            }
        case .engine(let writer): return try writer.run(sql, times: count, arguments)
        }
    }

    /// Executes an UPDATE of a table without triggers; see ``StoreWriter/updatedKeys(by:)``.
    func updatedKeys(by query: StoreQuery) throws -> [Int64] {
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(query)
            defer { statement.reset() }
            return try connection.updatedKeys(by: statement)
        case .engine(let writer): return try writer.updatedKeys(by: query)
        }
    }

    /// Returns a Boolean value that indicates whether a table has triggers.
    ///
    /// A statement that writes to such a table runs other statements, so it is unknown which rows it writes itself, and
    /// its conflict clause would apply to the other statements, too.
    func hasTriggers(onTableNamed tableName: String) throws(StoreError) -> Bool {
        guard case .sqlite(let connection) = self else { return false }
        return try connection.hasTriggers(onTableNamed: tableName)
    }

    /// Records in the persistent history what the transaction has changed.
    func recordHistory(_ changes: HistoryChanges, _ origin: SaveOrigin) throws {
        switch self {
        case .sqlite(let connection): try connection.recordHistory(changes, origin)
        case .engine(let writer): try writer.recordHistory(changes, origin)
        }
    }

    /// Throws an error if a statement has not written as many rows as expected, which only a trigger of another program
    /// can cause.
    func requireCount(_ count: Int, of type: RuntimeEntity, expected: Int) throws(StoreError) {
        guard count != expected else { return }
        let path =
            switch self {
            case .sqlite(let connection): connection.path
            case .engine(let writer): writer.path
            }
        throw StoreError(missingRowsOf: type.entity.name, path: path)
    }

    /// Runs a closure that writes, reports its rows to a progress, and ends the closure if the progress or the current
    /// task is cancelled.
    /// - Throws: `CancellationError` if the progress or the task is cancelled; the caller must then roll back the
    ///   transaction.
    func interruptible<Result>(_ progress: OperationProgress?, _ body: () throws -> Result) throws -> Result {
        if case .sqlite(let connection) = self { return try connection.interruptible(progress, body) }
        let result = try body()
        try progress?.checkCancellation()
        try Task.checkCancellation()
        return result
    }
}
