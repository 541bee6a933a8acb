import ChordataTestStores
import Testing

/// A reason for which a test is not run with stores on a server.
///
/// `Scripts/postgres suites` compares the skipped tests and their reasons with a file.
enum OnlySQLiteReason: String {
    case files = "it reads or changes SQLite's file"
    case readers = "a store on a server may have other readers, whose references to deleted rows are removed"
    case lockedTables = "a server does not change a table while a transaction reads it"
    case readOnly = "a store on a server is not opened as read-only"
    case statements = "it observes SQLite's statements"
    case engine = "it tests a part of SQLite's engine, such as its queue of saves"
    case mistypedValues = "a server's columns have types, so no program can write such a value"
    case sectionCaches = "stores on a server have no section caches"
    case childContexts = "stores on a server have no child contexts"
    case severalStores = "a store on a server cannot be combined with other stores"
    case fullText = "stores on a server have no full-text indexes"
    case pinnedGenerations = "stores on a server have no pinned query generations"
    case nul = "PostgreSQL does not store the character U+0000"
    case history = "it reads the table of the history in SQLite's file; Tests/Packages/Postgres tests that of a server"
    case migrations = "its migrations have SQL for SQLite only; Tests/Packages/Postgres tests migrations on a server"
}

extension Trait where Self == ConditionTrait {
    /// Skips the test if the stores are on a server.
    static func onlySQLite(_ reason: OnlySQLiteReason) -> Self {
        .disabled(if: TestStore.isOnServer, Comment(rawValue: reason.rawValue))
    }
}

/// Skips a part of a test, such as a case of its arguments, if the stores are on a server.
///
/// The test is printed for the list of skipped tests.
/// - Returns: Whether the part is skipped.
func skipsCase(if isAffected: Bool, _ reason: OnlySQLiteReason) -> Bool {
    guard isAffected, TestStore.isOnServer else { return false }
    guard let test = Test.current else { preconditionFailure("no test is running") }
    print("skipped case: \(test.id): \(reason.rawValue)")
    return true
}
