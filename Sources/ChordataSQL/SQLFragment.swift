package import ChordataPredicate

/// SQL text and the values of its question marks, in their order.
package struct SQLFragment: Sendable, Hashable {
    package var sql: String
    /// The bound values; ``SQLValue/init(_:)`` describes how SQLite stores each value.
    ///
    /// A collection is bound only for a dialect with ``SQLDialect/hasLists``.
    package var bindings: [PredicateValue]

    package init(sql: String, bindings: [PredicateValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}
