internal import ChordataModel
internal import ChordataSQL

/// The second stage: the changes of all tables of the destination except Chordata's own, and the conditions on their
/// rows.
///
/// Rows keep their keys, which are unique in a store, so they may change tables. The columns of properties that an
/// entity does not have are NULL in its rows; every plan preserves this.
struct MigrationTables {
    let match: MigrationMatch
    let entities: [TablePlan]
    let joins: [JoinTablePlan]
    let externals: [ExternalTablePlan]
    /// The conditions on old rows.
    let checks: [ValueCheck]
    /// The conditions on new rows after the stage of a program, if there is one.
    let stageChecks: [StageCheck]

    /// Returns the name with which other tables reference a table before all tables get their final names.
    func currentName(of table: String) -> String {
        entities.first { $0.table.name == table }?.currentName ?? table
    }
}

/// A condition on old rows: a migration fails and changes nothing if one of them does not meet it.
struct ValueCheck: Hashable {
    var flow: RowFlow
    /// The column of the old row.
    var column: String
    /// The values that the rows must not have.
    var misfit: ValueConversion.Misfit
    var message: String
    var causes: [ModelChange]
}

/// A condition on the rows of an entity after the stage of a program.
struct StageCheck: Hashable {
    var entityName: String
    var message: String
    /// The condition that no row may meet.
    var condition: RowCondition
}
