#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error of a store.
///
/// No value of a user's data is ever part of an error.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The file could not be opened or created.
        case cannotOpen
        /// The file is something else than an SQLite database.
        case notADatabase
        /// The file is an SQLite database that Chordata did not write.
        case notAChordataStore
        /// The file is a store of Chordata without all that Chordata writes into each.
        case incompleteStore
        /// The store belongs to another model, or to a version of the model that the program does not know.
        case incompatibleModel
        /// A class of another module does not have the properties of its entity in this model, in the same order.
        ///
        /// The store was not opened.
        case incompatibleClass
        /// The store belongs to a version of the model that is newer than the program's, by its name.
        case newerVersion
        /// The store belongs to an older version without a migration to the current one.
        case missingMigration
        /// The migration failed and was rolled back; the store is as it was, or waits for a stage in batches.
        case migrationFailed
        /// The migration was cancelled and rolled back; the store is as it was, or waits for a stage in batches.
        case cancelled
        /// The store belongs to an older version, and was not to be migrated without being asked.
        case migrationNeeded
        /// A step of the model has a stage that the program does not give, or the program has one for no step.
        case missingStage
        /// Another program has changed the tables of the store, so that no migration fits them.
        case storeDrifted
        /// SQLite or a setting is not what Chordata needs.
        case unsupportedEnvironment
        /// Rows do not keep a uniqueness constraint of the model.
        case constraintViolated
        /// Another connection held the store longer than the busy timeout.
        case busy
        /// The disk or the quota is full.
        case full
        /// The store can only be read.
        case readOnly
        /// A statement failed.
        case statementFailed
        /// The commit failed on the disk, so the changes may or may not be in the store; open it again and look.
        ///
        /// Either all changes are stored or none, and all stay unsaved changes of the context. After the disk is
        /// repaired, the context can save again, and the changes are stored once: as a rule they replace the changes
        /// that may have reached the disk. If another process has read these in the meantime, for example after a crash
        /// of another program, the save is in conflict with them, and the ``ManagedObjectContext/mergePolicy`` resolves
        /// it.
        case outcomeUnknown
    }

    /// The kind of failure.
    public var code: Code
    /// The description of the error and its remedy, in one sentence.
    public var message: String
    /// SQLite's extended result code, or 0 when SQLite was not the cause.
    ///
    /// See https://sqlite.org/rescode.html.
    public var sqliteCode: Int32
    /// The path of the store; empty for a store in memory.
    public var path: String

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The problem and its remedy, in one sentence.
    ///   - sqliteCode: SQLite's extended result code; 0 when SQLite was not the cause.
    ///   - path: The path of the store; empty for a store in memory.
    public init(_ code: Code, _ message: String, sqliteCode: Int32 = 0, path: String = "") {
        self.code = code
        self.message = message
        self.sqliteCode = sqliteCode
        self.path = path
    }
}

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        let place = path.isEmpty ? "" : "store '\(path)': "
        let cause = sqliteCode == 0 ? "" : " (SQLite \(sqliteCode))"
        return place + message + cause
    }
}
