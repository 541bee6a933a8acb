/// The migration of a store from one version to another: SQL, statement by statement.
///
/// The statements expect foreign keys to be off, and to run in one transaction.
package struct MigrationPlan: Sendable, Hashable {
    package var sourceName: String
    package var destinationName: String
    /// In the order in which they run.
    package var steps: [MigrationStep]
    /// The program's stage after them; `nil` without one.
    package var stage: Stage?

    /// All steps, those behind the stage included.
    package var allSteps: [MigrationStep] { steps + (stage?.steps ?? []) }

    /// The part of a program in a migration.
    package struct Stage: Sendable, Hashable {
        /// The parts that cannot be inferred, in words.
        package var tasks: [String]
        /// The checks after its end.
        package var steps: [MigrationStep]
    }
}

/// Some statements that belong together, with the changes of the model that ask for them.
package struct MigrationStep: Sendable, Hashable {
    /// The effect of the statements.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Fail where values do not allow for the migration.
        case check
        case createTable, dropTable, renameTable
        /// Copy rows of old tables into a new one.
        case copyRows
        case deleteRows
        case addColumn, dropColumn, renameColumn
        /// Give rows values, or take them away.
        case updateRows
        case createIndex, dropIndex
        /// Keep what goes until the program's stage is over.
        case putAside
    }

    package var kind: Kind
    /// The table that is read or changed, as it is called when the step runs.
    package var table: String
    /// The statements, without semicolons.
    package var statements: [String]
    /// The changes of the model that ask for it; none where a change of another table does.
    package var causes: [ModelChange]
    /// Its purpose in words, in addition to the causes.
    package var remark: String?
    /// A Boolean value that indicates whether values or rows may be lost.
    package var losesData: Bool
    /// A Boolean value that indicates whether it depends on the rows of a store if it succeeds, or what becomes of
    /// them.
    package var dependsOnData: Bool

    init(
        _ kind: Kind,
        _ table: String,
        _ statements: [String],
        causes: [ModelChange] = [],
        remark: String? = nil,
        losesData: Bool = false,
        dependsOnData: Bool = false
    ) {
        self.kind = kind
        self.table = table
        self.statements = statements
        self.causes = causes
        self.remark = remark
        self.losesData = losesData
        self.dependsOnData = dependsOnData
    }
}
