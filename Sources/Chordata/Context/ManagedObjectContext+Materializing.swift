internal import ChordataModel
internal import ChordataSQL

// From a row to its object.

extension ManagedObjectContext {
    /// The object of a row: the known one, filled if it was a fault, or a new one.
    func materialize(_ statement: SQLiteStatement, _ projection: Projection) throws -> ManagedObject {
        let member = try projection.member(of: statement)
        if projection.entityColumn != nil { try checkEntity(of: statement, member) }
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
            } else if refreshesKnownObjects, known.state == .clean, refresh(known, from: statement, member) {
                event.refreshed.append(known)
                scheduleProcessing?()
            }
            return known
        }
        let object = type.objectClass.init(ObjectInitialization(type))
        object.key = key
        try fill(object, from: statement, member, isNew: true)
        register(object)
        return object
    }

    /// Makes sure that a row is of the entity that its object has here: memory is laid out by that.
    private func checkEntity(of statement: SQLiteStatement, _ member: Projection.Member) throws(StoreError) {
        let key = statement.integer(at: 0)
        guard let known = registered(key: key, rootIndex: member.type.rootIndex),
            known.withEntityType({ $0 !== member.type })
        else { return }
        throw StoreError(
            .incompatibleModel,
            "row \(key) of '\(member.type.mapping.tableName)' is of entity '\(member.type.entity.name)' now and was of "
                + "'\(known.entityType.entity.name)' when it was read; reset() the context",
            path: store.path
        )
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
