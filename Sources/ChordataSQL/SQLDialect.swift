internal import ChordataModel
package import ChordataPredicate

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// The SQL of a database where it differs from that of other databases.
///
/// Renderers write the SQL that all databases have in common, and get the rest from a dialect.
package protocol SQLDialect: Sendable {
    /// A condition that is met by all rows, or by none.
    func condition(_ isMet: Bool) -> String
    /// The parameters for consecutive bindings, with commas between them.
    /// - Parameter positions: The positions of the bindings, from 1; not empty.
    func parameters(_ positions: ClosedRange<Int>) -> String
    /// The parameter for the binding at a position, in a statement that uses a binding more than once.
    func repeatedParameter(_ position: Int) -> String
    /// A condition that two values are equal or both NULL; never NULL.
    func areSame(_ left: String, _ right: String) -> String
    /// A condition that two values are different, where NULL is a value too; never NULL.
    func areDifferent(_ left: String, _ right: String) -> String
    /// A condition that a column has one of the keys of a binding.
    func isAmongKeys(_ column: String, at position: Int) -> String
    /// A value for which no index is used.
    func withoutIndex(_ value: String) -> String
    /// A condition that a text contains another one.
    func contains(_ text: String, _ part: String) -> String
    /// A condition that a text ends with a constant that is not empty.
    /// - Parameter bind: A closure that adds a binding and returns its parameter.
    func ends(_ text: String, with suffix: String, bind: (PredicateValue) -> String) -> String
    /// The end of a statement that returns some of its rows.
    /// - Parameters:
    ///   - limit: The maximum number of rows; 0 for all.
    ///   - offset: The number of rows that are left out at the beginning.
    ///   - bind: A closure that adds a binding and returns its parameter.
    func range(limit: Int, offset: Int, bind: (PredicateValue) -> String) -> String
    /// A sub-select with the elements of a list: the column `value`, and the index as the column `place`.
    /// - Parameters:
    ///   - count: The number of elements.
    ///   - list: The elements, in the form of ``SQLValueList``.
    ///   - hasPlaces: Whether the column `place` is needed.
    ///   - bind: A closure that adds a binding and returns its parameter.
    func elements(_ count: Int, of list: Data, hasPlaces: Bool, bind: (PredicateValue) -> String) -> String
    /// A part of ORDER BY in which NULL is the smallest value.
    func sorted(_ value: String, ascending: Bool) -> String
    /// The keyword between tables whose rows are combined with each row of the other tables.
    var crossJoin: String { get }
    /// The words after a sub-select that is the only source of rows, and whose columns are not used.
    var subqueryAlias: String { get }
    /// A Boolean value that indicates whether a binding can be a list of values.
    var hasLists: Bool { get }
    /// A value with the collation by which it is ordered.
    func collated(_ value: String, by collation: SQLCollation) -> String
    /// The words that begin an UPDATE that the database need not undo if it fails, because the transaction is then
    /// rolled back.
    var updateWithoutUndo: String { get }
    /// A value that a column of numbers does not accept.
    var nonNumber: String { get }
    /// A call of a function of Chordata.
    /// - Parameter arguments: The arguments, with commas between them.
    func call(_ function: SQLFunction, _ arguments: String) -> String
    /// The aggregate function to which a statement passes its rows instead of returning them.
    /// - Parameter columnCount: The number of columns of the rows.
    /// - Returns: The name; `nil` if rows with this number of columns are returned.
    func rowFunction(columnCount: Int) -> String?
    /// Returns a Boolean value that indicates whether the database evaluates a predicate as the evaluator in memory
    /// does.
    func isRenderable(_ predicate: BoundPredicate) -> Bool
    /// Returns a Boolean value that indicates whether the database computes a value as the evaluator in memory does.
    func isRenderable(_ expression: BoundExpression) -> Bool
    /// Returns a Boolean value that indicates whether the database supports the order of a sort term.
    func isRenderable(_ term: SortTerm) -> Bool
}

extension SQLDialect {
    // The properties that SQLite and the databases of tests have in common.

    package func sorted(_ value: String, ascending: Bool) -> String { ascending ? value : value + " DESC" }
    package var crossJoin: String { "JOIN" }
    package var subqueryAlias: String { "" }
    package var hasLists: Bool { false }
    package func isRenderable(_ predicate: BoundPredicate) -> Bool { predicate.isRenderable }
    package func isRenderable(_ expression: BoundExpression) -> Bool { expression.isRenderable }
    package func isRenderable(_ term: SortTerm) -> Bool { true }
}

/// The SQL of SQLite, with the functions and collations that Chordata registers on each connection.
package struct SQLiteDialect: SQLDialect {
    private let hasRowFunction: Bool

    /// - Parameter hasRowFunction: Whether statements may use ``rowFunction(columnCount:)``; `false` if the tables are
    ///   views of several tables, because SQLite would not use the indexes of these tables in a statement with an
    ///   aggregate.
    package init(hasRowFunction: Bool = true) { self.hasRowFunction = hasRowFunction }

    package func condition(_ isMet: Bool) -> String { isMet ? "1" : "0" }
    package func repeatedParameter(_ position: Int) -> String { "?\(position)" }
    /// Otherwise SQLite copies each page before an UPDATE of several rows changes it.
    package var updateWithoutUndo: String { "UPDATE OR FAIL" }
    /// A text, which the STRICT tables do not accept.
    package var nonNumber: String { "'x'" }

    package func parameters(_ positions: ClosedRange<Int>) -> String {
        if positions.count == 1 { return "?" }
        let length = 3 * positions.count - 2
        guard length <= Self.manyParameters.utf8.count else {
            return "?" + String(repeating: ", ?", count: positions.count - 1)
        }
        return String(Self.manyParameters.utf8.prefix(length)) ?? ""
    }

    /// Creating such a text costs more than copying a part of an existing one.
    private static let manyParameters = "?" + String(repeating: ", ?", count: 99)

    package func areSame(_ left: String, _ right: String) -> String { "\(left) IS \(right)" }
    package func areDifferent(_ left: String, _ right: String) -> String { "\(left) IS NOT \(right)" }

    /// The keys are one parameter, a JSON array, for any number of keys.
    package func isAmongKeys(_ column: String, at position: Int) -> String {
        "\(column) IN (SELECT value FROM json_each(\(parameters(position...position))))"
    }

    package func withoutIndex(_ value: String) -> String { "+" + value }
    package func contains(_ text: String, _ part: String) -> String { "instr(\(text), \(part)) > 0" }

    package func ends(_ text: String, with suffix: String, bind: (PredicateValue) -> String) -> String {
        // The bytes are compared, because substr of a text stops at a NUL.
        let bytes = Data(suffix.utf8)
        let start = bind(.attribute(.integer(-Int64(bytes.count))))
        return "substr(CAST(\(text) AS BLOB), \(start)) = \(bind(.attribute(.data(bytes))))"
    }

    package func range(limit: Int, offset: Int, bind: (PredicateValue) -> String) -> String {
        var sql = ""
        if limit > 0 || offset > 0 { sql += " LIMIT " + bind(.attribute(.integer(limit > 0 ? Int64(limit) : -1))) }
        if offset > 0 { sql += " OFFSET " + bind(.attribute(.integer(Int64(offset)))) }
        return sql
    }

    package func elements(_ count: Int, of list: Data, hasPlaces: Bool, bind: (PredicateValue) -> String) -> String {
        let end = bind(.attribute(.integer(Int64(count))))
        let element = call(.listElement, "\(bind(.attribute(.data(list)))), i")
        return "WITH RECURSIVE list(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM list WHERE i + 1 < \(end)) "
            + "SELECT \(hasPlaces ? "i AS place, \(element) AS value" : element) FROM list"
    }

    package func collated(_ value: String, by collation: SQLCollation) -> String {
        "\(value) COLLATE \(collation.rawValue)"
    }

    package func call(_ function: SQLFunction, _ arguments: String) -> String { "\(function.rawValue)(\(arguments))" }

    package static let rowFunction = "chordata_rows"
    /// The maximum number of arguments of ``rowFunction``: the limit of SQLite's default build.
    package static let maximumColumnCount = 100

    package func rowFunction(columnCount: Int) -> String? {
        hasRowFunction && columnCount <= Self.maximumColumnCount ? Self.rowFunction : nil
    }
}
