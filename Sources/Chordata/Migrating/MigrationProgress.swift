/// How far a migration is.
public struct MigrationProgress: Sendable, Hashable {
    /// The version that the step begins with.
    public var source: String
    /// The version that the step ends with.
    public var destination: String
    /// What is being done, as the SQL says in its comments; empty at the end.
    public var phase: String
    /// How many statements of all steps are done; of a stage in batches, which comes before, how many objects.
    public var completedUnitCount: Int
    /// How many there are; a stage in batches is counted by itself.
    public var totalUnitCount: Int

    /// How much is done, from 0 to 1.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
