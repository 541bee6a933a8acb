internal import Chordata
package import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A statement for a database server, with its arguments.
package struct ServerStatement {
    package let sql: String
    package let arguments: [ServerArgument]
    /// A Boolean value that indicates whether the text is used often, so that the server prepares it once.
    package let isKept: Bool
    /// A Boolean value that indicates whether the statement is `COPY … FROM STDIN` in the binary format; its arguments
    /// are the columns of the copied rows, and the statement needs two round trips of its own.
    package let isCopy: Bool

    package init(
        _ sql: String,
        _ arguments: [ServerArgument] = [],
        isKept: Bool = false,
        isCopy: Bool = false
    ) {
        self.sql = sql
        self.arguments = arguments
        self.isKept = isKept
        self.isCopy = isCopy
    }

    /// Creates the statement that copies rows into a table.
    /// - Parameter values: The columns of the rows.
    package init(copying values: [ServerArgument], into tableName: String, columns: [String]) {
        let names = columns.map(quoteIdentifier).joined(separator: ", ")
        self.init("COPY \(quoteIdentifier(tableName)) (\(names)) FROM STDIN (FORMAT binary)", values, isCopy: true)
    }
}

/// An argument of a statement for a database server: a value, or an array with a value of a column for each row.
package enum ServerArgument {
    /// A single value; a collection is an array of values of one type, without `nil`.
    case value(PredicateValue)
    /// Integers, and the keys of objects.
    case integers([Int64?])
    case booleans([Bool?])
    /// Doubles and floats, and dates in seconds since 2001.
    case reals([Double?])
    case texts([String?])
    case decimals([Decimal?])
    case blobs([Data?])
    case uuids([UUID?])
}
