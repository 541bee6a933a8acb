internal import Chordata
internal import Foundation

/// A folder with a copy of a store, which is removed with the object.
final class TemporaryCopy {
    private let folder: URL
    /// The path of the copied store.
    var path: String { folder.appendingPathComponent("store").path }

    /// Copies a store with the files in which changes wait.
    init(of path: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("chordata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for ending in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(atPath: path + ending, toPath: self.path + ending)
        }
    }

    deinit {
        do { try FileManager.default.removeItem(at: folder) } catch {
            // The folder is in the directory for temporary files, which the system empties.
        }
    }
}

/// A connection to one state of a store, and the file that it reads.
struct Snapshot {
    var connection: SQLiteConnection
    var path: String
    var mode: SQLiteConnection.Mode
    /// A copy of the store, where it cannot be read in place.
    var copy: TemporaryCopy?
}

/// Opens a store of Core Data in a transaction that sees one state of it.
///
/// A store without a log is read as an immutable file, so that SQLite creates no files beside it. A store with a
/// log in a folder that is not writable, or with a transaction to roll back, is copied first.
func openSnapshot(of path: String) throws -> Snapshot {
    let file = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    func exists(_ ending: String) -> Bool { FileManager.default.fileExists(atPath: file + ending) }
    func open(_ path: String, _ mode: SQLiteConnection.Mode, _ copy: TemporaryCopy? = nil) throws(StoreError)
        -> Snapshot
    {
        let connection = try SQLiteConnection(path: path, mode: mode)
        try connection.execute("BEGIN")
        _ = try connection.rows("SELECT count(*) FROM sqlite_schema")
        return Snapshot(connection: connection, path: path, mode: mode, copy: copy)
    }
    if !exists("-wal"), !exists("-journal") { return try open(file, .immutable) }
    do throws(StoreError) {
        return try open(file, .readOnly)
    } catch {
        if error.code == .notADatabase || error.code == .busy { throw error }
        let copy = try TemporaryCopy(of: file)
        return try open(copy.path, .readWriteCreate, copy)
    }
}
