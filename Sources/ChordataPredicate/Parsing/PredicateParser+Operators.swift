extension PredicateParser {
    /// A construct that has begun and is not complete.
    struct Pending {
        enum Kind {
            case or, and, not
            /// ANY, SOME, ALL or NONE, before the left side of a comparison.
            case modifier(PredicateNode.Modifier)
            case comparison(ComparisonOperator, ComparisonOptions, PredicateNode.Modifier)
            case assignment(String)
            /// `+`, `-`, `*`, `/`, `**`, `&`, `^`, `|`, `<<`, `>>`, and a minus before a value.
            case sign(PredicateFunction)
            case opening(Opening)
        }

        var kind: Kind
        var offset: Int

        /// The precedence of the operator; 0 for an opening.
        var precedence: Int {
            switch kind {
            case .opening: 0
            case .or: 1
            case .and: 2
            case .not: 3
            case .modifier, .comparison: 4
            case .assignment: 5
            case .sign(let function): 5 + function.parsedPrecedence
            }
        }
    }

    // MARK: Before an operand

    /// Reads the prefixes of an operand, and the operand.
    mutating func parseOperand() throws(FetchPredicateError) {
        while true {
            let offset = token.range.lowerBound
            switch token.kind {
            case .not: try push(.not, at: offset)
            case .arithmetic("-"):
                if case .number(let text) = try peek().kind, try !isFollowedByPower() {
                    try advance()
                    let value = try numberValue(text, isNegative: true, at: offset)
                    try advance()
                    return complete(.expression(.value(value)), from: offset)
                }
                try push(.sign(.negate), at: offset)
            case .leftParenthesis:
                try advance()
                try open(Opening(.parenthesis), at: offset)
            case .leftBrace:
                try advance()
                try open(Opening(.list), at: offset)
                if token.kind == .rightBrace { return try close(hasPart: false) }
            case .word where token.keyword == "NOT": try push(.not, at: offset)
            case .word:
                if let modifier = try parseModifier() {
                    try push(.modifier(modifier), at: offset)
                    continue
                }
                if try parseWord() { continue }
                return
            case .end:
                guard case .comparison? = pending.last?.kind, let start = pending.last?.offset else {
                    throw unexpected("a value or a key path")
                }
                var lexer = PredicateLexer(lexer.format, at: start)
                throw unexpected("a value or a key path after '\(lexer.text(try lexer.next().range))'")
            default:
                let node = try parseConstant()
                guard case .value(let value) = node else { return complete(.expression(node), from: offset) }
                // An argument may be a list in a list, which is nested when it is printed.
                try requireDepth(value.height)
                return complete(.expression(node), from: offset, height: value.height)
            }
        }
    }

    /// Accepts the next token as a prefix of an operand.
    private mutating func push(_ kind: Pending.Kind, at offset: Int) throws(FetchPredicateError) {
        depth += 1
        try requireDepth(depth)
        pending.append(Pending(kind: kind, offset: offset))
        if case .modifier = kind { return }
        try advance()
    }

    /// Returns a Boolean value that indicates whether the number after a minus is raised to a power; the minus then
    /// does not belong to the number.
    private func isFollowedByPower() throws(FetchPredicateError) -> Bool {
        var lexer = lexer
        _ = try lexer.next()
        return try lexer.next().kind == .arithmetic("**")
    }

    /// Reads ANY, SOME, ALL or NONE, which are keys if no expression follows.
    private mutating func parseModifier() throws(FetchPredicateError) -> PredicateNode.Modifier? {
        let modifier: PredicateNode.Modifier
        switch token.keyword {
        case "ANY", "SOME": modifier = .any
        case "ALL": modifier = .all
        case "NONE": modifier = .none
        default: return nil
        }
        let next = try peek()
        switch next.kind {
        case .word where next.keyword.map(PredicateKeyword.isInfix) != true, .placeholder, .variable, .leftBrace,
            .leftParenthesis, .string, .number, .collectionOperator:
            try advance()
            return modifier
        default: return nil
        }
    }

    // MARK: After an operand

    /// Adds a complete part.
    mutating func complete(_ item: Item, from start: Int, height: Int = 1) {
        operands.append(Operand(item: item, start: start, height: height))
    }

    /// Reads the tokens that can follow an operand; returns `false` at the end, or at a token that cannot follow.
    mutating func parseOperators() throws(FetchPredicateError) -> Bool {
        while true {
            let offset = token.range.lowerBound
            switch token.kind {
            case .and: return try join(.and, at: offset)
            case .or: return try join(.or, at: offset)
            case .comparison(let operation): return try parseComparison(operation, at: offset)
            case .arithmetic(":="): return try parseAssignment(at: offset)
            case .arithmetic(let text):
                guard let function = PredicateFunction.allCases.first(where: { $0.parsedSign == text }) else {
                    return false
                }
                let sign = Pending(kind: .sign(function), offset: offset)
                // Powers are right-associative.
                try reduce(to: sign.precedence + (function == .power ? 1 : 0))
                _ = try requireExpression(operands[operands.count - 1])
                pending.append(sign)
                try advance()
                return true
            case .word:
                if let operation = token.keyword.flatMap({ PredicateKeyword.operators[$0] }) {
                    return try parseComparison(operation, at: offset)
                }
                if token.keyword == "AND" { return try join(.and, at: offset) }
                if token.keyword == "OR" { return try join(.or, at: offset) }
                try requireNothingOpen()
                return false
            case .leftBracket:
                let operand = operands[operands.count - 1]
                guard case .expression(let collection) = operand.item else {
                    try requireNothingOpen()
                    return false
                }
                operands.removeLast()
                if try parseFixedIndex(of: collection, operand) { continue }
                try open(Opening(.index(of: collection, height: operand.height)), at: operand.start)
                return true
            case .dot:
                let operand = operands[operands.count - 1]
                guard case .expression(let root) = operand.item else {
                    try requireNothingOpen()
                    return false
                }
                try advance()
                let place = TextOffset(token.range.lowerBound)
                let keys = root == .evaluatedObject ? try parseKeysOfSelf() : try parseKeys()
                operands.removeLast()
                let path = ExpressionNode.path(behind: root, keys, offset: place)
                complete(.expression(path), from: operand.start, height: operand.height + 1)
                try requireDepth(operand.height + 1)
            case .comma:
                try reduce(to: 1)
                guard !pending.isEmpty else { return false }
                if try acceptComma() { return true }
            case .rightParenthesis, .rightBrace, .rightBracket:
                try reduce(to: 1)
                guard !pending.isEmpty else { return false }
                try close()
            case .end:
                try requireNothingOpen()
                return false
            default:
                try requireNothingOpen()
                return false
            }
        }
    }

    /// Accepts AND or OR, whose left side must be a condition.
    private mutating func join(_ kind: Pending.Kind, at offset: Int) throws(FetchPredicateError) -> Bool {
        let joint = Pending(kind: kind, offset: offset)
        try reduce(to: joint.precedence + 1)
        _ = try requirePredicate(operands[operands.count - 1])
        pending.append(joint)
        try advance()
        return true
    }

    private mutating func parseComparison(
        _ operation: ComparisonOperator,
        at offset: Int
    ) throws(FetchPredicateError) -> Bool {
        try countPart()
        try reduce(to: 5)
        guard case .expression = operands[operands.count - 1].item else {
            if case .modifier(let modifier)? = pending.last?.kind { throw needsKeyPath(modifier) }
            try requireNothingOpen()
            return false
        }
        var modifier = PredicateNode.Modifier.direct
        switch pending.last?.kind {
        case .comparison?:
            try requireNothingOpen()
            return false
        case .modifier(let found)?:
            modifier = found
            pending.removeLast()
            depth -= 1
        default: break
        }
        try advance()
        let options = try parseOptions()
        pending.append(Pending(kind: .comparison(operation, options, modifier), offset: offset))
        return true
    }

    /// Reads `[cd]` after an operator.
    private mutating func parseOptions() throws(FetchPredicateError) -> ComparisonOptions {
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

    private mutating func parseAssignment(at offset: Int) throws(FetchPredicateError) -> Bool {
        guard case .expression(.variable(let name, let start))? = operands.popLast()?.item else {
            throw fail("expected a $variable on the left of ':='")
        }
        depth += 1
        try requireDepth(depth)
        pending.append(Pending(kind: .assignment(name), offset: start.utf8))
        try advance()
        return true
    }

    // MARK: Completing

    /// Completes the pending operators whose precedence is at least the given one.
    mutating func reduce(to precedence: Int) throws(FetchPredicateError) {
        while let last = pending.last, last.precedence >= precedence, last.precedence > 0 {
            pending.removeLast()
            switch last.kind {
            case .opening: return
            case .or, .and: try joinRun(last)
            case .not:
                depth -= 1
                let operand = operands.removeLast()
                let node = PredicateNode.not(try requirePredicate(operand))
                try complete(.predicate(node), from: last.offset, above: [operand])
            case .modifier(let modifier):
                if case .predicate = operands[operands.count - 1].item { throw needsKeyPath(modifier) }
                throw unexpected("an operator such as == after the key path of \(modifier.rawValue)")
            case .comparison(let operation, let options, let modifier):
                let right = operands.removeLast()
                let left = operands.removeLast()
                let comparison = PredicateNode.Comparison(
                    try requireExpression(left),
                    operation,
                    try requireExpression(right),
                    options: options,
                    modifier: modifier,
                    offset: TextOffset(last.offset)
                )
                try complete(.predicate(.comparison(comparison)), from: left.start, above: [left, right])
            case .assignment(let name):
                depth -= 1
                let operand = operands.removeLast()
                let value = try requireExpression(operand)
                let node = ExpressionNode.assignment(name, value, offset: TextOffset(last.offset))
                try complete(.expression(node), from: last.offset, above: [operand])
            case .sign(let function):
                let right = operands.removeLast()
                var arguments = [try requireExpression(right)]
                var parts = [right]
                if function == .negate {
                    depth -= 1
                } else {
                    let left = operands.removeLast()
                    arguments.insert(try requireExpression(left), at: 0)
                    parts.append(left)
                }
                let node = ExpressionNode.function(function, arguments, offset: TextOffset(last.offset))
                try complete(.expression(node), from: min(last.offset, parts[parts.count - 1].start), above: parts)
            }
        }
    }

    /// Completes all adjacent conditions that the same operator joins, so that a long chain takes linear time.
    private mutating func joinRun(_ last: Pending) throws(FetchPredicateError) {
        var count = 2
        while let next = pending.last, next.precedence == last.precedence {
            pending.removeLast()
            count += 1
        }
        let parts = Array(operands.suffix(count))
        operands.removeLast(count)
        var nodes: [PredicateNode] = []
        for part in parts { nodes.append(try requirePredicate(part)) }
        let node: PredicateNode = last.precedence == 1 ? .disjunction(nodes) : .conjunction(nodes)
        try complete(.predicate(node), from: parts[0].start, above: parts)
    }

    /// Adds a complete part that has other parts below it in the tree.
    mutating func complete(_ item: Item, from start: Int, above parts: [Operand]) throws(FetchPredicateError) {
        let height = 1 + (parts.map(\.height).max() ?? 0)
        try requireDepth(height)
        complete(item, from: start, height: height)
    }

    /// Completes all pending operators, and throws if there is an opening, which the next token does not close.
    private mutating func requireNothingOpen() throws(FetchPredicateError) {
        try reduce(to: 1)
        guard let last = pending.last, case .opening(let opening) = last.kind else { return }
        throw misspeltOperator() ?? unexpected(opening.expectation(openedAt: last.offset))
    }

    private func needsKeyPath(_ modifier: PredicateNode.Modifier) -> FetchPredicateError {
        fail(
            "expected a to-many key path such as 'items.name' after \(modifier.rawValue), found a condition",
            at: operands[operands.count - 1].start
        )
    }
}
