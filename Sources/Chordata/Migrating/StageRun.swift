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
    private let touches: MigrationTouches

    init(
        _ step: ModelDefinition.Migration,
        _ stage: ModelDefinition.Migration.Stage,
        _ options: StoreOptions,
        _ metadata: StoreMetadata,
        _ connection: SQLiteConnection,
        _ touches: MigrationTouches
    ) throws(StoreError) {
        self.step = step
        self.metadata = metadata
        self.connection = connection
        self.touches = touches
        stages = options.migrationStages.filter(step.isOf)
        models = try stage.models()
        batches = try StageBatches.all(of: step, options, connection)
    }

    /// Before the SQL.
    func willMigrate() throws(StoreError) {
        if stages.contains(where: { $0.work.willMigrate != nil }) {
            let source = try MigratingVersion(models.source, step.source, metadata, connection)
            for stage in stages { try run(stage.work.willMigrate, source, previous: nil) }
        }
        // What others have changed since, or what is computed only now.
        for batches in batches {
            try batches.prepare()
            while try batches.computeNext(in: .migration, nil) {}
        }
    }

    /// Where the SQL has the line for it.
    func didMigrate() throws(StoreError) {
        for batches in batches { try batches.move() }
        if !batches.isEmpty { try touches.noteEverything() }
        if stages.contains(where: { $0.work.didMigrate != nil }) {
            let source = try MigratingVersion(models.source, step.source, metadata, connection)
            let destination = try MigratingVersion(models.destination, step.destination, metadata, connection)
            for stage in stages { try run(stage.work.didMigrate, destination, previous: source) }
        }
        try dropAsides()
        // Those of the two versions' objects nobody runs again.
        connection.forgetStatements()
    }

    private func run(
        _ body: (@Sendable (MigrationContext) throws -> Void)?,
        _ version: MigratingVersion,
        previous: MigratingVersion?
    ) throws(StoreError) {
        guard let body else { return }
        let context = MigrationContext(version, touches, previous: previous)
        do {
            try body(context)
            try context.objects.save()
            context.objects.reset()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(
                .migrationFailed,
                "the stage of '\(step.source)' to '\(step.destination)' failed: \(error)",
                path: connection.path
            )
        }
        try touches.noteEverything()
    }

    /// Drops what was kept for the stages, so that those of the next step find their own.
    private func dropAsides() throws(StoreError) {
        let statement = try connection.prepare(
            "SELECT \"name\" FROM sqlite_temp_schema WHERE \"type\" = 'table' AND \"name\" LIKE '\\_old\\_%' ESCAPE '\\'"
        )
        var names: [String] = []
        while try statement.step() { if let name = statement.text(at: 0) { names.append(name) } }
        statement.reset()
        for name in names { try connection.execute("DROP TABLE temp.\(quoteIdentifier(name))") }
    }
}
