package import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SQLiteConnection {
    /// Runs a statement with the bound values and discards its rows.
    package func run(_ sql: String, _ arguments: [SQLValue] = []) throws(StoreError) {
        let statement = try bound(sql, arguments)
        defer { statement.reset() }
        while try statement.step() {}
    }

    /// Returns the rows of a statement with the bound values.
    package func rows(_ sql: String, _ arguments: [SQLValue] = []) throws(StoreError) -> [[SQLValue]] {
        let statement = try bound(sql, arguments)
        defer { statement.reset() }
        var rows: [[SQLValue]] = []
        while try statement.step() {
            rows.append((0..<statement.columnCount).map { SQLValue(statement.values.argument(at: $0)) })
        }
        return rows
    }

    private func bound(_ sql: String, _ arguments: [SQLValue]) throws(StoreError) -> SQLiteStatement {
        let statement = try statement(sql)
        for (index, argument) in arguments.enumerated() { statement.bind(argument, at: Int32(index + 1)) }
        return statement
    }
}

extension SQLiteStatement {
    /// Binds a value in the form in which columns store it.
    func bind(_ value: SQLValue, at index: Int32) {
        switch value {
        case .null: bindNull(at: index)
        case .integer(let integer): bind(integer, at: index)
        // Negative zero and zero are not distinguished.
        case .real(let real): bind(real + 0.0, at: index)
        case .text(let text): bind(text, at: index)
        case .blob(let data): bind(data, at: index)
        }
    }
}

extension SQLValue {
    init(_ argument: SQLArgument) {
        switch argument {
        case .null: self = .null
        case .integer(let integer): self = .integer(integer)
        case .real(let real): self = .real(real)
        case .text(let bytes): self = .text(String(decoding: bytes, as: UTF8.self))
        case .blob(let bytes): self = .blob(Data(bytes))
        }
    }
}
