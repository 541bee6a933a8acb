/// The text of a statement that is created once and run often; the instance identifies the prepared statement, without
/// hashing the text.
package final class SQLText: Sendable {
    package let sql: String
    init(_ sql: String) { self.sql = sql }

    static let begin = SQLText("BEGIN")
    static let beginImmediate = SQLText("BEGIN IMMEDIATE")
    static let commit = SQLText("COMMIT")
    static let rollback = SQLText("ROLLBACK")
    /// The savepoint of one of several saves in a transaction.
    static let savepoint = SQLText("SAVEPOINT \"save\"")
    static let releaseSavepoint = SQLText("RELEASE \"save\"")
    static let rollbackToSavepoint = SQLText("ROLLBACK TO \"save\"")
}
