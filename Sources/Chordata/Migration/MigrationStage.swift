/// The part of a program in a step from one version to the next: what no SQL can infer.
///
/// A step has stages when its file says so, which `chordata migrate new --stage` writes; then the program must give
/// them.
///
/// ```swift
/// let options = StoreOptions(migrationStages: [
///     .custom(from: "Done", to: "Done 2", didMigrate: { migration in
///         for person in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
///             let name = try migration.previousValue(forKey: "name", of: person) as? String ?? ""
///             person.setValue(name.split(separator: " ").last.map(String.init) ?? "", forKey: "lastName")
///         }
///     })
/// ])
/// let container = try DoneModel.container(at: "done.sqlite", options: options)
/// ```
public struct MigrationStage: Sendable, Hashable {
    /// The name of the version the step begins with.
    public let source: String
    /// The name of the version the step ends with.
    public let destination: String
    let work: Work

    /// The work of the stage; each stage has one, so its identity distinguishes it.
    final class Work: Sendable, Hashable {
        let willMigrate: (@Sendable (MigrationContext) throws -> Void)?
        let didMigrate: (@Sendable (MigrationContext) throws -> Void)?
        let batches: Batches?

        init(
            willMigrate: (@Sendable (MigrationContext) throws -> Void)?,
            didMigrate: (@Sendable (MigrationContext) throws -> Void)?,
            batches: Batches?
        ) {
            self.willMigrate = willMigrate
            self.didMigrate = didMigrate
            self.batches = batches
        }

        static func == (left: Work, right: Work) -> Bool { left === right }
        func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// Values computed from objects while the store is unchanged.
    struct Batches: Sendable {
        let entityName: String
        let attributeNames: [String]
        let size: Int
        let revision: Int
        let values: @Sendable (ManagedObject) throws -> [String: Any?]
    }

    /// Returns a stage that runs before or after the SQL of a step, within its transaction.
    ///
    /// `willMigrate` and `didMigrate` are called again if the migration fails, or the program ends, and is tried again.
    /// Their changes to the store are undone then; all other effects must be repeatable.
    ///
    /// - Parameters:
    ///   - source: The name of the version the step begins with.
    ///   - destination: The name of the version it ends with.
    ///   - willMigrate: A closure that is called before the SQL, with objects of the source version; an error that it
    ///     throws makes the migration fail.
    ///   - didMigrate: A closure that is called at the line `-- stage` of the SQL, with objects of the destination
    ///     version; an error that it throws makes the migration fail.
    /// - Returns: A stage for ``StoreOptions/migrationStages``.
    public static func custom(
        from source: String,
        to destination: String,
        willMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil
    ) -> MigrationStage {
        let work = Work(willMigrate: willMigrate, didMigrate: didMigrate, batches: nil)
        return MigrationStage(source: source, destination: destination, work: work)
    }

    /// Returns a stage that computes values for each object of an entity, in batches that are done once.
    ///
    /// The computed values are kept in a side table, each batch in its own transaction, while the store stays at the
    /// source version, and other programs of that version continue to use it. If the program ends, the next one
    /// continues after the last batch; objects that were changed in the meantime are computed again, but not those that
    /// reference changed objects. The step itself then only moves the values.
    ///
    /// A store of a version before the source version is migrated to that first, in a transaction of its own; there it
    /// stays where the stage fails.
    ///
    /// - Parameters:
    ///   - source: The name of the version the step begins with.
    ///   - destination: The name of the version it ends with.
    ///   - entityName: The name of the entity in the source version; the objects of its subentities are its own, too.
    ///   - attributeNames: The attributes of the destination version that get values.
    ///   - batchSize: The number of objects that are in memory at a time, and in a transaction; at least 1.
    ///   - revision: A number to change when the closure computes something else: values that are kept from before are
    ///     then computed again.
    ///   - values: A closure that returns the values of the attributes for an object of the source version, which it
    ///     only reads; what is missing is `nil`.
    /// - Returns: A stage for ``StoreOptions/migrationStages``.
    public static func batched(
        from source: String,
        to destination: String,
        entityName: String,
        attributeNames: [String],
        batchSize: Int = 1_000,
        revision: Int = 1,
        values: @escaping @Sendable (_ object: ManagedObject) throws -> [String: Any?]
    ) -> MigrationStage {
        precondition(batchSize > 0, "a batch must have at least one object")
        let batches = Batches(
            entityName: entityName,
            attributeNames: attributeNames,
            size: batchSize,
            revision: revision,
            values: values
        )
        let work = Work(willMigrate: nil, didMigrate: nil, batches: batches)
        return MigrationStage(source: source, destination: destination, work: work)
    }
}

extension ModelDefinition {
    /// Makes sure that the program gives the stages of all steps, also of those that the store at hand has behind it:
    /// others will come.
    func requireStages(_ options: StoreOptions, path: String) throws(StoreError) {
        guard options.shouldMigrateStoreAutomatically, !options.isReadOnly else { return }
        for step in migrations where step.stage != nil && options.requiresAllStages {
            try requireStage(of: step, options, path: path)
        }
        for stage in options.migrationStages where !migrations.contains(where: { $0.isOf(stage) && $0.stage != nil }) {
            let isStep = migrations.contains { $0.isOf(stage) }
            throw StoreError(
                .missingStage,
                "the program has a stage for '\(stage.source)' to '\(stage.destination)', but the model "
                    + (isStep
                        ? "has no stage for this step; write its file with 'chordata migrate new --stage'"
                        : "has no such step; is it misspelt?"),
                path: path
            )
        }
    }

    func requireStage(of step: Migration, _ options: StoreOptions, path: String) throws(StoreError) {
        guard step.stage != nil, !options.migrationStages.contains(where: step.isOf) else { return }
        throw StoreError(
            .missingStage,
            "the step from '\(step.source)' to '\(step.destination)' has a stage that the program does not provide: "
                + "add .custom(from: \"\(step.source)\", to: \"\(step.destination)\", …) to "
                + "StoreOptions.migrationStages, or open the store with a program that has it; nothing was changed",
            path: path
        )
    }
}

extension ModelDefinition.Migration {
    func isOf(_ stage: MigrationStage) -> Bool { stage.source == source && stage.destination == destination }
}
