extension PredicateLexer {
    /// Reads a string in quotes, without any substitution inside (P2).
    ///
    /// An escape that does not exist is an error: Core Data drops the backslash of `'\d'` silently, and the pattern
    /// then matches something else.
    mutating func readString(quote: UInt8) throws(FetchPredicateError) -> String {
        let start = position
        position += 1
        var contents: [UInt8] = []
        while true {
            guard position < bytes.count else {
                throw fail("this string has no closing \(quote == UInt8(ascii: "'") ? "'" : "\"")", at: start)
            }
            let byte = peek()
            position += 1
            if byte == quote { return String(decoding: contents, as: UTF8.self) }
            guard byte == UInt8(ascii: "\\") else {
                contents.append(byte)
                continue
            }
            let escape = peek()
            switch escape {
            case UInt8(ascii: "n"): contents.append(0x0A)
            case UInt8(ascii: "r"): contents.append(0x0D)
            case UInt8(ascii: "t"): contents.append(0x09)
            case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): contents.append(escape)
            case UInt8(ascii: "u"):
                contents += Array(String(try readUnicodeEscape()).utf8)
                continue
            default:
                guard let (scalar, _) = scalar(at: position) else { continue }
                throw fail(
                    "unknown escape '\\\(scalar)'; write '\\\\\(scalar)' for a backslash before '\(scalar)'",
                    at: position - 1
                )
            }
            position += 1
        }
    }

    /// Reads `uXXXX` or `u{X…}` after a backslash.
    private mutating func readUnicodeEscape() throws(FetchPredicateError) -> Unicode.Scalar {
        let start = position - 1
        position += 1
        let isBraced = peek() == UInt8(ascii: "{")
        if isBraced { position += 1 }
        let digits = position
        while peek().isHexadecimalDigit, position - digits < (isBraced ? 8 : 4) { position += 1 }
        let count = position - digits
        guard let value = UInt32(text(digits..<position), radix: 16), let scalar = Unicode.Scalar(value),
            isBraced ? peek() == UInt8(ascii: "}") : count == 4
        else {
            throw fail("expected a Unicode scalar as '\\u00E9' or '\\u{E9}'", at: start)
        }
        if isBraced { position += 1 }
        return scalar
    }

    /// Reads a number without a sign: `12`, `1.5`, `.5`, `1e-3`, `0x1F`, `0o17`, `0b101`.
    mutating func readNumber() throws(FetchPredicateError) -> String {
        let start = position
        if peek() == UInt8(ascii: "0"), "xXoObB".utf8.contains(peek(1)) {
            position += 2
            let digits = position
            while peek().isHexadecimalDigit || isLetter(peek()) || peek() == UInt8(ascii: "_") { position += 1 }
            let radix = Self.radix(ofPrefix: bytes[start + 1])
            guard UInt64(text(digits..<position), radix: radix) != nil else {
                throw fail(
                    "'\(text(start..<position))' is not a number of base \(radix) with at most 64 bits",
                    at: start
                )
            }
            return text(start..<position)
        }
        skipDigits()
        if peek() == UInt8(ascii: "."), isDigit(peek(1)) {
            position += 1
            skipDigits()
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
            if isDigit(peek(hasSign ? 2 : 1)) {
                position += hasSign ? 2 : 1
                skipDigits()
            }
        }
        return text(start..<position)
    }

    private mutating func skipDigits() {
        while isDigit(peek()) { position += 1 }
    }

    /// Returns the base for the letter after a leading zero.
    static func radix(ofPrefix letter: UInt8) -> Int {
        switch letter | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        default: 2
        }
    }

    /// Reads the letters after a percent sign (P1).
    mutating func readPlaceholder() throws(FetchPredicateError) -> String {
        let start = position
        position += 1
        switch peek() {
        case UInt8(ascii: "@"), UInt8(ascii: "K"):
            position += 1
            return text(start + 1..<position)
        case UInt8(ascii: "%"):
            throw fail("a percent sign is valid only inside quotes, and is written '%' there, not '%%'", at: start)
        default: break
        }
        while "hlqjztL".utf8.contains(peek()) { position += 1 }
        guard "dDiuUxXoOfFeEgGaA".utf8.contains(peek()) else {
            let length = position - start + (isLetter(peek()) ? 1 : 0)
            throw fail(
                "unknown placeholder '\(text(start..<start + length))'; use '%@' for a value, '%K' for a key path, "
                    + "'%ld' for an integer or '%f' for a number",
                at: start
            )
        }
        position += 1
        return text(start + 1..<position)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }
}
