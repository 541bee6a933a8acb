internal import ChordataPredicate
internal import ChordataSQL

/// Searches texts that are not in the index of a store, with an index in memory, so that SQLite finds the same matches
/// as in the store.
final class FullTextMatcher {
    private let index: FullTextIndex
    private let query: FullTextQuery
    private let expression: String
    private var connection: SQLiteConnection?
    /// The texts of the index; `nil` while it is empty.
    private var texts: [String?]?

    init(_ index: FullTextIndex, _ query: FullTextQuery) {
        self.index = index
        self.query = query
        expression = index.matchExpression(query)
    }

    // No column has the name of the table.
    private static let table = "\"_texts\""

    /// Returns a Boolean value that indicates whether an object with these texts matches the query.
    /// - Parameter texts: The texts of the attributes of the index, in their order.
    func matches(_ texts: [String?]) throws(FetchPredicateError) -> Bool {
        try withIndex(of: texts) { connection throws(StoreError) in
            let statement = try connection.statement("SELECT 1 FROM \(Self.table) WHERE \(Self.table) MATCH ?")
            defer { statement.reset() }
            statement.bind(expression, at: 1)
            return try statement.step()
        }
    }

    /// Returns a text with marks around the words that match the query.
    /// - Parameter place: The position of the text among the texts of the index.
    /// - Returns: The text; `nil` if the texts do not match the query, or the text is `nil`.
    func highlight(_ place: Int, of texts: [String?], _ start: String, _ end: String) throws(FetchPredicateError)
        -> String?
    {
        try text(of: "highlight(\(Self.table), \(place), ?, ?)", texts, [start, end])
    }

    /// Returns a part of a text that contains many matching words, with marks around these words.
    func excerpt(
        _ place: Int,
        of texts: [String?],
        _ start: String,
        _ end: String,
        ellipsis: String,
        wordCount: Int
    ) throws(FetchPredicateError) -> String? {
        // FTS5 allows at most 64 words.
        let count = min(max(wordCount, 1), 64)
        return try text(of: "snippet(\(Self.table), \(place), ?, ?, ?, \(count))", texts, [start, end, ellipsis])
    }

    private func text(of function: String, _ texts: [String?], _ arguments: [String]) throws(FetchPredicateError)
        -> String?
    {
        try withIndex(of: texts) { connection throws(StoreError) in
            let statement = try connection.statement(
                "SELECT \(function) FROM \(Self.table) WHERE \(Self.table) MATCH ?"
            )
            defer { statement.reset() }
            for (place, argument) in (arguments + [expression]).enumerated() {
                statement.bind(argument, at: Int32(place + 1))
            }
            return try statement.step() ? statement.text(at: 0) : nil
        }
    }

    private func withIndex<Result>(
        of texts: [String?],
        _ body: (SQLiteConnection) throws(StoreError) -> Result
    ) throws(FetchPredicateError) -> Result {
        do throws(StoreError) {
            let connection: SQLiteConnection
            if let known = self.connection { connection = known } else { connection = try open() }
            if !hasTexts(texts) { try fill(texts, connection) }
            return try body(connection)
        } catch {
            throw FetchPredicateError(
                .unsupported,
                "the values of unsaved changes cannot be searched in memory: \(error.message)",
                at: 0,
                in: query.description
            )
        }
    }

    /// Compares the texts byte by byte, because strings that are equal in Swift can have different words.
    private func hasTexts(_ other: [String?]) -> Bool {
        guard let texts else { return false }
        return texts.elementsEqual(other) { left, right in
            guard let left, let right else { return left == nil && right == nil }
            return left.utf8.elementsEqual(right.utf8)
        }
    }

    private func open() throws(StoreError) -> SQLiteConnection {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        try requireFullTextSearch(connection)
        let columns = index.columnNames.map(quoteIdentifier).joined(separator: ", ")
        try connection.execute(
            "CREATE VIRTUAL TABLE \(Self.table) USING fts5(\(columns), tokenize='\(FullTextIndex.tokenizer)')"
        )
        self.connection = connection
        return connection
    }

    private func fill(_ texts: [String?], _ connection: SQLiteConnection) throws(StoreError) {
        self.texts = nil
        // A transaction that is rolled back leaves no segments in the index.
        if connection.isInTransaction { try connection.run(.rollback) }
        try connection.run(.begin)
        let parameters = index.columnNames.map { _ in ", ?" }.joined()
        let columns = index.columnNames.map { ", \(quoteIdentifier($0))" }.joined()
        let statement = try connection.statement(
            "INSERT INTO \(Self.table) (rowid\(columns)) VALUES (1\(parameters))"
        )
        for (place, text) in texts.enumerated() {
            if let text { statement.bind(text, at: Int32(place + 1)) } else { statement.bindNull(at: Int32(place + 1)) }
        }
        try statement.run()
        self.texts = texts
    }
}
