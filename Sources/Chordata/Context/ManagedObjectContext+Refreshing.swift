internal import ChordataSQL

// Reading again what the store has.

extension ManagedObjectContext {
    /// Updates an object with the values in the store.
    ///
    /// An object that was never saved or is marked for deletion does not change.
    ///
    /// - Parameters:
    ///   - object: An object of this context. An object of another context traps.
    ///   - mergeChanges: `true` to read the row and keep the object's unsaved changes; `false` to discard them and turn
    ///     the object into a fault. An object that unsaved to-one relationships of other objects reference does not
    ///     become a fault: its row is read immediately, and it remains an updated object, because those changes belong
    ///     to the other objects.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        let access = beginAccess()
        defer { access.end() }
        if object.isDeletedAndDetached { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' can only be refreshed in its own context"
        )
        guard object.state == .clean || object.state == .updated else { return }
        endReading()  // The newest is wanted.
        if mergeChanges {
            guard !object.isFault else { return }
            var changed: PropertyMask?
            if let row = readOrRecord({ try readRowSnapshot(of: object) }) {
                changed = object.fieldsThatMayDiffer(from: row)
                willChangeObservedMembers(of: object)
                assign(row.values, version: row.version, to: object)
                forgetOwnToMany(of: object)
                readOrRecord { try settleOneToOnes(of: object, row.values) }
            }
            recordRefresh(of: object, fields: changed)
        } else {
            if object.state == .updated { undoChanges(of: object) }
            if object.state == .clean { turnIntoFault(object) }
            mergePostponedDeletions(of: [IdentityMap.Key(of: object)])
            event.refreshed.append(object)
        }
        scheduleProcessing?()
    }

    /// Forgets the unsaved changes of an object, at both ends of its relationships.
    ///
    /// It still has changes where others reference it by their own to-ones, and where it referenced objects to be
    /// deleted.
    private func undoChanges(of object: ManagedObject) {
        let type = object.entityType
        let changed = object.changes?.changed ?? PropertyMask()
        let isRelated = type.relationships.contains { $0.map { changed.contains($0.field) } == true }
        guard isRelated, let row = readOrRecord({ try readRowSnapshot(of: object) }) else {
            object.state = .clean
            return dropChanges(of: object)
        }
        restore(object, to: row)
        for case let relationship? in type.relationships {
            if !relationship.description.isToMany {
                let reference = object.toOneReference(at: relationship.field)
                let target = registered(key: reference.pointee.key, rootIndex: relationship.destinationRootIndex)
                if target?.state == .deleted { reference.pointee = ToOneSlot() }
            } else if relationship.description.isOrdered, relationship.inverseToOne != nil {
                // The order is its own, the members are not.
                let reference = object.toManyReference(at: relationship.field)
                guard let members = reference.pointee.storage?.array, changed.contains(relationship.field) else {
                    continue
                }
                object.changes?.changePendingToMany(of: relationship.field) { $0.arrivals = members }
                reference.pointee.storage = nil
            }
        }
        readOrRecord { try rebase(object, onto: row) }
    }

    /// Turns all objects without unsaved changes into faults, and releases the objects that only the context
    /// references.
    ///
    /// The row of a fault is read again on access (rule N6 of <doc:Core-Data-Rules>).
    ///
    /// Faults do not reference each other, so objects that were referenced only by each other are released too. If the
    /// context has observers, the objects are released after the observers have been notified.
    public func refreshAllObjects() {
        let access = beginAccess()
        defer { access.end() }
        readError = nil
        endReading()
        let isObserved = isObserved
        forEachRegistered { object in
            guard object.state == .clean, !object.isFault else { return }
            turnIntoFault(object)
            // Observers get the object, and the context releases it after them.
            if isObserved { event.refreshed.append(object) }
        }
        if !event.isEmpty { scheduleProcessing?() }
        if isObserved { registry.requestSweep() } else if !isProcessing { sweep() }
    }

    /// Brings objects up to their rows, under their unsaved changes; those whose row was deleted stay as they are.
    /// - Returns: Those whose row is another one than that which was read before.
    func refreshRows(of keys: [Int64], type: RuntimeEntity) throws -> [ManagedObject] {
        var changed: [ManagedObject] = []
        // Observers may read the store, so they are notified after the statement has ended.
        for row in try readPersistedRows(of: keys, inTableOf: type) {
            guard let object = registered(key: row.key, rootIndex: type.rootIndex) else { continue }
            guard try refresh(object, from: row) else { continue }
            try settleOneToOnes(of: object, row.values)
            changed.append(object)
        }
        return changed
    }

    /// Brings an object up to a row that was read.
    /// - Returns: Whether the row is another one than that which was read before.
    func refresh(_ object: ManagedObject, from row: RowSnapshot) throws(StoreError) -> Bool {
        try checkEntity(of: object, is: row.values.entityType)
        willChangeObservedMembers(of: object)
        forgetOwnToMany(of: object)
        if row.version == object.version {
            // Until it is saved, a parent's object has one version, whatever is set.
            guard parent != nil, !object.hasValues(of: row) else { return false }
        }
        forgetToMany(around: object)
        assign(row.values, version: row.version, to: object)
        forgetToMany(around: object)
        return true
    }

    /// Brings objects without unsaved changes up to the rows that a fetch found.
    // Untyped: where a typed error meets one that is not, Swift 6.3 optimizes this function into code that its own
    // verifier rejects.
    func refreshRefetchedObjects() throws {
        guard let rows = refetchedRows, !rows.isEmpty else { return }
        refetchedRows = []
        for row in rows {
            guard let object = registered(key: row.key, rootIndex: row.values.entityType.rootIndex),
                object.state == .clean, !object.isFault, try refresh(object, from: row)
            else { continue }
            try settleOneToOnes(of: object, row.values)
            event.refreshed.append(object)
            scheduleProcessing?()
        }
    }

    /// Makes sure that a row is of the entity that its object has here: memory is laid out by that.
    func checkEntity(of object: ManagedObject, is type: RuntimeEntity) throws(StoreError) {
        guard object.withEntityType({ $0 !== type }) else { return }
        throw StoreError(
            .incompatibleModel,
            "row \(object.key) of '\(type.mapping.tableName)' is now of entity '\(type.entity.name)', but was of "
                + "'\(object.entityType.entity.name)' when it was read; call reset() on the context",
            path: store.path
        )
    }
}

extension ManagedObject {
    /// The fields that may differ from a row, and the to-many relationships, which are read again with it.
    fileprivate func fieldsThatMayDiffer(from row: RowSnapshot) -> PropertyMask {
        var mask = PropertyMask()
        for field in entityType.fields {
            let isSame: Bool
            if field.kind.base == .toMany || field.kind.base == .external {
                // Of bytes beside the row only the number is known.
                isSame = false
            } else if field.columnName == nil {
                isSame = true
            } else if field.kind.base == .toOne {
                isSame = toOneReference(field).pointee.key == row.values.key(of: field)
            } else {
                isSame =
                    fieldsAreEqual(field.kind, address(of: field), row.values.address(of: field))
                    && changes?.unset.contains(field.index) ?? false == row.values.unset.contains(field.index)
            }
            if !isSame { mask.insert(field.index) }
        }
        return mask
    }

    /// Returns a Boolean value that indicates whether what was not changed here is as a row has it.
    fileprivate func hasValues(of row: RowSnapshot) -> Bool {
        entityType.columnFields.allSatisfy { field in
            if changes?.changed.contains(field.index) == true { return true }
            if field.kind.base == .toOne { return toOneReference(field).pointee.key == row.values.key(of: field) }
            return fieldsAreEqual(field.kind, address(of: field), row.values.address(of: field))
        }
    }
}
