internal import ChordataModel
internal import ChordataSQL

// From a row to its object.

extension ManagedObjectContext {
    /// The object of a row: the known one, filled if it was a fault, or a new one.
    func materialize(_ statement: SQLiteStatement, _ projection: Projection) throws -> ManagedObject {
        try materialize(statement, projection.member(of: statement))
    }

    func materialize(_ statement: SQLiteStatement, _ member: Projection.Member) throws -> ManagedObject {
        let key = statement.integer(at: 0)
        if let known = registered(key: key, rootIndex: member.type.rootIndex) {
            try update(known, statement, member)
            return known
        }
        let object = try makeObject(statement, member)
        register(object)
        return object
    }

    /// A new object of a row whose object is not known; the caller registers it.
    @inline(__always)
    func makeObject(_ statement: SQLiteStatement, _ member: Projection.Member) throws -> ManagedObject {
        let object = member.type.objectClass.init(ObjectInitialization(member.type, in: self))
        object.key = statement.integer(at: 0)
        try fill(object, statement, member)
        return object
    }

    /// Fills a known object if it was a fault; otherwise it keeps what it has until it is refreshed.
    private func update(_ object: ManagedObject, _ statement: SQLiteStatement, _ member: Projection.Member) throws {
        try checkEntity(of: object, is: member.type)
        if object.isFault {
            readyToBeFilled(object, member)
            try fill(object, statement, member)
        } else if refetchedRows != nil, object.state == .clean {
            refetchedRows?.append(try persistedRow(statement, member))
        }
    }

    /// Gives an object that has the values of a new one those of its row.
    @inline(__always)
    private func fill(
        _ object: ManagedObject,
        _ statement: SQLiteStatement,
        _ member: Projection.Member
    ) throws(UnreadableValueError) {
        if member.type.hooks.awakeFromFetch != nil, callsHooks { awakening.append(object) }
        object.version = statement.integer(at: 1)
        let values = statement.values
        let mistyped = member.checksTypes ? member.mistypedFields(in: values) : []
        let missing = decodeFields(member.fields, at: object.fieldBase, values)
        if !missing.isEmpty { recordMissingValues(of: object, missing) }
        if !mistyped.isEmpty { emptyFields(mistyped, of: object, statement, member) }
        if statement.unreadableColumn >= 0 { try recordUnreadableValue(of: object, statement, member) }
    }

    /// Gives a fault that is about to get the values of its row those of a new object.
    @inline(never)
    private func readyToBeFilled(_ object: ManagedObject, _ member: Projection.Member) {
        object.slowPath.remove(.fault)
        if let changes = object.changes { changes.batch = nil }
        for row in member.fields {
            let address = object.fieldBase + row.field.offset
            if row.field.kind.base == .toOne {
                address.assumingMemoryBound(to: ToOneSlot.self).pointee.object = nil
            } else {
                emptyField(row.field.kind, at: address)
            }
        }
    }

    /// Gives a fault the values of its row, which was read before.
    func fill(_ object: ManagedObject, _ row: RowSnapshot) {
        if object.entityType.hooks.awakeFromFetch != nil, callsHooks { awakening.append(object) }
        object.slowPath.remove(.fault)
        if let changes = object.changes { changes.batch = nil }
        assign(row.values, version: row.version, to: object)
    }

    /// NULLs where the model wants values: their getters give zero, and a save fails until they are set.
    private func recordMissingValues(of object: ManagedObject, _ missing: PropertyMask) {
        let changes = object.changes ?? ObjectChanges(of: object)
        changes.unset.formUnion(missing)
        object.changes = changes
    }

    /// Reads the row of an object that has only its key.
    ///
    /// If the row no longer exists, the object has no values, as Core Data's inaccessible faults have `nil` (N9); there
    /// is no `shouldDeleteInaccessibleFaults`. The object is not marked as deleted, because this context did not delete
    /// it.
    func fulfillFault(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        readOrRecord {
            if let batch = object.changes?.batch {
                try readRows(of: batch, type: object.entityType)
            } else {
                try readRow(key: object.key, type: object.entityType)
            }
        }
        if object.isFault { object.clearValuesOfMissingRow() }
    }
}

extension ManagedObject {
    /// Clears the values of an object whose row does not exist, including those that were read before.
    ///
    /// Required attributes get the default of the model, or zero.
    final func clearValuesOfMissingRow() {
        for field in entityType.columnFields {
            if field.kind.base == .toOne {
                toOneReference(field).pointee = ToOneSlot()
            } else {
                emptyField(field.kind, at: address(of: field))
            }
        }
        for (field, value) in entityType.defaults where field.isRequired {
            _ = setAttributeValue(value, field.kind, at: address(of: field))
        }
        version = -1
        if let changes { changes.batch = nil }
        slowPath.remove(.fault)
    }

    /// A Boolean value that indicates whether the row was deleted before it was read.
    var isWithoutRow: Bool { version == -1 && !isFault }
}
