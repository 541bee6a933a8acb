internal import ChordataModel
internal import ChordataSQL

/// The rows of one old entity, and the entity whose rows they become; neither is abstract.
struct RowFlow: Hashable {
    var source: String
    var destination: String
    /// The table that they are in.
    var origin: String
}

/// The source of a column's value in some rows.
struct ColumnValue: Hashable {
    /// The column of the old row that has the unchanged value.
    var origin: String?
    /// The value if it is not the unchanged value of a column.
    var expression: ValueExpression?
    /// The constant for rows without a value.
    var fill: ValueExpression?

    /// The value as an expression over the old row.
    var value: ValueExpression {
        let value = expression ?? origin.map { .column($0) }
        guard let fill else { return value ?? .null }
        return value.map { .firstOf([$0, fill]) } ?? fill
    }

    /// A Boolean value that indicates whether old rows have no value.
    var isEmpty: Bool { origin == nil && expression == nil }
}

/// A column of a table of entities, and the source of its values.
struct ColumnPlan {
    let column: Column
    /// The values by old entity, for the rows whose new entity has the column.
    var values: [String: ColumnValue] = [:]
    /// The old column that is the same if no rows have it: its entity and all its subentities are abstract.
    var emptyOrigin: String?
    /// The changes of the model that the column follows.
    var causes: [ModelChange] = []
    /// A Boolean value that indicates whether the column may take one of several references, the oldest.
    var takesOldest = false

    /// The old columns whose unchanged values it has.
    var origins: Set<String> {
        if values.isEmpty, let emptyOrigin { return [emptyOrigin] }
        return Set(values.values.compactMap { $0.expression == nil ? $0.origin : nil })
    }
}

/// A column of an old table that is dropped.
struct DroppedColumn {
    let name: String
    let causes: [ModelChange]
}

/// A table of entities, and its change.
struct TablePlan {
    let table: Table
    /// The old table that it replaces: other tables reference it during the whole migration.
    let existingTable: Table?
    /// The temporary name of a rebuilt table, while the old tables exist.
    let newName: String
    let flows: [RowFlow]
    let columns: [ColumnPlan]
    /// The columns of the existing table that it does not have.
    let droppedColumns: [DroppedColumn]
    /// A Boolean value that indicates whether the table is rebuilt instead of altered.
    let isRebuilt: Bool

    /// The old table that is altered; `nil` for a new or rebuilt table.
    var alteredTable: Table? { isRebuilt ? nil : existingTable }
    /// Its temporary name, before all tables get their final names.
    var currentName: String { existingTable?.name ?? newName }
}

/// A join table, and the source of its rows.
struct JoinTablePlan {
    let table: Table
    /// The old join table that it continues, if it need not be rebuilt.
    let existingTable: Table?
    let newName: String
    let links: [LinkSource]
    /// A Boolean value that indicates whether join rows of deleted objects may remain.
    let mayDangle: Bool
    let causes: [ModelChange]

    var currentName: String { existingTable?.name ?? newName }
}

/// A table of bytes that are stored externally, and the source of its rows.
struct ExternalTablePlan {
    /// The location of the bytes of some rows.
    struct Bytes: Hashable {
        var table: String
        var column: String
    }

    let table: Table
    let existingTable: Table?
    let newName: String
    /// The table and the column of the length of the bytes.
    let owner: Bytes
    let bytes: [Bytes]
    /// The constant for rows without bytes.
    let fill: ValueExpression?
    /// A Boolean value that indicates whether bytes of deleted rows may remain.
    let mayDangle: Bool
    let causes: [ModelChange]

    var currentName: String { existingTable?.name ?? newName }
}
