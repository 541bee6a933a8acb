/// The tree of a predicate.
package indirect enum PredicateNode: Sendable, Hashable {
    /// `TRUEPREDICATE` and `FALSEPREDICATE`.
    case constant(Bool)
    case and([PredicateNode])
    case or([PredicateNode])
    case not(PredicateNode)
    case comparison(Comparison)

    /// The elements of the collection on the left side to which a comparison applies.
    package enum Modifier: String, Sendable, Hashable, CaseIterable {
        /// The left side is one value.
        case direct = ""
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
    }

    package struct Comparison: Sendable, Hashable {
        package var modifier: Modifier
        package var left: ExpressionNode
        package var `operator`: ComparisonOperator
        package var options: ComparisonOptions
        package var right: ExpressionNode
        /// The place of the operator in the text.
        package var offset: TextOffset

        package init(
            _ left: ExpressionNode,
            _ operator: ComparisonOperator,
            _ right: ExpressionNode,
            options: ComparisonOptions = [],
            modifier: Modifier = .direct,
            offset: TextOffset = 0
        ) {
            self.modifier = modifier
            self.left = left
            self.operator = `operator`
            self.options = options
            self.right = right
            self.offset = offset
        }
    }

    /// Returns the nodes joined by AND, with nested conjunctions flattened; a single node is returned unchanged, and
    /// the result for no nodes is the constant true.
    package static func conjunction(_ nodes: [PredicateNode]) -> PredicateNode {
        var parts: [PredicateNode] = []
        for node in nodes {
            if case .and(let inner) = node { parts += inner } else { parts.append(node) }
        }
        if parts.isEmpty { return .constant(true) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// Returns the nodes joined by OR, with nested disjunctions flattened; a single node is returned unchanged, and
    /// the result for no nodes is the constant false.
    package static func disjunction(_ nodes: [PredicateNode]) -> PredicateNode {
        var parts: [PredicateNode] = []
        for node in nodes {
            if case .or(let inner) = node { parts += inner } else { parts.append(node) }
        }
        if parts.isEmpty { return .constant(false) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// The place of a comparison's operator in the text; `nil` for conditions without a place.
    var offset: TextOffset? {
        switch self {
        case .constant, .and, .or, .not: nil
        case .comparison(let comparison): comparison.offset
        }
    }
}
