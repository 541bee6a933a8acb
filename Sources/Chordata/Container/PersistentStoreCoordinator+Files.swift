#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Operations on whole stores. They use only functions of SQLite, because a file that other connections have open must
// not be moved, replaced or deleted without their knowledge.

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
    ///   locked for longer than five seconds because another connection writes to it. If an error is thrown, the store
    ///   is unchanged. No error is thrown if other connections have the store open and do not write: the store is then
    ///   destroyed.
    public static func destroyPersistentStore(at path: String) throws(StoreError) {
        let connection = try openExistingStore(path, allowsDamage: true)
        do throws(StoreError) {
            _ = try readMetadata(connection)
        } catch {
            // A damaged store may be destroyed; a file that never was a store may not.
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
        let connection = try openExistingStore(destination)
        if try !connection.isEmpty { _ = try readMetadata(connection) }
        try connection.copy(from: original)
    }
}
