internal import ChordataPredicate
internal import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported(
                "'\(context.name(of: base)).contains' with a collection as its argument is not supported in predicates; fetch without this condition, and filter the objects in your code"
            )
        }
        return .condition(.comparison(.init(try context.value(base), .contains, try context.value(other))))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported(
                "'\(context.name(of: base)).starts(with:)' with a collection as its argument is not supported in predicates; fetch without this condition, and filter the objects in your code"
            )
        }
        return .condition(.comparison(.init(try context.value(base), .beginsWith, try context.value(prefix))))
    }
}

extension PredicateExpressions.StringContainsRegex: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(
            "a Regex on '\(context.name(of: subject))' is not supported in predicates; use MATCHES in a format string"
        )
    }
}

extension PredicateExpressions.ConditionalCast: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(
            "the cast '\(context.name(of: input)) as? \(Desired.self)' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
    }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(
            "the cast '\(context.name(of: input)) as! \(Desired.self)' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
    }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(
            "the type check '\(context.name(of: input)) is \(Desired.self)' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
    }
}
