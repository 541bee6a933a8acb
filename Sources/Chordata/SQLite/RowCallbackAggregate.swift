internal import CChordataSQLite
internal import ChordataSQL

/// The aggregate function that a statement calls for each row, instead of returning the row.
///
/// An aggregate function gets a row's values directly from SQLite. This costs half as much as stepping to each row and
/// reading its columns one by one.
final class RowCallbackAggregate {
    /// The closure of the calls, in an immutable object, so that a call does not count references.
    private final class Handler {
        let statement: SQLiteStatement
        let body: (StoreRow) throws -> Void

        init(_ statement: SQLiteStatement, _ body: @escaping (StoreRow) throws -> Void) {
            self.statement = statement
            self.body = body
        }
    }

    @exclusivity(unchecked) private var handler: Unmanaged<Handler>?
    private var error: (any Error)?

    /// Returns a Boolean value that indicates whether a statement passes its rows to the function.
    static func isSelection(_ sql: String) -> Bool { sql.hasPrefix("SELECT \(SQLiteDialect.rowFunction)(") }

    /// Registers the function with a connection.
    func register(on connection: OpaquePointer) -> Int32 {
        sqlite3_create_function_v2(
            connection,
            SQLiteDialect.rowFunction,
            -1,
            SQLITE_UTF8 | SQLITE_DIRECTONLY,
            Unmanaged.passUnretained(self).toOpaque(),
            nil,
            { context, _, values in
                guard let owner = sqlite3_user_data(context) else { return }
                Unmanaged<RowCallbackAggregate>.fromOpaque(owner)._withUnsafeGuaranteedRef { calls in
                    guard let handler = calls.handler, let values else { return }
                    do {
                        try handler._withUnsafeGuaranteedRef { handler in
                            handler.statement.row = values
                            try handler.body(StoreRow(values, of: handler.statement))
                        }
                    } catch {
                        calls.error = error
                        sqlite3_result_error(context, "a row could not be read", -1)
                    }
                }
            },
            { sqlite3_result_null($0) },
            nil
        )
    }

    /// Runs a statement that passes its rows to the function, and runs a closure within each call.
    func run(_ statement: SQLiteStatement, _ body: (StoreRow) throws -> Void) throws {
        try withoutActuallyEscaping(body) { body in
            let outer = handler
            let own = Handler(statement, body)
            handler = Unmanaged.passUnretained(own)
            defer {
                statement.endCalls()
                handler = outer
                withExtendedLifetime(own) {}
            }
            do throws(StoreError) {
                while try statement.step() {}
            } catch {
                guard let cause = self.error else { throw error }
                self.error = nil
                throw cause
            }
        }
    }
}
