internal import ChordataPredicate

extension PredicateNode {
    /// Returns a condition on an object as a condition on a variable: its paths begin at the variable.
    func rebased(onto variable: String) -> PredicateNode {
        switch self {
        case .constant: return self
        case .and(let nodes): return .and(nodes.map { $0.rebased(onto: variable) })
        case .or(let nodes): return .or(nodes.map { $0.rebased(onto: variable) })
        case .not(let node): return .not(node.rebased(onto: variable))
        case .comparison(var comparison):
            comparison.left = comparison.left.rebased(onto: variable)
            comparison.right = comparison.right.rebased(onto: variable)
            return .comparison(comparison)
        }
    }

    /// The nesting depth of subqueries in the condition.
    var subqueryDepth: Int {
        switch self {
        case .constant: 0
        case .and(let nodes), .or(let nodes): nodes.map(\.subqueryDepth).max() ?? 0
        case .not(let node): node.subqueryDepth
        case .comparison(let comparison): max(comparison.left.subqueryDepth, comparison.right.subqueryDepth)
        }
    }
}

extension ExpressionNode {
    fileprivate func rebased(onto variable: String) -> ExpressionNode {
        func rebase(_ node: ExpressionNode) -> ExpressionNode { node.rebased(onto: variable) }
        switch self {
        case .value, .variable: return self
        case .evaluatedObject: return .variable(variable, offset: 0)
        case .keyPath(let keys, let offset): return .path(.variable(variable, offset: offset), keys, offset: offset)
        case .path(let base, let keys, let offset): return .path(rebase(base), keys, offset: offset)
        case .aggregate(let parts): return .aggregate(parts.map(rebase))
        case .function(let function, let arguments, let offset):
            return .function(function, arguments.map(rebase), offset: offset)
        case .collectionFunction(let function, let argument, let offset):
            return .collectionFunction(function, rebase(argument), offset: offset)
        case .cast(let value, let type, let offset): return .cast(rebase(value), type, offset: offset)
        case .conditional(let test, let first, let second, let offset):
            return .conditional(test.rebased(onto: variable), rebase(first), rebase(second), offset: offset)
        case .subquery(let collection, let inner, let condition, let offset):
            let condition = condition.rebased(onto: variable)
            return .subquery(rebase(collection), variable: inner, condition, offset: offset)
        case .element(let collection, .at(let index), let offset):
            return .element(rebase(collection), .at(rebase(index)), offset: offset)
        case .element(let collection, let index, let offset):
            return .element(rebase(collection), index, offset: offset)
        case .assignment(let name, let value, let offset): return .assignment(name, rebase(value), offset: offset)
        }
    }

    fileprivate var subqueryDepth: Int {
        switch self {
        case .value, .evaluatedObject, .keyPath, .variable: 0
        case .path(let base, _, _): base.subqueryDepth
        case .aggregate(let parts), .function(_, let parts, _): parts.map(\.subqueryDepth).max() ?? 0
        case .collectionFunction(_, let value, _), .cast(let value, _, _), .assignment(_, let value, _),
            .element(let value, _, _):
            value.subqueryDepth
        case .conditional(let test, let first, let second, _):
            max(test.subqueryDepth, first.subqueryDepth, second.subqueryDepth)
        case .subquery(let collection, _, let condition, _):
            max(collection.subqueryDepth, condition.subqueryDepth + 1)
        }
    }
}
