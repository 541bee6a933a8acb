internal import Chordata
internal import ChordataPredicate
internal import ChordataSQL

/// A connection to a database server as the source of a context's rows.
///
/// The first query begins the read transaction, in the same round trip.
final class ServerReader: StoreConnection {
    let connection: any ServerConnection
    private let begin: [ServerStatement]
    private let source = RowSource.ofCells()

    /// - Parameter begin: The statements that begin the transaction.
    init(_ connection: any ServerConnection, begin: [ServerStatement]) {
        (self.connection, self.begin) = (connection, begin)
    }

    func forEachRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws {
        do {
            try forEachRow(of: query.serverStatement, body)
        } catch let failure as ServerFailure {
            throw failure.error
        }
    }

    private func forEachRow(of statement: ServerStatement, _ body: (StoreRow) throws -> Void) throws {
        let prefix = connection.isInTransaction ? [] : begin
        var hasRows = false
        do {
            _ = try connection.execute(prefix + [statement]) { index, cells in
                guard index == prefix.count, let address = cells.baseAddress else { return }
                hasRows = true
                source.forgetUnreadable()
                try body(StoreRow(address, of: source))
            }
        } catch let failure as ServerFailure {
            // Otherwise the server would reject each later query of the event.
            if !begin.isEmpty, connection.isInTransaction { try connection.execute([ServerStatement("ROLLBACK")]) }
            guard failure.error.isOfPreparation, !begin.isEmpty, !hasRows else { throw failure }
            // The event begins again, without prepared statements. Its later reads can return newer rows than its
            // earlier reads, as after the end of an event; saves compare the versions of rows.
            try forEachRow(of: statement, body)
        }
    }
}

/// A connection to a database server that writes within a transaction.
final class ServerWriter: StoreWriter {
    private let reader: ServerReader
    var connection: any ServerConnection { reader.connection }
    let path: String
    /// Returns the statement that records changes for other programs; `nil` if they are not recorded.
    var note: ((HistoryChanges, SaveOrigin) throws -> ServerStatement)?
    var tracksHistory: Bool { note != nil }

    init(_ connection: any ServerConnection, path: String) {
        reader = ServerReader(connection, begin: [])
        self.path = path
    }

    func forEachRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws {
        try reader.forEachRow(of: query, body)
    }

    func run(_ query: StoreQuery) throws -> Int { try run([query.serverStatement])[0] }

    func run(_ sql: String, times count: Int, _ arguments: (Int) -> [PredicateValue]) throws -> [Int] {
        // The statements of a round trip are in memory.
        try stride(from: 0, to: count, by: Self.statementLimit).flatMap { start in
            try run(
                (start..<min(start + Self.statementLimit, count)).map { index in
                    ServerStatement(sql, arguments(index).map { .value($0) }, isKept: true)
                }
            )
        }
    }

    private static let statementLimit = 10_000

    private func run(_ statements: [ServerStatement]) throws -> [Int] {
        do {
            return try connection.execute(statements)
        } catch let failure as ServerFailure {
            throw failure.error
        }
    }

    func updatedKeys(by query: StoreQuery) throws -> [Int64] {
        let statement = query.serverStatement
        let returning = ServerStatement(statement.sql + " RETURNING \"_id\"", statement.arguments)
        var keys: [Int64] = []
        do {
            _ = try connection.execute([returning]) { _, cells in
                if case .integer(let key) = cells[0] { keys.append(key) }
            }
        } catch let failure as ServerFailure {
            throw failure.error
        }
        return keys
    }

    func recordHistory(_ changes: HistoryChanges, _ origin: SaveOrigin) throws {
        guard !changes.isEmpty, let note else { return }
        _ = try run([note(changes, origin)])
    }
}

extension StoreTransaction {
    /// Sets a value in ``StoreMetadata/notes`` of a store on a server.
    func writeServerNote(_ value: String?, forKey key: String) throws {
        let name = StoreMetadata.key(ofNote: key)
        guard let value else {
            let arguments = StoreQuery.Arguments.values([.attribute(.string(name))])
            try run(StoreQuery("DELETE FROM \"_metadata\" WHERE \"key\" = $1", arguments))
            return
        }
        let sql =
            "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES ($1, $2) "
            + "ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\""
        try run(StoreQuery(sql, .values([.attribute(.string(name)), .attribute(.string(value))])))
    }
}

extension StoreQuery {
    /// The statement for a database server.
    var serverStatement: ServerStatement {
        let arguments: [ServerArgument] =
            switch self.arguments {
            case .none: []
            case .key(let key): [.integer(key)]
            case .keys(let keys): [.keys(keys)]
            case .values(let values): values.map { .value($0) }
            }
        return switch text {
        case .kept(let text): ServerStatement(text.sql, arguments, isKept: true)
        case .made(let sql): ServerStatement(sql, arguments, isKept: true)
        }
    }
}
