internal import Foundation

// The files of stores.

/// Opens a file for writing; throws if it is the database of another program.
func openExistingStore(_ path: String, allowsDamage: Bool = false) throws(StoreError) -> SQLiteConnection {
    guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError(.cannotOpen, "does not exist; correct the path", path: path)
    }
    try requireNoForeignDatabase(path, allowsDamage: allowsDamage)
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
    guard !connection.isReadOnly else {
        throw StoreError(.readOnly, "cannot be written; make the file and its folder writable", path: path)
    }
    return connection
}

/// Copies a database to a file that does not exist yet.
func copyStore(_ connection: SQLiteConnection, toNewFile path: String) throws(StoreError) {
    // Two processes may want to create the same file: only the one that creates it may write to it.
    do {
        try Data().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    } catch {
        let alreadyExists = FileManager.default.fileExists(atPath: path)
        let cause = alreadyExists ? "exists already" : "cannot be created: \(error)"
        throw StoreError(.cannotOpen, "\(cause); nothing was copied", path: path)
    }
    do throws(StoreError) {
        let copy = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try copy.copy(from: connection)
        // The copy is in write-ahead mode like the original, so its whole log must be transferred to the file.
        guard try copy.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw StoreError(
                .busy,
                "is in use by another process, so the copy cannot be completed; try again",
                path: path
            )
        }
    } catch {
        var failure = error
        do throws(StoreError) {
            try removeStore(at: path)
        } catch {
            failure.message += "; the incomplete copy could not be removed"
        }
        throw failure
    }
}

/// Removes a copy that is not open, with SQLite's files beside it.
package func removeStore(at path: String) throws(StoreError) {
    for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
        do {
            try FileManager.default.removeItem(atPath: path + ending)
        } catch {
            throw StoreError(.cannotOpen, "cannot be removed: \(error)", path: path + ending)
        }
    }
}
