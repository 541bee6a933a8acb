internal import CChordataSQLite
internal import ChordataPredicate
package import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

private typealias SQLiteFunction =
    @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?) -> Void

/// Registers the functions and collations that statements use in addition to SQLite's own.
///
/// No schema uses them, so other programs can work with the file.
func registerFunctions(on connection: OpaquePointer, path: String) throws(StoreError) {
    for function in SQLFunction.allCases {
        let callback: SQLiteFunction = if function.testsText { testText } else { callFunction }
        // SQLite releases the call when the connection is closed.
        let call = Unmanaged.passRetained(SQLFunctionCall(function)).toOpaque()
        let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
        let result = sqlite3_create_function_v2(
            connection,
            function.rawValue,
            function.argumentCount,
            flags,
            call,
            callback,
            nil,
            nil,
            { pointer in if let pointer { Unmanaged<SQLFunctionCall>.fromOpaque(pointer).release() } }
        )
        guard result == SQLITE_OK else { throw registrationError(result, path) }
    }
    for aggregate in SQLAggregate.allCases {
        let result = sqlite3_create_function_v2(
            connection,
            aggregate.rawValue,
            SQLAggregate.argumentCount,
            SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            // The user data only identifies the aggregate: nothing else is kept from one statement to the next.
            Unmanaged.passRetained(Registered(aggregate)).toOpaque(),
            nil,
            addToAggregate,
            finishAggregate,
            { pointer in if let pointer { Unmanaged<Registered<SQLAggregate>>.fromOpaque(pointer).release() } }
        )
        guard result == SQLITE_OK else { throw registrationError(result, path) }
    }
    for collation in SQLCollation.allCases {
        let registered = Unmanaged.passRetained(Registered(collation))
        let result = sqlite3_create_collation_v2(
            connection,
            collation.rawValue,
            SQLITE_UTF8,
            registered.toOpaque(),
            { collation, leftCount, left, rightCount, right in
                guard let collation else { return 0 }
                return Unmanaged<Registered<SQLCollation>>.fromOpaque(collation)._withUnsafeGuaranteedRef {
                    $0.what.compare(
                        UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
                        UnsafeRawBufferPointer(start: right, count: Int(rightCount))
                    )
                }
            },
            { pointer in if let pointer { Unmanaged<Registered<SQLCollation>>.fromOpaque(pointer).release() } }
        )
        guard result == SQLITE_OK else {
            registered.release()  // SQLite releases only what it has accepted.
            throw registrationError(result, path)
        }
    }
}

extension SQLiteConnection {
    /// Adds a function with one argument to the statements of this connection.
    package func addFunction(named name: String, _ body: @escaping (SQLArgument) -> SQLValue) throws(StoreError) {
        let result = sqlite3_create_function_v2(
            handle,
            name,
            1,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(Registered(body)).toOpaque(),
            { context, _, values in
                guard let body = sqlite3_user_data(context) else { return }
                let function = Unmanaged<Registered<(SQLArgument) -> SQLValue>>.fromOpaque(body).takeUnretainedValue()
                give(function.what(argument(values?[0])), to: context)
            },
            nil,
            nil,
            { pointer in
                if let pointer { Unmanaged<Registered<(SQLArgument) -> SQLValue>>.fromOpaque(pointer).release() }
            }
        )
        guard result == SQLITE_OK else { throw registrationError(result, path) }
    }
}

/// The function or collation of a registration.
private final class Registered<What> {
    let what: What
    init(_ what: What) { self.what = what }
}

private func registrationError(_ result: Int32, _ path: String) -> StoreError {
    StoreError(
        .unsupportedEnvironment,
        "SQLite cannot register the SQL functions and collations of Chordata",
        sqliteCode: result,
        path: path
    )
}

/// Calls a function that matches a text against a pattern: without creating strings if the text is ASCII, otherwise
/// like the other functions.
private func testText(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let values, let text = bytes(values[0]), let pattern = pattern(context, values),
        let matches = pattern._withUnsafeGuaranteedRef({ $0.matches(text) })
    else { return callFunction(context, count, values) }
    sqlite3_result_int(context, matches ? 1 : 0)
}

/// The prepared pattern of a call.
///
/// SQLite keeps it for all rows of a statement if the pattern is constant. The options are always constant.
@inline(__always)
private func pattern(
    _ context: OpaquePointer?,
    _ values: UnsafeMutablePointer<OpaquePointer?>
) -> Unmanaged<ASCIIPattern>? {
    if let known = sqlite3_get_auxdata(context, 1) { return .fromOpaque(known) }
    guard let call = sqlite3_user_data(context), let pattern = bytes(values[1]), let options = bytes(values[2]),
        let prepared = Unmanaged<SQLFunctionCall>.fromOpaque(call).takeUnretainedValue().asciiPattern(pattern, options)
    else { return nil }
    let retained = Unmanaged.passRetained(prepared)
    // SQLite releases it, immediately if it does not keep it.
    sqlite3_set_auxdata(context, 1, retained.toOpaque()) { Unmanaged<ASCIIPattern>.fromOpaque($0!).release() }
    return sqlite3_get_auxdata(context, 1).map { .fromOpaque($0) }
}

/// Returns the bytes of a text, which are valid as long as the value is; `nil` for other values.
@inline(__always)
private func bytes(_ value: OpaquePointer?) -> UnsafeRawBufferPointer? {
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    // The text is read first, because reading it can change the number of bytes.
    let start = sqlite3_value_text(value)
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

private func callFunction(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let call = sqlite3_user_data(context) else { return }
    let arguments = arguments(count, values)
    let result: SQLValue
    do throws(FetchPredicateError) {
        result = try Unmanaged<SQLFunctionCall>.fromOpaque(call).takeUnretainedValue()(arguments)
    } catch {
        sqlite3_result_error(context, error.message, -1)
        return
    }
    give(result, to: context)
}

/// Returns the current call of an aggregate function: SQLite keeps a pointer to it from the first row to the result.
private func aggregateCall(_ context: OpaquePointer?) -> UnsafeMutablePointer<Unmanaged<SQLAggregateCall>?>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<Unmanaged<SQLAggregateCall>?>.size))?
        .assumingMemoryBound(to: Unmanaged<SQLAggregateCall>?.self)
}

private func makeAggregateCall(_ context: OpaquePointer?) -> SQLAggregateCall? {
    guard let kind = sqlite3_user_data(context) else { return nil }
    return SQLAggregateCall(Unmanaged<Registered<SQLAggregate>>.fromOpaque(kind).takeUnretainedValue().what)
}

private func addToAggregate(
    _ context: OpaquePointer?,
    _ count: Int32,
    _ values: UnsafeMutablePointer<OpaquePointer?>?
) {
    guard let place = aggregateCall(context) else { return sqlite3_result_error_nomem(context) }
    if place.pointee == nil { place.pointee = makeAggregateCall(context).map { .passRetained($0) } }
    place.pointee?.takeUnretainedValue().add(arguments(count, values))
}

private func finishAggregate(_ context: OpaquePointer?) {
    guard let place = aggregateCall(context) else { return sqlite3_result_error_nomem(context) }
    // If there were no rows, there is no call yet.
    let call = place.pointee?.takeRetainedValue() ?? makeAggregateCall(context)
    place.pointee = nil
    give(call?.result() ?? .null, to: context)
}

private func give(_ result: SQLValue, to context: OpaquePointer?) {
    switch result {
    case .null: sqlite3_result_null(context)
    case .integer(let integer): sqlite3_result_int64(context, integer)
    case .real(let real): sqlite3_result_double(context, real)
    case .text(var text):
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                sqlite3_result_text64(
                    context,
                    $0.baseAddress,
                    sqlite3_uint64($0.count),
                    chordata_transient(),
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    case .blob(let data):
        data.withUnsafeBytes {
            sqlite3_result_blob64(context, $0.baseAddress, sqlite3_uint64($0.count), chordata_transient())
        }
    }
}

private func arguments(_ count: Int32, _ values: UnsafeMutablePointer<OpaquePointer?>?) -> [SQLArgument] {
    (0..<Int(count)).map { argument(values?[$0]) }
}

/// Returns a value of SQLite; its text and bytes are valid as long as the value is.
func argument(_ value: OpaquePointer?) -> SQLArgument {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return .integer(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return .real(sqlite3_value_double(value))
    case SQLITE_TEXT:
        // The text is read first, because reading it can change the number of bytes.
        let start = sqlite3_value_text(value)
        return .text(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    case SQLITE_BLOB:
        let start = sqlite3_value_blob(value)
        return .blob(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
    default: return .null  // SQLITE_NULL, the only other type.
    }
}
