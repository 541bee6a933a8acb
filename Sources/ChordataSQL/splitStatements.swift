/// A piece of an SQL text: a comment before a statement, or a statement with its contents.
package struct SQLPiece: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A comment, with its dashes or asterisks and without the end of its line.
        case comment
        /// A statement, without its semicolon.
        case statement
    }

    package var kind: Kind
    package var text: String
    /// The line in which the piece begins, counted from 1.
    package var line: Int

    /// The word with which the statement begins, in capital letters; empty for a piece that does not begin with a word.
    package var keyword: String {
        kind == .comment ? "" : String(decoding: text.utf8.prefix(while: isWordByte), as: UTF8.self).uppercased()
    }
}

/// Splits an SQL text where SQLite does: statements end at semicolons that are neither quoted nor in a comment or
/// a trigger.
///
/// Comments within a statement are part of it. The text need not be valid.
package func splitStatements(_ text: String) -> [SQLPiece] {
    var scanner = SQLScanner(bytes: Array(text.utf8))
    var pieces: [SQLPiece] = []
    while let piece = scanner.next() { pieces.append(piece) }
    return pieces
}

private struct SQLScanner {
    let bytes: [UInt8]
    private var place = 0
    private var line = 1

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() -> SQLPiece? {
        while place < bytes.endIndex, isSpace(bytes[place]) || bytes[place] == UInt8(ascii: ";") {
            advance(to: place + 1)
        }
        guard place < bytes.endIndex else { return nil }
        let (start, startLine) = (place, line)
        if let end = endOfComment(at: place) {
            advance(to: end)
            return SQLPiece(kind: .comment, text: slice(start, end), line: startLine)
        }
        let end = endOfStatement()
        return SQLPiece(kind: .statement, text: slice(start, end), line: startLine)
    }

    /// Advances past the semicolon of the statement that begins at the current place.
    /// - Returns: The end of the statement.
    private mutating func endOfStatement() -> Int {
        // https://sqlite.org/c3ref/complete.html: a trigger ends with END after a semicolon.
        var words: [String] = []
        var isTrigger = false
        var last = ""
        while place < bytes.endIndex {
            let byte = bytes[place]
            if let end = endOfComment(at: place) {
                advance(to: end)
            } else if isSpace(byte) {
                advance(to: place + 1)
            } else if byte == UInt8(ascii: ";") {
                let end = place
                advance(to: place + 1)
                if !isTrigger || last == ";END" { return end }
                last = ";"
            } else if isWordByte(byte) {
                let start = place
                while place < bytes.endIndex, isWordByte(bytes[place]) { place += 1 }
                let word = String(decoding: bytes[start..<place], as: UTF8.self).uppercased()
                last = last == ";" && word == "END" ? ";END" : word
                if words.count < 3 {
                    words.append(word)
                    isTrigger =
                        words == ["CREATE", "TRIGGER"] || words == ["CREATE", "TEMP", "TRIGGER"]
                        || words == ["CREATE", "TEMPORARY", "TRIGGER"] || isTrigger
                }
            } else {
                advance(to: endOfQuoted(at: place) ?? place + 1)
                last = ""
                // A token that is not a word is not part of the beginning of a trigger.
                if words.count < 3 { words.append("") }
            }
        }
        return place
    }

    /// Returns the end of the comment that begins at a place, or `nil`.
    private func endOfComment(at place: Int) -> Int? {
        guard place + 1 < bytes.endIndex else { return nil }
        switch (bytes[place], bytes[place + 1]) {
        case (UInt8(ascii: "-"), UInt8(ascii: "-")):
            return bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        case (UInt8(ascii: "/"), UInt8(ascii: "*")):
            return bytes[(place + 2)...].firstRange(of: "*/".utf8)?.upperBound ?? bytes.endIndex
        case (_, _): return nil
        }
    }

    /// Returns the end of the text or name that begins at a place; a doubled quote ends one text or name and begins
    /// another.
    private func endOfQuoted(at place: Int) -> Int? {
        let mark: UInt8
        switch bytes[place] {
        case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): mark = bytes[place]
        case UInt8(ascii: "["): mark = UInt8(ascii: "]")
        case _: return nil
        }
        return bytes[(place + 1)...].firstIndex(of: mark).map { $0 + 1 } ?? bytes.endIndex
    }

    private mutating func advance(to end: Int) {
        line += bytes[place..<end].count { $0 == UInt8(ascii: "\n") }
        place = end
    }

    private func slice(_ start: Int, _ end: Int) -> String { String(decoding: bytes[start..<end], as: UTF8.self) }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || (9...13).contains(byte) }

/// Returns a Boolean value that indicates whether a byte belongs to a word: it is an ASCII letter, a digit, `_` or `$`,
/// or belongs to a letter that is not ASCII, as in SQLite.
private func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
        true
    case _: false
    }
}
