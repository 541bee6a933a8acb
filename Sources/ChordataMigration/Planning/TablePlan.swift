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
    /// The column of the old row that has it as it is.
    var origin: String?
    /// An expression over the old row, for what is not one of its columns as they are.
    var expression: String?
    /// The value of rows without one, as a literal.
    var fill: String?

    /// The value as an expression over the old row.
    var sql: String {
        let value = expression ?? origin.map { quoteIdentifier($0) }
        guard let fill else { return value ?? "NULL" }
        return value.map { "coalesce(\($0), \(fill))" } ?? fill
    }
}

/// A column of a table of entities, and where its values come from.
struct ColumnPlan {
    let column: Column
    /// By old entity, for those rows whose new entity has the column.
    var values: [String: ColumnValue] = [:]
    /// The old column that is the same where no rows have it: its entity is abstract, with none below that is not.
    var emptyOrigin: String?
    /// The change that it follows.
    var causes: [ModelChange] = []
    var losesData = false
    var dependsOnData = false
}

/// A table of entities, and what becomes it.
struct TablePlan {
    let table: Table
    /// The old table in whose place it comes: others refer to it all along.
    let existingTable: Table?
    /// The temporary name of a rebuilt table, while the old tables exist.
    let newName: String
    let flows: [RowFlow]
    var columns: [ColumnPlan] = []
    /// A Boolean value that indicates whether the table is rebuilt instead of altered.
    var isRebuilt = false
    /// The columns of the existingTable that go when it is altered, with what asked for it.
    var droppedColumns: [(name: String, causes: [ModelChange])] = []

    /// Its temporary name, before all tables get their final names.
    var currentName: String { existingTable?.name ?? newName }
}

/// Pairs of objects as an old table holds them: names of columns.
struct LinkSource: Hashable {
    var table: String
    var source: String
    var destination: String
    /// The place among those of the source.
    var order: String?
    /// The place among those of the destination.
    var inverseOrder: String?

    /// The same seen from the other end.
    var reversed: LinkSource {
        LinkSource(
            table: table,
            source: destination,
            destination: source,
            order: inverseOrder,
            inverseOrder: order
        )
    }
}

/// A join table, and the pairs that go into it.
struct JoinTablePlan {
    let table: Table
    /// The old join table that it continues, if it need not be rebuilt.
    let existingTable: Table?
    let newName: String
    /// The source of its join rows.
    let links: [LinkSource]
    /// A Boolean value that indicates whether join rows of deleted objects may be left.
    let mayDangle: Bool
    let causes: [ModelChange]

    var currentName: String { existingTable?.name ?? newName }
}

/// A table of bytes that are stored externally, and what goes into it.
struct ExternalTablePlan {
    /// Bytes of some rows: names of a table and of its column.
    struct Bytes: Hashable {
        var table: String
        var column: String
    }

    let table: Table
    let existingTable: Table?
    let newName: String
    let bytes: [Bytes]
    /// The value of rows without one, as a literal.
    let fill: String?
    /// A Boolean value that indicates whether bytes of deleted rows may be left.
    let mayDangle: Bool
    let causes: [ModelChange]

    var currentName: String { existingTable?.name ?? newName }
}

/// All tables of the destination but Chordata's own.
struct MigrationTables {
    var entities: [TablePlan]
    var joins: [JoinTablePlan]
    var externals: [ExternalTablePlan]
}
