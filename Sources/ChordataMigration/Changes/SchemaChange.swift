internal import ChordataSQL

/// A change of the tables of a store or of their rows, without its text in SQL.
///
/// The names of tables are those at the time of the change: a rebuilt table has a temporary name until it replaces the
/// old one.
enum SchemaChange: Sendable, Hashable {
    /// Fails with a message if rows do not allow the migration.
    case check(message: String, RowCheck)
    /// Copies columns of an old table into a temporary table.
    case stash(StashedTable)
    /// Creates a table without its indexes.
    case createTable(Table)
    case dropTable(String)
    case renameTable(String, to: String)
    /// Copies rows of an old table into a new one.
    case copyRows(RowCopy)
    /// Inserts default bytes into a side table.
    case insertDefaultBytes(DefaultBytes)
    case deleteRows(RowSelection)
    /// Adds a column; the default value is that of all existing rows.
    case addColumn(Column, of: Table, defaultValue: ValueExpression?)
    case dropColumn(String, of: String)
    case renameColumn(String, to: String, of: String)
    /// Sets a column in some rows.
    case updateRows(RowSelection, column: String, value: ValueExpression)
    /// Numbers the objects of an ordered relationship.
    case numberRows(RowNumbering)
    case createIndex(Index, on: String)
    case dropIndex(Index, on: String)
}

/// A condition on all rows of one or several tables.
enum RowCheck: Sendable, Hashable {
    /// No row meets the condition of the selection.
    case isEmpty(RowSelection)
    /// A new table has as many rows as some old ones.
    case hasAllRows(table: String, of: [RowSelection])
}

/// The columns of an old table that are copied for the stage of a program.
struct StashedTable: Sendable, Hashable {
    var table: String
    var columns: [String]
    /// The columns by which a stage looks up rows.
    var indexedColumns: [String]
}

/// The rows of one table that are inserted into another one.
struct RowCopy: Sendable, Hashable {
    /// A column of the new table, and its value.
    struct Assignment: Sendable, Hashable {
        var column: String
        var value: ValueExpression
    }

    var source: RowSelection
    var destination: String
    var assignments: [Assignment]
    /// A Boolean value that indicates whether rows with a key that exists already are left out.
    var ignoresDuplicates = false
}

/// The default value of an attribute with external storage, for rows that have its length but not its bytes.
struct DefaultBytes: Sendable, Hashable {
    var sideTable: String
    var table: String
    /// The column of the length.
    var column: String
    var value: ValueExpression
}

/// The positions of objects in an ordered relationship.
struct RowNumbering: Sendable, Hashable {
    var table: String
    /// The column of the position.
    var column: String
    /// The column of the object that has the relationship.
    var group: String
    var key: [String]
    /// A Boolean value that indicates whether existing positions come first, in their order.
    var keepsPositions: Bool
    /// The column that orders objects without a position.
    var lastColumn: String
}
