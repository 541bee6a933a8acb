import ChordataModel
package import ChordataPredicate

extension BoundPredicate {
    /// A Boolean value that indicates whether the store can evaluate the predicate; the context evaluates all other
    /// predicates in memory.
    ///
    /// The store can evaluate all predicates, except for a search without a full-text index, an element at an index
    /// that is computed for each object, nesting that is deeper than SQLite's parser allows, and nested lists with too
    /// many combinations of elements.
    package var isRenderable: Bool {
        weight?.isLight == true
    }
}

extension BoundExpression {
    /// A Boolean value that indicates whether the store can compute the value.
    package var isRenderable: Bool { weight?.isLight == true }
}

/// The cost of a part of a condition for SQLite's parser.
private struct Weight {
    /// The number of levels of the parser's stack that are used at the deepest point; the stack has a hundred levels
    /// before SQLite 3.46, and the statement around the condition needs some of them.
    var depth: Int
    /// The number of elements of lists that are visited for a row.
    var steps: Double

    static let maximumDepth = 80
    static let maximumSteps = 1e6
    /// A Boolean value that indicates whether SQLite can parse the part, and finishes its evaluation in a reasonable
    /// time.
    var isLight: Bool { depth <= Self.maximumDepth && steps <= Self.maximumSteps }

    static let leaf = Weight(depth: 1, steps: 1)

    /// The weight of a construct with these parts, which adds `depth` nesting levels; `nil` if a part cannot be written
    /// in SQL.
    static func around(_ parts: [Weight?], opening depth: Int) -> Weight? {
        var result = Weight(depth: depth, steps: 1)
        for part in parts {
            guard let part else { return nil }
            result.depth = max(result.depth, depth + part.depth)
            result.steps += part.steps
        }
        return result
    }
}

// The levels were measured: they limit how many calls, CASEs and sub-selects can be nested.

extension BoundPredicate {
    fileprivate var weight: Weight? {
        switch self {
        case .constant, .keys: .leaf
        case .fullText(let search): search.isIndexed ? .leaf : nil
        case .and(let parts), .or(let parts): .around(parts.map(\.weight), opening: 1)
        case .not(let inner): .around([inner.weight], opening: 2)
        case .comparison(let comparison):
            .around([comparison.left.weight, comparison.right.weight], opening: comparison.isOfColumns ? 3 : 6)
        case .exists(let collection): .around([collection.weight], opening: 2)
        }
    }
}

extension BoundExpression {
    fileprivate var weight: Weight? {
        switch self {
        case .value, .keyPath, .variable: .leaf
        case .function(_, let arguments): .around(arguments.map(\.weight), opening: 6)
        case .cast(let operand, _): .around([operand.weight], opening: 6)
        case .conditional(let condition, let first, let second):
            .around([condition.weight, first.weight, second.weight], opening: 5)
        case .aggregate(.count, let collection) where !collection.isDistinct: collection.weight
        case .aggregate(_, let collection): .around([collection.weight], opening: 6)
        case .element(let collection, let position):
            switch position {
            case .first, .last, .at(.value): collection.weight
            case .at: nil
            }
        }
    }
}

extension BoundCollection {
    fileprivate var weight: Weight? {
        var parts = [filter.weight, element.weight]
        var elementCount = 1.0
        for generator in generators {
            guard case .list(let expressions) = generator.source else { continue }
            // A function of a group belongs to the enclosing statement, not to a sub-select.
            guard !expressions.contains(where: \.isOfGroup) else { return nil }
            parts.append(.around(expressions.map(\.weight), opening: 6))
            elementCount *= Double(max(expressions.count, 1))
        }
        guard var weight = Weight.around(parts, opening: 8) else { return nil }
        weight.steps *= elementCount
        return weight
    }
}
