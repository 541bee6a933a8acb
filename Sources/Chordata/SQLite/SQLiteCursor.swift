package import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// A type and a function with which the module ChordataPostgres copies stores.

/// The rows of a statement, one after the other.
package struct SQLiteCursor {
    private let statement: SQLiteStatement

    package init(_ connection: SQLiteConnection, _ sql: String) throws(StoreError) {
        statement = try connection.prepare(sql)
    }

    /// The values of the next row; `nil` after the last one.
    package func next() throws(StoreError) -> [SQLValue]? {
        guard try statement.step() else { return nil }
        return (0..<statement.columnCount).map { SQLValue(statement.values.argument(at: $0)) }
    }

    /// The integer in the first column of the next row; 0 if there is no row.
    package func integer() throws(StoreError) -> Int64 {
        guard case .integer(let number)? = try next()?.first else { return 0 }
        return number
    }
}

/// Throws if there is no file at a path.
package func requireFile(_ path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError(.cannotOpen, "does not exist; correct the path", path: path)
    }
}
