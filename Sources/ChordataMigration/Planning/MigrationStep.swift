/// A change of the tables or rows of a store, with the changes of the model that cause it.
package struct MigrationStep: Sendable, Hashable {
    /// The effect of a step.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Fail if values do not allow the migration.
        case check
        case createTable, dropTable, renameTable
        /// Copy rows of old tables into a new one.
        case copyRows
        case deleteRows
        case addColumn, dropColumn, renameColumn
        /// Set or clear values of rows.
        case updateRows
        case createIndex, dropIndex
        /// Keep data that is dropped until the program's stage has ended.
        case stash
    }

    /// A column of a table.
    package struct ColumnReference: Sendable, Hashable {
        package let table: String
        package let column: String
    }

    let change: SchemaChange
    /// The changes of the model that cause the step; none if a change of another table causes it.
    package let causes: [ModelChange]
    /// A description of the purpose of the step, in addition to the causes.
    package let remark: String?
    /// A Boolean value that indicates whether values or rows may be lost.
    package let losesData: Bool
    /// A Boolean value that indicates whether the success of the step, or its effect on rows, depends on the rows.
    package let dependsOnData: Bool

    init(
        _ change: SchemaChange,
        causes: [ModelChange] = [],
        remark: String? = nil,
        losesData: Bool = false,
        dependsOnData: Bool = false
    ) {
        self.change = change
        self.causes = causes
        self.remark = remark
        self.losesData = losesData
        self.dependsOnData = dependsOnData
    }

    package var kind: Kind { change.kind }
    /// The table that is read or changed, by its name when the step runs.
    package var table: String { change.table }
    /// The statements, without semicolons.
    package var statements: [String] { renderChange(change) }

    // MARK: Properties that the runtime derives from the statements

    /// The column that the step drops.
    package var droppedColumn: ColumnReference? {
        change.droppedColumn.map { ColumnReference(table: table, column: $0) }
    }

    /// A Boolean value that indicates whether a column is dropped or renamed, so that another one may have its name.
    package var changesColumnNames: Bool { change.changesColumnNames }

    /// A Boolean value that indicates whether rows of a table are written again, which needs space for both copies.
    package var rewritesRows: Bool { change.rewritesRows }
}
