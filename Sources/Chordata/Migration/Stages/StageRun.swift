internal import ChordataModel
internal import ChordataSQL

/// Runs the stages of one step, within the transaction of the migration.
struct StageRun {
    private let step: ModelDefinition.Migration
    private let stages: [MigrationStage]
    private let batches: [StageBatches]
    private let models: (source: ManagedObjectModel, destination: ManagedObjectModel)
    private let metadata: StoreMetadata
    private let connection: SQLiteConnection
    private let writeTracker: MigrationWriteTracker
    private let observer: MigrationObserver?

    /// - Parameter step: A step that has a stage.
    init(
        _ step: ModelDefinition.Migration,
        _ options: StoreOptions,
        _ metadata: StoreMetadata,
        _ connection: SQLiteConnection,
        _ writeTracker: MigrationWriteTracker,
        _ observer: MigrationObserver?
    ) throws(StoreError) {
        self.step = step
        self.metadata = metadata
        self.connection = connection
        self.writeTracker = writeTracker
        self.observer = observer
        stages = options.migrationStages.filter(step.isOf)
        models = try step.models()
        batches = try StageBatches.all(of: step, options, connection)
    }

    /// Runs the part of the stages that belongs before the SQL of the step.
    func willMigrate() throws(StoreError) {
        var hasWritten = false
        if stages.contains(where: { $0.work.willMigrate != nil }) {
            let source = try MigratingVersion(models.source, step.source, metadata, connection)
            defer { source.end() }
            for stage in stages {
                if try run(stage.work.willMigrate, source, previous: nil) { hasWritten = true }
            }
        }
        for batches in batches {
            try batches.prepare(in: .migration)
            // It is unknown which rows the SQL of the stages has changed.
            if hasWritten { try batches.forget() }
            // Other programs may have changed rows since their values were computed, and some values are computed only
            // now.
            while try batches.computeNext(in: .migration, observer) {}
        }
    }

    /// Runs the part of the stages that belongs at their line in the SQL of the step.
    func didMigrate() throws(StoreError) {
        for batches in batches { try batches.move() }
        let destination = try MigratingVersion(models.destination, step.destination, metadata, connection)
        defer { destination.end() }
        if stages.contains(where: { $0.work.didMigrate != nil }) {
            let source = try MigratingVersion(models.source, step.source, metadata, connection)
            defer { source.end() }
            let match = ModelMatch(source: models.source, destination: models.destination)
            let previous = PreviousValues(source, destination, match)
            for stage in stages { _ = try run(stage.work.didMigrate, destination, previous: previous) }
        }
        try writeTracker.recordEverything(of: Set(destination.schema.mapping.tables.map(\.name)))
        try dropStashedTables()
        // The statements that were prepared for objects of the two versions are no longer needed.
        connection.forgetStatements()
    }

    /// - Returns: `true` if SQL of the closure may have changed rows; otherwise, `false`.
    private func run(
        _ body: (@Sendable (MigrationContext) throws -> Void)?,
        _ version: MigratingVersion,
        previous: PreviousValues?
    ) throws(StoreError) -> Bool {
        guard let body else { return false }
        let context = MigrationContext(version, writeTracker, previous: previous)
        do {
            try body(context)
            try connection.requireTransaction()
            try context.objects.save()
            context.objects.reset()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .migrationFailed,
                "the stage from '\(step.source)' to '\(step.destination)' failed: \(error)",
                path: connection.path
            )
        }
        return context.hasWritten
    }

    /// Drops the tables that were kept for the stages, so that the stages of the next step find their own tables.
    private func dropStashedTables() throws(StoreError) {
        let statement = try connection.prepare(
            "SELECT \"name\" FROM sqlite_temp_schema WHERE \"type\" = 'table' AND \"name\" LIKE '\\_old\\_%' ESCAPE '\\'"
        )
        var names: [String] = []
        while try statement.step() { if let name = statement.text(at: 0) { names.append(name) } }
        statement.reset()
        for name in names { try connection.execute("DROP TABLE temp.\(quoteIdentifier(name))") }
    }
}
