import ChordataModel
package import ChordataPredicate

extension BoundPredicate {
    /// Whether the store can answer the predicate itself; what it cannot, the context asks of the objects.
    package var isRenderable: Bool {
        switch self {
        case .constant: true
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isRenderable)
        case .not(let inner): inner.isRenderable
        case .comparison(let comparison): comparison.isRenderable
        case .exists: false
        }
    }
}

extension BoundComparison {
    fileprivate var isRenderable: Bool {
        guard left.isRenderable, right.isRenderable else { return false }
        // Decimals are texts in the store, so a decimal's column is compared with decimals only, and no other is.
        guard case .keyPath(let path) = left else { return true }
        return switch right {
        case .keyPath(let other): path.isDecimal == other.isDecimal
        case .value(.collection(let values)): values.allSatisfy { $0.isDecimal == path.isDecimal || $0 == .null }
        case .value(let value): value.isDecimal == path.isDecimal || value == .null
        default: true
        }
    }
}

extension BoundExpression {
    fileprivate var isRenderable: Bool {
        switch self {
        case .value: true
        case .keyPath(let path): path.root == nil
        case .variable, .function, .cast, .conditional, .aggregate, .element: false
        }
    }
}

extension PredicateValue {
    fileprivate var isDecimal: Bool {
        if case .attribute(.decimal) = self { return true }
        return false
    }
}
