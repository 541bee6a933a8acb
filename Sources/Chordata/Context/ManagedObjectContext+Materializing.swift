internal import ChordataModel
internal import ChordataSQL

// From a row to its object.

extension ManagedObjectContext {
    /// The object of a row: the known one, filled if it was a fault, or a new one.
    func materialize(_ statement: SQLiteStatement, _ projection: Projection) throws -> ManagedObject {
        let member = try projection.member(of: statement)
        if projection.entityColumn != nil,
            let known = registered(key: statement.integer(at: 0), rootIndex: member.type.rootIndex)
        {
            try checkEntity(of: known, is: member.type)
        }
        return try materialize(statement, member)
    }

    func materialize(_ statement: SQLiteStatement, _ member: Projection.Member) throws(UnreadableValueError)
        -> ManagedObject
    {
        let key = statement.integer(at: 0)
        let type = member.type
        if let known = registered(key: key, rootIndex: type.rootIndex) {
            // A known object keeps what it has until it is refreshed.
            if known.isFault {
                try fill(known, from: statement, member, isNew: false)
            } else if refetchedRows != nil, known.state == .clean {
                refetchedRows?.append(try persistedRow(statement, member))
            }
            return known
        }
        let object = type.objectClass.init(ObjectInitialization(type))
        object.key = key
        try fill(object, from: statement, member, isNew: true)
        register(object)
        return object
    }

    /// Sets what a row has.
    /// - Parameter isNew: Whether the object was just made, so that there is nothing yet in its fields to be released.
    @inline(__always)
    private func fill(
        _ object: ManagedObject,
        from statement: SQLiteStatement,
        _ member: Projection.Member,
        isNew: Bool
    ) throws(UnreadableValueError) {
        if !isNew {
            object.slowPath.remove(.fault)
            if let changes = object.changes { changes.batch = nil }
        }
        if member.type.hooks.awakeFromFetch != nil, callsHooks { awakening.append(object) }
        object.version = statement.integer(at: 1)
        let base = object.fieldBase
        let values = statement.values
        let mistyped = member.checksTypes ? member.mistypedFields(in: values) : []
        for row in member.fields {
            let (field, column) = (row.field, row.column)
            if field.kind.base == .toOne {
                let reference = (base + field.offset).assumingMemoryBound(to: ToOne.self)
                let key = values.integer(at: column)
                if !isNew, reference.pointee.key != key { reference.pointee.object = nil }
                reference.pointee.key = key
            } else if decodeField(field.kind, at: base + field.offset, values, column, isNew: isNew),
                field.isRequired
            {
                noteMissingValue(of: object, field)
            }
        }
        if !mistyped.isEmpty { emptyFields(mistyped, of: object, statement, member) }
        if statement.unreadableColumn >= 0 { try noteUnreadableValue(of: object, statement, member) }
    }

    /// A NULL where the model wants a value: the getter gives zero, and a save fails until it is set.
    private func noteMissingValue(of object: ManagedObject, _ field: ColumnField) {
        let changes = object.changes ?? ObjectChanges(of: object)
        changes.unset.insert(field.index)
        object.changes = changes
    }

    /// Reads the row of an object that has only its key.
    ///
    /// When the row is gone the object has zero values from then on, as Core Data's inaccessible faults have `nil` (N9): there is no
    /// `shouldDeleteInaccessibleFaults`. It is not deleted, because nobody here has deleted it.
    func fulfillFault(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        readOrTrap {
            if let batch = object.changes?.batch {
                try readRows(of: batch, type: object.entityType)
            } else {
                try readRow(key: object.key, type: object.entityType)
            }
        }
        object.slowPath.remove(.fault)
    }
}
