/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The name of the source version of the current step.
    public var source: String
    /// The name of the destination version of the current step.
    public var destination: String
    /// A description of the current work: the `--` comments directly before the current statement or, if it has none,
    /// before the most recent statement that has comments; during a batched stage, the entity for whose objects it
    /// computes values; empty at the end.
    public var phase: String
    /// The number of completed statements of all steps in the current transaction or, during a batched stage, of
    /// completed objects.
    ///
    /// A batched stage runs before the statements of its step, after those of earlier steps.
    public var completedUnitCount: Int
    /// The total number of statements or, during a batched stage, the number of objects plus one; the two are counted
    /// separately.
    public var totalUnitCount: Int

    /// The completed fraction of the current count, from 0 to 1.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
