internal import ChordataSQL

// Objects that are updated to rows which were read again.

extension ObjectEditor {
    /// Brings objects up to their rows, under their unsaved changes; those whose row was deleted stay as they are.
    /// - Returns: Those whose row is another one than that which was read before.
    func refreshRows(of keys: [Int64], type: RuntimeEntity) throws -> [ManagedObject] {
        var changed: [ManagedObject] = []
        // Observers may read the store, so they are notified after the statement has ended.
        for row in try reader.readPersistedRows(of: keys, inTableOf: type) {
            guard let object = graph.registered(key: row.key, rootIndex: type.rootIndex) else { continue }
            guard try refresh(object, from: row) else { continue }
            try settleOneToOnes(of: object, row.values)
            changed.append(object)
        }
        return changed
    }

    /// Brings an object up to a row that was read.
    /// - Returns: `true` if the row is another one than that which was read before.
    func refresh(_ object: ManagedObject, from row: RowSnapshot) throws(StoreError) -> Bool {
        try reader.checkEntity(of: object, is: row.values.runtimeEntity)
        graph.willChangeObservedMembers(of: object)
        forgetOwnToMany(of: object)
        if row.version == object.version {
            // Until it is saved, a parent's object has one version, whatever is set.
            guard reader.parentOverlay != nil, !object.hasValues(of: row) else { return false }
        }
        forgetToMany(around: object)
        graph.assign(row.values, version: row.version, to: object)
        forgetToMany(around: object)
        return true
    }

    /// Updates objects without unsaved changes to the rows that a fetch has read.
    // Untyped: where a typed error meets one that is not, Swift 6.3 optimizes this function into code that its own
    // verifier rejects.
    func refreshRefetchedObjects(_ rows: [RowSnapshot]) throws {
        for row in rows {
            guard let object = graph.registered(key: row.key, rootIndex: row.values.runtimeEntity.rootIndex),
                object.state == .clean, !object.isFault, try refresh(object, from: row)
            else { continue }
            try settleOneToOnes(of: object, row.values)
            graph.recordRefresh(of: object)
            graph.executor.scheduleProcessing()
        }
    }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether what was not changed here is as a row has it.
    fileprivate func hasValues(of row: RowSnapshot) -> Bool {
        runtimeEntity.columnFields.allSatisfy { field in
            if changes?.changed.contains(field.index) == true { return true }
            if field.kind.base == .toOne { return toOneReference(field).pointee.key == row.values.key(of: field) }
            return fieldsAreEqual(field.kind, address(of: field), row.values.address(of: field))
        }
    }
}
