internal import Chordata
internal import Foundation

/// The number of KiB of a file that a conversion keeps in memory.
let conversionCacheSize = 65_536

/// A connection to one state of a store, and the file that it reads.
struct Snapshot {
    var connection: SQLiteConnection
    var path: String
    var mode: SQLiteConnection.Mode
    /// A copy of the store, if it cannot be read in place.
    var copy: TemporaryFolder?
}

/// Opens a store of Core Data in a transaction that sees one state of it.
///
/// A store without a log is read as an immutable file, so that SQLite creates no files beside it. A store with a
/// log in a folder that is not writable, or with a transaction to roll back, is copied first.
func openSnapshot(of path: String) throws -> Snapshot {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    func exists(_ ending: String) -> Bool { FileManager.default.fileExists(atPath: file + ending) }
    func open(_ path: String, _ mode: SQLiteConnection.Mode, _ copy: TemporaryFolder? = nil) throws(StoreError)
        -> Snapshot
    {
        let connection = try SQLiteConnection(path: path, mode: mode)
        try connection.execute("PRAGMA cache_size=-\(conversionCacheSize)")
        try connection.execute("BEGIN")
        _ = try connection.rows("SELECT count(*) FROM sqlite_schema")
        return Snapshot(connection: connection, path: path, mode: mode, copy: copy)
    }
    if !exists("-wal"), !exists("-journal") { return try open(file, .immutable) }
    do throws(StoreError) {
        return try open(file, .readOnly)
    } catch {
        if error.code == .notADatabase || error.code == .busy { throw error }
        let copy = try TemporaryFolder()
        for ending in ["", "-wal", "-journal"] where exists(ending) {
            try FileManager.default.copyItem(atPath: file + ending, toPath: copy.path("store") + ending)
        }
        return try open(copy.path("store"), .readWriteCreate, copy)
    }
}
