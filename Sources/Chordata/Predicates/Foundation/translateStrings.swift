internal import ChordataPredicate
internal import Foundation

extension PredicateExpressions.CollectionContainsCollection: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported(expression: "'\(context.name(of: base)).contains' with a collection as its argument")
        }
        return .condition(.comparison(.init(try context.value(base), .contains, try context.value(other))))
    }
}

extension PredicateExpressions.SequenceStartsWith: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        guard Base.Output.self is any StringProtocol.Type else {
            throw .unsupported(
                expression: "'\(context.name(of: base)).starts(with:)' with a collection as its argument"
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
        throw .unsupported(expression: "the cast '\(context.name(of: input)) as? \(Desired.self)'")
    }
}

extension PredicateExpressions.ForceCast: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(expression: "the cast '\(context.name(of: input)) as! \(Desired.self)'")
    }
}

extension PredicateExpressions.TypeCheck: TranslatableExpression {
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression {
        throw .unsupported(expression: "the type check '\(context.name(of: input)) is \(Desired.self)'")
    }
}
