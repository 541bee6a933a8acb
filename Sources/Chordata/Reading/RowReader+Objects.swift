internal import ChordataModel
internal import ChordataSQL

// From a row to its object.

extension RowReader {
    /// The object of a row: the known one, filled if it was a fault, or a new one.
    func materialize(_ row: StoreRow, _ projection: Projection) throws -> ManagedObject {
        try materialize(row, projection.member(of: row))
    }

    func materialize(_ row: StoreRow, _ member: Projection.Member) throws -> ManagedObject {
        let key = row.integer(at: 0)
        if let known = graph.registered(key: key, rootIndex: member.type.rootIndex) {
            try update(known, row, member)
            return known
        }
        let object = try makeObject(row, member)
        graph.register(object)
        return object
    }

    /// A new object of a row whose object is not known; the caller registers it.
    @inline(__always)
    func makeObject(_ row: StoreRow, _ member: Projection.Member) throws -> ManagedObject {
        let object = graph.makeObject(of: member.type, key: row.integer(at: 0))
        try fill(object, row, member)
        return object
    }

    /// Fills a known object if it was a fault; otherwise it keeps what it has until it is refreshed.
    private func update(_ object: ManagedObject, _ row: StoreRow, _ member: Projection.Member) throws {
        try checkEntity(of: object, is: member.type)
        if object.isFault {
            graph.prepareToFill(object, member)
            try fill(object, row, member)
        } else if updatesKnownObjects, object.state == .clean {
            let snapshot = RowSnapshot(row, member)
            if row.unreadableColumn >= 0 { try reportUnreadableValue(key: snapshot.key, row, member) }
            updateLater(to: snapshot)
        }
    }

    /// Gives an object that has the values of a new one those of its row.
    @inline(__always)
    private func fill(
        _ object: ManagedObject,
        _ row: StoreRow,
        _ member: Projection.Member
    ) throws(UnreadableValueError) {
        if member.type.hooks.awakeFromFetch != nil, graph.callsHooks { awakenLater(object) }
        if marksUnreadObjects { object.slowPath.insert(.unread) }
        graph.fill(object, row, member)
        if row.unreadableColumn >= 0 { try recordUnreadableValue(of: object, row, member) }
    }

    /// Gives a fault the values of its row, which was read before.
    func fill(_ object: ManagedObject, _ row: RowSnapshot) {
        if object.runtimeEntity.hooks.awakeFromFetch != nil, graph.callsHooks { awakenLater(object) }
        if marksUnreadObjects { object.slowPath.insert(.unread) }
        graph.fill(object, row)
    }

    /// Reads the row of an object that has only its key.
    ///
    /// If the row no longer exists, the object has no values, as Core Data's inaccessible faults have `nil` (N9); there
    /// is no `shouldDeleteInaccessibleFaults`. The object is not marked as deleted, because this context did not delete
    /// it.
    func fulfillFault(_ object: ManagedObject) {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        readOrRecord {
            if let keys = object.changes?.batchKeys {
                try readFaults(among: keys, type: object.runtimeEntity)
            } else {
                try readRow(key: object.key, type: object.runtimeEntity)
            }
        }
        if object.isFault { object.clearValuesOfMissingRow() }
    }
}
