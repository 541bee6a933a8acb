package import ChordataPredicate

/// A statement and the values of its parameters, in order. Values are never part of the text.
package struct SQLFragment: Sendable, Hashable {
    package var sql: String
    package var bindings: [PredicateValue]

    package init(sql: String, bindings: [PredicateValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}

/// What statements call that SQLite does not have; the runtime registers it on every connection.
package enum SQLExtension {
    /// `chordata_fits(text, pattern, operator, options)`: 1 when the text fits the pattern of a string operator, else 0;
    /// 0 for NULL.
    package static let fits = "chordata_fits"
    /// `chordata_fold(text, options)`: the text as comparisons with options see it; NULL for NULL.
    package static let fold = "chordata_fold"
    /// The order of decimal numbers in their canonical spelling.
    package static let decimalCollation = "chordata_decimal"
}
