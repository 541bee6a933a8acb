internal import ChordataSQL

/// The SQL of a migration, statement by statement.
struct MigrationScript {
    struct Statement {
        var sql: String
        /// The text of the comments before it, without their dashes.
        var comment: String

        /// A Boolean value that indicates whether a column goes or is called otherwise, so that another one may have
        /// its name.
        var changesColumns: Bool {
            let words = sql.uppercased().split(whereSeparator: \.isWhitespace)
            return words.starts(with: ["ALTER", "TABLE"])
                && zip(words, words.dropFirst()).contains { ["DROP", "RENAME"].contains($0) && $1 != "TO" }
        }

        /// The column that goes, and its table.
        var droppedColumn: (table: String, name: String)? {
            var words = sql.split { $0.isWhitespace || $0 == ";" }
            func isNext(_ word: String) -> Bool { words.first?.uppercased() == word }
            for word in ["ALTER", "TABLE"] {
                guard isNext(word) else { return nil }
                words.removeFirst()
            }
            guard let table = words.first?.split(separator: ".").last else { return nil }
            words.removeFirst()
            guard isNext("DROP") else { return nil }
            words.removeFirst()
            if words.count > 1, isNext("COLUMN") { words.removeFirst() }
            guard let name = words.first else { return nil }
            return (unquoted(table), unquoted(name))
        }

        /// The name inside any of SQLite's quotes; no name of ours contains one.
        private func unquoted(_ name: Substring) -> String { String(name.filter { !"\"`[]'".contains($0) }) }
    }

    var statements: [Statement] = []
    /// The number of statements before the line at which stages run, or `nil`.
    private(set) var stagePlace: Int?

    /// Takes a text apart.
    ///
    /// Comments hold for the statements behind them, as long as there are no others.
    init(_ text: String) {
        var comments: [String] = []
        var own: [String] = []
        var lastLine = 1
        for piece in splitStatements(text) {
            // An empty line ends what is about something else.
            if piece.line > lastLine + 1 { own = [] }
            lastLine = piece.line + piece.text.utf8.count { $0 == UInt8(ascii: "\n") }
            switch piece.kind {
            case .comment:
                guard piece.text.hasPrefix("--") else { continue }
                if isStageMarker(Substring(piece.text)), stagePlace == nil { stagePlace = statements.count }
                own.append(String(piece.text.dropFirst(2).drop { $0 == " " }))
            case .statement:
                if !own.isEmpty { comments = own }
                own = []
                statements.append(Statement(sql: piece.text, comment: comments.joined(separator: "; ")))
            }
        }
    }

    /// The statements that may write all rows of a table again, which takes room while both copies exist.
    var rewritingStatements: [String] {
        statements.filter { statement in
            // What a check looks at is one number.
            if statement.sql.hasPrefix("INSERT INTO \"_check\"") { return false }
            let words = statement.sql.uppercased().split(maxSplits: 12, whereSeparator: \.isWhitespace)
            return switch words.first {
            case "INSERT", "REPLACE", "UPDATE", "WITH": true
            case "CREATE": words.contains("AS")
            default: statement.droppedColumn != nil  // All others leave rows where they are.
            }
        }.map(\.sql)
    }
}
