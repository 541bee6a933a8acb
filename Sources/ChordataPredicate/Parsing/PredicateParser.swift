/// Reads a format string by recursive descent.
///
/// A parenthesis may begin a predicate or an expression, and only what follows tells which. So each level gives back
/// either, and the level above says what it needs: no backtracking, linear time.
struct PredicateParser {
    /// What was read: a condition, or one side of a comparison that was not there.
    enum Item {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    /// How deep parentheses, braces and negations may be nested.
    static let maximumDepth = 100
    /// How long a format may be, in UTF-8 code units.
    static let maximumLength = 1 << 20

    var lexer: PredicateLexer
    /// The next token that nobody has taken.
    var token: PredicateToken
    let arguments: [PredicateValue]
    var argumentCount = 0
    private var depth = 0

    /// Reads a whole format.
    static func parse(_ format: String, arguments: [PredicateValue]) throws(PredicateError) -> PredicateNode {
        guard format.utf8.count <= maximumLength else {
            throw PredicateError(
                .malformed,
                "this predicate is longer than \(maximumLength) bytes",
                at: 0,
                in: String(format.prefix(100))
            )
        }
        var parser = try PredicateParser(format, arguments: arguments)
        if parser.token.kind == .end {
            throw parser.fail("this predicate is empty; write TRUEPREDICATE to match everything")
        }
        let start = parser.token.range.lowerBound
        let item = try parser.parseDisjunction()
        let node = try parser.requirePredicate(item, from: start)
        guard parser.token.kind == .end else { throw parser.unexpected("AND, OR or the end") }
        guard parser.argumentCount == arguments.count else {
            throw parser.fail(
                "\(arguments.count) arguments were given, but the format has "
                    + (parser.argumentCount == 0 ? "no placeholder" : "placeholders for \(parser.argumentCount)")
            )
        }
        return node
    }

    private init(_ format: String, arguments: [PredicateValue]) throws(PredicateError) {
        self.lexer = PredicateLexer(format)
        self.token = try lexer.next()
        self.arguments = arguments
    }

    // MARK: Conditions

    private mutating func parseDisjunction() throws(PredicateError) -> Item {
        let start = token.range.lowerBound
        let first = try parseConjunction()
        guard token.kind == .or || token.keyword == "OR" else { return first }
        var nodes = [try requirePredicate(first, from: start)]
        while token.kind == .or || token.keyword == "OR" {
            try advance()
            let start = token.range.lowerBound
            let next = try parseConjunction()
            nodes.append(try requirePredicate(next, from: start))
        }
        return .predicate(.disjunction(nodes))
    }

    private mutating func parseConjunction() throws(PredicateError) -> Item {
        let start = token.range.lowerBound
        let first = try parseNegation()
        guard token.kind == .and || token.keyword == "AND" else { return first }
        var nodes = [try requirePredicate(first, from: start)]
        while token.kind == .and || token.keyword == "AND" {
            try advance()
            let start = token.range.lowerBound
            let next = try parseNegation()
            nodes.append(try requirePredicate(next, from: start))
        }
        return .predicate(.conjunction(nodes))
    }

    private mutating func parseNegation() throws(PredicateError) -> Item {
        guard token.kind == .not || token.keyword == "NOT" else { return try parseComparison() }
        try descend()
        try advance()
        let start = token.range.lowerBound
        let item = try parseNegation()
        let node = try requirePredicate(item, from: start)
        depth -= 1
        return .predicate(.not(node))
    }

    private mutating func parseComparison() throws(PredicateError) -> Item {
        switch token.keyword {
        case "TRUEPREDICATE":
            try advance()
            return .predicate(.constant(true))
        case "FALSEPREDICATE":
            try advance()
            return .predicate(.constant(false))
        default: break
        }
        let left: Item
        if token.kind == .leftParenthesis {
            try descend()
            let opening = token.range.lowerBound
            try advance()
            left = try parseDisjunction()
            guard token.kind == .rightParenthesis else {
                throw token.kind == .comma
                    ? fail("unexpected ','; a list stands in braces: {a, b}")
                    : unexpected("')' for the parenthesis at \(opening)")
            }
            try advance()
            depth -= 1
        } else {
            left = .expression(try parseOperand())
        }
        guard case .expression(let leftExpression) = left else { return left }
        try refuseFurtherExpression()
        return try parseRest(of: leftExpression)
    }

    /// Reads the operator and the right side, if they are there.
    private mutating func parseRest(of left: ExpressionNode) throws(PredicateError) -> Item {
        let comparisonOperator: ComparisonOperator
        if case .comparison(let found) = token.kind {
            comparisonOperator = found
        } else if let keyword = token.keyword, let found = PredicateKeyword.operators[keyword] {
            comparisonOperator = found
        } else {
            return .expression(left)
        }
        let operatorToken = token
        try advance()
        let options = try parseOptions()
        let right: ExpressionNode
        if token.kind == .leftParenthesis {
            right = try parseParenthesizedOperand()
        } else {
            if token.kind == .end {
                throw unexpected("a value or a key path after '\(lexer.text(operatorToken.range))'")
            }
            right = try parseOperand()
        }
        try refuseFurtherExpression()
        let offset = TextOffset(operatorToken.range.lowerBound)
        return .predicate(
            .comparison(.init(left, comparisonOperator, right, options: options, offset: offset))
        )
    }

    /// Reads `[cd]` behind an operator.
    private mutating func parseOptions() throws(PredicateError) -> ComparisonOptions {
        guard token.kind == .leftBracket else { return [] }
        let opening = token.range.lowerBound
        try advance()
        guard case .word(let letters, _) = token.kind, letters.utf8.allSatisfy({ "cdnlCDNL".utf8.contains($0) }) else {
            throw fail("expected options out of 'c', 'd', 'n' and 'l', as in [cd]", at: opening)
        }
        try advance()
        guard token.kind == .rightBracket else { throw unexpected("']' after the options") }
        try advance()
        return ComparisonOptions(letters: letters.lowercased())
    }

    private mutating func parseParenthesizedOperand() throws(PredicateError) -> ExpressionNode {
        try descend()
        let opening = token.range.lowerBound
        try advance()
        let operand = token.kind == .leftParenthesis ? try parseParenthesizedOperand() : try parseOperand()
        try refuseFurtherExpression()
        guard token.kind == .rightParenthesis else {
            throw token.kind == .comma
                ? fail("unexpected ','; a list stands in braces: {a, b}")
                : unexpected("')' for the parenthesis at \(opening)")
        }
        try advance()
        depth -= 1
        return operand
    }

    // MARK: Helpers

    mutating func advance() throws(PredicateError) { token = try lexer.next() }

    /// Goes one level down; ``ascend()`` or the end of the parse ends it.
    mutating func descend() throws(PredicateError) {
        depth += 1
        guard depth <= Self.maximumDepth else {
            throw fail("this predicate is nested deeper than \(Self.maximumDepth) levels")
        }
    }

    mutating func ascend() { depth -= 1 }

    func fail(_ message: String, at offset: Int? = nil) -> PredicateError {
        lexer.fail(message, at: offset ?? token.range.lowerBound)
    }

    func unsupported(_ construct: String, at offset: Int? = nil) -> PredicateError {
        PredicateError(
            .unsupported,
            "\(construct) not supported yet",
            at: offset ?? token.range.lowerBound,
            in: lexer.format
        )
    }

    /// An error about the next token, which is not what the grammar wants.
    func unexpected(_ expectation: String) -> PredicateError {
        fail("expected \(expectation), found " + (token.kind == .end ? "the end" : "'\(excerpt(token))'"))
    }

    private func excerpt(_ token: PredicateToken) -> String {
        let text = lexer.text(token.range)
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    /// The condition that was read; an error when it is one side of a comparison only.
    private func requirePredicate(_ item: Item, from start: Int) throws(PredicateError) -> PredicateNode {
        switch item {
        case .predicate(let node): return node
        case .expression(let expression):
            if token.keyword == "NOT" { throw unexpected("an operator such as ==; NOT stands before the left side") }
            if case .word(let word, isEscaped: false) = token.kind,
                let near = nearestName(to: word.uppercased(), among: PredicateKeyword.operators.keys.sorted())
            {
                throw fail("expected an operator such as ==, found '\(word)'; did you mean \(near)?")
            }
            if case .keyPath(let path, _) = expression, token.kind != .comma {
                let key = path.joined(separator: ".")
                throw unexpected("an operator such as == after '\(key)' (a Boolean is tested with '\(key) == YES')")
            }
            throw unexpected("an operator such as ==")
        }
    }
}
