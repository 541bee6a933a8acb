import ChordataModel

extension PredicateBinder {
    /// Binds a comparison with `==`, `!=` or an ordering operator.
    mutating func compareScalars(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(FetchPredicateError) -> BoundPredicate {
        switch (left, right) {
        case (.collection(let many), _), (_, .collection(let many)): throw typeMismatch(many, at: offset)
        case (.list, _), (_, .list), (.value(.collection), _), (_, .value(.collection)):
            throw fail(.typeMismatch, "a list cannot be compared by '\(operation.rawValue)'; use IN", at: offset)
        case (.variable(let name, let place), .scalar(let scalar)),
            (.scalar(let scalar), .variable(let name, let place)):
            try requireOptions(options, fit: scalar, at: offset)
            try requireOrder(operation, fits: scalar, at: offset)
            try record(name, isCollection: false, allowsNil: operation.comparesWithNil, scalar, at: place)
            return .constant(true)
        case (.variable(let name, let place), .value(let value)), (.value(let value), .variable(let name, let place)):
            if let type = ExpressionType(value), type != .null {
                let scalar = Scalar(expression: .value(value), type: type, node: .value(value))
                try record(name, isCollection: false, allowsNil: operation.comparesWithNil, scalar, at: place)
            }
            return .constant(true)
        case (.variable, .variable): return .constant(true)
        case (.value(let leftValue), .value(let rightValue)):
            return .constant(try compareConstants(leftValue, operation, options, rightValue, at: offset))
        case (.value, .scalar):
            return try compareScalars(right, operation.flipped, options, left, at: offset)
        case (.scalar(let scalar), .value(let value)):
            try requireOptions(options, fit: scalar, at: offset)
            try requireOrder(operation, fits: scalar, at: offset)
            let converted = try convert(value, for: scalar, at: offset)
            if converted == .null {
                guard operation == .equal || operation == .notEqual else { return .constant(false) }
                return .comparison(
                    BoundComparison(left: scalar.expression, operator: operation, options: [], right: .value(.null))
                )
            }
            return .comparison(
                BoundComparison(
                    left: scalar.expression,
                    operator: operation,
                    options: options,
                    right: .value(converted)
                )
            )
        case (.scalar(let leftScalar), .scalar(let rightScalar)):
            for scalar in [leftScalar, rightScalar] {
                try requireOptions(options, fit: scalar, at: offset)
                try requireOrder(operation, fits: scalar, at: offset)
            }
            guard let type = leftScalar.type.merged(with: rightScalar.type), type != .opaque else {
                throw fail(
                    .typeMismatch,
                    "\(name(of: leftScalar)) cannot be compared with \(name(of: rightScalar))",
                    at: offset
                )
            }
            return .comparison(
                BoundComparison(
                    left: leftScalar.expression,
                    operator: operation,
                    options: options,
                    right: rightScalar.expression
                )
            )
        }
    }
}

extension ComparisonOperator {
    /// A Boolean value that indicates whether a comparison with nil can be true.
    var comparesWithNil: Bool { self == .equal || self == .notEqual || self == .in }

    /// The operator with the same meaning when the two sides are exchanged.
    fileprivate var flipped: ComparisonOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        case .equal, .notEqual, .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: self
        }
    }
}
