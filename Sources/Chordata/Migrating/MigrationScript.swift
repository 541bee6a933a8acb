internal import CChordataSQLite
internal import ChordataSQL

/// The SQL of a migration, statement by statement.
struct MigrationScript {
    struct Statement {
        var sql: String
        /// What the comments before it say, without their dashes.
        var comment: String

        /// Whether a column goes or is called otherwise, so that another one may have its name.
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

        /// What a name is that SQL has in any of SQLite's quotes; no name of ours has one in it.
        private func unquoted(_ name: Substring) -> String { String(name.filter { !"\"`[]'".contains($0) }) }
    }

    var statements: [Statement] = []
    /// How many statements stand before the line at which stages run; `nil` where there is none.
    private(set) var stagePlace: Int?

    /// Takes a text apart where SQLite ends statements: at semicolons that are neither quoted nor in a comment or a trigger.
    init(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        var comments: [String] = []
        for place in Self.semicolons(in: bytes) {
            let piece = String(decoding: bytes[start...place], as: UTF8.self)
            guard sqlite3_complete(piece) != 0 else { continue }
            append(piece, &comments)
            start = place + 1
        }
        append(String(decoding: bytes[start...], as: UTF8.self), &comments)
    }

    /// Where semicolons are that are neither quoted nor in a comment; some may be in a trigger.
    private static func semicolons(in bytes: [UInt8]) -> [Int] {
        func end(of mark: String, behind place: Int) -> Int {
            bytes[min(place + 1, bytes.endIndex)...].firstRange(of: mark.utf8)?.upperBound ?? bytes.endIndex
        }
        var places: [Int] = []
        var place = 0
        while place < bytes.endIndex {
            let next = place + 1 < bytes.endIndex ? bytes[place + 1] : 0
            switch (bytes[place], next) {
            case (UInt8(ascii: ";"), _):
                places.append(place)
                place += 1
            // A quote that is written twice ends one text and begins another.
            case (UInt8(ascii: "'"), _): place = end(of: "'", behind: place)
            case (UInt8(ascii: "\""), _): place = end(of: "\"", behind: place)
            case (UInt8(ascii: "`"), _): place = end(of: "`", behind: place)
            case (UInt8(ascii: "["), _): place = end(of: "]", behind: place)
            case (UInt8(ascii: "-"), UInt8(ascii: "-")): place = end(of: "\n", behind: place)
            case (UInt8(ascii: "/"), UInt8(ascii: "*")): place = end(of: "*/", behind: place + 1)
            default: place += 1
            }
        }
        return places
    }

    /// - Parameter comments: those of the statements before, which hold for the next ones as long as there are no others.
    private mutating func append(_ piece: String, _ comments: inout [String]) {
        var rest = Substring(piece)
        var own: [String] = []
        while true {
            let space = rest.prefix { $0.isWhitespace }
            rest = rest.dropFirst(space.count)
            // An empty line ends what is about something else.
            if space.count(where: \.isNewline) > 1 { own = [] }
            if rest.hasPrefix("/*") {
                let end = rest.dropFirst(2).firstRange(of: "*/")?.upperBound ?? rest.endIndex
                rest = rest[end...]
                continue
            }
            guard rest.hasPrefix("--") else { break }
            let line = rest.prefix { !$0.isNewline }
            if isStageMarker(line), stagePlace == nil { stagePlace = statements.count }
            own.append(String(line.dropFirst(2).drop { $0 == " " }))
            rest = rest.dropFirst(line.count)
        }
        if !own.isEmpty { comments = own }
        // Comments at the end, and stray semicolons, are no statements.
        guard rest.contains(where: { $0 != ";" && !$0.isWhitespace }) else { return }
        statements.append(Statement(sql: String(rest), comment: comments.joined(separator: "; ")))
    }

    /// The statements that may write all rows of a table anew, which takes room while both copies are there.
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
