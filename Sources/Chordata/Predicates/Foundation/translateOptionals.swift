internal import ChordataPredicate
internal import Foundation

extension PredicateExpressions.NilLiteral: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        .constant(Wrapped?.none as Any)
    }
}

extension PredicateExpressions.ForcedUnwrap: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        // A forced unwrap of nil is nil; as a condition, it is false.
        try context.translate(inner)
    }
}

extension PredicateExpressions.NilCoalesce: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let left = try context.translate(lhs)
        if left.isNil { return try context.translate(rhs) }
        switch left {
        case .constant, .condition: return left
        case .range:
            throw .unsupported("a range is supported only in 'contains'; use 'contains', or compare with both bounds")
        case .ordering:
            throw .unsupported(
                "the result of comparing two strings can only be compared with a constant ComparisonResult, such as .orderedSame"
            )
        case .optionalCondition(let present, let node): return try coalesce(present, node, &context)
        case .value(let value):
            if RHS.Output.self == Bool.self {
                return try coalesce(.present(value), left.condition(), &context)
            }
            return .value(.conditional(.present(value), value, try context.value(rhs), offset: 0))
        }
    }

    /// Returns the condition if it is present; otherwise, the right side.
    private func coalesce(
        _ present: PredicateNode,
        _ node: PredicateNode,
        _ context: inout TranslationContext
    ) throws(FetchPredicateError) -> TranslatedExpression {
        let fallback = try context.translate(rhs)
        if case .optionalCondition(let otherPresent, let other) = fallback {
            return .optionalCondition(
                present: .disjunction([present, otherPresent]),
                .disjunction([.both(present, node), .conjunction([.not(present), other])])
            )
        }
        return switch try fallback.condition() {
        case .constant(false): .condition(.both(present, node))
        case .constant(true): .condition(.disjunction([.not(present), node]))
        case let other: .condition(.disjunction([.both(present, node), .conjunction([.not(present), other])]))
        }
    }
}

extension PredicateExpressions.OptionalFlatMap: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        let wrapped = try context.translate(wrapped)
        if wrapped.isNil { return .constant(Result?.none as Any) }
        if case .constant = wrapped { return try context.translate(transform, variable.key, as: wrapped) }
        let node = try wrapped.value()
        let present = PredicateNode.present(node)
        switch try context.translate(transform, variable.key, as: .value(node)) {
        case .condition(let condition): return .optionalCondition(present: present, condition)
        case .optionalCondition(let inner, let condition):
            return .optionalCondition(present: .both(present, inner), condition)
        // A comparison of strings with nil is false, and so is the comparison of a missing order with an order.
        case .ordering(let left, let right): return .ordering(left, right)
        case .range:
            throw .unsupported("a range is supported only in 'contains'; use 'contains', or compare with both bounds")
        case .value(let value) where value.isMissing(with: node): return .value(value)
        case .value(let value): return .value(.conditional(present, value, .null, offset: 0))
        case .constant(let constant):
            return .value(.conditional(present, .value(try constantValue(of: constant)), .null, offset: 0))
        }
    }
}
