package import ChordataPredicate

/// SQL text and the values of its question marks, in their order.
package struct SQLFragment: Sendable, Hashable {
    package var sql: String
    /// The bound values, never a collection; ``SQLValue/init(_:)`` says how each value is stored.
    package var bindings: [PredicateValue]

    package init(sql: String, bindings: [PredicateValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}
