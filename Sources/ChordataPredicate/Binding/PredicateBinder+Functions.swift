import ChordataModel

extension PredicateBinder {
    /// Resolves the arguments of a function, each of which must be one value.
    mutating func resolveArguments(
        _ arguments: [ExpressionNode],
        of function: PredicateFunction,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> [Scalar] {
        guard function.argumentCounts.contains(arguments.count) else {
            throw fail(.malformed, "'\(function.rawValue)' does not take \(arguments.count) arguments", at: offset)
        }
        var operands: [Operand] = []
        for argument in arguments { operands.append(try resolve(argument)) }
        return try requireArguments(operands, arguments, of: function, node, at: offset)
    }

    private mutating func requireArguments(
        _ operands: [Operand],
        _ arguments: [ExpressionNode],
        of function: PredicateFunction,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> [Scalar] {
        var scalars: [Scalar] = []
        for (index, operand) in operands.enumerated() {
            if case .variable(let name, let place) = operand, variableTypes != nil {
                let other = operands.count == 2 ? operands[1 - index] : nil
                scalars.append(try infer(name, as: index, of: function, beside: other, node, at: place))
            } else {
                scalars.append(try requireScalar(operand, arguments[index], at: offset))
            }
        }
        return scalars
    }

    /// Returns a placeholder for a variable among the arguments, whose value is set later; only its type is needed now.
    private mutating func infer(
        _ name: String,
        as index: Int,
        of function: PredicateFunction,
        beside other: Operand?,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Scalar {
        var attribute = function.argumentAttribute
        if case .scalar(let scalar)? = other, attribute?.attributeType == .double {
            if scalar.type == .date {
                // Seconds can be added to a date or subtracted from it, and another date can be subtracted from it too.
                if function == .subtract { attribute = index == 0 ? scalar.type.attribute(.double) : nil }
            } else {
                attribute = scalar.type.attribute(scalar.expression.numberType)
            }
        }
        guard let attribute else {
            throw fail(
                .variable,
                "the type of '$\(name)' is unknown, because '\(function.sign ?? function.rawValue)' accepts several "
                    + "types; compare the variable with a key path",
                at: offset
            )
        }
        let stand = Scalar(
            expression: .variable(-1, isObject: false),
            type: ExpressionType(attribute) ?? .null,
            node: node
        )
        var typed = stand
        typed.stand = .keyPath(BoundKeyPath(entityName: "", relationships: [], target: .attribute(attribute)))
        try record(name, isCollection: false, allowsNil: false, typed, at: offset)
        return stand
    }

    /// Binds the call of a function; a call with constants only is computed immediately.
    func call(
        _ function: PredicateFunction,
        _ scalars: [Scalar],
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let type = try resultType(of: function, scalars, at: offset)
        switch function {
        case .now:
            timeDependence?.record()
            return .value(.attribute(.date(now)))
        case .random:
            timeDependence?.record()
            return .value(try drawNumber(below: scalars.first, at: offset))
        case .noIndex:
            return Operand.scalar(
                Scalar(expression: .function(.noIndex, [scalars[0].expression]), type: type, node: node)
            ).unlessConstant(scalars[0].expression)
        default: break
        }
        var values: [AttributeValue] = []
        for scalar in scalars {
            switch scalar.expression {
            case .value(.null): return .value(.null)
            case .value(.attribute(let value)): values.append(computesDecimals ? value.asWrittenDecimal : value)
            default: continue
            }
        }
        if values.count == scalars.count {
            let result = evaluate(function, values.map { ($0, true) })
            return .value(result.map { .attribute($0) } ?? .null)
        }
        let expression = BoundExpression.function(function, scalars.map(\.expression))
        return .scalar(Scalar(expression: expression, type: type, node: node))
    }

    private func resultType(
        of function: PredicateFunction,
        _ scalars: [Scalar],
        at offset: Int
    ) throws(FetchPredicateError) -> ExpressionType {
        func require(_ allowed: Set<ExpressionType>, _ what: String) throws(FetchPredicateError) {
            for scalar in scalars where !allowed.contains(scalar.type) && scalar.type != .null {
                throw fail(
                    .typeMismatch,
                    "'\(function.sign ?? function.rawValue)' takes \(what), but \(description(of: scalar))",
                    at: offset
                )
            }
        }
        switch function {
        case .now: return .date
        case .random, .negate, .multiply, .divide, .power, .modulus, .sqrt, .log, .ln, .exp, .floor, .ceiling, .abs,
            .trunc, .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            try require([.number], "numbers")
            return .number
        case .add, .subtract:
            try require([.number, .date], "numbers and dates")
            switch (scalars[0].type, scalars[1].type) {
            case (.date, .date):
                guard function == .subtract else {
                    throw fail(.typeMismatch, "two dates cannot be added; add seconds to a date", at: offset)
                }
                return .number
            case (.date, _): return .date
            case (_, .date):
                guard function == .add else {
                    throw fail(.typeMismatch, "a date cannot be subtracted from a number", at: offset)
                }
                return .date
            default: return .number
            }
        case .uppercase, .lowercase, .canonical:
            try require([.string], "a string")
            return .string
        case .length:
            try require([.string], "a string")
            return .number
        case .double, .integer:
            try require([.number, .string], "a number or a string")
            return .number
        case .noIndex: return scalars[0].type
        }
    }

    private func drawNumber(below limit: Scalar?, at offset: Int) throws(FetchPredicateError) -> PredicateValue {
        guard let limit else { return .attribute(.double(.random(in: 0..<1))) }
        guard case .value(.attribute(.integer(let count))) = limit.expression, count > 0 else {
            throw fail(.typeMismatch, "'random:' needs a constant whole number above 0", at: offset)
        }
        return .attribute(.integer(.random(in: 0..<count)))
    }

    // MARK: Collections

    /// Binds the call of a function of many values.
    mutating func call(
        _ function: CollectionFunction,
        _ operand: Operand,
        _ collection: ExpressionNode,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        let many: Collection
        if let rows = try rowsOfGroup(operand, collection, at: offset) {
            many = rows
        } else {
            many = try requireCollection(of: operand, collection, at: offset)
        }
        return Operand.scalar(try aggregate(function, many, node: node, at: offset)).folded
    }

    /// Returns the collection of one value per row for a function of many values if rows are grouped; otherwise `nil`.
    func rowsOfGroup(
        _ operand: Operand,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Collection? {
        guard groupsRows, case .scalar(let scalar) = operand else { return nil }
        guard !scalar.expression.isOfGroup else {
            throw fail(
                .typeMismatch,
                "'\(printed(node))' is a single value for each group, not a collection",
                at: node.offset?.utf8 ?? offset
            )
        }
        let rows = BoundCollection(
            generators: [],
            filter: .constant(true),
            element: scalar.expression,
            isDistinct: false
        )
        return Collection(collection: rows, elementType: scalar.type, node: node)
    }

    /// Binds a function of many values; a call with constants only is computed immediately.
    func aggregate(
        _ function: CollectionFunction,
        _ many: Collection,
        node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Scalar {
        var type = many.elementType
        switch function {
        case .count: type = .number
        case .sum, .average, .median, .stddev:
            guard type == .number || type == .null else {
                throw fail(
                    .typeMismatch,
                    "'\(function.rawValue)' needs numbers, but each value of '\(printed(many.node))' is "
                        + "\(type.description)",
                    at: offset
                )
            }
            type = .number
        case .min, .max, .mode:
            switch type {
            case .number, .string, .date, .data, .uuid, .url, .null: break
            case .opaque, .object:
                throw fail(
                    .typeMismatch,
                    "'\(function.rawValue)' needs values with an order, but each value of '\(printed(many.node))' is "
                        + "\(type.description)",
                    at: offset
                )
            }
        }
        if let values = many.constantValues {
            let result = aggregateValues(function, values)
            return Scalar(expression: .value(result.map { .attribute($0) } ?? .null), type: type, node: node)
        }
        return Scalar(expression: .aggregate(function, many.collection), type: type, node: node)
    }

    // MARK: Casts

    func cast(
        _ resolved: Operand,
        _ operand: ExpressionNode,
        to type: CastType,
        _ node: ExpressionNode,
        at offset: Int
    ) throws(FetchPredicateError) -> Operand {
        if case .value(let value) = resolved, let constant = PredicateLiteral.cast(value, to: type) {
            return .value(constant)
        }
        let scalar = try requireScalar(resolved, operand, at: offset)
        guard let result = scalar.type.casting(to: type) else {
            throw fail(
                .typeMismatch,
                "\(description(of: scalar)), which cannot be cast to \(type.rawValue)",
                at: offset
            )
        }
        switch scalar.expression {
        case .value(.null): return .value(.null)
        case .value(.attribute(let value)):
            guard let constant = evaluateCast(value, to: type) else {
                throw fail(.malformed, "this constant is not a valid \(type.rawValue)", at: offset)
            }
            return .value(.attribute(constant))
        default:
            let expression = BoundExpression.cast(scalar.expression, type)
            return .scalar(Scalar(expression: expression, type: result, node: node))
        }
    }
}

extension PredicateBinder.Collection {
    /// The values, if all are known constants; otherwise `nil`.
    fileprivate var constantValues: [AttributeValue?]? {
        guard collection.generators.count == 1, case .list(let parts) = collection.generators[0].source,
            collection.filter == .constant(true), !collection.isDistinct
        else { return nil }
        var values: [AttributeValue?] = []
        for part in parts {
            switch part {
            case .value(.attribute(let value)): values.append(value)
            case .value(.null): values.append(nil)
            default: return nil
            }
        }
        return values
    }
}

extension PredicateBinder.Operand {
    /// Returns the constant if the expression is a constant; otherwise the operand.
    fileprivate func unlessConstant(_ expression: BoundExpression) -> PredicateBinder.Operand {
        if case .value(let value) = expression { return .value(value) }
        return self
    }
}

extension PredicateFunction {
    /// An attribute of the type that the arguments have, for variables among them; `nil` when several types fit.
    fileprivate var argumentAttribute: AttributeDescription? {
        switch self {
        case .uppercase, .lowercase, .canonical, .length: AttributeDescription(name: "", attributeType: .string)
        case .noIndex, .now, .random, .double, .integer: nil
        case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift, .onesComplement:
            AttributeDescription(name: "", attributeType: .integer64)
        case .add, .subtract, .multiply, .divide, .power, .negate, .modulus, .sqrt, .log, .ln, .exp, .floor, .ceiling,
            .abs, .trunc:
            AttributeDescription(name: "", attributeType: .double)
        }
    }
}

extension ExpressionType {
    /// Returns the result type of a cast of a value of this type; `nil` if there is no such cast.
    fileprivate func casting(to type: CastType) -> ExpressionType? {
        switch (type, self) {
        case (.string, .number), (.string, .string), (.string, .uuid), (.string, .url): .string
        case (.number, .number), (.number, .string), (.number, .date): .number
        case (.decimal, .number), (.decimal, .string): .number
        case (.date, .number), (.date, .date): .date
        case (.uuid, .string), (.uuid, .uuid): .uuid
        case (.url, .string), (.url, .url): .url
        case (.data, .data): .data
        case (_, .null): .null
        case (.string, _), (.number, _), (.decimal, _), (.date, _), (.uuid, _), (.url, _), (.data, _), (.objectID, _):
            nil
        }
    }
}
