import CChordataSQLite
import Foundation

@testable import Chordata

/// The kind of failure of the disk at the commit of a save.
enum DiskFailure: CaseIterable {
    /// The data was not written to the log.
    case write
    /// The data was written to the log, but it is unknown whether it reached the disk.
    case sync

    /// SQLite's extended result code, https://sqlite.org/rescode.html.
    var sqliteCode: Int32 {
        switch self {
        case .write: SQLITE_IOERR | 3 << 8
        case .sync: SQLITE_IOERR | 4 << 8
        }
    }
}

/// The write-ahead log of an open store, whose disk can be made to fail.
///
/// SQLite writes the log with a table of functions, which is replaced until the disk is repaired.
final class FailingDisk {
    private let log: UnsafeMutablePointer<sqlite3_file>
    private let working: UnsafePointer<sqlite3_io_methods>
    private let failing = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    /// Finds the log of a container's store, which must outlive this object.
    init?(_ container: PersistentContainer) throws {
        guard let store = container.persistentStoreCoordinator.persistentStores.first else { return nil }
        var log: UnsafeMutablePointer<sqlite3_file>?
        try store.sqlite.write { connection in
            _ = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log)
        }
        guard let log, let working = log.pointee.pMethods else { return nil }
        self.log = log
        self.working = working
    }

    deinit { failing.deallocate() }

    func fail(_ failure: DiskFailure) {
        failing.initialize(to: working.pointee)
        switch failure {
        case .write: failing.pointee.xWrite = { _, _, _, _ in DiskFailure.write.sqliteCode }
        case .sync: failing.pointee.xSync = { _, _ in DiskFailure.sync.sqliteCode }
        }
        log.pointee.pMethods = UnsafePointer(failing)
    }

    func remedy() { log.pointee.pMethods = working }
}
