#if !canImport(Darwin)
    @testable import Chordata
    import Foundation

    /// Calls a closure while another connection holds the write lock of a store.
    func withLockedStore(at url: URL, _ body: () throws -> Void) throws {
        let connection = try SQLiteConnection(path: url.path, mode: .readWriteCreate)
        try connection.execute("BEGIN IMMEDIATE")
        try body()
        try connection.execute("ROLLBACK")
    }
#endif
