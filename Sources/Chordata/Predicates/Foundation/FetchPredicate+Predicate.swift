public import ChordataPredicate
public import Foundation

extension FetchPredicate {
    /// Creates a predicate from one of Foundation's.
    ///
    /// ```swift
    /// let late = try FetchPredicate(#Predicate<TodoItem> { !$0.done && $0.list?.title == "Home" })
    /// ```
    /// - Throws: ``FetchPredicateError`` when a part of the predicate has no counterpart; the error names the part.
    public init<Object: ManagedObject>(
        _ predicate: Predicate<Object>
    ) throws(FetchPredicateError) {
        var context = TranslationContext(object: predicate.variable.key)
        self.init(try context.condition(predicate.expression))
    }
}

extension FetchExpression {
    /// Creates an expression from one of Foundation's.
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
