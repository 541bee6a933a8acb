/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The name of the source version of the current step.
    public var source: String
    /// The name of the destination version of the current step.
    public var destination: String
    /// A description of the current work: the `--` comments directly before the current statement or, if the statement
    /// has no comments, before the most recent statement that has comments; during a batched stage, the text
    /// `objects of 'Photo'` with the name of the entity for whose objects the stage computes values; after the last
    /// statement, the text `creating the indexes`, `computing the derived attributes`, `checking the references` or
    /// `creating the full-text indexes`; empty at the end of a transaction.
    public var phase: String
    /// The number of completed units: of SQL statements or, during a batched stage, of objects whose values are
    /// computed.
    ///
    /// The four kinds of work after the last statement are one unit each (see ``phase``).
    ///
    /// The statements of all steps in the current transaction are counted together. Without batched stages, a migration
    /// is one transaction. A batched stage runs before the statements of its step, and after the statements of earlier
    /// steps. Its objects are counted separately, and the statements of earlier steps can be in an earlier transaction,
    /// which has its own count.
    public var completedUnitCount: Int
    /// The total number of units that ``completedUnitCount`` counts: of SQL statements in the current transaction plus
    /// four for the work after them or, during a batched stage, of objects plus one for the statements of the step that
    /// follow.
    public var totalUnitCount: Int

    /// ``completedUnitCount`` divided by ``totalUnitCount``, from 0 to 1.
    ///
    /// Without batched stages, this is the completed fraction of the whole migration. With batched stages, it is the
    /// fraction of the current stage or transaction, and can decrease when the next stage or transaction begins.
    public var fractionCompleted: Double {
        totalUnitCount == 0 ? 1 : Double(completedUnitCount) / Double(totalUnitCount)
    }
}
