import ChordataModel

// A constant that is compared with a decimal attribute is the decimal that it is written as, and so is the result of
// arithmetic on constants: `price == 0.1 + 0.2` is true for 0.3, although the sum of the two doubles is not 0.3.

extension PredicateBinder {
    /// Resolves the other side of a comparison with a decimal attribute again; returns `nil` if nothing is computed
    /// from constants alone.
    mutating func resolveConstantsAsDecimals(_ node: ExpressionNode) throws(FetchPredicateError) -> Operand? {
        guard case .aggregate(let parts) = node else {
            return node.isConstantArithmetic ? try resolveAsDecimals(node) : nil
        }
        guard parts.contains(where: \.isConstantArithmetic) else { return nil }
        var operands: [Operand] = []
        var values: [PredicateValue] = []
        for part in parts {
            let operand = part.isConstantArithmetic ? try resolveAsDecimals(part) : try resolve(part)
            if case .value(let value) = operand { values.append(value) }
            operands.append(operand)
        }
        return values.count == operands.count ? .value(.collection(values)) : .list(operands)
    }

    private mutating func resolveAsDecimals(_ node: ExpressionNode) throws(FetchPredicateError) -> Operand {
        let outer = computesDecimals
        computesDecimals = true
        defer { computesDecimals = outer }
        return try resolve(node)
    }
}

extension AttributeValue {
    /// The decimal that is written like a double; other values, and doubles without such a decimal, are unchanged.
    var asWrittenDecimal: AttributeValue {
        guard case .double(let number) = self, let decimal = parseDecimal("\(number)") else { return self }
        return .decimal(decimal)
    }
}

extension ExpressionNode {
    /// A Boolean value that indicates whether the expression is computed from constants alone.
    fileprivate var isConstantArithmetic: Bool {
        guard case .function(let function, let arguments, _) = self, function != .now, function != .random else {
            return false
        }
        return arguments.allSatisfy { argument in
            if case .value = argument { return true }
            return argument.isConstantArithmetic
        }
    }

    /// A Boolean value that indicates whether the expression is a path of keys without operators.
    var isPlainPath: Bool {
        switch self {
        case .keyPath, .path: !endsWithOperator
        case .value, .evaluatedObject, .variable, .aggregate, .function, .collectionFunction, .cast, .conditional,
            .subquery, .element, .assignment:
            false
        }
    }
}

extension PredicateBinder.Scalar {
    /// A Boolean value that indicates whether the value is a to-one relationship or is reached through one.
    var isBehindToOne: Bool {
        if case .keyPath(let path) = expression { return !path.relationships.isEmpty }
        return false
    }
}

extension PredicateBinder.Operand {
    /// A Boolean value that indicates whether the values are those of a decimal attribute.
    var isDecimalAttribute: Bool {
        switch self {
        case .scalar(let scalar):
            scalar.node.isPlainPath && scalar.comparedKeyPath?.attribute?.attributeType == .decimal
        case .collection(let many):
            many.node.isPlainPath && many.element.comparedKeyPath?.attribute?.attributeType == .decimal
        case .value, .list, .variable: false
        }
    }
}
