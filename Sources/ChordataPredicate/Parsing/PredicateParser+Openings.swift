extension PredicateParser {
    /// A construct that a parenthesis, brace or bracket has begun.
    struct Opening {
        enum Kind {
            case parenthesis, list
            case call(name: String)
            case subquery, conditional, cast
            /// `FUNCTION(target, "selector", …)`.
            case selector
            case index(of: ExpressionNode, height: Int)
        }

        var kind: Kind
        /// The values that were read so far, which are separated by commas.
        var parts: [ExpressionNode] = []
        /// The condition of a SUBQUERY or a TERNARY.
        var condition: PredicateNode?
        /// The variable of a SUBQUERY, or the selector of a FUNCTION with its place.
        var name: (text: String, offset: Int)?
        var height = 0

        init(_ kind: Kind) { self.kind = kind }

        /// Returns a description of the tokens that can follow a part.
        func expectation(openedAt offset: Int) -> String {
            switch kind {
            case .parenthesis: "')' for the parenthesis at \(offset)"
            case .list: "',' or '}'"
            case .call, .selector: "',' or ')'"
            case .index: "']' after the index"
            case .cast: "',' and the name of a type"
            case .subquery: parts.isEmpty ? "',' and a $variable" : "')'"
            case .conditional:
                condition == nil
                    ? "',' and the value if the condition is met"
                    : parts.isEmpty ? "',' and the value if the condition is not met" : "')'"
            }
        }

        fileprivate var closing: PredicateToken.Kind {
            switch kind {
            case .list: .rightBrace
            case .index: .rightBracket
            case .parenthesis, .call, .subquery, .conditional, .cast, .selector: .rightParenthesis
            }
        }
    }

    mutating func open(_ opening: Opening, at offset: Int) throws(FetchPredicateError) {
        depth += 1
        try requireDepth(depth)
        pending.append(Pending(kind: .opening(opening), offset: offset))
    }

    /// Removes and returns the innermost opening; everything after it is complete.
    private mutating func takeOpening() -> (Opening, offset: Int) {
        guard let last = pending.popLast(), case .opening(let opening) = last.kind else {
            preconditionFailure("a closing bracket or comma must not be read before an opening bracket")
        }
        return (opening, last.offset)
    }

    /// Accepts the comma after a part; returns `false` if the opening is already complete.
    mutating func acceptComma() throws(FetchPredicateError) -> Bool {
        var (opening, offset) = takeOpening()
        if case .parenthesis = opening.kind { throw fail("unexpected ','; write lists in braces: {a, b}") }
        if case .index = opening.kind { throw unexpected(opening.expectation(openedAt: offset)) }
        try takePart(into: &opening)
        try advance()
        switch opening.kind {
        case .subquery:
            guard opening.name == nil else { throw fail("SUBQUERY takes a collection, a $variable and a condition") }
            guard case .variable(let name) = token.kind else { throw unexpected("a $variable for the elements") }
            opening.name = (name, token.range.lowerBound)
            try advance()
            guard token.kind == .comma else { throw unexpected("',' and a condition") }
            try advance()
        case .cast:
            guard case .string(let typeName) = token.kind else { throw unexpected("the name of a type in quotes") }
            let type = try castType(typeName, at: token.range.lowerBound)
            try advance()
            guard token.kind == .rightParenthesis else { throw unexpected("')'") }
            try advance()
            depth -= 1
            let node = ExpressionNode.cast(opening.parts[0], to: type, offset: TextOffset(offset))
            try complete(.expression(node), from: offset, heightBelow: opening.height)
            return false
        case .selector where opening.name == nil:
            guard case .string(let selector) = token.kind else {
                throw unexpected("the name of a selector in quotes")
            }
            opening.name = (selector, token.range.lowerBound)
            try advance()
            if token.kind == .rightParenthesis {
                pending.append(Pending(kind: .opening(opening), offset: offset))
                try close(hasPart: false)
                return false
            }
            guard token.kind == .comma else { throw unexpected("',' or ')'") }
            try advance()
        case .parenthesis, .index, .list, .call, .conditional, .selector: break
        }
        pending.append(Pending(kind: .opening(opening), offset: offset))
        return true
    }

    /// Accepts the closing sign of the innermost opening.
    /// - Parameter hasPart: `false` after `{` and `name(`, if nothing was read.
    mutating func close(hasPart: Bool = true) throws(FetchPredicateError) {
        var (opening, offset) = takeOpening()
        guard token.kind == opening.closing else { throw unexpected(opening.expectation(openedAt: offset)) }
        depth -= 1
        if case .parenthesis = opening.kind {
            operands[operands.count - 1].start = offset
            return try advance()
        }
        if hasPart { try takePart(into: &opening) }
        let node: ExpressionNode
        let place = TextOffset(offset)
        switch opening.kind {
        case .parenthesis: return
        case .list: node = .list(opening.parts)
        case .call(let name): node = try call(name, opening.parts, at: offset)
        case .selector:
            guard let selector = opening.name else { throw unexpected("',' and the name of a selector") }
            node = try call(selector: selector, opening.parts, at: offset)
        case .subquery:
            guard let name = opening.name?.text, let condition = opening.condition else {
                throw unexpected(opening.parts.isEmpty ? "a collection" : "',' and a $variable")
            }
            node = .subquery(opening.parts[0], variable: name, condition, offset: place)
        case .conditional:
            guard let condition = opening.condition, opening.parts.count == 2 else {
                throw fail("TERNARY takes a condition and two values", at: offset)
            }
            node = .conditional(condition, opening.parts[0], opening.parts[1], offset: place)
        case .cast: throw unexpected("',' and the name of a type")
        case .index(let collection, let height):
            opening.height = max(opening.height, height)
            node = .element(collection, .at(opening.parts[0]), offset: place)
        }
        try advance()
        try complete(.expression(node), from: offset, heightBelow: opening.height)
    }

    /// Moves the operand after an opening into the opening.
    private mutating func takePart(into opening: inout Opening) throws(FetchPredicateError) {
        let operand = operands.removeLast()
        opening.height = max(opening.height, operand.height)
        switch opening.kind {
        case .conditional where opening.condition == nil, .subquery where opening.name != nil:
            opening.condition = try requirePredicate(operand)
        case .conditional where opening.parts.count == 2:
            throw fail("TERNARY takes a condition and two values")
        default: opening.parts.append(try requireExpression(operand))
        }
    }

    private mutating func complete(
        _ item: Item,
        from start: Int,
        heightBelow height: Int
    ) throws(FetchPredicateError) {
        try requireDepth(height + 1)
        complete(item, from: start, height: height + 1)
    }

    /// Reads `[FIRST]`, `[LAST]` and `[SIZE]`; returns `false` before any other index, after the bracket was consumed.
    mutating func parseFixedIndex(
        of collection: ExpressionNode,
        _ operand: Operand
    ) throws(FetchPredicateError) -> Bool {
        try advance()
        let offset = TextOffset(operand.start)
        guard let keyword = token.keyword, try peek().kind == .rightBracket else { return false }
        let node: ExpressionNode
        switch keyword {
        case "FIRST": node = .element(collection, .first, offset: offset)
        case "LAST": node = .element(collection, .last, offset: offset)
        case "SIZE": node = .collectionFunction(.count, collection, offset: offset)
        default: return false
        }
        try advance()
        try advance()
        try complete(.expression(node), from: operand.start, above: [operand])
        return true
    }
}
