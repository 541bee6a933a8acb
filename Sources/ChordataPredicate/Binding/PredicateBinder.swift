import ChordataModel

/// Resolves a predicate's keys and checks its types.
struct PredicateBinder {
    /// One side of a comparison with its keys resolved.
    enum Operand {
        case value(PredicateValue)
        case keyPath(BoundKeyPath)
        /// A list in which not everything is a value.
        case list([Operand])
        /// A variable without a value; only while types are inferred.
        case variable(String, offset: Int)
    }

    let model: ManagedObjectModel
    let entity: EntityDescription
    let variables: [String: PredicateValue]
    let text: String
    /// What is learnt of the variables; `nil` when they have values.
    var variableTypes: VariableTypes?

    func fail(_ kind: PredicateError.Kind, _ message: String, at offset: Int) -> PredicateError {
        PredicateError(kind, message, at: offset, in: text)
    }

    mutating func bind(_ node: PredicateNode) throws(PredicateError) -> BoundPredicate {
        switch node {
        case .constant(let value): return .constant(value)
        case .and(let nodes): return .conjunction(try bind(nodes))
        case .or(let nodes): return .disjunction(try bind(nodes))
        case .not(let inner): return .negation(try bind(inner))
        case .comparison(let comparison):
            let left = try resolve(comparison.left)
            let right = try resolve(comparison.right)
            return try compare(
                left,
                comparison.operator,
                comparison.options.effective,
                right,
                at: comparison.offset.utf8
            )
        }
    }

    private mutating func bind(_ nodes: [PredicateNode]) throws(PredicateError) -> [BoundPredicate] {
        var result: [BoundPredicate] = []
        result.reserveCapacity(nodes.count)
        for node in nodes { result.append(try bind(node)) }
        return result
    }

    private func resolve(_ expression: ExpressionNode) throws(PredicateError) -> Operand {
        switch expression {
        case .value(let value):
            return .value(value)
        case .keyPath(let path, let offset):
            return .keyPath(try resolveKeyPath(path, at: offset.utf8))
        case .evaluatedObject:
            return .keyPath(BoundKeyPath(entityName: entity.name, relationships: [], target: .object))
        case .variable(let name, let offset):
            if let value = variables[name] { return .value(value) }
            return .variable(name, offset: offset.utf8)
        case .aggregate(let parts):
            var operands: [Operand] = []
            var values: [PredicateValue] = []
            for part in parts {
                let operand = try resolve(part)
                if case .value(let value) = operand { values.append(value) }
                operands.append(operand)
            }
            return values.count == operands.count ? .value(.collection(values)) : .list(operands)
        }
    }

    /// Notes what a key path tells of a variable.
    mutating func record(
        _ name: String,
        isCollection: Bool,
        _ path: BoundKeyPath,
        at offset: Int
    ) throws(PredicateError) {
        guard var types = variableTypes else { return }
        try types.record(name, isCollection: isCollection, path, at: offset, binder: self)
        variableTypes = types
    }

    // MARK: Comparisons

    mutating func compare(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        switch operation {
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
            return try compareScalars(left, operation, options, right, at: offset)
        case .between: return try compareBetween(left, options, right, at: offset)
        case .in: return try compareIn(left, options, right, at: offset)
        case .contains:
            switch left {
            case .value(.collection), .list: return try compareIn(right, options, left, at: offset)
            case .variable(let name, let place):
                // `$names CONTAINS name` is `name IN $names`.
                if case .keyPath(let path) = right {
                    try record(name, isCollection: true, path, at: place)
                }
                return .constant(true)
            case .value, .keyPath: return try compareStrings(left, operation, options, right, at: offset)
            }
        case .beginsWith, .endsWith, .like, .matches:
            return try compareStrings(left, operation, options, right, at: offset)
        }
    }

    mutating func compareScalars(
        _ left: Operand,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: Operand,
        at offset: Int
    ) throws(PredicateError) -> BoundPredicate {
        switch (left, right) {
        case (.list, _), (_, .list), (.value(.collection), _), (_, .value(.collection)):
            throw fail(.unfittingType, "a list cannot be compared by '\(operation.rawValue)'; use IN", at: offset)
        case (.variable(let name, let place), .keyPath(let path)), (.keyPath(let path), .variable(let name, let place)):
            try requireOptions(options, fit: path, at: offset)
            try requireOrder(operation, fits: path, at: offset)
            try record(name, isCollection: false, path, at: place)
            return .constant(true)
        case (.variable, .variable), (.variable, .value), (.value, .variable):
            return .constant(true)
        case (.value(let leftValue), .value(let rightValue)):
            return .constant(
                try compareConstants(leftValue, operation, options, rightValue, at: offset)
            )
        case (.value, .keyPath):
            return try compareScalars(right, operation.flipped, options, left, at: offset)
        case (.keyPath(let path), .value(let value)):
            try requireOptions(options, fit: path, at: offset)
            try requireOrder(operation, fits: path, at: offset)
            let converted = try convert(value, for: path, at: offset)
            if converted == .null {
                guard operation == .equal || operation == .notEqual else { return .constant(false) }
                return .comparison(
                    BoundComparison(left: .keyPath(path), operator: operation, options: [], right: .value(.null))
                )
            }
            return .comparison(
                BoundComparison(left: .keyPath(path), operator: operation, options: options, right: .value(converted))
            )
        case (.keyPath(let leftPath), .keyPath(let rightPath)):
            try requireOptions(options, fit: leftPath, at: offset)
            try requireOrder(operation, fits: leftPath, at: offset)
            let leftKind = kind(of: leftPath)
            guard leftKind == kind(of: rightPath), leftKind != .opaque else {
                throw fail(
                    .unfittingType,
                    "\(name(of: leftPath)) cannot be compared with \(name(of: rightPath))",
                    at: offset
                )
            }
            return .comparison(
                BoundComparison(
                    left: .keyPath(leftPath),
                    operator: operation,
                    options: options,
                    right: .keyPath(rightPath)
                )
            )
        }
    }
}

extension ComparisonOperator {
    /// The operator with the same meaning when the two sides change places.
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
