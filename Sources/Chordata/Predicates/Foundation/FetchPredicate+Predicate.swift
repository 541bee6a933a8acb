public import ChordataPredicate
public import Foundation

extension FetchPredicate {
    /// Creates a predicate from a Foundation `Predicate`.
    ///
    /// ```swift
    /// let late = try FetchPredicate(#Predicate<TodoItem> { !$0.done && $0.list?.title == "Home" })
    /// ```
    /// - Throws: ``FetchPredicateError`` when a part of the predicate cannot be translated; the error names the part.
    public init<Object: ManagedObject>(
        _ predicate: Predicate<Object>
    ) throws(FetchPredicateError) {
        var context = TranslationContext(object: predicate.variable.key)
        self.init(try context.condition(predicate.expression))
    }
}

extension FetchExpression {
    /// Creates an expression from a Foundation `Expression`.
    ///
    /// ```swift
    /// let total = try FetchExpression(#Expression<TodoItem, Double> { $0.price * 1.19 })
    /// ```
    /// - Throws: ``FetchPredicateError`` when a part of the expression has no counterpart in ``FetchExpression``; the
    ///   error names the part.
    public init<Object: ManagedObject, Value>(
        _ expression: Expression<Object, Value>
    ) throws(FetchPredicateError) {
        var context = TranslationContext(object: expression.variable.key)
        self.init(try context.value(expression.expression))
    }
}
