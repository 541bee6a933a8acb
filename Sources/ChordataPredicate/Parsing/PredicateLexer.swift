/// Splits a format string into tokens, one at a time.
struct PredicateLexer {
    let format: String
    let bytes: [UInt8]
    var position: Int

    init(_ format: String, at position: Int = 0) {
        self.format = format
        self.bytes = Array(format.utf8)
        self.position = position
    }

    /// Returns the byte at the position or after it; 0 beyond the end.
    func peek(_ distance: Int = 0) -> UInt8 {
        position + distance < bytes.count ? bytes[position + distance] : 0
    }

    func fail(_ message: String, at offset: Int) -> FetchPredicateError {
        FetchPredicateError(.malformed, message, at: offset, in: format)
    }

    /// Reads the next token; at the end, each call returns ``PredicateToken/Kind/end``.
    mutating func next() throws(FetchPredicateError) -> PredicateToken {
        skipWhitespace()
        let start = position
        let kind = try nextKind()
        return PredicateToken(kind: kind, range: start..<position)
    }

    private mutating func nextKind() throws(FetchPredicateError) -> PredicateToken.Kind {
        guard position < bytes.count else { return .end }
        let byte = peek()
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): return .string(try readString(quote: byte))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try readNumber())
        case UInt8(ascii: ".") where isDigit(peek(1)): return .number(try readNumber())
        case UInt8(ascii: "%"): return .placeholder(try readPlaceholder())
        case UInt8(ascii: "#"):
            position += 1
            guard let word = readWord() else {
                throw fail("expected a key after '#'", at: position - 1)
            }
            return .word(word, isEscaped: true)
        case UInt8(ascii: "$"):
            position += 1
            guard let word = readWord() else {
                throw fail("expected the name of a variable after '$'", at: position - 1)
            }
            return .variable(word)
        case UInt8(ascii: "@"):
            position += 1
            guard let word = readWord() else {
                throw fail("expected the name of a collection operator, such as 'count', after '@'", at: position - 1)
            }
            return .collectionOperator(word)
        default:
            if let word = readWord() { return .word(word, isEscaped: false) }
            return try readSign(byte)
        }
    }

    private mutating func readSign(_ byte: UInt8) throws(FetchPredicateError) -> PredicateToken.Kind {
        let second = peek(1)
        func take(_ length: Int, _ kind: PredicateToken.Kind) -> PredicateToken.Kind {
            position += length
            return kind
        }
        switch (byte, second) {
        case (UInt8(ascii: "="), UInt8(ascii: "=")): return take(2, .comparison(.equal))
        case (UInt8(ascii: "="), UInt8(ascii: "<")): return take(2, .comparison(.lessOrEqual))
        case (UInt8(ascii: "="), UInt8(ascii: ">")): return take(2, .comparison(.greaterOrEqual))
        case (UInt8(ascii: "="), _): return take(1, .comparison(.equal))
        case (UInt8(ascii: "!"), UInt8(ascii: "=")): return take(2, .comparison(.notEqual))
        case (UInt8(ascii: "<"), UInt8(ascii: ">")): return take(2, .comparison(.notEqual))
        case (UInt8(ascii: "<"), UInt8(ascii: "=")): return take(2, .comparison(.lessOrEqual))
        case (UInt8(ascii: ">"), UInt8(ascii: "=")): return take(2, .comparison(.greaterOrEqual))
        case (UInt8(ascii: "<"), UInt8(ascii: "<")): return take(2, .arithmetic("<<"))
        case (UInt8(ascii: ">"), UInt8(ascii: ">")): return take(2, .arithmetic(">>"))
        case (UInt8(ascii: "<"), _): return take(1, .comparison(.less))
        case (UInt8(ascii: ">"), _): return take(1, .comparison(.greater))
        case (UInt8(ascii: "!"), _): return take(1, .not)
        case (UInt8(ascii: "&"), UInt8(ascii: "&")): return take(2, .and)
        case (UInt8(ascii: "|"), UInt8(ascii: "|")): return take(2, .or)
        case (UInt8(ascii: "&"), _): return take(1, .arithmetic("&"))
        case (UInt8(ascii: "|"), _): return take(1, .arithmetic("|"))
        case (UInt8(ascii: "^"), _): return take(1, .arithmetic("^"))
        case (UInt8(ascii: "("), _): return take(1, .leftParenthesis)
        case (UInt8(ascii: ")"), _): return take(1, .rightParenthesis)
        case (UInt8(ascii: "{"), _): return take(1, .leftBrace)
        case (UInt8(ascii: "}"), _): return take(1, .rightBrace)
        case (UInt8(ascii: "["), _): return take(1, .leftBracket)
        case (UInt8(ascii: "]"), _): return take(1, .rightBracket)
        case (UInt8(ascii: ","), _): return take(1, .comma)
        case (UInt8(ascii: "."), _): return take(1, .dot)
        case (UInt8(ascii: ":"), UInt8(ascii: "=")): return take(2, .arithmetic(":="))
        case (UInt8(ascii: ":"), _): return take(1, .colon)
        case (UInt8(ascii: "*"), UInt8(ascii: "*")): return take(2, .arithmetic("**"))
        case (UInt8(ascii: "*"), _): return take(1, .arithmetic("*"))
        case (UInt8(ascii: "+"), _): return take(1, .arithmetic("+"))
        case (UInt8(ascii: "-"), _): return take(1, .arithmetic("-"))
        case (UInt8(ascii: "/"), _): return take(1, .arithmetic("/"))
        default:
            let scalar = scalar(at: position)?.scalar ?? "\u{FFFD}"
            let isQuote = "\u{2018}\u{2019}\u{201A}\u{201B}\u{201C}\u{201D}\u{201E}\u{AB}\u{BB}`".unicodeScalars
                .contains(scalar)
            throw fail("unexpected '\(scalar)'" + (isQuote ? "; write strings in ' or \"" : ""), at: position)
        }
    }

    // MARK: Words

    /// Reads a word: a letter or underscore, then letters, digits and underscores of any script.
    mutating func readWord() -> String? {
        let start = position
        while let (scalar, length) = scalar(at: position) {
            let fits =
                if scalar.isASCII {
                    isLetter(UInt8(scalar.value)) || scalar == "_"
                        || (position > start && isDigit(UInt8(scalar.value)))
                } else {
                    position > start ? scalar.properties.isXIDContinue : scalar.properties.isXIDStart
                }
            guard fits else { break }
            position += length
        }
        return position > start ? text(start..<position) : nil
    }

    /// Skips white space, including the Unicode characters that occur in copied text.
    mutating func skipWhitespace() {
        while let (scalar, length) = scalar(at: position) {
            let isWhitespace =
                scalar.isASCII
                ? scalar == " " || (0x09...0x0D).contains(scalar.value) : scalar.properties.isWhitespace
            guard isWhitespace else { return }
            position += length
        }
    }

    // MARK: Bytes

    func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

    func isLetter(_ byte: UInt8) -> Bool {
        let lower = byte | 0x20
        return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Returns the scalar that begins at a position and its length in bytes; the bytes come from a String, so they are
    /// valid.
    func scalar(at position: Int) -> (scalar: Unicode.Scalar, length: Int)? {
        guard position < bytes.count else { return nil }
        let first = bytes[position]
        if first < 0x80 { return (Unicode.Scalar(first), 1) }
        let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard position + length <= bytes.count else { return nil }
        var value = UInt32(first) & (0x7F >> UInt32(length))
        for byte in bytes[(position + 1)..<(position + length)] { value = value << 6 | UInt32(byte & 0x3F) }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
