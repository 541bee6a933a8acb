/// Reads a format string: operators by their precedence, with a separate stack for parts that are not complete.
///
/// A parenthesis may begin a predicate or an expression, and only the following tokens show which. So an operand can be
/// either, and its consumer decides. There is no backtracking and no recursion, so the time is linear and no text can
/// exhaust the thread's stack.
struct PredicateParser {
    /// A complete part: a condition, or a value.
    enum Item {
        case predicate(PredicateNode)
        case expression(ExpressionNode)
    }

    /// A complete part with its place, and the number of levels of the tree that it takes.
    struct Operand {
        var item: Item
        var start: Int
        var height: Int
    }

    /// The maximum nesting of a format: in parentheses, and in levels of its tree.
    static let maximumDepth = 64
    /// The maximum length of a format, in UTF-8 code units.
    static let maximumLength = 1 << 19
    /// The maximum number of conditions, key paths, variables and calls in a format.
    static let maximumPartCount = 20_000

    var lexer: PredicateLexer
    /// The next token that is not consumed.
    var token: PredicateToken
    let arguments: [PredicateValue]
    var argumentCount = 0
    /// The complete parts whose operator or closing sign has not been read yet.
    var operands: [Operand] = []
    /// The operators that wait for their right side, and the openings for their closing sign.
    var pending: [Pending] = []
    /// The number of ``pending`` operators that make the text deeper.
    var depth = 0
    private var partCount = 0

    /// Reads a whole predicate.
    static func parsePredicate(
        _ format: String,
        arguments: [PredicateValue]
    ) throws(FetchPredicateError) -> PredicateNode {
        var parser = try PredicateParser(format, arguments: arguments)
        if parser.token.kind == .end {
            throw parser.fail("this predicate is empty; write TRUEPREDICATE to match everything")
        }
        try parser.parse()
        guard parser.token.kind == .end else {
            if case .expression(let expression) = parser.operands[0].item {
                throw parser.missingOperator(behind: expression)
            }
            throw parser.unexpected("AND, OR or the end")
        }
        try parser.requireAllArgumentsTaken()
        return try parser.requirePredicate(parser.operands[0])
    }

    /// Reads a whole expression.
    static func parseExpression(
        _ format: String,
        arguments: [PredicateValue]
    ) throws(FetchPredicateError) -> ExpressionNode {
        var parser = try PredicateParser(format, arguments: arguments)
        if parser.token.kind == .end { throw parser.fail("this expression is empty") }
        try parser.parse()
        guard parser.token.kind == .end else { throw parser.unexpected("the end of the expression") }
        try parser.requireAllArgumentsTaken()
        return try parser.requireExpression(parser.operands[0])
    }

    private init(_ format: String, arguments: [PredicateValue]) throws(FetchPredicateError) {
        guard format.utf8.count <= Self.maximumLength else {
            throw FetchPredicateError(
                .malformed,
                "this format string is longer than \(Self.maximumLength) bytes; pass long values as arguments",
                at: 0,
                in: String(format.prefix(100))
            )
        }
        self.lexer = PredicateLexer(format)
        self.token = try lexer.next()
        self.arguments = arguments
    }

    /// Reads up to the end, or to a token that cannot follow; leaves one operand.
    private mutating func parse() throws(FetchPredicateError) {
        repeat { try parseOperand() } while try parseOperators()
    }

    private func requireAllArgumentsTaken() throws(FetchPredicateError) {
        guard argumentCount == arguments.count else {
            throw fail(
                "\(arguments.count) arguments were given, but the format has "
                    + (argumentCount == 0 ? "no placeholder" : "placeholders for \(argumentCount)")
            )
        }
    }

    // MARK: Tokens and limits

    mutating func advance() throws(FetchPredicateError) { token = try lexer.next() }

    /// Returns the token after the next one.
    func peek() throws(FetchPredicateError) -> PredicateToken {
        var lexer = lexer
        return try lexer.next()
    }

    /// Counts a condition, key path, variable or call, and throws if there are too many of them.
    mutating func countPart() throws(FetchPredicateError) {
        partCount += 1
        guard partCount <= Self.maximumPartCount else {
            throw fail(
                "this predicate has more than \(Self.maximumPartCount) parts; shorten it, for example by IN with a "
                    + "list instead of many conditions with OR"
            )
        }
    }

    func requireDepth(_ depth: Int) throws(FetchPredicateError) {
        guard depth <= Self.maximumDepth else {
            throw fail("this predicate is nested deeper than \(Self.maximumDepth) levels")
        }
    }

    // MARK: Errors

    func fail(_ message: String, at offset: Int? = nil) -> FetchPredicateError {
        lexer.fail(message, at: offset ?? token.range.lowerBound)
    }

    func unsupported(_ message: String, at offset: Int) -> FetchPredicateError {
        FetchPredicateError(.unsupported, message, at: offset, in: lexer.format)
    }

    /// Returns the error for the next token, which the grammar does not allow.
    func unexpected(_ expectation: String) -> FetchPredicateError {
        fail("expected \(expectation), found " + (token.kind == .end ? "the end" : "'\(excerpt(token))'"))
    }

    private func excerpt(_ token: PredicateToken) -> String {
        let text = lexer.text(token.range)
        return text.count > 40 ? text.prefix(40) + "…" : text
    }

    /// Returns the operand as a value; throws if it is a condition.
    func requireExpression(_ operand: Operand) throws(FetchPredicateError) -> ExpressionNode {
        guard case .expression(let expression) = operand.item else {
            throw fail("expected a value or a key path, found a condition", at: operand.start)
        }
        return expression
    }

    /// Returns the operand as a condition; throws if it is only one side of a comparison.
    func requirePredicate(_ operand: Operand) throws(FetchPredicateError) -> PredicateNode {
        switch operand.item {
        case .predicate(let node): return node
        case .expression(let expression): throw missingOperator(behind: expression)
        }
    }

    /// Returns the error for the next token, which follows a value and is not an operator.
    func missingOperator(behind expression: ExpressionNode) -> FetchPredicateError {
        if token.keyword == "NOT" { return unexpected("an operator such as ==; write NOT before the left side") }
        if let error = misspeltOperator() { return error }
        if case .keyPath(let path, _) = expression, token.kind != .comma {
            let key = path.joined(separator: ".")
            return unexpected("an operator such as == after '\(key)' (a Boolean is tested with '\(key) == YES')")
        }
        return unexpected("an operator such as ==")
    }

    /// Returns an error if the next token is similar to an operator.
    func misspeltOperator() -> FetchPredicateError? {
        guard case .word(let word, isEscaped: false) = token.kind,
            let near = nearestName(to: word.uppercased(), among: PredicateKeyword.operators.keys.sorted())
        else { return nil }
        return fail("expected an operator such as ==, found '\(word)'; did you mean \(near)?")
    }
}
