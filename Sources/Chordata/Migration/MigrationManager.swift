internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
    public import class Foundation.Progress
#else
    public import Foundation
#endif

/// An object that migrates a store before it is opened, reports progress, and can be cancelled.
///
/// ```swift
/// let manager = MigrationManager(model: DoneModel.definition, path: "done.sqlite")
/// Task { for await progress in manager.updates { bar.value = progress.fractionCompleted } }
/// try await manager.migrateStore()
/// let container = try DoneModel.container(at: "done.sqlite")
/// ```
///
/// Without a migration manager, a store is migrated when a container opens it. In both cases the store is migrated
/// completely or left unchanged, even if the process is killed. If a step has a batched stage, the store can also be
/// left at the source version of this step.
public final class MigrationManager: Sendable {
    /// The model definition, which includes the migrations.
    public let definition: ModelDefinition
    /// The path of the store.
    public let path: String
    /// A Boolean value that indicates whether a missing store is accepted, as a store without pending migrations.
    public let allowsMissingStore: Bool
    private let options: StoreOptions
    private let observer = MigrationObserver()

    /// Creates a migration manager for the store in a file.
    ///
    /// - Parameters:
    ///   - model: The model definition, which includes the migrations.
    ///   - path: The path of the store.
    ///   - options: The options with which the store is opened; ``StoreOptions/shouldMigrateStoreAutomatically`` is
    ///     ignored.
    ///   - allowsMissingStore: `true` if a store that does not exist has nothing to migrate; `false` if it is an error,
    ///     because the path may be mistyped.
    public init(
        model: ModelDefinition,
        path: String,
        options: StoreOptions = StoreOptions(),
        allowsMissingStore: Bool = false
    ) {
        self.allowsMissingStore = allowsMissingStore
        definition = model
        self.path = path
        self.options = options
    }

    /// Returns the migration steps from the store's version to the current version.
    ///
    /// The store is read but not changed.
    /// - Returns: The steps in order; empty when the store is at the current version, or when it does not exist and
    ///   ``allowsMissingStore`` is `true`.
    /// - Throws: ``StoreError`` when the store does not exist and ``allowsMissingStore`` is `false`, when it cannot be
    ///   read or belongs to another model, when there is no migration from its version, or when it is at the current
    ///   version but another program has removed a part of it.
    public func pendingMigrations() throws(StoreError) -> [ModelDefinition.Migration] {
        try requireNoForeignDatabase(path)
        guard FileManager.default.fileExists(atPath: path) else {
            try requireMissingStoreAllowed("does not exist")
            return []
        }
        let connection = try openReadOnly(path, busyTimeout: options.busyTimeout)
        // The version and the tables are read in one transaction, so that no other program can change them in between.
        try connection.execute("BEGIN")
        if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
            if !allowsMissingStore, !isEmptyOrMissing(path) { throw databaseWithoutTables(path) }
            try requireMissingStoreAllowed("is empty")
            return []
        }
        let metadata = try readMetadata(connection)
        try definition.requireOwn(metadata, path: path)
        let chain = try definition.migrations(from: metadata, path: path)
        if chain.isEmpty { try requireTables(of: makeSchemaMapping(of: definition.model), metadata, connection) }
        return chain
    }

    private func requireMissingStoreAllowed(_ cause: String) throws(StoreError) {
        if allowsMissingStore { return }
        throw StoreError(
            .cannotOpen,
            "\(cause), so there is nothing to migrate; correct the path, or create the manager with allowsMissingStore: true",
            path: path
        )
    }

    /// Migrates the store to the current version, if necessary.
    ///
    /// A migration manager that was cancelled before or during the migration cannot be used again; create another
    /// manager.
    /// - Throws: ``StoreError`` when ``pendingMigrations()`` throws it, when the migration fails, or with the code
    ///   ``StoreError/Code/cancelled`` after ``cancelMigration()``. The store is then unchanged, or at the source
    ///   version of a step with a batched stage, even if all batches of the stage are complete.
    public func migrateStore() throws(StoreError) {
        observer.begin()
        var isDone = false
        defer { observer.end(isDone: isDone) }
        try observer.requireGoingOn(path: path)
        try undoUnfinishedTransaction(ofStoreAt: path, busyTimeout: options.busyTimeout)
        guard try !pendingMigrations().isEmpty else {
            isDone = true
            return
        }
        var options = options
        options.shouldMigrateStoreAutomatically = true
        // The store is opened and then closed again, because the work after a migration is part of the migration.
        _ = try openStore(of: definition, path: path, options: options, observer: observer)
        isDone = true
    }

    /// Migrates the store to the current version, if necessary, without blocking the actor of the caller.
    ///
    /// Cancelling the task cancels the migration.
    /// - Throws: ``StoreError`` when ``pendingMigrations()`` throws it, when the migration fails, or with the code
    ///   ``StoreError/Code/cancelled`` after ``cancelMigration()`` or when the task is cancelled. The store is then
    ///   unchanged, or at the source version of a step with a batched stage, even if all batches of the stage are
    ///   complete.
    @concurrent
    public func migrateStore() async throws(StoreError) {
        let outcome = await withTaskCancellationHandler {
            Result { () throws(StoreError) in try self.migrateStore() }
        } onCancel: {
            cancelMigration()
        }
        try outcome.get()
    }

    /// Cancels the migration, which then throws a ``StoreError`` with the code ``StoreError/Code/cancelled``.
    ///
    /// The store is then unchanged, or at the source version of a step with a batched stage, even if all batches of the
    /// stage are complete.
    public func cancelMigration() { observer.cancel() }

    // MARK: Progress

    /// An asynchronous sequence of the migration's progress, from this access until the migration ends.
    ///
    /// Each access returns a new sequence, which ends when `migrateStore()` returns or throws. The sequence buffers
    /// only the newest value, so a consumer that is slower than the migration does not get all values.
    public var updates: AsyncStream<MigrationProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: MigrationProgress.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        observer.add(.init(progress: { continuation.yield($0) }, end: { _ in continuation.finish() }))
        return stream
    }

    /// Returns the progress of the migration as a Foundation `Progress`.
    ///
    /// Cancelling the `Progress` cancels the migration.
    /// - Returns: A new `Progress` object, which is updated until the migration ends.
    public func makeProgress() -> Progress { observer.makeProgress() }
}
