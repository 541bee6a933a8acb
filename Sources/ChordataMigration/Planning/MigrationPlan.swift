/// The migration of a store from one version to another: its steps in the order in which they run.
///
/// The statements of the steps expect foreign keys to be off, and to run in one transaction.
package struct MigrationPlan: Sendable, Hashable {
    package var sourceName: String
    package var destinationName: String
    /// In the order in which they run.
    package var steps: [MigrationStep]
    /// The program's stage after them; `nil` without one.
    package var stage: Stage?

    /// All steps, including those after the stage.
    package var allSteps: [MigrationStep] { steps + (stage?.steps ?? []) }

    /// The part of a program in a migration.
    package struct Stage: Sendable, Hashable {
        /// The parts that cannot be inferred, in words.
        package var tasks: [String]
        /// The checks after its end.
        package var steps: [MigrationStep]
    }
}
