internal import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A table in both engines, with the statements that copy its rows.
struct CopiedTable {
    /// The name in SQLite, which errors and progress reports use.
    let name: String
    let columnNames: [String]
    let selectFromFile: String
    let selectFromServer: String
    let insertIntoFile: String
    private let serverName: String
    private let serverColumnNames: [String]
    let countInFile: String
    let countOnServer: String
    private let types: [ColumnType]
    /// The positions of the columns that identify a row.
    private let keyIndexes: [Int]

    /// Returns the tables of a model, without those of the metadata.
    static func all(of model: ManagedObjectModel) -> [CopiedTable] {
        let server = makePostgresMapping(of: model)
        let types = PostgresColumnTypes(server)
        // Both mappings have the same tables and columns in the same order, with different names.
        return zip(makeSchemaMapping(of: model).tables, server.tables).compactMap { file, server in
            let isCopied = file.kind != .system || file.name == "_migration"
            return isCopied ? CopiedTable(file, server, types) : nil
        }
    }

    private init(_ file: Table, _ server: Table, _ postgresTypes: PostgresColumnTypes) {
        name = file.name
        columnNames = file.columns.map(\.name)
        types = server.columns.map { ColumnType(postgresTypes.type(of: $0, in: server)) }
        let key = file.primaryKey.isEmpty ? file.columns.filter(\.isRowID).map(\.name) : file.primaryKey
        keyIndexes = file.columns.indices.filter { key.contains(file.columns[$0].name) }
        func select(_ table: Table, _ indexes: [Int]) -> String {
            let names = table.columns.map { quoteIdentifier($0.name) }
            return "SELECT \(names.joined(separator: ", ")) FROM \(quoteIdentifier(table.name)) "
                + "ORDER BY \(indexes.map { names[$0] }.joined(separator: ", "))"
        }
        selectFromFile = select(file, keyIndexes)
        selectFromServer = select(server, keyIndexes)
        let names = file.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
        let places = file.columns.map { _ in "?" }.joined(separator: ", ")
        insertIntoFile = "INSERT INTO \(quoteIdentifier(file.name)) (\(names)) VALUES (\(places))"
        (serverName, serverColumnNames) = (server.name, server.columns.map(\.name))
        countInFile = "SELECT count(*) FROM \(quoteIdentifier(file.name))"
        countOnServer = "SELECT count(*) FROM \(quoteIdentifier(server.name))"
    }

    /// Describes a row for an error, with its table and its key.
    func words(_ row: [SQLValue]) -> String {
        let key = keyIndexes.map { index in
            if case .integer(let key) = row[index] { "\(key)" } else { "?" }
        }
        return "the row \(key.joined(separator: ", ")) of table '\(name)'"
    }

    // MARK: Values

    /// Returns the statement that copies rows into the table on the server.
    func copy(of rows: [[SQLValue]], path: String) throws(StoreError) -> ServerStatement {
        var columns: [ServerArgument] = []
        for (index, type) in types.enumerated() { columns.append(try argument(rows, index, type, path)) }
        return ServerStatement(copying: columns, into: serverName, columns: serverColumnNames)
    }

    private func argument(_ rows: [[SQLValue]], _ index: Int, _ type: ColumnType, _ path: String) throws(StoreError)
        -> ServerArgument
    {
        func values<Value>(_ read: (SQLValue) -> Value?) throws(StoreError) -> [Value?] {
            var values: [Value?] = []
            values.reserveCapacity(rows.count)
            for row in rows {
                if row[index] == .null {
                    values.append(nil)
                } else if let value = read(row[index]) {
                    values.append(value)
                } else {
                    throw unstorable(row, index, type, path)
                }
            }
            return values
        }
        return switch type {
        case .integer: .integers(try values { if case .integer(let number) = $0 { number } else { nil } })
        case .boolean:
            .booleans(try values { $0 == .integer(1) ? true : $0 == .integer(0) ? false : nil })
        case .real: .reals(try values(\.real))
        case .text:
            .texts(try values { if case .text(let text) = $0, !text.utf8.contains(0) { text } else { nil } })
        case .decimal:
            .decimals(try values { if case .text(let text) = $0 { parseDecimal(text) } else { nil } })
        case .blob: .blobs(try values { if case .blob(let bytes) = $0 { bytes } else { nil } })
        case .uuid: .uuids(try values(\.uuid))
        }
    }

    private func unstorable(_ row: [SQLValue], _ index: Int, _ type: ColumnType, _ path: String) -> StoreError {
        let isNul = if case .text(let text) = row[index] { text.utf8.contains(0) } else { false }
        return StoreError(
            .statementFailed,
            "column '\(columnNames[index])' in \(words(row)) has "
                + (isNul
                    ? "a text with the character U+0000, which PostgreSQL does not store; remove the character"
                    : "a value that is not of the type '\(type.rawValue)'; correct the value with a program that uses "
                        + "the store")
                + "; nothing was copied",
            path: path
        )
    }

    /// Returns the values of a row of the server in the form of SQLite.
    func values(_ cells: UnsafeMutableBufferPointer<StoreCell>) -> [SQLValue] {
        cells.map { cell in
            switch cell {
            case .null: .null
            case .integer(let number): .integer(number)
            case .real(let number): .real(number)
            case .text(let bytes): .text(String(decoding: bytes, as: UTF8.self))
            case .blob(let bytes): .blob(Data(bytes))
            }
        }
    }

    /// Returns the name of the first column in which two rows differ; `nil` if they are identical.
    func differentColumn(_ file: [SQLValue], _ server: [SQLValue]) -> String? {
        for (index, type) in types.enumerated() where !isIdentical(file[index], server[index], type) {
            return columnNames[index]
        }
        return nil
    }

    private func isIdentical(_ left: SQLValue, _ right: SQLValue, _ type: ColumnType) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.integer(let left), .integer(let right)): left == right
        case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
        // Two texts can be equal in Swift although their bytes differ; a number can have several textual forms.
        case (.text(let left), .text(let right)):
            left.utf8.elementsEqual(right.utf8)
                || type == .decimal && parseDecimal(left) != nil && parseDecimal(left) == parseDecimal(right)
        case (.blob(let left), .blob(let right)): left == right
        case (.integer(let left), .real(let right)), (.real(let right), .integer(let left)): Double(left) == right
        case (.null, _), (.integer, _), (.real, _), (.text, _), (.blob, _): false
        }
    }
}

/// The types of columns on the server, without collations.
private enum ColumnType: String {
    case integer = "bigint"
    case boolean
    case real = "double precision"
    case text
    case decimal = "numeric"
    case blob = "bytea"
    case uuid

    /// - Parameter type: A type in the form that a CREATE TABLE statement has.
    init(_ type: String) {
        let name = type.hasPrefix("text ") ? "text" : type
        guard let known = ColumnType(rawValue: name) else { preconditionFailure("'\(type)' is the type of no column") }
        self = known
    }
}

extension SQLValue {
    /// The number of a column of the type REAL.
    fileprivate var real: Double? {
        switch self {
        case .real(let number): number
        case .integer(let number): Double(number)
        case .null, .text, .blob: nil
        }
    }

    fileprivate var uuid: UUID? {
        guard case .blob(let bytes) = self, bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// The approximate number of bytes.
    var size: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        }
    }
}
