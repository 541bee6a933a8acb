import CChordataSQLite
import Foundation

@testable import Chordata

/// How the disk fails at the commit of a save.
enum DiskFailure: CaseIterable {
    /// What was to be written did not get into the log.
    case write
    /// It reached the disk, with an unknown outcome.
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
/// SQLite writes it by a table of functions, which is replaced until the disk is repaired.
final class FailingDisk {
    private let log: UnsafeMutablePointer<sqlite3_file>
    private let working: UnsafePointer<sqlite3_io_methods>
    private let failing = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)

    /// The disk of a container's store, which must outlive it.
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
