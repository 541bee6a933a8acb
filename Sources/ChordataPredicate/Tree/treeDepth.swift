import ChordataModel

extension PredicateNode {
    /// Returns a Boolean value that indicates whether the tree has more levels than that; looks no deeper.
    func isDeeper(than limit: Int) -> Bool {
        guard limit > 0 else { return true }
        switch self {
        case .constant: return false
        case .and(let nodes), .or(let nodes): return nodes.contains { $0.isDeeper(than: limit - 1) }
        case .not(let inner): return inner.isDeeper(than: limit - 1)
        case .comparison(let comparison):
            return comparison.left.isDeeper(than: limit - 1) || comparison.right.isDeeper(than: limit - 1)
        }
    }
}

extension ExpressionNode {
    /// Returns a Boolean value that indicates whether the tree has more levels than that; looks no deeper.
    func isDeeper(than limit: Int) -> Bool {
        guard limit > 0 else { return true }
        switch self {
        case .value, .evaluatedObject, .keyPath, .variable: return false
        case .path(let inner, _, _), .collectionFunction(_, let inner, _), .cast(let inner, _, _),
            .assignment(_, let inner, _):
            return inner.isDeeper(than: limit - 1)
        case .aggregate(let parts), .function(_, let parts, _):
            return parts.contains { $0.isDeeper(than: limit - 1) }
        case .conditional(let condition, let first, let second, _):
            return condition.isDeeper(than: limit - 1) || first.isDeeper(than: limit - 1)
                || second.isDeeper(than: limit - 1)
        case .subquery(let collection, _, let condition, _):
            return collection.isDeeper(than: limit - 1) || condition.isDeeper(than: limit - 1)
        case .element(let collection, .at(let index), _):
            return collection.isDeeper(than: limit - 1) || index.isDeeper(than: limit - 1)
        case .element(let collection, _, _): return collection.isDeeper(than: limit - 1)
        }
    }
}

extension PredicateValue {
    /// The number of levels of the value in a format.
    var height: Int {
        switch self {
        case .null: 1
        case .attribute(.integer), .attribute(.double), .attribute(.string), .attribute(.boolean): 1
        // These values are written as a CAST.
        case .attribute(.decimal), .attribute(.date), .attribute(.data), .attribute(.uuid), .attribute(.url), .object: 2
        case .collection(let values): 1 + values.reduce(0) { max($0, $1.height) }
        }
    }
}
