import ChordataModel

extension PredicateBinder {
    /// Binds a comparison with CONTAINS, BEGINSWITH, ENDSWITH, LIKE or MATCHES.
    mutating func compareStrings(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        for operand in [left, right] {
            switch operand {
            case .scalar(let scalar):
                guard scalar.type == .string || scalar.type == .null else {
                    throw fail(
                        .typeMismatch,
                        "\(operation.rawValue) compares strings, but \(description(of: scalar))",
                        at: offset
                    )
                }
            case .value(.attribute(.string)), .value(.null), .variable: continue
            case .collection(let many): throw typeMismatch(many, at: offset)
            case .value(let value):
                throw fail(
                    .typeMismatch,
                    "\(operation.rawValue) compares strings, found \(value.kindName)",
                    at: offset
                )
            case .list:
                throw fail(.typeMismatch, "\(operation.rawValue) compares strings, found a list", at: offset)
            }
        }
        if operation == .matches {
            switch right {
            case .scalar:
                throw fail(
                    .unsupported,
                    "the pattern of MATCHES must be a constant, so that it can be checked before the fetch runs; use "
                        + "LIKE",
                    at: offset
                )
            case .value(.attribute(.string(let pattern))):
                guard pattern.utf8.count <= RegularExpression.maximumLength else {
                    throw fail(
                        .malformed,
                        "the pattern of MATCHES is longer than \(RegularExpression.maximumLength) bytes; use IN or CONTAINS",
                        at: offset
                    )
                }
                guard RegularExpression(pattern, options: options) != nil else {
                    throw fail(.malformed, "the pattern of MATCHES is not a valid regular expression", at: offset)
                }
            case .value, .list, .variable, .collection: break
            }
        }
        switch (left, right) {
        case (.variable(let name, let place), .scalar(let scalar)),
            (.scalar(let scalar), .variable(let name, let place)):
            try record(name, isCollection: false, allowsNil: false, scalar, at: place)
            return .constant(true)
        case (.variable, _), (_, .variable):
            return .constant(true)
        case (.value(.attribute(.string(let string))), .value(.attribute(.string(let pattern)))):
            do throws(FetchPredicateError) {
                return .constant(try StringPattern(operation, pattern, options: options).matches(string))
            } catch {
                // The error refers to the pattern; in the predicate, its place is that of the operator.
                throw fail(error.kind, error.message, at: offset)
            }
        case (.value(.null), _), (_, .value(.null)):
            return .constant(false)
        case (.value, _), (.scalar, _), (.list, _), (.collection, _):
            guard let left = left.expression, let right = right.expression else { return .constant(false) }
            return .comparison(BoundComparison(left: left, operator: operation, options: options, right: right))
        }
    }
}

extension PredicateBinder.Operand {
    /// The side of a bound comparison into which the operand is converted.
    fileprivate var expression: BoundExpression? {
        switch self {
        case .value(let value): .value(value)
        case .scalar(let scalar): scalar.expression
        case .list, .variable, .collection: nil
        }
    }
}
