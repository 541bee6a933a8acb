internal import ChordataModel
internal import ChordataPredicate
package import ChordataSQL

/// A statement that reads, with its arguments.
package struct StoreQuery {
    package enum Text {
        /// A text that is kept; a connection prepares it once.
        case kept(SQLText)
        case made(String)
    }

    package enum Arguments {
        case none
        /// The key of a row.
        case key(Int64)
        /// The keys of rows, as one argument.
        case keys([Int64])
        case values([PredicateValue])

        /// The number of parameters.
        package var count: Int {
            switch self {
            case .none: 0
            case .key, .keys: 1
            case .values(let values): values.count
            }
        }
    }

    package let text: Text
    package let arguments: Arguments

    init(_ text: SQLText, _ arguments: Arguments = .none) {
        (self.text, self.arguments) = (.kept(text), arguments)
    }

    package init(_ sql: String, _ arguments: Arguments = .none) {
        (text, self.arguments) = (.made(sql), arguments)
    }

    package init(_ fragment: SQLFragment) {
        self.init(fragment.sql, .values(fragment.bindings))
    }
}

/// A connection that reads a store, of an engine other than SQLite.
package protocol StoreConnection: AnyObject {
    /// Runs a closure for each row of a query. The closure may run other queries.
    /// - Throws: ``StoreError`` when the store cannot be read, and any error that the closure throws.
    func forEachRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws
}

/// The source of a context's reads: a connection to SQLite, called directly, or a connection of another engine.
package enum StoreReader {
    case sqlite(SQLiteConnection)
    case engine(any StoreConnection)

    /// Runs a closure for each row of a query.
    /// - Throws: ``StoreError`` when the store cannot be read, and any error that the closure throws.
    @inline(__always)
    package func forEachRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws {
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(query)
            defer { statement.reset() }
            try connection.forEachRow(of: statement, body)
        case .engine(let connection): try connection.forEachRow(of: query, body)
        }
    }

    /// Runs a closure for each row of a fetch; a long fetch reports its rows to the thread's current progress.
    /// - Throws: ``StoreError`` when the store cannot be read, `CancellationError` if the program has cancelled the
    ///   progress, and any error that the closure throws.
    @inline(__always)
    func forEachFetchedRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws {
        var count = 0
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(query)
            defer { statement.reset() }
            try connection.reportingFetch {
                try connection.forEachRow(of: statement) { row in
                    try body(row)
                    count += 1
                    if FetchProgress.reports(count) { try connection.fetchProgress?.report(count) }
                }
            }
        case .engine(let connection):
            var progress = FetchProgress()
            try connection.forEachRow(of: query) { row in
                try body(row)
                count += 1
                if FetchProgress.reports(count) { try progress.report(count) }
            }
            progress.finish()
        }
    }

    /// Runs a closure whose statements are interrupted if the program cancels the thread's current progress.
    @inline(__always)
    func reportingFetch<Result>(_ body: () throws -> Result) throws -> Result {
        guard case .sqlite(let connection) = self else { return try body() }
        return try connection.reportingFetch(body)
    }

    /// Returns the result of a closure for the only row of a query; `nil` if there is no row.
    /// - Throws: ``StoreError`` when the store cannot be read, and any error that the closure throws.
    @inline(__always)
    package func readRow<Result>(of query: StoreQuery, _ body: (StoreRow) throws -> Result) throws -> Result? {
        switch self {
        case .sqlite(let connection):
            let statement = try connection.statement(query)
            defer { statement.reset() }
            return try statement.step() ? try body(statement.currentRow) : nil
        case .engine(let connection):
            var result: Result?
            try connection.forEachRow(of: query) { result = try body($0) }
            return result
        }
    }

    /// Calls a closure with the key and the version of some rows, and with the values that the model preserves.
    func forEachVersion(
        of keys: [Int64],
        _ type: RuntimeEntity,
        _ dialect: any SQLDialect,
        _ body: (_ key: Int64, _ version: Int64, _ tombstone: [String: AttributeValue]) -> Void
    ) throws {
        let preserved = type.preservedFields
        let columns = (["_id", "_version"] + preserved.compactMap(\.columnName)).map(quoteIdentifier)
        let sql =
            "SELECT \(columns.joined(separator: ", ")) FROM \(quoteIdentifier(type.mapping.tableName)) WHERE "
            + dialect.isAmongKeys("\"_id\"", at: 1)
        try forEachRow(of: StoreQuery(sql, .keys(keys))) { row in
            var tombstone: [String: AttributeValue] = [:]
            for (index, field) in preserved.enumerated() {
                guard let attribute = field.attribute else { continue }
                let value = row.attribute(attribute, at: Int32(index + 2))
                tombstone[field.name] = value.flatMap { AttributeValue($0, for: field.kind.base) }
            }
            body(row.integer(at: 0), row.integer(at: 1), tombstone)
        }
    }

    /// The connection to SQLite; `nil` for another engine.
    var sqlite: SQLiteConnection? {
        if case .sqlite(let connection) = self { connection } else { nil }
    }
}

extension SQLiteConnection {
    /// Returns the prepared statement of a query, with its arguments.
    @inline(__always)
    func statement(_ query: StoreQuery) throws(StoreError) -> SQLiteStatement {
        let statement =
            switch query.text {
            case .kept(let text): try statement(text)
            case .made(let sql): try statement(sql)
            }
        statement.bind(query.arguments)
        return statement
    }
}

extension SQLiteStatement {
    @inline(__always)
    func bind(_ arguments: StoreQuery.Arguments) {
        switch arguments {
        case .none: break
        case .key(let key): bind(key, at: 1)
        case .keys(let keys): bind(jsonList(keys), at: 1)
        case .values(let values): bind(values)
        }
    }
}
