#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error in opening, migrating, reading or writing a store.
///
/// An error never contains values of a user's data, except for duplicate values that prevent the opening or the
/// migration of a store.
public struct StoreError: Error, Sendable, Hashable {
    /// The kind of failure.
    public enum Code: Sendable, Hashable {
        /// The file could not be opened or created.
        case cannotOpen
        /// The file is not an SQLite database, or it is damaged.
        case notADatabase
        /// The file is an SQLite database that Chordata did not write.
        case notAChordataStore
        /// The file is a store of Chordata, but a part that Chordata writes to every store is missing, or a transaction
        /// of the persistent history cannot be read.
        case incompleteStore
        /// The store belongs to another model, or to a version of the model that the program does not have.
        case incompatibleModel
        /// A class of another module does not have the properties of its entity in this model, in the same order.
        ///
        /// The store was not opened.
        case incompatibleClass
        /// The store belongs to a version of the model that is newer than the program's, by
        /// ``ModelDefinition/versionOrder`` or, if that does not contain both versions, by their names: `Done 10` is
        /// newer than `Done 2`.
        case newerVersion
        /// The store belongs to an older version, and the program has no migration from it to the current version.
        case missingMigration
        /// The migration failed and was rolled back; the store is unchanged, or at the source version of a batched
        /// stage that is not complete.
        case migrationFailed
        /// The migration was cancelled and rolled back; the store is unchanged, or at the source version of a batched
        /// stage that is not complete.
        case cancelled
        /// The store belongs to an older version, and ``StoreOptions/shouldMigrateStoreAutomatically`` is `false`.
        case migrationNeeded
        /// A migration step requires a stage that the program does not provide, or the program provides a stage for a
        /// step that does not exist or does not require a stage.
        case missingStage
        /// Another program has changed the tables of the store, so the store cannot be migrated or cannot be opened.
        case storeDrifted
        /// SQLite or one of its settings does not meet Chordata's requirements.
        case unsupportedEnvironment
        /// No store of the coordinator has the entity of an object, because of their configurations.
        case noStoreForEntity
        /// Rows violate a uniqueness constraint of the model.
        case constraintViolated
        /// Another connection locked the store for longer than the busy timeout.
        case busy
        /// The query generation of a context has expired, because the write-ahead log has grown by more than
        /// ``StoreOptions/maximumPinnedLogSize``.
        case queryGenerationExpired
        /// ``StoreOptions/maximumReaderCount`` connections were reading for longer than the busy timeout.
        ///
        /// Nothing was read.
        case readerLimitExceeded
        /// ``StoreOptions/maximumWaitingSaveCount`` saves or writes are waiting, so a further save or write was
        /// rejected.
        ///
        /// Nothing was written, and all changes remain unsaved changes of the context.
        case waitingSaveLimitExceeded
        /// The disk is full, or a quota is exceeded.
        case full
        /// The store is read-only.
        case readOnly
        /// A statement failed.
        case statementFailed
        /// The disk reported an error during the commit, so it is unknown whether the changes are in the store; open it
        /// again to check.
        ///
        /// Either all changes are stored or none, and all of them remain unsaved changes of the context. If there are
        /// several stores, some of them can have their changes; the message names one that does not. After the disk is
        /// repaired, the context can save again, and the changes are stored once: usually the second save replaces any
        /// changes that were stored by the first. If another process has read those changes in the meantime, for
        /// example after a crash of another program, the second save conflicts with them, and the
        /// ``ManagedObjectContext/mergePolicy`` resolves the conflict.
        case outcomeUnknown
        /// The connection to the database server was lost.
        ///
        /// Nothing was written, unless the error says that the outcome is unknown.
        case connectionLost
        /// A statement of a database server was cancelled after its time limit, or no connection to the server was
        /// free within the time limit.
        ///
        /// Nothing was written.
        case timedOut
    }

    /// The kind of failure.
    public var code: Code
    /// A description of the error and its remedy, in one sentence.
    public var message: String
    /// SQLite's extended result code; 0 when SQLite was not the cause.
    ///
    /// See https://sqlite.org/rescode.html.
    public var sqliteCode: Int32
    /// The SQLSTATE of PostgreSQL, such as `40001`; `nil` when PostgreSQL was not the cause.
    ///
    /// See https://www.postgresql.org/docs/current/errcodes-appendix.html.
    public var sqlState: String?
    /// The path of the store, which is `:memory:` for a store in memory; empty if the error does not belong to a store.
    ///
    /// For a store on a database server, this is the host, the port, the database and the schema, without a password.
    public var path: String
    /// The constraint that a statement violated; `nil` for other errors.
    package var violation: ConstraintViolation?
    /// The failure within a migration; `nil` for other errors.
    package var migrationCause: MigrationCause?

    /// A failure within a migration, with a message that does not describe the migration.
    package struct MigrationCause: Sendable, Hashable {
        package var message: String
        /// The index of the failed statement in its step; `nil` if no single statement failed.
        package var statementIndex: Int?

        package init(message: String, statementIndex: Int? = nil) {
            (self.message, self.statementIndex) = (message, statementIndex)
        }
    }

    /// Creates an error.
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - message: The problem and its remedy, in one sentence.
    ///   - sqliteCode: SQLite's extended result code; 0 when SQLite was not the cause.
    ///   - sqlState: The SQLSTATE of PostgreSQL; `nil` when PostgreSQL was not the cause.
    ///   - path: The path of the store; empty if the error does not belong to a store.
    public init(_ code: Code, _ message: String, sqliteCode: Int32 = 0, sqlState: String? = nil, path: String = "") {
        self.code = code
        self.message = message
        self.sqliteCode = sqliteCode
        self.sqlState = sqlState
        self.path = path
    }

    /// Returns the error with another code, message and path, and the same cause.
    package func reworded(_ code: Code, _ message: String, path: String) -> StoreError {
        var error = self
        (error.code, error.message, error.path) = (code, message, path)
        return error
    }
}

extension StoreError {
    // The violation follows from the result code.

    /// Returns a Boolean value that indicates whether two errors are equal.
    public static func == (left: StoreError, right: StoreError) -> Bool {
        left.code == right.code && left.message == right.message && left.sqliteCode == right.sqliteCode
            && left.sqlState == right.sqlState && left.path == right.path && left.migrationCause == right.migrationCause
    }

    /// Hashes the error.
    /// - Parameter hasher: The hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(message)
        hasher.combine(sqliteCode)
        hasher.combine(sqlState)
        hasher.combine(path)
    }
}

extension StoreError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        let place = path.isEmpty ? "" : "store '\(path)': "
        let cause = sqliteCode == 0 ? sqlState.map { " (SQLSTATE \($0))" } ?? "" : " (SQLite \(sqliteCode))"
        return place + message + cause
    }
}
