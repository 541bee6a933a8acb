/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The version that the step begins with.
    public var source: String
    /// The version that the step ends with.
    public var destination: String
    /// The current work, from the comments of the SQL; empty at the end.
    public var phase: String
    /// The number of completed statements of all steps; for a stage in batches, which comes before, the number of
    /// objects.
    public var completedUnitCount: Int
    /// The total number of statements of all steps; while a stage in batches runs, the total number of its objects.
    public var totalUnitCount: Int

    /// The completed fraction, from 0 to 1.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
