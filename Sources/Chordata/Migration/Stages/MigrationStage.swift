/// Code of the program that is part of a migration step, for changes that cannot be expressed in SQL.
///
/// A step has stages if its migration file declares them; `chordata migrate new --stage` writes such a file. The
/// program must then provide the stages in ``StoreOptions/migrationStages``, or in
/// `PostgresConfiguration.migrationStages` for a store on a server.
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
    /// The name of the source version of the step.
    public let source: String
    /// The name of the destination version of the step.
    public let destination: String
    let work: Work

    /// The work of the stage; each stage has its own object, whose identity distinguishes the stage.
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

    /// Returns a stage that runs before the SQL of a step, at the line `-- stage` of the SQL, or at both places, within
    /// the transaction of the step.
    ///
    /// If the transaction of the step fails or the program ends before its commit, the changes of `willMigrate` and
    /// `didMigrate` to the store are rolled back, and both are called again in the next attempt. For a store on a
    /// server, the next attempt may follow immediately, if another transaction prevents this one. All other effects of
    /// the two closures must be repeatable.
    ///
    /// - Parameters:
    ///   - source: The name of the source version of the step.
    ///   - destination: The name of the destination version of the step.
    ///   - willMigrate: A closure that is called before the SQL, with objects of the source version; if it throws, the
    ///     migration fails.
    ///   - didMigrate: A closure that is called at the line `-- stage` of the SQL, with objects of the destination
    ///     version; if it throws, the migration fails.
    /// - Returns: A stage for the options of the store.
    public static func custom(
        from source: String,
        to destination: String,
        willMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil,
        didMigrate: (@Sendable (MigrationContext) throws -> Void)? = nil
    ) -> MigrationStage {
        let work = Work(willMigrate: willMigrate, didMigrate: didMigrate, batches: nil)
        return MigrationStage(source: source, destination: destination, work: work)
    }

    /// Returns a stage that computes attribute values for each object of an entity, in batches before the step.
    ///
    /// Each batch has a separate transaction that writes the computed values to a side table. The store stays at the
    /// source version during this time, and other programs of that version can continue to use it. If the program ends,
    /// the next migration continues after the last complete batch. Values of objects that were changed after their
    /// batch are computed again, but not values of objects that only reference changed objects. The step itself then
    /// only moves the values from the side table to the attributes.
    ///
    /// A store of an older version is first migrated to the source version, in a separate transaction. If the stage
    /// fails, the store stays at the source version.
    ///
    /// - Parameters:
    ///   - source: The name of the source version of the step.
    ///   - destination: The name of the destination version of the step.
    ///   - entityName: The name of the entity in the source version. Objects of its subentities are included.
    ///   - attributeNames: The names of the attributes of the destination version whose values are computed.
    ///   - batchSize: The number of objects in memory and in one transaction; at least 1.
    ///   - revision: A number that identifies the version of the closure. Change it if the closure computes different
    ///     values: values from earlier batches are then computed again.
    ///   - values: A closure that returns the values of the attributes, keyed by name, for an object of the source
    ///     version. It must not change the object. An attribute without a value in the result is set to `nil`; if the
    ///     attribute is required, the migration fails.
    /// - Returns: A stage for the options of the store.
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
    /// Requires that the program provides the stages of all steps, including steps that this store has already
    /// completed, because other stores may still need them.
    /// - Parameter requiresAll: `false` if only the stages of steps that the store needs are required, later.
    package func requireStages(_ stages: [MigrationStage], requiresAll: Bool, path: String) throws(StoreError) {
        if requiresAll { for step in migrations { try requireStage(of: step, stages, path: path) } }
        for stage in stages where !migrations.contains(where: { $0.isOf(stage) && $0.stage != nil }) {
            let isStep = migrations.contains { $0.isOf(stage) }
            throw StoreError(
                .missingStage,
                "the program has a stage for '\(stage.source)' to '\(stage.destination)', but the model "
                    + (isStep
                        ? "has no migration file with a stage for this step; write the migration file of the step with 'chordata migrate new MODEL --stage "
                            + "\"\(stage.destination)\"', and build the program again"
                        : "has no step between these versions; correct the version names of the stage, or remove the stage"),
                path: path
            )
        }
    }

    package func requireStage(of step: Migration, _ stages: [MigrationStage], path: String) throws(StoreError) {
        guard step.stage != nil, !stages.contains(where: step.isOf) else { return }
        throw StoreError(
            .missingStage,
            "the step from '\(step.source)' to '\(step.destination)' has a stage, which is missing in 'migrationStages' of "
                + "StoreOptions or PostgresConfiguration: add .custom(from: \"\(step.source)\", to: \"\(step.destination)\", …) to this array, or open the store with an app that has the stage ('chordata migrate run' cannot run stages); nothing was changed",
            path: path
        )
    }
}

extension ModelDefinition.Migration {
    func isOf(_ stage: MigrationStage) -> Bool { stage.source == source && stage.destination == destination }
}
