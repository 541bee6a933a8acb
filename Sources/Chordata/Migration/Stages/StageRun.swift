internal import ChordataModel

/// Runs the stages of one step, within the transaction of the migration.
package struct StageRun {
    private let step: ModelDefinition.Migration
    private let stages: [MigrationStage]
    private let batches: [StageBatches]
    private let models: (source: ManagedObjectModel, destination: ManagedObjectModel)
    private let metadata: StoreMetadata
    private let store: any StageStore
    private let observer: MigrationObserver?

    /// - Parameters:
    ///   - step: A step that has a stage.
    ///   - stages: The stages of the program.
    package init(
        _ step: ModelDefinition.Migration,
        _ stages: [MigrationStage],
        _ metadata: StoreMetadata,
        _ store: any StageStore,
        _ observer: MigrationObserver?
    ) throws(StoreError) {
        self.step = step
        self.metadata = metadata
        self.store = store
        self.observer = observer
        self.stages = stages.filter(step.isOf)
        models = try step.models()
        batches = try StageBatches.all(of: step, stages, store)
    }

    /// Runs the part of the stages that belongs before the SQL of the step.
    package func willMigrate() throws(StoreError) {
        var hasWritten = false
        if stages.contains(where: { $0.work.batches == nil }) {
            try step.reportingStage(store) { try store.lockTables(store.mapping(of: models.source)) }
        }
        if stages.contains(where: { $0.work.willMigrate != nil }) {
            let source = MigratingVersion(models.source, step.source, metadata, store)
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
        try step.reportingStage(store) { try store.checkWrittenReferences() }
    }

    /// Runs the part of the stages that belongs at their line in the SQL of the step.
    package func didMigrate() throws(StoreError) {
        for batches in batches { try batches.move() }
        let destination = MigratingVersion(models.destination, step.destination, metadata, store)
        defer { destination.end() }
        if stages.contains(where: { $0.work.didMigrate != nil }) {
            let source = MigratingVersion(models.source, step.source, metadata, store)
            defer { source.end() }
            let match = ModelMatch(source: models.source, destination: models.destination)
            let previous = PreviousValues(source, destination, match)
            for stage in stages { _ = try run(stage.work.didMigrate, destination, previous: previous) }
        }
        try step.reportingStage(store) {
            try store.checkWrittenReferences()
            try store.endStages(store.mapping(of: models.source), destination.schema.mapping)
        }
    }

    /// - Returns: `true` if SQL of the closure may have changed rows; otherwise, `false`.
    private func run(
        _ body: (@Sendable (MigrationContext) throws -> Void)?,
        _ version: MigratingVersion,
        previous: PreviousValues?
    ) throws(StoreError) -> Bool {
        guard let body else { return false }
        let context = MigrationContext(version, previous: previous)
        try step.reportingStage(store) {
            try body(context)
            try store.requireTransaction()
            try context.objects.save()
            context.objects.reset()
        }
        return context.hasWritten
    }
}

extension ModelDefinition.Migration {
    /// Runs code of a stage, and names the step in errors that are not errors of the store.
    func reportingStage<Result>(_ store: any StageStore, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw store.error("the stage from '\(source)' to '\(destination)' failed: \(error)")
        }
    }
}
