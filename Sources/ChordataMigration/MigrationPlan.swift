package import ChordataSQL

/// How a store of one version becomes one of another.
package struct MigrationPlan: Sendable, Hashable {
    package var sourceName: String
    package var destinationName: String
    /// In the order in which they run.
    package var steps: [MigrationStep]
}

/// One change of a store, with the change of the model that caused it.
package struct MigrationStep: Sendable, Hashable {
    package enum Change: Sendable, Hashable {
        case dropIndex(name: String)
        case createTable(Table)
        case renameTable(from: String, to: String)
        case addColumn(Column, table: Table, value: String?)
        case renameColumn(table: String, from: String, to: String)
        case dropColumn(table: String, name: String)
        /// Fills the rows that have no value.
        case fill(table: String, column: String, value: String)
        /// Copies the values of a column, as far as there are any, into a side table.
        case moveIntoTable(String, from: String, column: String)
        /// Names the entity of rows anew.
        case renameEntity(table: String, from: String, to: String)
        /// Copies a table into its new form: for each column that stays, the expression over the old row.
        case rebuildTable(Table, from: String, columns: [ColumnSource])
        case dropTable(name: String)
        case createIndex(Index, table: String)
    }

    package struct ColumnSource: Sendable, Hashable {
        package var column: String
        package var expression: String
    }

    /// The model change in words, for the reader of the SQL.
    package var reason: String
    package var change: Change
}
