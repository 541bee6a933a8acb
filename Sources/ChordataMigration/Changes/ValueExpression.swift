internal import ChordataModel
internal import ChordataSQL

/// A value that is computed from a row.
indirect enum ValueExpression: Sendable, Hashable {
    case null
    case constant(AttributeValue)
    /// The unchanged value of a column.
    case column(String)
    /// The value of a column in another type.
    case converted(String, ValueConversion.Function)
    /// The number of bytes in a column.
    case byteCount(String)
    /// The bytes of a row in a side table.
    case externalBytes(sideTable: String, table: String)
    /// A column of the oldest of the pairs that reference a row.
    case oldest(column: String, of: LinkSource, table: String)
    /// The first value that is not NULL.
    case firstOf([ValueExpression])
    /// A value for each old entity of a row.
    case byEntity([EntityValue])

    /// The value of the rows of an old entity.
    struct EntityValue: Sendable, Hashable {
        var entity: String
        var value: ValueExpression
    }

    /// Returns the default value of an attribute as a column stores it.
    static func defaultValue(_ value: AttributeValue) -> ValueExpression {
        isStoredAsNull(value) ? .null : .constant(value)
    }
}
