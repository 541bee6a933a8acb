/// The migration of a store from one version to another: its steps in the order in which they run.
///
/// The statements of all steps must run in one transaction, while `PRAGMA foreign_keys` is off.
package struct MigrationPlan: Sendable, Hashable {
    package var sourceName: String
    package var destinationName: String
    /// The steps, in the order in which they run.
    package var steps: [MigrationStep]
    /// The stage that runs after the steps; `nil` if the migration has no stage.
    package var stage: Stage?

    /// All steps, including those after the stage.
    package var allSteps: [MigrationStep] { steps + (stage?.steps ?? []) }

    /// A stage: code of the program that runs in the migration.
    package struct Stage: Sendable, Hashable {
        /// Descriptions of the changes that cannot be inferred, which are the work of the stage.
        package var tasks: [String]
        /// The steps after the stage, which check its results.
        package var steps: [MigrationStep]
    }
}
