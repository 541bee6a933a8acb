package import ChordataModel

extension FetchPredicate {
    /// The names of the `$variables` that need a value.
    public var variables: Set<String> { Set(variableOffsets.map(\.name)) }

    /// The variables in the order of the text, with one element for each occurrence.
    var variableOffsets: [(name: String, offset: TextOffset)] {
        var result: [(name: String, offset: TextOffset)] = []
        var substitution = VariableSubstitution { name, offset in
            result.append((name, offset))
            return nil
        }
        _ = substitution.apply(to: node)
        return result
    }

    /// Returns the predicate with values in place of its variables; values for other names are ignored.
    /// - Throws: ``FetchPredicateError`` when a variable of the predicate has no value, or a value is NaN.
    public func substituting(_ values: [String: (any PredicateArgument)?]) throws(FetchPredicateError) -> FetchPredicate
    {
        try substituting(values.mapValues { $0?.predicateArgumentValue.value ?? .null })
    }

    /// Returns the predicate with values in place of its variables.
    package func substituting(_ values: [String: PredicateValue]) throws(FetchPredicateError) -> FetchPredicate {
        try requireValues(values)
        return replacingVariables(with: values)
    }

    /// Returns the predicate with values in place of the variables that have one, regardless of the values.
    package func replacingVariables(with values: [String: PredicateValue]) -> FetchPredicate {
        var substitution = VariableSubstitution { name, _ in values[name] }
        return FetchPredicate(substitution.apply(to: node), text: text)
    }

    /// Returns the predicate of a fetched property with constants in place of `$FETCHED_PROPERTY.name` and of
    /// `$FETCHED_PROPERTY.userInfo.<key>`; other paths remain.
    package func replacingFetchedProperty(with property: FetchedPropertyDescription) -> FetchPredicate {
        replacing(variable: "FETCHED_PROPERTY", with: nil) { keys in
            if keys == ["name"] { return .attribute(.string(property.name)) }
            guard keys.first == "userInfo" else { return nil }
            return property.userInfo[keys.dropFirst().joined(separator: ".")].map { .attribute(.string($0)) }
        }
    }

    /// Returns the predicate with values in place of a variable and of the paths that begin with it.
    package func replacing(
        variable: String,
        with value: PredicateValue?,
        paths: @escaping ([String]) -> PredicateValue?
    ) -> FetchPredicate {
        var substitution = VariableSubstitution(
            pathValue: { name, keys in name == variable ? paths(keys) : nil },
            value: { name, _ in name == variable ? value : nil }
        )
        return FetchPredicate(substitution.apply(to: node), text: text)
    }

    /// Checks that each variable has a value, and that the value can be compared (P10).
    func requireValues(_ values: [String: PredicateValue]) throws(FetchPredicateError) {
        func isWrong(_ name: String) -> Bool { values[name] == nil || values[name]?.isNotANumber == true }
        guard variableOffsets.contains(where: { isWrong($0.name) }) else { return }
        let source = text == nil ? withPrintedText : self
        let occurrences = source.variableOffsets
        let missing = occurrences.filter { values[$0.name] == nil }
        if let first = missing.first {
            var names: [String] = []
            for (name, _) in missing where !names.contains(name) { names.append(name) }
            throw FetchPredicateError(
                .variable,
                "there is no value for " + names.map { "'$\($0)'" }.joined(separator: ", "),
                at: first.offset.utf8,
                in: source.text ?? ""
            )
        }
        for (name, offset) in occurrences where values[name]?.isNotANumber == true {
            throw FetchPredicateError(
                .typeMismatch,
                "the value of '$\(name)' is NaN, which is not equal to any number",
                at: offset.utf8,
                in: source.text ?? ""
            )
        }
    }
}

extension FetchExpression {
    /// The first `$variable` of the text that needs a value.
    var firstVariable: (name: String, offset: TextOffset)? {
        var result: (name: String, offset: TextOffset)?
        var substitution = VariableSubstitution { name, offset in
            if result == nil { result = (name, offset) }
            return nil
        }
        _ = substitution.apply(to: node)
        return result
    }
}

/// Replaces free variables with values: those that neither belong to an enclosing SUBQUERY nor were assigned before.
struct VariableSubstitution {
    /// A closure that returns the value of a variable, or `nil` to keep the variable; it is called in the order of the
    /// text.
    let value: (String, TextOffset) -> PredicateValue?
    /// A closure that returns the value of a path from a variable, or `nil` to keep the path.
    let pathValue: (String, [String]) -> PredicateValue?
    private var boundNames: Set<String> = []

    init(
        pathValue: @escaping (String, [String]) -> PredicateValue? = { _, _ in nil },
        value: @escaping (String, TextOffset) -> PredicateValue?
    ) {
        self.value = value
        self.pathValue = pathValue
    }

    mutating func apply(to node: PredicateNode) -> PredicateNode {
        switch node {
        case .constant: return node
        case .and(let nodes): return .and(nodes.map { apply(to: $0) })
        case .or(let nodes): return .or(nodes.map { apply(to: $0) })
        case .not(let inner): return .not(apply(to: inner))
        case .comparison(var comparison):
            comparison.left = apply(to: comparison.left)
            comparison.right = apply(to: comparison.right)
            return .comparison(comparison)
        }
    }

    mutating func apply(to expression: ExpressionNode) -> ExpressionNode {
        switch expression {
        case .value, .evaluatedObject, .keyPath: return expression
        case .variable(let name, let offset):
            if boundNames.contains(name) { return expression }
            return value(name, offset).map { .value($0) } ?? expression
        case .path(let root, let keys, let offset):
            if case .variable(let name, _) = root, !boundNames.contains(name), let value = pathValue(name, keys) {
                return .value(value)
            }
            return .path(apply(to: root), keys, offset: offset)
        case .aggregate(let parts): return .list(parts.map { apply(to: $0) })
        case .function(let function, let arguments, let offset):
            return .function(function, arguments.map { apply(to: $0) }, offset: offset)
        case .collectionFunction(let function, let collection, let offset):
            return .collectionFunction(function, apply(to: collection), offset: offset)
        case .cast(let operand, let type, let offset): return .cast(apply(to: operand), to: type, offset: offset)
        case .conditional(let condition, let first, let second, let offset):
            let condition = apply(to: condition)
            let first = apply(to: first)
            return .conditional(condition, first, apply(to: second), offset: offset)
        case .subquery(let collection, let variable, let condition, let offset):
            let collection = apply(to: collection)
            // The variable, and names that the condition assigns, are defined only in the condition.
            let outer = boundNames
            boundNames.insert(variable)
            defer { boundNames = outer }
            return .subquery(collection, variable: variable, apply(to: condition), offset: offset)
        case .element(let collection, .at(let index), let offset):
            let collection = apply(to: collection)
            return .element(collection, .at(apply(to: index)), offset: offset)
        case .element(let collection, let index, let offset):
            return .element(apply(to: collection), index, offset: offset)
        case .assignment(let name, let value, let offset):
            let value = apply(to: value)
            boundNames.insert(name)
            return .assignment(name, value, offset: offset)
        }
    }
}
