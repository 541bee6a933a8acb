import ChordataModel

extension PredicateParser {
    /// Opens a call at the parenthesis or colon after its name; returns `false` if the call is already complete,
    /// because it has no arguments.
    mutating func openCall(of word: String, at offset: Int) throws(FetchPredicateError) -> Bool {
        let opening: Opening
        switch token.kind == .leftParenthesis ? word.uppercased() : "" {
        case "SUBQUERY": opening = Opening(.subquery)
        case "TERNARY": opening = Opening(.conditional)
        case "CAST": opening = Opening(.cast)
        case "FUNCTION": opening = Opening(.selector)
        case "FETCH":
            throw unsupported(
                "FETCH is not supported in predicates; run that fetch first, and use IN with its result",
                at: offset
            )
        default: opening = Opening(.call(name: try parseFunctionName(from: word)))
        }
        try advance()
        try open(opening, at: offset)
        guard case .call = opening.kind, token.kind == .rightParenthesis else { return true }
        try close(hasPart: false)
        return false
    }

    /// Reads the rest of a name such as `add:to:`; the parenthesis is next.
    private mutating func parseFunctionName(from word: String) throws(FetchPredicateError) -> String {
        var name = word
        while token.kind == .colon {
            name += ":"
            try advance()
            if case .word(let part, _) = token.kind {
                name += part
                try advance()
                guard token.kind == .colon || token.kind == .leftParenthesis else {
                    throw unexpected("':' or '(' after '\(name)'")
                }
            }
        }
        guard token.kind == .leftParenthesis else { throw unexpected("'(' after '\(name)'") }
        return name
    }

    /// Returns the call of a function by its name in a format.
    func call(
        _ name: String,
        _ arguments: [ExpressionNode],
        at offset: Int
    ) throws(FetchPredicateError) -> ExpressionNode {
        func requireCount(_ counts: ClosedRange<Int>) throws(FetchPredicateError) {
            guard !counts.contains(arguments.count) else { return }
            let wanted =
                counts.lowerBound == counts.upperBound
                ? "\(counts.lowerBound)" : "\(counts.lowerBound) or \(counts.upperBound)"
            let noun = counts.upperBound == 1 ? "argument" : "arguments"
            throw fail("'\(name)' takes \(wanted) \(noun), found \(arguments.count)", at: offset)
        }
        let place = TextOffset(offset)
        if let function = PredicateKeyword.functions[name] {
            try requireCount(function.argumentCounts)
            return .function(function, arguments, offset: place)
        }
        if let function = PredicateKeyword.collectionFunctions[name] {
            guard arguments.count == 1 else {
                guard !arguments.isEmpty else {
                    throw fail("'\(name)' takes a collection or several values, found nothing", at: offset)
                }
                return .collectionFunction(function, .list(arguments), offset: place)
            }
            return .collectionFunction(function, arguments[0], offset: place)
        }
        switch name {
        case "castObject:toType:", "castObject:toType":
            try requireCount(2...2)
            guard case .value(.attribute(.string(let typeName))) = arguments[1] else {
                throw fail("expected the name of a type in quotes as the second argument of '\(name)'", at: offset)
            }
            return .cast(arguments[0], to: try castType(typeName, at: offset), offset: place)
        case "objectFrom:withIndex:":
            try requireCount(2...2)
            return .element(arguments[0], .at(arguments[1]), offset: place)
        case "distanceToLocation:fromLocation:":
            throw unsupported("'\(name)' is not supported, because no attribute holds a location", at: offset)
        default:
            let suggestion = nearestName(to: name, among: PredicateKeyword.functionNames)
            throw unsupported(
                "there is no function '\(name)'" + (suggestion.map { "; did you mean '\($0)'?" } ?? ""),
                at: offset
            )
        }
    }

    func castType(_ name: String, at offset: Int) throws(FetchPredicateError) -> CastType {
        if let type = CastType(rawValue: name) { return type }
        let names = CastType.allCases.map(\.rawValue)
        let suggestion = nearestName(to: name, among: names)
        throw unsupported(
            "there is no CAST to '\(name)'; "
                + (suggestion.map { "did you mean '\($0)'?" } ?? "the types are " + names.joined(separator: ", ")),
            at: offset
        )
    }

    /// Returns the meaning of a selector that is called by FUNCTION.
    /// - Parameter arguments: The target, then the arguments after the selector.
    func call(
        selector: (text: String, offset: Int),
        _ arguments: [ExpressionNode],
        at offset: Int
    ) throws(FetchPredicateError) -> ExpressionNode {
        let count = 1 + selector.text.utf8.count { $0 == UInt8(ascii: ":") }
        func requireCount() throws(FetchPredicateError) {
            guard arguments.count == count else {
                throw fail(
                    "'\(selector.text)' takes \(count == 1 ? "no" : "\(count - 1)") arguments, "
                        + "found \(arguments.count - 1)",
                    at: selector.offset
                )
            }
        }
        let place = TextOffset(offset)
        func function(_ function: PredicateFunction) throws(FetchPredicateError) -> ExpressionNode {
            try requireCount()
            return .function(function, arguments, offset: place)
        }
        func cast(_ type: CastType) throws(FetchPredicateError) -> ExpressionNode {
            try requireCount()
            return .cast(arguments[0], to: type, offset: place)
        }
        switch selector.text {
        case "uppercaseString": return try function(.uppercase)
        case "lowercaseString": return try function(.lowercase)
        case "length": return try function(.length)
        case "doubleValue", "floatValue": return try function(.double)
        case "intValue", "integerValue", "longLongValue": return try function(.integer)
        case "stringValue", "absoluteString", "UUIDString": return try cast(.string)
        case "timeIntervalSinceReferenceDate": return try cast(.number)
        case "dateByAddingTimeInterval:", "addTimeInterval:": return try function(.add)
        case "timeIntervalSinceDate:": return try function(.subtract)
        case "count":
            try requireCount()
            return .collectionFunction(.count, arguments[0], offset: place)
        default:
            let suggestion = nearestName(to: selector.text, among: PredicateKeyword.selectors)
            throw unsupported(
                "FUNCTION cannot call '\(selector.text)'"
                    + (suggestion.map { "; did you mean '\($0)'?" } ?? ", because it does not call methods of objects"),
                at: selector.offset
            )
        }
    }
}
