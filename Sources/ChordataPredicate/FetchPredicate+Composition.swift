extension FetchPredicate {
    /// The predicate that every object meets.
    public static let `true` = FetchPredicate(.constant(true))
    /// The predicate that no object meets.
    public static let `false` = FetchPredicate(.constant(false))

    /// The predicate that is met where both are.
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.conjunction([left.node, right.node]))
    }

    /// The predicate that is met where at least one of the two is.
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.disjunction([left.node, right.node]))
    }

    /// The predicate that is met exactly where the other is not.
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.not(predicate.node), text: predicate.text)
    }

    /// The predicate that is met where this one and the other are.
    public func and(_ other: FetchPredicate) -> FetchPredicate { self && other }

    /// The predicate that is met where this one or the other is.
    public func or(_ other: FetchPredicate) -> FetchPredicate { self || other }

    /// The predicate that is met where all of the given ones are; without any, everywhere.
    /// - Complexity: O(n) for n predicates, where a chain of `&&` is O(n²).
    public static func all(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.conjunction(predicates.map(\.node)))
    }

    /// The predicate that is met where at least one of the given ones is; without any, nowhere.
    /// - Complexity: O(n) for n predicates, where a chain of `||` is O(n²).
    public static func any(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.disjunction(predicates.map(\.node)))
    }
}

// MARK: Variables

extension FetchPredicate {
    /// The names of the `$variables`.
    public var variables: Set<String> { Set(variableOffsets.map(\.name)) }

    /// The variables in the order of the text, each as often as it occurs.
    var variableOffsets: [(name: String, offset: TextOffset)] {
        var result: [(name: String, offset: TextOffset)] = []
        func visit(_ expression: ExpressionNode) {
            switch expression {
            case .variable(let name, let offset): result.append((name, offset))
            case .aggregate(let parts): parts.forEach(visit)
            case .value, .keyPath, .evaluatedObject: return
            }
        }
        func visit(_ node: PredicateNode) {
            switch node {
            case .constant: return
            case .and(let nodes), .or(let nodes): nodes.forEach(visit)
            case .not(let inner): visit(inner)
            case .comparison(let comparison):
                visit(comparison.left)
                visit(comparison.right)
            }
        }
        visit(node)
        return result
    }

    /// The predicate with values in the place of its variables.
    /// - Throws: ``PredicateError`` when a variable of the predicate has no value; values too many are no error (P10).
    public func substituting(_ values: [String: (any PredicateArgument)?]) throws(PredicateError) -> FetchPredicate {
        try substituting(values.mapValues { $0?.predicateArgumentValue.value ?? .null })
    }

    /// The predicate with values in the place of its variables.
    package func substituting(_ values: [String: PredicateValue]) throws(PredicateError) -> FetchPredicate {
        try requireValues(values)
        func substitute(_ expression: ExpressionNode) -> ExpressionNode {
            switch expression {
            case .variable(let name, _): values[name].map { .value($0) } ?? expression
            case .aggregate(let parts): .list(parts.map(substitute))
            case .value, .keyPath, .evaluatedObject: expression
            }
        }
        func substitute(_ node: PredicateNode) -> PredicateNode {
            switch node {
            case .constant: return node
            case .and(let nodes): return .and(nodes.map(substitute))
            case .or(let nodes): return .or(nodes.map(substitute))
            case .not(let inner): return .not(substitute(inner))
            case .comparison(var comparison):
                comparison.left = substitute(comparison.left)
                comparison.right = substitute(comparison.right)
                return .comparison(comparison)
            }
        }
        return FetchPredicate(substitute(node), text: text)
    }

    /// Checks that each variable has a value, and one that is comparable (P10).
    func requireValues(_ values: [String: PredicateValue]) throws(PredicateError) {
        let source = text == nil ? withPrintedText : self
        let occurrences = source.variableOffsets
        let missing = occurrences.filter { values[$0.name] == nil }
        if let first = missing.first {
            var names: [String] = []
            for (name, _) in missing where !names.contains(name) { names.append(name) }
            throw PredicateError(
                .variable,
                "there is no value for " + names.map { "'$\($0)'" }.joined(separator: ", "),
                at: first.offset.utf8,
                in: source.text ?? ""
            )
        }
        for (name, offset) in occurrences where values[name]?.isNotANumber == true {
            throw PredicateError(
                .unfittingType,
                "the value of '$\(name)' is not a number (NaN), which equals nothing",
                at: offset.utf8,
                in: source.text ?? ""
            )
        }
    }
}
