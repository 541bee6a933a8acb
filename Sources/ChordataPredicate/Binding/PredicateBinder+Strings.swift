import ChordataModel

extension PredicateBinder {
    /// CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES.
    mutating func compareStrings(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        for operand in [left, right] {
            switch operand {
            case .keyPath(let path):
                guard kind(of: path) == .string else {
                    throw fail(
                        .unfittingType,
                        "\(operation.rawValue) compares strings, but \(description(of: path))",
                        at: offset
                    )
                }
            case .value(.attribute(.string)), .value(.null), .variable: continue
            case .value(let value):
                throw fail(
                    .unfittingType,
                    "\(operation.rawValue) compares strings, found \(value.kindName)",
                    at: offset
                )
            case .list:
                throw fail(.unfittingType, "\(operation.rawValue) compares strings, found a list", at: offset)
            }
        }
        if operation == .matches {
            switch right {
            case .keyPath:
                throw fail(.unsupported, "MATCHES with a pattern that is stored is not supported; use LIKE", at: offset)
            case .value(.attribute(.string(let pattern))):
                guard RegularExpression(pattern, options: options) != nil else {
                    throw fail(.malformed, "the pattern of MATCHES is no regular expression", at: offset)
                }
            case .value, .list, .variable: break
            }
        }
        switch (left, right) {
        case (.variable(let name, let place), .keyPath(let path)), (.keyPath(let path), .variable(let name, let place)):
            try record(name, isCollection: false, path, at: place)
            return .constant(true)
        case (.variable, _), (_, .variable):
            return .constant(true)
        case (.value(.attribute(.string(let string))), .value(.attribute(.string(let pattern)))):
            return .constant(StringPattern(operation, pattern, options: options).matches(string))
        case (.value(.null), _), (_, .value(.null)):
            return .constant(false)
        case (.value, _), (.keyPath, _), (.list, _):
            guard let left = left.expression, let right = right.expression else { return .constant(false) }
            return .comparison(BoundComparison(left: left, operator: operation, options: options, right: right))
        }
    }
}

extension PredicateBinder.Operand {
    /// The side of a bound comparison that the operand becomes.
    fileprivate var expression: BoundExpression? {
        switch self {
        case .value(let value): .value(value)
        case .keyPath(let path): .keyPath(path)
        case .list, .variable: nil
        }
    }
}
