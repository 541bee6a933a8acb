import CChordataSQLite

@testable import Chordata

/// Makes the connection that writes take less than it could, so that a test needs no gigabyte.
func limitLength(of store: PersistentStore, to count: Int32) throws {
    try store.sqlite.write { connection in
        let statement = try connection.prepare("SELECT 1")
        _ = sqlite3_limit(sqlite3_db_handle(statement.handle), SQLITE_LIMIT_LENGTH, count)
    }
}
