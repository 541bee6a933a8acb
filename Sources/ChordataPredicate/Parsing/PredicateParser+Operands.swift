import ChordataModel

extension PredicateParser {
    /// Reads a literal, a variable or a placeholder.
    mutating func parseConstant() throws(FetchPredicateError) -> ExpressionNode {
        let offset = token.range.lowerBound
        switch token.kind {
        case .number(let text):
            let value = try numberValue(text, isNegative: false, at: offset)
            try advance()
            return .value(value)
        case .string(let string):
            try advance()
            return .value(.attribute(.string(string)))
        case .variable(let name):
            try countPart()
            try advance()
            return .variable(name, offset: TextOffset(offset))
        case .placeholder(let letters):
            return try parsePlaceholder(letters)
        case .collectionOperator(let name):
            throw needsPath(before: name)
        case .arithmetic(":="):
            throw fail("expected a $variable on the left of ':='")
        case .word, .comparison, .and, .or, .not, .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace,
            .leftBracket, .rightBracket, .comma, .dot, .colon, .arithmetic, .end:
            throw unexpected("a value or a key path")
        }
    }

    /// Reads a word and the construct that it begins; returns `true` if an opening waits for its first part.
    mutating func parseWord() throws(FetchPredicateError) -> Bool {
        guard case .word(let word, _) = token.kind else { throw unexpected("a value or a key path") }
        let offset = token.range.lowerBound
        if let keyword = token.keyword, PredicateKeyword.reserved.contains(keyword) {
            complete(try parseReservedWord(keyword, word), from: offset)
            return false
        }
        try countPart()
        try advance()
        switch token.kind {
        case .leftParenthesis, .colon: return try openCall(of: word, at: offset)
        case .dot:
            try advance()
            complete(.expression(.keyPath([word] + (try parseKeys()), offset: TextOffset(offset))), from: offset)
        default: complete(.expression(.keyPath([word], offset: TextOffset(offset))), from: offset)
        }
        return false
    }

    private mutating func parseReservedWord(_ keyword: String, _ word: String) throws(FetchPredicateError) -> Item {
        let offset = token.range.lowerBound
        let item: Item
        switch keyword {
        case "TRUEPREDICATE", "FALSEPREDICATE":
            try countPart()
            item = .predicate(.constant(keyword == "TRUEPREDICATE"))
        case "TRUE", "YES": item = .expression(.value(.attribute(.boolean(true))))
        case "FALSE", "NO": item = .expression(.value(.attribute(.boolean(false))))
        case "NULL", "NIL": item = .expression(.value(.null))
        case "SELF":
            try advance()
            guard token.kind == .dot else { return .expression(.evaluatedObject) }
            try advance()
            return .expression(.keyPath(try parseKeysOfSelf(), offset: TextOffset(offset)))
        default:
            throw fail("expected a value or a key path, found '\(word)'; a key of that name is written '#\(word)'")
        }
        try advance()
        return item
    }

    /// Reads the keys after `SELF.`; because `SELF` is one object, the first key cannot be an operator.
    mutating func parseKeysOfSelf() throws(FetchPredicateError) -> [String] {
        if case .collectionOperator(let name) = token.kind { throw needsPath(before: name) }
        return try parseKeys()
    }

    private func needsPath(before name: String) -> FetchPredicateError {
        fail("expected a to-many key path before '@\(name)', as in 'items.@\(name)'")
    }

    /// Reads the keys after a dot.
    mutating func parseKeys() throws(FetchPredicateError) -> [String] {
        var keys: [String] = []
        while true {
            switch token.kind {
            case .word(let key, _): keys.append(key)
            case .collectionOperator(let name): keys.append("@" + (try requirePathOperator(name)))
            case .placeholder("K"):
                guard case .keyPath(let path, _) = try keyPathArgument() else {
                    throw fail("expected a key path for '%K', found SELF")
                }
                keys += path
            default: throw unexpected("a key after '.'")
            }
            try advance()
            guard keys.count <= Self.maximumKeyCount else {
                throw fail("this key path has more than \(Self.maximumKeyCount) keys")
            }
            guard token.kind == .dot else { return keys }
            try advance()
        }
    }

    /// The maximum number of keys of a path.
    private static var maximumKeyCount: Int { 100 }

    /// Returns the name of an operator in a key path, without its `@`.
    func requirePathOperator(_ name: String) throws(FetchPredicateError) -> String {
        let known = PredicateKeyword.pathOperators
        if known.contains(name) { return name }
        let suggestion = nearestName(to: name, among: known)
        throw fail(
            "there is no collection operator '@\(name)'; "
                + (suggestion.map { "did you mean '@\($0)'?" }
                    ?? "the operators are " + known.map { "@" + $0 }.joined(separator: ", "))
        )
    }

    // MARK: Numbers

    func numberValue(_ text: String, isNegative: Bool, at offset: Int) throws(FetchPredicateError) -> PredicateValue {
        let bytes = Array(text.utf8)
        let sign = isNegative ? "-" : ""
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0"), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]),
            bytes[1] != UInt8(ascii: "."), bytes[1] | 0x20 != UInt8(ascii: "e")
        {
            let radix = PredicateLexer.radix(ofPrefix: bytes[1])
            guard let magnitude = UInt64(text.dropFirst(2), radix: radix), let value = Int64(sign + "\(magnitude)")
            else { throw fail("'\(text)' is outside the range of a signed 64-bit integer", at: offset) }
            return .attribute(.integer(value))
        }
        if text.utf8.allSatisfy({ ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }) {
            if let value = Int64(sign + text) { return .attribute(.integer(value)) }
            if let value = parseDecimal(sign + text) { return .attribute(.decimal(value)) }
        }
        guard let value = Double(sign + (text.hasPrefix(".") ? "0" + text : text)) else {
            throw fail("'\(text)' is not a number", at: offset)
        }
        // A number with more digits than a double can represent is a decimal.
        if let exact = parseDecimal(sign + text), parseDecimal("\(value)").map(decimalText) != decimalText(exact) {
            return .attribute(.decimal(exact))
        }
        return .attribute(.double(value))
    }
}
