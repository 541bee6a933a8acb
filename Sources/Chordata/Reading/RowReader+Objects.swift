internal import ChordataModel
internal import ChordataSQL

// The objects of rows.

extension RowReader {
    /// Returns the object of a row: the registered object, which is filled if it was a fault, or a new object.
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

    /// Returns a new object for a row whose object is not registered; the caller registers the object.
    @inline(__always)
    func makeObject(_ row: StoreRow, _ member: Projection.Member) throws -> ManagedObject {
        let object = graph.makeObject(of: member.type, key: row.integer(at: 0))
        try fill(object, row, member)
        return object
    }

    /// Fills a registered object if it was a fault; otherwise, the object keeps its values until it is refreshed.
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

    /// Fills an object that has the values of a new object with the values of its row.
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

    /// Fills a fault with the values of its row, which was read before.
    func fill(_ object: ManagedObject, _ row: RowSnapshot) {
        if object.runtimeEntity.hooks.awakeFromFetch != nil, graph.callsHooks { awakenLater(object) }
        if marksUnreadObjects { object.slowPath.insert(.unread) }
        graph.fill(object, row)
    }

    /// Reads the row of an object that has only its key.
    ///
    /// If the row no longer exists, the object has no values; in Core Data, the properties of an inaccessible fault are
    /// `nil` (N9). There is no `shouldDeleteInaccessibleFaults`. The object is not marked as deleted, because this
    /// context did not delete it.
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
