import CChordataSQLite

@testable import Chordata

/// Lowers the maximum length of a value for the connection that writes, so that a test does not need a gigabyte.
func limitLength(of store: PersistentStore, to count: Int32) throws {
    try store.sqlite.write { connection in
        let statement = try connection.prepare("SELECT 1")
        _ = sqlite3_limit(sqlite3_db_handle(statement.handle), SQLITE_LIMIT_LENGTH, count)
    }
}
