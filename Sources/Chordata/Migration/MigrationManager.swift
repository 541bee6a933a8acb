internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
    public import class Foundation.Progress
#else
    public import Foundation
#endif

/// Migrates a store before it is opened, with progress and the possibility to stop.
///
/// ```swift
/// let manager = MigrationManager(model: DoneModel.definition, path: "done.sqlite")
/// Task { for await progress in manager.updates { bar.value = progress.fractionCompleted } }
/// try await manager.migrateStore()
/// let container = try DoneModel.container(at: "done.sqlite")
/// ```
///
/// Without one, opening a container migrates. Either way the store ends new or stays as it was, also when the program
/// is killed; where it has a stage in batches, the store may also be of the version that this begins with.
public final class MigrationManager: Sendable {
    /// The model with its migrations.
    public let definition: ModelDefinition
    /// The place of the store.
    public let path: String
    /// A Boolean value that indicates whether there may be no store, which has nothing to migrate.
    public let allowsMissingStore: Bool
    private let options: StoreOptions
    private let observer = MigrationObserver()

    /// Creates a manager for the store in a file.
    ///
    /// - Parameters:
    ///   - model: The model with its migrations.
    ///   - path: The path of the store.
    ///   - options: How the store is opened.
    ///   - allowsMissingStore: Whether a store that does not exist has nothing to migrate; otherwise it is an error,
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

    /// Returns the steps that the store has to take to be of the current version.
    ///
    /// The store is only read.
    /// - Returns: The steps in their order; empty when the store is of the current version, or does not exist and
    ///   ``allowsMissingStore`` is `true`.
    /// - Throws: ``StoreError`` when there is no store, unless ``allowsMissingStore``, when it cannot be read or is not
    ///   a store of the model, there is no migration from its version, or another program has removed a part of it
    ///   although it is of the current version.
    public func pendingMigrations() throws(StoreError) -> [ModelDefinition.Migration] {
        try requireNoForeignDatabase(path)
        guard FileManager.default.fileExists(atPath: path) else {
            try requireMissingStoreAllowed("does not exist")
            return []
        }
        let connection = try openReadOnly(path, busyTimeout: options.busyTimeout)
        // Version and tables are read in one transaction, independently of other programs.
        try connection.execute("BEGIN")
        if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
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
    /// A manager that was cancelled, before the migration or during it, migrates nothing any more; create another one.
    /// - Throws: ``StoreError`` when ``pendingMigrations()`` throws it, when the migration fails, or with the code
    ///   ``StoreError/Code/cancelled`` after ``cancelMigration()``. The store is as it was, or waits for a stage in
    ///   batches.
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
        // Opened and closed again: what comes after a migration belongs to it.
        _ = try openStore(of: definition, path: path, options: options, observer: observer)
        isDone = true
    }

    /// Migrates the store to the current version, if it has to be, away from the actor of the caller.
    ///
    /// Cancelling the task cancels the migration.
    /// - Throws: ``StoreError`` when ``pendingMigrations()`` throws it, when the migration fails, or with the code
    ///   ``StoreError/Code/cancelled`` after ``cancelMigration()`` or when the task is cancelled. The store is as it
    ///   was, or waits for a stage in batches.
    @concurrent
    public func migrateStore() async throws(StoreError) {
        let outcome = await withTaskCancellationHandler {
            Result { () throws(StoreError) in try self.migrateStore() }
        } onCancel: {
            cancelMigration()
        }
        try outcome.get()
    }

    /// Stops the migration, which then throws ``StoreError/Code/cancelled`` and leaves the store as it was, or where
    /// it waits for a stage in batches.
    public func cancelMigration() { observer.cancel() }

    // MARK: Progress

    /// The progress of the migration, from the first access until it ends.
    ///
    /// The sequence ends with ``migrateStore()``, also where that throws.
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
    /// Cancelling it cancels the migration.
    /// - Returns: A new progress, which is updated until the migration ends.
    public func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: 1)
        let observer = observer
        // Foundation calls the handler on another thread and later, when the migration may be over, so the migration
        // asks the progress too.
        progress.cancellationHandler = { observer.cancel() }
        observer.addCancellation { progress.isCancelled }
        observer.add(
            .init(
                progress: { step in
                    progress.totalUnitCount = Int64(max(1, step.totalUnitCount))
                    progress.completedUnitCount = Int64(step.completedUnitCount)
                },
                end: { isDone in if isDone { progress.completedUnitCount = progress.totalUnitCount } }
            )
        )
        return progress
    }
}
