/// A condition on a row.
indirect enum RowCondition: Sendable, Hashable {
    /// Every row meets it.
    case always
    /// The row belongs to one of these entities.
    case isOf(Set<String>)
    case isNull(String)
    case isNotNull(String)
    /// The value of a column does not fit into another type.
    case isMisfit(String, ValueConversion.Misfit)
    /// A column does not reference one of these rows; without any selection, no row can be referenced.
    case isDangling(String, [RowSelection]?)
    /// The row that a column references does not reference this row.
    case hasNoInverse(InverseColumns)
    case all([RowCondition])
    case any([RowCondition])

    /// Returns the condition that two conditions are met; the first one may be missing.
    static func both(_ first: RowCondition?, and second: RowCondition) -> RowCondition {
        first.map { .all([$0, second]) } ?? second
    }
}

/// Two columns that reference each other's rows.
struct InverseColumns: Sendable, Hashable {
    var table: String
    var column: String
    var otherTable: String
    var otherColumn: String

    /// The same columns, seen from the other end.
    var reversed: InverseColumns {
        InverseColumns(table: otherTable, column: otherColumn, otherTable: table, otherColumn: column)
    }
}

/// The rows of a table that meet a condition.
struct RowSelection: Sendable, Hashable {
    var table: String
    /// The condition, or `nil` for all rows.
    var condition: RowCondition?
}
