internal import ChordataSQL

/// The SQL of a migration, divided into statements.
package struct MigrationScript {
    package struct Statement {
        package var sql: String
        /// The text of the comments before it, without their dashes.
        package var comment: String

        /// A Boolean value that indicates whether the statement drops or renames a column, so that another column may
        /// have its name.
        var changesColumns: Bool {
            guard let action = alteration?.action, let first = action.first else { return false }
            return first.isKeyword("DROP") || first.isKeyword("RENAME") && !action.dropFirst().begins(with: "TO")
        }

        /// The column that the statement drops, and its table.
        var droppedColumn: (table: String, name: String)? {
            guard let (table, action) = alteration, action.begins(with: "DROP") else { return nil }
            let rest = action.dropFirst()
            let name = rest.count > 1 && rest.begins(with: "COLUMN") ? rest.dropFirst().first : rest.first
            return name.map { (table, $0.text) }
        }

        /// The table that an `ALTER TABLE` changes, and the words after its name.
        private var alteration: (table: String, action: ArraySlice<SQLWord>)? {
            // With a schema before the name of the table, the column is the eighth word.
            let words = SQLWord.words(of: sql, count: 8)[...]
            guard words.begins(with: "ALTER"), words.dropFirst().begins(with: "TABLE") else { return nil }
            var rest = words.dropFirst(2)
            if rest.dropFirst().begins(with: ".") { rest = rest.dropFirst(2) }
            guard let table = rest.first else { return nil }
            return (table.text, rest.dropFirst())
        }
    }

    package var statements: [Statement] = []
    /// The number of statements before the line at which stages run; `nil` if there is no such line.
    package private(set) var stagePlace: Int?

    /// Divides a text into statements.
    ///
    /// Comments apply to the statements after them, until there are other comments.
    package init(_ text: String) {
        var comments: [String] = []
        var own: [String] = []
        var lastLine = 1
        for piece in splitStatements(text) {
            // Comments before an empty line do not describe the next statement.
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

    /// The statements that may rewrite all rows of a table, which takes space while both copies exist.
    var rewritingStatements: [String] {
        statements.filter { statement in
            // A check inserts a single number.
            if statement.sql.hasPrefix("INSERT INTO \"_check\"") { return false }
            let words = statement.sql.uppercased().split(maxSplits: 12, whereSeparator: \.isWhitespace)
            return switch words.first {
            case "INSERT", "REPLACE", "UPDATE", "WITH": true
            case "CREATE": words.contains("AS")
            default: statement.droppedColumn != nil  // All others leave rows unchanged.
            }
        }.map(\.sql)
    }
}
