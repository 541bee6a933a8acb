import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateParser {
    /// Reads one side of a comparison.
    mutating func parseOperand() throws(PredicateError) -> ExpressionNode {
        let offset = token.range.lowerBound
        switch token.kind {
        case .word(let word, let isEscaped):
            return try parseWord(word, isEscaped: isEscaped)
        case .number(let text):
            try advance()
            return .value(try numberValue(text, isNegative: false, at: offset))
        case .string(let string):
            try advance()
            return .value(.attribute(.string(string)))
        case .variable(let name):
            try advance()
            if token.kind == .dot { throw unsupported("a key path that begins at a variable is") }
            return .variable(name, offset: TextOffset(offset))
        case .placeholder(let letters):
            return try parsePlaceholder(letters)
        case .leftBrace:
            return try parseAggregate()
        case .arithmetic("-"):
            try advance()
            if case .number(let text) = token.kind {
                try advance()
                return .value(try numberValue(text, isNegative: true, at: offset))
            }
            throw unsupported("arithmetic ('-') is", at: offset)
        case .collectionOperator(let name):
            throw unsupported("the collection operator '@\(name)' is")
        case .arithmetic(let sign):
            throw unsupported("arithmetic ('\(sign)') is")
        case .comparison, .and, .or, .not, .leftParenthesis, .rightParenthesis, .rightBrace, .leftBracket,
            .rightBracket, .comma, .dot, .colon, .end:
            throw unexpected("a value or a key path")
        }
    }

    /// Refuses what can follow an operand in Core Data's language, but not here yet.
    func refuseFurtherExpression() throws(PredicateError) {
        switch token.kind {
        case .arithmetic(":="): throw unsupported("an assignment (':=') is")
        case .arithmetic(let sign): throw unsupported("arithmetic ('\(sign)') is")
        case .leftBracket: throw unsupported("an index in brackets is")
        case .word, .number, .string, .variable, .collectionOperator, .placeholder, .comparison, .and, .or, .not,
            .leftParenthesis, .rightParenthesis, .leftBrace, .rightBrace, .rightBracket, .comma, .dot, .colon, .end:
            return
        }
    }

    // MARK: Words

    private mutating func parseWord(_ word: String, isEscaped: Bool) throws(PredicateError) -> ExpressionNode {
        let offset = token.range.lowerBound
        let keyword = token.keyword
        if let keyword, PredicateKeyword.reserved.contains(keyword) {
            switch keyword {
            case "TRUE", "YES":
                try advance()
                return .value(.attribute(.boolean(true)))
            case "FALSE", "NO":
                try advance()
                return .value(.attribute(.boolean(false)))
            case "NULL", "NIL":
                try advance()
                return .value(.null)
            case "SELF":
                try advance()
                guard token.kind == .dot else { return .evaluatedObject }
                try advance()
                return try parseKeyPath([], at: offset)
            default:
                throw fail(
                    "expected a value or a key path, found '\(word)'; a key of that name is written '#\(word)'"
                )
            }
        }
        try advance()
        if let keyword, PredicateKeyword.contextual.contains(keyword) {
            if let expression = try parseContextual(keyword, at: offset) { return expression }
        }
        switch token.kind {
        case .leftParenthesis, .colon:
            throw unsupported("the function '\(word)' is", at: offset)
        case .dot:
            try advance()
            return try parseKeyPath([word], at: offset)
        case .word, .number, .string, .variable, .collectionOperator, .placeholder, .comparison, .and, .or, .not,
            .rightParenthesis, .leftBrace, .rightBrace, .leftBracket, .rightBracket, .comma, .arithmetic, .end:
            return .keyPath([word], offset: TextOffset(offset))
        }
    }

    /// Reads what a word begins that is a keyword here only if the next token says so; `nil` when it is a key.
    private mutating func parseContextual(
        _ keyword: String,
        at offset: Int
    ) throws(PredicateError) -> ExpressionNode? {
        switch keyword {
        case "ANY", "SOME", "ALL", "NONE":
            switch token.kind {
            case .word where token.keyword.map { !isOperator($0) } ?? true, .placeholder, .variable, .leftBrace,
                .leftParenthesis, .string, .number, .collectionOperator:
                throw unsupported("\(keyword) is", at: offset)
            default: return nil
            }
        case "CAST" where token.kind == .leftParenthesis:
            return try parseCast(at: offset)
        case "SUBQUERY" where token.kind == .leftParenthesis, "FUNCTION" where token.kind == .leftParenthesis,
            "TERNARY" where token.kind == .leftParenthesis, "FETCH" where token.kind == .leftParenthesis:
            throw unsupported("\(keyword) is", at: offset)
        default: return nil
        }
    }

    private func isOperator(_ keyword: String) -> Bool {
        PredicateKeyword.operators[keyword] != nil || ["AND", "OR"].contains(keyword)
    }

    /// Reads the keys behind a dot.
    mutating func parseKeyPath(_ first: [String], at offset: Int) throws(PredicateError) -> ExpressionNode {
        var path = first
        while true {
            switch token.kind {
            case .word(let key, _): path.append(key)
            case .collectionOperator(let name): throw unsupported("the collection operator '@\(name)' is")
            case .placeholder("K"):
                guard case .keyPath(let keys, _) = try keyPathArgument() else {
                    throw fail("expected a key path for '%K', found SELF")
                }
                path += keys
            default: throw unexpected("a key after '.'")
            }
            try advance()
            if token.kind == .leftParenthesis || token.kind == .colon {
                throw unsupported("the function '\(path[path.count - 1])' is")
            }
            guard token.kind == .dot else { return .keyPath(path, offset: TextOffset(offset)) }
            try advance()
        }
    }

    // MARK: Lists and casts

    private mutating func parseAggregate() throws(PredicateError) -> ExpressionNode {
        try descend()
        try advance()
        var parts: [ExpressionNode] = []
        while token.kind != .rightBrace {
            if !parts.isEmpty {
                guard token.kind == .comma else { throw unexpected("',' or '}'") }
                try advance()
            }
            parts.append(try parseOperand())
            try refuseFurtherExpression()
        }
        try advance()
        ascend()
        return .list(parts)
    }

    /// Reads `CAST(constant, "type")`, the way in which constants without a literal are written.
    private mutating func parseCast(at offset: Int) throws(PredicateError) -> ExpressionNode {
        try descend()
        try advance()
        let operand = try parseOperand()
        try refuseFurtherExpression()
        guard token.kind == .comma else { throw unexpected("',' and the name of a type") }
        try advance()
        guard case .string(let typeName) = token.kind else { throw unexpected("the name of a type in quotes") }
        let typeOffset = token.range.lowerBound
        try advance()
        guard token.kind == .rightParenthesis else { throw unexpected("')'") }
        try advance()
        ascend()
        guard PredicateLiteral.castTypeNames.contains(typeName) else {
            throw unsupported("a CAST to '\(typeName)' is", at: typeOffset)
        }
        guard case .value(let value) = operand else {
            throw unsupported("a CAST of anything but a constant is", at: offset)
        }
        guard let result = PredicateLiteral.cast(value, to: typeName) else {
            throw fail("this constant is no \(typeName)", at: offset)
        }
        return .value(result)
    }

    // MARK: Numbers

    private func numberValue(_ text: String, isNegative: Bool, at offset: Int) throws(PredicateError) -> PredicateValue
    {
        let bytes = Array(text.utf8)
        let sign = isNegative ? "-" : ""
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0"), !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[1]),
            bytes[1] != UInt8(ascii: "."), bytes[1] | 0x20 != UInt8(ascii: "e")
        {
            let radix = PredicateLexer.radix(ofPrefix: bytes[1])
            guard let magnitude = UInt64(text.dropFirst(2), radix: radix), let value = Int64(sign + "\(magnitude)")
            else { throw fail("'\(text)' does not fit into 64 bits", at: offset) }
            return .attribute(.integer(value))
        }
        if text.utf8.allSatisfy({ ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }) {
            if let value = Int64(sign + text) { return .attribute(.integer(value)) }
            if let value = parseDecimal(sign + text) { return .attribute(.decimal(value)) }
        }
        guard let value = Double(sign + (text.hasPrefix(".") ? "0" + text : text)) else {
            throw fail("'\(text)' is not a number", at: offset)
        }
        return .attribute(.double(value))
    }
}
