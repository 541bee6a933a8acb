import CChordataSQLite
import ChordataModel
import ChordataPredicate
import ChordataSQL
import Foundation
import Testing

/// A row of the tests' tables: its key, and values by column.
final class TestRow {
    let entityName: String
    let key: Int64
    let values: [String: PredicateValue]

    init(entityName: String, key: Int64, values: [String: PredicateValue]) {
        self.entityName = entityName
        self.key = key
        self.values = values
    }
}

/// The rows of the tests, in SQLite and in memory.
final class RenderPredicateDatabase {
    private let connection: OpaquePointer
    private(set) var items: [TestRow] = []
    private var lists: [Int64: TestRow] = [:]
    private var persons: [Int64: TestRow] = [:]

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    init() throws {
        var handle: OpaquePointer?
        guard sqlite3_open(":memory:", &handle) == SQLITE_OK, let handle else { throw Failure(description: "open") }
        connection = handle
        for function in SQLFunction.allCases { try register(function) }
        for collation in SQLCollation.allCases {
            let code = sqlite3_create_collation_v2(
                handle,
                collation.rawValue,
                SQLITE_UTF8,
                nil,
                { _, leftCount, left, rightCount, right in
                    SQLCollation.decimal.compare(
                        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                        UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                    )
                },
                nil
            )
            try check(code)
        }
        try check(sqlite3_exec(handle, RenderPredicateModel.schema, nil, nil, nil))
    }

    deinit { sqlite3_close_v2(connection) }

    // MARK: Rows

    func insertItem(_ key: Int64, entity: String = "Item", _ values: [String: PredicateValue]) throws {
        var stored = values
        stored["_entity"] = .string(entity)
        try insert(into: "It\"em", key, stored)
        items.append(TestRow(entityName: entity, key: key, values: stored))
    }

    func insertList(_ key: Int64, _ values: [String: PredicateValue]) throws {
        try insert(into: "List", key, values)
        lists[key] = TestRow(entityName: "List", key: key, values: values)
    }

    func insertPerson(_ key: Int64, _ values: [String: PredicateValue]) throws {
        try insert(into: "Person", key, values)
        persons[key] = TestRow(entityName: "Person", key: key, values: values)
    }

    private func insert(into table: String, _ key: Int64, _ values: [String: PredicateValue]) throws {
        let columns = values.keys.sorted()
        let marks = Array(repeating: "?", count: columns.count + 1).joined(separator: ", ")
        _ = try run(
            SQLFragment(
                sql: "INSERT INTO \(quoteIdentifier(table)) "
                    + "(\((["_id"] + columns).map(quoteIdentifier).joined(separator: ", "))) VALUES (\(marks))",
                bindings: [.integer(key)] + columns.map { values[$0] ?? .null }
            )
        )
    }

    /// Returns the value of a row at a key path, as a sort uses it.
    private func value(of row: TestRow, at path: BoundKeyPath) -> PredicateValue {
        var current: TestRow? = row
        for relationship in path.relationships.dropLast(path.target == .object ? 1 : 0) {
            current = current.flatMap { toOne(relationship, of: path.entityName)($0).map(testRow) }
        }
        guard let current else { return .null }
        if path.target == .object {
            guard let last = path.relationships.last else { return object(current.key, of: "Item") }
            return toOneKey(last, of: path.entityName)(current).map { object($0, of: last.destinationEntityName) }
                ?? .null
        }
        return attribute(of: path)(current).map { .attribute($0) } ?? .null
    }

    private func object(_ key: Int64, of entityName: String) -> PredicateValue {
        .object(ObjectReference(rootEntityName: entityName, key: key))
    }

    // MARK: Results

    /// Returns the keys of the rows that SQLite finds for a predicate, in the order of the sort.
    func keysFromSQL(_ predicate: BoundPredicate?, sortedBy terms: [SortTerm] = []) throws -> [Int64] {
        try keys(
            renderFetch(
                columns: ["_id"],
                predicate,
                sortedBy: terms,
                entityName: "Item",
                in: RenderPredicateModel.mapping
            )
        )
    }

    /// Returns the keys of the rows that the evaluator accepts.
    func keysFromMemory(_ predicate: BoundPredicate?, sortedBy terms: [SortTerm] = []) throws -> [Int64] {
        let isMet = makeEvaluator(predicate ?? .constant(true), access: self)
        return try items.filter(isMet).sorted { left, right in
            for term in terms {
                let order = comparePredicateValues(
                    self.value(of: left, at: term.keyPath),
                    self.value(of: right, at: term.keyPath)
                )
                if order != 0 { return (order < 0) == term.ascending }
            }
            return left.key < right.key
        }.map(\.key)
    }

    /// The first column of a statement's rows.
    func keys(_ fragment: SQLFragment) throws -> [Int64] {
        try run(fragment).map { row in
            guard case .integer(let key) = row[0] else { throw Failure(description: "no key") }
            return key
        }
    }

    /// Returns the query plan of SQLite, in one line.
    func plan(_ fragment: SQLFragment) throws -> String {
        try run(SQLFragment(sql: "EXPLAIN QUERY PLAN " + fragment.sql, bindings: fragment.bindings)).map { row in
            if case .text(let text) = row[3] { text } else { "" }
        }.joined(separator: "; ")
    }

    // MARK: SQLite

    func run(_ fragment: SQLFragment) throws -> [[SQLValue]] {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(connection, fragment.sql, -1, &statement, nil), fragment.sql)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_bind_parameter_count(statement) == fragment.bindings.count else {
            throw Failure(description: "\(fragment.bindings.count) bindings for \(fragment.sql)")
        }
        for (index, value) in fragment.bindings.enumerated() {
            try check(bind(SQLValue(value), to: statement, at: Int32(index + 1)))
        }
        var rows: [[SQLValue]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw Failure(description: message(fragment.sql)) }
            rows.append((0..<sqlite3_column_count(statement)).map { read(statement, $0) })
        }
    }

    private func bind(_ value: SQLValue, to statement: OpaquePointer?, at index: Int32) -> Int32 {
        switch value {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let number): sqlite3_bind_int64(statement, index, number)
        case .real(let number): sqlite3_bind_double(statement, index, number)
        case .text(let text): sqlite3_bind_text(statement, index, text, Int32(text.utf8.count), chordata_transient())
        case .blob(let data):
            data.withUnsafeBytes {
                data.isEmpty
                    ? sqlite3_bind_zeroblob(statement, index, 0)
                    : sqlite3_bind_blob(statement, index, $0.baseAddress, Int32($0.count), chordata_transient())
            }
        }
    }

    private func read(_ statement: OpaquePointer?, _ column: Int32) -> SQLValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
        default: .null
        }
    }

    private func register(_ function: SQLFunction) throws {
        let code = sqlite3_create_function_v2(
            connection,
            function.rawValue,
            function.argumentCount,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC,
            Unmanaged.passRetained(SQLFunctionCall(function)).toOpaque(),
            { context, count, values in
                let call = Unmanaged<SQLFunctionCall>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                let arguments = (0..<Int(count)).map { argument(values?[$0]) }
                guard let result = try? call(arguments) else {
                    sqlite3_result_error(context, "too complex", -1)
                    return
                }
                switch result {
                case .null: sqlite3_result_null(context)
                case .integer(let number): sqlite3_result_int64(context, number)
                case .real(let number): sqlite3_result_double(context, number)
                case .text(let text):
                    sqlite3_result_text(context, text, Int32(text.utf8.count), chordata_transient())
                case .blob(let data):
                    data.withUnsafeBytes {
                        sqlite3_result_blob(context, $0.baseAddress, Int32($0.count), chordata_transient())
                    }
                }
            },
            nil,
            nil,
            { Unmanaged<SQLFunctionCall>.fromOpaque($0!).release() }
        )
        try check(code)
    }

    private func check(_ code: Int32, _ sql: String = "") throws {
        if code != SQLITE_OK { throw Failure(description: message(sql)) }
    }

    private func message(_ sql: String) -> String {
        String(cString: sqlite3_errmsg(connection)) + " in " + sql.prefix(2000)
    }
}

private func argument(_ value: OpaquePointer?) -> SQLArgument {
    func bytes(_ pointer: UnsafeRawPointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer, count: Int(sqlite3_value_bytes(value)))
    }
    return switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: .real(sqlite3_value_double(value))
    case SQLITE_TEXT: .text(bytes(sqlite3_value_text(value)))
    case SQLITE_BLOB: .blob(bytes(sqlite3_value_blob(value)))
    default: .null
    }
}

extension RenderPredicateDatabase: PredicateAccess {
    func attribute(of path: BoundKeyPath) -> (AnyObject) -> AttributeValue? {
        let name = path.attributePath.joined(separator: "_")
        return { object in
            let row = testRow(object)
            guard case .attribute(let value)? = row.values[name] else { return nil }
            return value
        }
    }

    // The readers for values of any type are tested here, and the fast readers elsewhere.
    func integer(of path: BoundKeyPath) -> ((AnyObject) -> Int64?)? { nil }
    func double(of path: BoundKeyPath) -> ((AnyObject) -> Double?)? { nil }
    func string(of path: BoundKeyPath) -> ((AnyObject) -> String?)? { nil }

    func toOne(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> AnyObject? {
        { [self] object in
            let row = testRow(object)
            guard case .object(let reference)? = row.values[relationship.name] else { return nil }
            return switch relationship.destinationEntityName {
            case "List": lists[reference.key]
            case "Person": persons[reference.key]
            default: items.first { $0.key == reference.key }
            }
        }
    }

    func toOneKey(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> Int64? {
        { object in
            let row = testRow(object)
            guard case .object(let reference)? = row.values[relationship.name] else { return nil }
            return reference.key
        }
    }

    func toMany(_ relationship: RelationshipDescription, of entityName: String) -> (AnyObject) -> [AnyObject] {
        { _ in [] }
    }

    func fullText(_: BoundFullText) -> (AnyObject) throws(FetchPredicateError) -> Bool {
        preconditionFailure("the database has no full-text index")
    }

    func entityName(of object: AnyObject) -> String { testRow(object).entityName }

    func key(of object: AnyObject) -> Int64 { testRow(object).key }
}

private func testRow(_ object: AnyObject) -> TestRow { unsafeDowncast(object, to: TestRow.self) }
