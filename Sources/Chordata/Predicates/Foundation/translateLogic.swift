internal import ChordataPredicate
internal import Foundation

extension PredicateExpressions.Conjunction: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .condition(.conjunction([try context.condition(lhs), try context.condition(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .condition(.disjunction([try context.condition(lhs), try context.condition(rhs)]))
    }
}

extension PredicateExpressions.Negation: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .condition(.not(try context.condition(wrapped)))
    }
}

extension PredicateExpressions.Equal: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let (left, right) = (try context.translate(lhs), try context.translate(rhs))
        if let special = try compareConditions(left, right) { return .condition(special) }
        return .condition(.comparison(.init(try left.value(), .equal, try right.value())))
    }
}

extension PredicateExpressions.NotEqual: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let (left, right) = (try context.translate(lhs), try context.translate(rhs))
        if let special = try compareConditions(left, right) { return .condition(.not(special)) }
        return .condition(.comparison(.init(try left.value(), .notEqual, try right.value())))
    }
}

/// Returns the condition that a condition or an order of strings equals a constant; `nil` for other comparisons.
private func compareConditions(
    _ left: TranslatedExpression,
    _ right: TranslatedExpression
) throws(FetchPredicateError) -> PredicateNode? {
    switch (left, right) {
    case (.constant, .condition), (.constant, .optionalCondition), (.constant, .ordering):
        return try compareConditions(right, left)
    case (.condition(let node), .constant(let constant)):
        guard let constant = constant as? Bool else { return .constant(false) }
        return constant ? node : .not(node)
    case (.optionalCondition(let present, let node), .constant(let constant)):
        guard let constant = constant as? Bool else { return .not(present) }
        return .both(present, constant ? node : .not(node))
    case (.ordering(let left, let right), .constant(let constant)):
        guard let order = constant as? ComparisonResult else { return nil }
        let operation: ComparisonOperator =
            switch order {
            case .orderedAscending: .less
            case .orderedSame: .equal
            case .orderedDescending: .greater
            }
        return .comparison(.init(left, operation, right, options: .caseInsensitive))
    default: return nil
    }
}

extension PredicateExpressions.Comparison: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let operation: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default:
                throw .unsupported(expression: "the comparison '\(op)'")
            }
        return .condition(.comparison(.init(try context.value(lhs), operation, try context.value(rhs))))
    }
}

extension PredicateExpressions.Conditional: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .value(
            .conditional(
                try context.condition(test),
                try context.value(trueBranch),
                try context.value(falseBranch),
                offset: 0
            )
        )
    }
}
