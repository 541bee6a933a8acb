import ChordataModel

/// Compiles a bound predicate to a function that tells whether an object meets it.
///
/// The answers are those of the SQL that the predicate becomes: two-valued logic, nil equals nil and differs from
/// everything else, an order or a string test with nil is false, and NOT turns the answer round.
/// - Parameter value: gives an object's value at a key path: `.null` where it or a to-one on the way is missing, an
///   attribute's value, or the object at the end.
/// - Complexity: compiling is O(n log n) in the size of the predicate with its lists; a test looks up each key path once.
package func makeEvaluator<Object>(
    _ predicate: BoundPredicate,
    value: @escaping (Object, BoundKeyPath) -> PredicateValue
) -> (Object) -> Bool {
    switch predicate {
    case .constant(let result): return { _ in result }
    case .and(let parts):
        let evaluators = parts.map { makeEvaluator($0, value: value) }
        return { object in evaluators.allSatisfy { $0(object) } }
    case .or(let parts):
        let evaluators = parts.map { makeEvaluator($0, value: value) }
        return { object in evaluators.contains { $0(object) } }
    case .not(let inner):
        let evaluator = makeEvaluator(inner, value: value)
        return { object in !evaluator(object) }
    case .comparison(let comparison):
        return makeEvaluator(comparison, value: value)
    }
}

private func makeEvaluator<Object>(
    _ comparison: BoundComparison,
    value: @escaping (Object, BoundKeyPath) -> PredicateValue
) -> (Object) -> Bool {
    let left = makeReader(comparison.left, value: value)
    let operation = comparison.operator
    let options = comparison.options
    switch operation {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
        let isEquality = operation == .equal || operation == .notEqual
        let right = makeFoldedReader(comparison.right, options: options, value: value)
        return { object in
            let leftValue = left(object)
            let rightValue = right(object)
            if !isEquality, leftValue == .null || rightValue == .null { return false }
            return compareValues(leftValue.folded(options), rightValue).satisfies(operation)
        }
    case .between:
        guard case .value(.collection(let bounds)) = comparison.right, bounds.count == 2 else { return { _ in false } }
        let (lower, upper) = (bounds[0].folded(options), bounds[1].folded(options))
        return { object in
            let tested = left(object).folded(options)
            return tested != .null && compareValues(tested, lower) != .ascending
                && compareValues(tested, upper) != .descending
        }
    case .in:
        guard case .value(.collection(let values)) = comparison.right else { return { _ in false } }
        let sorted = values.map { $0.folded(options) }.sorted { compareValues($0, $1) == .ascending }
        return { object in contains(left(object).folded(options), in: sorted) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
        if case .value(let constant) = comparison.right {
            guard case .attribute(.string(let string)) = constant else { return { _ in false } }
            let pattern = StringPattern(operation, string, options: options)
            return { object in
                guard case .attribute(.string(let text)) = left(object) else { return false }
                return pattern.matches(text)
            }
        }
        let right = makeReader(comparison.right, value: value)
        return { object in
            guard case .attribute(.string(let text)) = left(object),
                case .attribute(.string(let pattern)) = right(object)
            else { return false }
            return StringPattern(operation, pattern, options: options).matches(text)
        }
    }
}

private func makeReader<Object>(
    _ expression: BoundExpression,
    value: @escaping (Object, BoundKeyPath) -> PredicateValue
) -> (Object) -> PredicateValue {
    switch expression {
    case .value(let constant): return { _ in constant }
    case .keyPath(let path): return { object in value(object, path) }
    case .aggregate(let parts):
        let readers = parts.map { makeReader($0, value: value) }
        return { object in .collection(readers.map { $0(object) }) }
    }
}

/// Like `makeReader`, with a constant folded once.
private func makeFoldedReader<Object>(
    _ expression: BoundExpression,
    options: ComparisonOptions,
    value: @escaping (Object, BoundKeyPath) -> PredicateValue
) -> (Object) -> PredicateValue {
    if case .value(let constant) = expression {
        let folded = constant.folded(options)
        return { _ in folded }
    }
    let read = makeReader(expression, value: value)
    return options.isEmpty ? read : { object in read(object).folded(options) }
}

/// Whether a sorted list holds a value.
private func contains(_ value: PredicateValue, in sorted: [PredicateValue]) -> Bool {
    var range = 0..<sorted.count
    while !range.isEmpty {
        let middle = range.lowerBound + range.count / 2
        switch compareValues(value, sorted[middle]) {
        case .same: return true
        case .ascending: range = range.lowerBound..<middle
        case .descending: range = (middle + 1)..<range.upperBound
        }
    }
    return false
}
