import ChordataModel

extension PredicateParser {
    /// Reads a placeholder and takes its argument (P1).
    mutating func parsePlaceholder(_ letters: String) throws(FetchPredicateError) -> ExpressionNode {
        let expression: ExpressionNode
        switch letters {
        case "K":
            try countPart()
            expression = try keyPathArgument()
        case "@": expression = .value(try takeArgument())
        default: expression = .value(try numberArgument(letters))
        }
        let offset = token.range.lowerBound
        try advance()
        guard letters == "K", token.kind == .dot else { return expression }
        try advance()
        guard case .keyPath(let first, _) = expression else {
            return .keyPath(try parseKeysOfSelf(), offset: TextOffset(offset))
        }
        return .keyPath(first + (try parseKeys()), offset: TextOffset(offset))
    }

    /// Returns the argument for the next placeholder.
    private mutating func takeArgument() throws(FetchPredicateError) -> PredicateValue {
        argumentCount += 1
        guard argumentCount <= arguments.count else {
            throw fail(
                "there is no argument for '\(lexer.text(token.range))', placeholder number \(argumentCount)"
                    + (arguments.isEmpty ? "; in a template, write a $variable" : "")
            )
        }
        let value = arguments[argumentCount - 1]
        guard !value.isNotANumber else {
            throw fail("the argument for '\(lexer.text(token.range))' is NaN, which is not equal to any number")
        }
        return value
    }

    private mutating func numberArgument(_ letters: String) throws(FetchPredicateError) -> PredicateValue {
        let value = try takeArgument()
        let wantsInteger = letters.last.map { "dDiuUxXoO".contains($0) } ?? false
        switch value {
        case .attribute(.integer): return value
        case .attribute(.boolean(let flag)): return .attribute(.integer(flag ? 1 : 0))
        case .attribute(.double) where !wantsInteger, .attribute(.decimal) where !wantsInteger: return value
        case .attribute, .null, .object, .collection:
            throw fail(
                "expected \(wantsInteger ? "an integer" : "a number") for '%\(letters)', found \(value.kindName); "
                    + "use '%@' for values of any type"
            )
        }
    }

    /// Returns the key path of a `%K`; the token is not consumed.
    mutating func keyPathArgument() throws(FetchPredicateError) -> ExpressionNode {
        let value = try takeArgument()
        guard case .attribute(.string(let text)) = value else {
            throw fail("expected a key path as a string for '%K', found \(value.kindName)")
        }
        if text.uppercased() == "SELF" { return .evaluatedObject }
        var keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if keys.count > 1, keys[0].uppercased() == "SELF" { keys.removeFirst() }
        for key in keys {
            if key.hasPrefix("@") {
                guard keys[0] != key else {
                    throw fail(
                        "the argument for '%K' begins with the collection operator '\(key)'; begin it with a to-many key path"
                    )
                }
                _ = try requirePathOperator(String(key.dropFirst()))
                continue
            }
            var words = PredicateLexer(key)
            guard let word = words.readWord(), word == key else {
                throw fail("the argument for '%K' is not a key path: '\(key)' is not a valid key")
            }
        }
        return .keyPath(keys, offset: TextOffset(token.range.lowerBound))
    }
}

extension PredicateValue {
    /// The description of the value for messages, which never show the value itself.
    var kindName: String {
        switch self {
        case .null: "nil"
        case .object: "an object"
        case .collection: "a collection"
        case .attribute(.integer): "an integer"
        case .attribute(.double): "a number"
        case .attribute(.decimal): "a decimal number"
        case .attribute(.string): "a string"
        case .attribute(.boolean): "a Boolean"
        case .attribute(.date): "a date"
        case .attribute(.data): "binary data"
        case .attribute(.uuid): "a UUID"
        case .attribute(.url): "a URL"
        }
    }
}
