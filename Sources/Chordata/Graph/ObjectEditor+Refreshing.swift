internal import ChordataSQL

// Updating objects with rows that were read again.

extension ObjectEditor {
    /// Updates objects with their rows, but keeps their unsaved changes; objects whose rows were deleted are not
    /// changed.
    /// - Returns: The objects whose rows have changed since they were last read.
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

    /// Updates an object with a row that was read.
    /// - Returns: `true` if the row has changed since it was last read.
    func refresh(_ object: ManagedObject, from row: RowSnapshot) throws(StoreError) -> Bool {
        try reader.checkEntity(of: object, is: row.values.runtimeEntity)
        graph.willChangeObservedMembers(of: object)
        forgetOwnToMany(of: object)
        if row.version == object.version {
            // An object of a parent keeps its version until it is saved, regardless of the values that are set.
            guard reader.parentOverlay != nil, !object.hasValues(of: row) else { return false }
        }
        forgetToMany(around: object)
        graph.assign(row.values, version: row.version, to: object)
        forgetToMany(around: object)
        return true
    }

    /// Updates objects without unsaved changes to the rows that a fetch has read.
    // The error is untyped: where typed and untyped errors meet, Swift 6.3 optimizes this function into code that its
    // own verifier rejects.
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
    /// Returns a Boolean value that indicates whether the properties without unsaved changes have the values of a row.
    fileprivate func hasValues(of row: RowSnapshot) -> Bool {
        runtimeEntity.columnFields.allSatisfy { field in
            if changes?.changed.contains(field.index) == true { return true }
            if field.kind.base == .toOne { return toOneReference(field).pointee.key == row.values.key(of: field) }
            return fieldsAreEqual(field.kind, address(of: field), row.values.address(of: field))
        }
    }
}
