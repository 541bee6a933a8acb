internal import ChordataModel
internal import ChordataSQL

// Filling objects with the values of rows.

extension ObjectGraph {
    /// Resets a fault to the values of a new object, before it gets the values of its row.
    @inline(never)
    func prepareToFill(_ object: ManagedObject, _ member: Projection.Member) {
        object.slowPath.remove(.fault)
        if let changes = object.changes { changes.batchKeys = nil }
        for row in member.fields {
            let address = object.fieldBase + row.field.offset
            if row.field.kind.base == .toOne {
                address.assumingMemoryBound(to: ToOneSlot.self).pointee.object = nil
            } else {
                emptyField(row.field.kind, at: address)
            }
        }
    }

    /// Fills an object that has the values of a new object with the current row of a query.
    ///
    /// Values whose type differs from their attribute's type are missing in the object, and the row records the column
    /// of the first of them.
    @inline(__always)
    func fill(_ object: ManagedObject, _ row: StoreRow, _ member: Projection.Member) {
        switch row.columns {
        case .sqlite(let values): fill(object, from: values, member)
        case .cells(let values): fill(object, from: values, member)
        }
    }

    @inline(__always)
    private func fill<Row: RowValues>(_ object: ManagedObject, from values: Row, _ member: Projection.Member) {
        object.version = values.integer(at: 1)
        let mistyped = member.checksTypes ? member.mistypedFields(in: values) : []
        let missing = decodeFields(member.fields, at: object.fieldBase, values)
        if !missing.isEmpty { recordMissingValues(of: object, missing) }
        if !mistyped.isEmpty { emptyFields(mistyped, of: object, values) }
    }

    /// Fills a fault with the values of its row, which was already read.
    func fill(_ object: ManagedObject, _ row: RowSnapshot) {
        object.slowPath.remove(.fault)
        if let changes = object.changes { changes.batchKeys = nil }
        assign(row.values, version: row.version, to: object)
    }

    /// Records required attributes that are NULL in the row: getters return zero, and a save fails until they are set.
    private func recordMissingValues(of object: ManagedObject, _ missing: PropertyMask) {
        let changes = object.changes ?? ObjectChanges(of: object)
        changes.unset.formUnion(missing)
        object.changes = changes
    }

    /// Empties fields whose columns have values of another type.
    private func emptyFields<Row: RowValues>(_ fields: [MappedColumn], of object: ManagedObject, _ values: Row) {
        for row in fields {
            let (field, column) = (row.field, row.column)
            values.recordUnreadable(column)
            let address = object.fieldBase + field.offset
            if field.kind.base == .toOne {
                address.assumingMemoryBound(to: ToOneSlot.self).pointee = ToOneSlot()
                continue
            }
            emptyField(field.kind, at: address)
            guard field.isRequired else { continue }
            if object.changes == nil { object.changes = ObjectChanges(of: object) }
            object.changes?.unset.insert(field.index)
        }
    }

    /// Marks faults whose rows are read together, on the first access to one of them.
    func setBatch(of faults: [ManagedObject]) {
        let keys = faults.map(\.key)
        for object in faults {
            let changes = object.changes ?? ObjectChanges(of: object)
            changes.batchKeys = keys
            object.changes = changes
        }
    }
}

extension ManagedObject {
    /// Clears the values of an object whose row does not exist, including those that were read before.
    ///
    /// Required attributes get the default of the model, or zero.
    final func clearValuesOfMissingRow() {
        for field in runtimeEntity.columnFields {
            if field.kind.base == .toOne {
                toOneReference(field).pointee = ToOneSlot()
            } else {
                emptyField(field.kind, at: address(of: field))
            }
        }
        for (field, value) in runtimeEntity.defaults where field.isRequired {
            _ = setAttributeValue(value, field.kind, at: address(of: field))
        }
        version = -1
        if let changes { changes.batchKeys = nil }
        slowPath.remove(.fault)
    }

    /// A Boolean value that indicates whether the row was deleted before it was read.
    var isWithoutRow: Bool { version == -1 && !isFault }
}
