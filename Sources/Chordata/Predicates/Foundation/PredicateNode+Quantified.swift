internal import ChordataModel
internal import ChordataPredicate

extension PredicateNode {
    /// Returns the condition that an element of a collection meets a condition, in which the element is a variable.
    static func any(_ collection: ExpressionNode, _ variable: String, _ condition: PredicateNode) -> PredicateNode {
        if let comparison = comparison(.any, collection, variable, condition) { return comparison }
        return count(collection, variable, condition, .greater)
    }

    /// Returns the condition that all elements of a collection meet a condition, in which the element is a variable.
    static func all(_ collection: ExpressionNode, _ variable: String, _ condition: PredicateNode) -> PredicateNode {
        if let comparison = comparison(.all, collection, variable, condition) { return comparison }
        if case .not(let inner) = condition { return count(collection, variable, inner, .equal) }
        return count(collection, variable, .not(condition), .equal)
    }

    /// Returns the condition that no element of a collection meets a condition, in which the element is a variable.
    static func none(_ collection: ExpressionNode, _ variable: String, _ condition: PredicateNode) -> PredicateNode {
        if let comparison = comparison(.none, collection, variable, condition) { return comparison }
        return count(collection, variable, condition, .equal)
    }

    /// Returns a comparison of the number of elements that meet a condition with 0.
    private static func count(
        _ collection: ExpressionNode,
        _ variable: String,
        _ condition: PredicateNode,
        _ operation: ComparisonOperator
    ) -> PredicateNode {
        let matches = ExpressionNode.subquery(collection, variable: variable, condition, offset: 0)
        return .comparison(.init(matches.appending(["@count"]), operation, .value(.attribute(.integer(0)))))
    }

    /// Returns the condition as one comparison of a path from the collection; `nil` if it is more than such a
    /// comparison.
    private static func comparison(
        _ modifier: Modifier,
        _ collection: ExpressionNode,
        _ variable: String,
        _ condition: PredicateNode
    ) -> PredicateNode? {
        guard case .comparison(var comparison) = condition, comparison.modifier == .direct,
            case .path(.variable(variable, _), let keys, _) = comparison.left,
            // A path with several keys has no element where an intermediate object is missing, but a subquery tests
            // that element too.
            keys.count == 1, !keys[0].hasPrefix("@")
        else { return nil }
        switch collection {
        case .keyPath, .path: break
        case .value, .evaluatedObject, .variable, .aggregate, .function, .collectionFunction, .cast, .conditional,
            .subquery, .element, .assignment:
            return nil
        }
        // An expression other than a constant or a path from the object may contain the variable.
        switch comparison.right {
        case .value, .keyPath, .evaluatedObject: break
        case .path, .variable, .aggregate, .function, .collectionFunction, .cast, .conditional, .subquery, .element,
            .assignment:
            return nil
        }
        comparison.modifier = modifier
        comparison.left = collection.appending(keys)
        return .comparison(comparison)
    }
}
