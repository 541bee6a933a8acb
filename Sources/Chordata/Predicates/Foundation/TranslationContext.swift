internal import ChordataPredicate
internal import Foundation

/// A Foundation expression that has a counterpart in the tree of a predicate.
///
/// The conformances are unconditional: each part is cast when it is translated, so that an error can name the part, and
/// so that no cast examines a whole nested type.
protocol TranslatableExpression {
    /// Returns the counterpart.
    func translate(_ context: inout TranslationContext) throws(FetchPredicateError) -> TranslatedExpression
}

/// The state of the translation of one `#Predicate`.
struct TranslationContext {
    /// The meaning of the closures' parameters.
    private var variables: [PredicateExpressions.VariableID: TranslatedExpression]
    private var subqueryCount = 0

    init(object: PredicateExpressions.VariableID) { variables = [object: .value(.evaluatedObject)] }

    mutating func translate(_ expression: some PredicateExpression) throws(FetchPredicateError) -> TranslatedExpression
    {
        guard let translatable = expression as? any TranslatableExpression else {
            throw .unsupported(expression: "'\(name(ofKind: expression))'")
        }
        return try translatable.translate(&self)
    }

    mutating func value(_ expression: some PredicateExpression) throws(FetchPredicateError) -> ExpressionNode {
        try translate(expression).value()
    }

    mutating func condition(_ expression: some PredicateExpression<Bool>) throws(FetchPredicateError) -> PredicateNode {
        try translate(expression).condition()
    }

    /// Translates the body of a closure with a given translation of its parameter.
    mutating func translate(
        _ body: some PredicateExpression,
        _ variable: PredicateExpressions.VariableID,
        as argument: TranslatedExpression
    ) throws(FetchPredicateError) -> TranslatedExpression {
        variables[variable] = argument
        defer { variables[variable] = nil }
        return try translate(body)
    }

    func meaning(of variable: PredicateExpressions.VariableID) throws(FetchPredicateError) -> TranslatedExpression {
        guard let meaning = variables[variable] else {
            throw .unsupported(
                "a parameter of a closure in the predicate is used outside of that closure; use it only inside the closure"
            )
        }
        return meaning
    }

    /// Returns a name that no other subquery of the predicate has.
    mutating func newVariableName() -> String {
        subqueryCount += 1
        return "v\(subqueryCount)"
    }

    /// Returns the name of a part for a message: its path or, if it has none, the kind of expression.
    mutating func name(of expression: some PredicateExpression) -> String {
        // An error in the part means only that it has no path.
        switch try? value(expression) {
        case .keyPath(let keys, _), .path(_, let keys, _): keys.joined(separator: ".")
        case .evaluatedObject: "SELF"
        case nil, .value, .variable, .aggregate, .function, .collectionFunction, .cast, .conditional, .subquery,
            .element, .assignment:
            name(ofKind: expression)
        }
    }

    private func name(ofKind expression: some PredicateExpression) -> String {
        String("\(type(of: expression))".prefix { $0 != "<" })
    }
}

extension PredicateExpression {
    /// Returns the value of an expression without variables.
    func evaluateConstant(_ what: String) throws(FetchPredicateError) -> TranslatedExpression {
        do {
            return .constant(try evaluate(PredicateBindings()))
        } catch {  // A variable without a value, or a value that is missing.
            throw .unsupported(
                "\(what) of captured values cannot be computed before the fetch, because it uses the object that the predicate tests, or a value that does not exist, such as an element at an invalid index; compute it outside of the predicate or, if it uses the tested object, filter the fetched objects"
            )
        }
    }
}
