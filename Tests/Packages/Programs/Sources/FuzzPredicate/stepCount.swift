@testable import ChordataPredicate

/// Returns the approximate maximum number of steps that evaluating a predicate on a row of ``FuzzRows`` takes.
///
/// A list inside a list inside a list is iterated for each combination, however short its text is. The predicate
/// requires this work, so the fuzzer skips predicates that take long only for this reason.
func stepCount(_ predicate: BoundPredicate) -> Double {
    switch predicate {
    case .constant: 1
    case .and(let parts), .or(let parts): parts.reduce(1) { $0 + stepCount($1) }
    case .not(let inner): 1 + stepCount(inner)
    case .comparison(let comparison): 1 + stepCount(comparison.left) + stepCount(comparison.right)
    case .fullText, .keys: 1
    case .exists(let collection): stepCount(collection)
    }
}

/// Returns the approximate maximum number of steps that computing a value for a row of ``FuzzRows`` takes.
func stepCount(_ expression: BoundExpression) -> Double {
    switch expression {
    case .value, .variable: 1
    case .keyPath(let path): 1 + Double(path.relationships.count)
    case .function(_, let arguments): arguments.reduce(1) { $0 + stepCount($1) }
    case .cast(let operand, _): 1 + stepCount(operand)
    case .conditional(let condition, let first, let second):
        stepCount(condition) + stepCount(first) + stepCount(second)
    case .aggregate(_, let collection): stepCount(collection)
    case .element(let collection, .at(let index)): stepCount(collection) + stepCount(index)
    case .element(let collection, _): stepCount(collection)
    }
}

private func stepCount(_ collection: BoundCollection) -> Double {
    var steps = 0.0
    var ways = 1.0
    for generator in collection.generators {
        switch generator.source {
        case .relationship(let path, _):
            steps += ways * Double(1 + path.relationships.count)
            ways *= 3
        case .list(let parts):
            steps += ways * parts.reduce(1) { $0 + stepCount($1) }
            ways *= Double(parts.count)
        }
    }
    return steps + ways * (1 + stepCount(collection.filter) + stepCount(collection.element))
}
