internal import ChordataModel
internal import ChordataSQL

// Values that another program wrote and that do not have their attribute's type. They are found while a row is read,
// without cost for valid rows, and reported afterwards.

extension RowReader {
    /// Reports that a row has a value that cannot be read, if an error can be thrown; otherwise, the property has no
    /// value.
    @inline(never)
    func recordUnreadableValue(of object: ManagedObject, _ row: StoreRow, _ member: Projection.Member)
        throws(UnreadableValueError)
    {
        // The field has no value, as for NULL: a save writes the field only if it was set.
        if !toleratesUnreadableValues {
            // A new object is not known to callers yet, and a registered object was a fault.
            object.slowPath.insert(.fault)
            cancelAwakening(of: object)
        }
        try reportUnreadableValue(key: object.key, row, member)
    }

    /// Throws the error of a value of a row that could not be read, unless such values are tolerated.
    ///
    /// The row's record of the value is cleared.
    @inline(never)
    func reportUnreadableValue(key: Int64, _ row: StoreRow, _ member: Projection.Member)
        throws(UnreadableValueError)
    {
        let column = row.unreadableColumn
        row.forgetUnreadable()
        if toleratesUnreadableValues { return }
        guard let error = UnreadableValueError(key: key, column: column, member) else {
            preconditionFailure(
                "column \(column) of row \(key) of '\(member.type.entity.name)' is not the column of a property"
            )
        }
        throw error
    }
}

extension Projection.Member {
    /// Returns the columns of the entity with values of another type, in a table in which SQLite does not check types.
    ///
    /// Call this method before a value is read, because reading a value converts it and changes its type.
    func mistypedFields<Row: RowValues>(in values: Row) -> [MappedColumn] {
        fields.filter { row in
            row.field.kind.storageType.map { values.isMistyped(row.column, as: $0) } == true
        }
    }
}

extension UnreadableValueError {
    /// Creates the error for a column of a row; `nil` if no field is read from the column.
    init?(key: Int64, column: Int32, _ member: Projection.Member) {
        guard let row = member.fields.first(where: { $0.column == column }) else { return nil }
        self.init(
            objectID: ManagedObjectID(runtimeEntity: member.type, key: key),
            field: member.type.fields[row.field.index]
        )
    }
}

extension FieldKind {
    /// The type of the column of a field of this kind; `nil` for a field without a column.
    var storageType: Column.StorageType? {
        switch base {
        case .int16, .int32, .int64, .bool, .external, .toOne, .objectID: .integer
        case .double, .float, .date: .real
        case .string, .url, .decimal: .text
        case .uuid, .data, .encoded: .blob
        case .any, .toMany: nil
        }
    }
}
