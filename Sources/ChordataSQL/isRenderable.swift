import ChordataModel
package import ChordataPredicate

extension BoundPredicate {
    /// Whether the store can answer the predicate itself; what it cannot, the context asks of the objects.
    ///
    /// It can all but an element at an index that is computed for each object.
    package var isRenderable: Bool {
        switch self {
        case .constant: true
        case .and(let parts), .or(let parts): parts.allSatisfy(\.isRenderable)
        case .not(let inner): inner.isRenderable
        case .comparison(let comparison): comparison.left.isRenderable && comparison.right.isRenderable
        case .exists(let collection): collection.isRenderable
        }
    }
}

extension BoundExpression {
    fileprivate var isRenderable: Bool {
        switch self {
        case .value, .keyPath, .variable: true
        case .function(_, let arguments): arguments.allSatisfy(\.isRenderable)
        case .cast(let operand, _): operand.isRenderable
        case .conditional(let condition, let first, let second):
            condition.isRenderable && first.isRenderable && second.isRenderable
        case .aggregate(_, let collection): collection.isRenderable
        case .element(let collection, let position):
            switch position {
            case .first, .last, .at(.value): collection.isRenderable
            case .at: false
            }
        }
    }
}

extension BoundCollection {
    fileprivate var isRenderable: Bool {
        filter.isRenderable && element.isRenderable
            && generators.allSatisfy { generator in
                switch generator.source {
                case .relationship: true
                case .list(let parts): parts.allSatisfy(\.isRenderable)
                }
            }
    }
}
