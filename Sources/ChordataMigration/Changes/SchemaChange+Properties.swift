internal import ChordataSQL

extension SchemaChange {
    /// The effect of the change.
    var kind: MigrationStep.Kind {
        switch self {
        case .check: .check
        case .stash: .stash
        case .createTable: .createTable
        case .dropTable: .dropTable
        case .renameTable: .renameTable
        case .copyRows, .insertDefaultBytes: .copyRows
        case .deleteRows: .deleteRows
        case .addColumn: .addColumn
        case .dropColumn: .dropColumn
        case .renameColumn: .renameColumn
        case .updateRows, .numberRows: .updateRows
        case .createIndex: .createIndex
        case .dropIndex: .dropIndex
        }
    }

    /// The table that is read or changed.
    var table: String {
        switch self {
        case .check: checkTableName
        case .stash(let copy): copy.table
        case .createTable(let table), .addColumn(_, let table, _): table.name
        case .dropTable(let name), .renameTable(let name, _): name
        case .copyRows(let copy): copy.source.table
        case .insertDefaultBytes(let bytes): bytes.sideTable
        case .deleteRows(let rows), .updateRows(let rows, _, _): rows.table
        case .dropColumn(_, let table), .renameColumn(_, _, let table): table
        case .numberRows(let numbering): numbering.table
        case .createIndex(_, let table), .dropIndex(_, let table): table
        }
    }

    /// The column that is dropped.
    var droppedColumn: String? {
        if case .dropColumn(let column, _) = self { column } else { nil }
    }

    /// A Boolean value that indicates whether a column is dropped or renamed, so that another one may have its name.
    var changesColumnNames: Bool {
        switch self {
        case .dropColumn, .renameColumn: true
        case .check, .stash, .createTable, .dropTable, .renameTable, .copyRows, .insertDefaultBytes, .deleteRows,
            .addColumn, .updateRows, .numberRows, .createIndex, .dropIndex:
            false
        }
    }

    /// A Boolean value that indicates whether rows of a table are written again, which needs space for both copies.
    var rewritesRows: Bool {
        switch self {
        case .stash, .copyRows, .insertDefaultBytes, .dropColumn, .updateRows, .numberRows: true
        case .check, .createTable, .dropTable, .renameTable, .deleteRows, .addColumn, .renameColumn, .createIndex,
            .dropIndex:
            false
        }
    }

    /// A Boolean value that indicates whether the change creates an index of a uniqueness constraint.
    var createsUniqueIndex: Bool {
        if case .createIndex(let index, _) = self { index.isUnique } else { false }
    }
}

/// The temporary table whose constraint fails if a check fails.
let checkTableName = "_check"
