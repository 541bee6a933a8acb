#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Whole stores. All of this goes by SQLite's own means, because a file that others have open must not be moved,
// replaced or deleted behind their back.

extension PersistentStoreCoordinator {
    /// Returns the metadata of the store in a file; the file is not changed.
    /// - Returns: The metadata, read from the file.
    /// - Throws: ``StoreError`` when the file does not exist, cannot be read, or is not a store of Chordata.
    public static func metadata(forStoreAt path: String) throws(StoreError) -> StoreMetadata {
        try requireNoForeignDatabase(path)
        return try readMetadata(openReadOnly(path))
    }

    /// Deletes all objects, tables and metadata of a store.
    ///
    /// The empty file remains; the next container that opens it creates a new store. Containers and other programs that
    /// have the store open can no longer read any data from it.
    /// - Throws: ``StoreError`` when the file does not exist, is not a store of Chordata, cannot be written, or is
    ///   locked for longer than five seconds because another connection writes to it. A store that is only open is
    ///   destroyed. If an error is thrown, the store is unchanged.
    public static func destroyPersistentStore(at path: String) throws(StoreError) {
        let connection = try openExisting(path, allowsDamage: true)
        do throws(StoreError) {
            _ = try readMetadata(connection)
        } catch {
            // A damaged store may be destroyed; what never was one may not.
            guard error.isForDamage, connection.hasTracesOfStore else { throw error }
        }
        try connection.removeEverything()
        SectionCacheFile.deleteAll(ofStoreAt: path)
    }

    /// Replaces a store with a copy of another store.
    ///
    /// Both stores can be open. The copy has the identifier of the source. Containers that have the destination open
    /// must be created again.
    /// - Parameters:
    ///   - destination: The path of the store to replace; if no file exists, it is created.
    ///   - source: The path of the store to copy.
    /// - Throws: ``StoreError`` when the source cannot be read or is not a store of Chordata, or when the destination
    ///   is a file that is not a store of Chordata, cannot be written, or is locked because another connection writes
    ///   to it. If an error is thrown, the destination is unchanged.
    public static func replacePersistentStore(at destination: String, withStoreAt source: String) throws(StoreError) {
        try requireNoForeignDatabase(source)
        let original = try openReadOnly(source)
        _ = try readMetadata(original)
        guard FileManager.default.fileExists(atPath: destination) else {
            return try copyStore(original, toNewFile: destination)
        }
        let connection = try openExisting(destination)
        if try connection.integer("SELECT count(*) FROM sqlite_schema") > 0 { _ = try readMetadata(connection) }
        try connection.copy(from: original)
    }

    private static func openExisting(_ path: String, allowsDamage: Bool = false) throws(StoreError) -> SQLiteConnection
    {
        guard FileManager.default.fileExists(atPath: path) else {
            throw StoreError(.cannotOpen, "does not exist", path: path)
        }
        try requireNoForeignDatabase(path, allowsDamage: allowsDamage)
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        guard !connection.isReadOnly else { throw StoreError(.readOnly, "cannot be written", path: path) }
        return connection
    }
}

/// Copies a database to a file that does not exist yet.
func copyStore(_ connection: SQLiteConnection, toNewFile path: String) throws(StoreError) {
    // Two processes may want the same file: who makes it has it.
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
        // The copy is in write-ahead mode as the original is, so all of it has to get from the log to the file.
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
func removeStore(at path: String) throws(StoreError) {
    for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: path + ending) {
        do {
            try FileManager.default.removeItem(atPath: path + ending)
        } catch {
            throw StoreError(.cannotOpen, "cannot be removed: \(error)", path: path + ending)
        }
    }
}

extension StoreError {
    /// A Boolean value that indicates whether the file is a database in which something is broken.
    var isForDamage: Bool { sqliteCode & 0xFF == 11 }
}
