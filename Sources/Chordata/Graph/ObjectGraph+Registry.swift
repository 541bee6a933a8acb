// The registration of objects by row keys, and their release.

extension ObjectGraph {
    func changeKey(of object: ManagedObject, to key: Int64) {
        unsaved.recordChange()
        let old = IdentityMap.Key(of: object)
        registry.changeKey(of: object, to: key, rootIndex: old.rootIndex)
        observation?.changeKey(from: old, to: IdentityMap.Key(of: object))
        guard notifier.hasObservers else { return }
        event.keys.objects.append(object)
        notifier.notifyOfKey(old.key, of: object)
    }

    /// Updates the to-one relationships of changed objects to new keys.
    /// - Parameters:
    ///   - newKeys: The new keys of objects without provisional keys, by old key, for each table.
    ///   - provisionalKeys: The permanent keys of objects that had provisional keys.
    func changeKeysOfToOnes(_ newKeys: [Int: [Int64: Int64]], _ provisionalKeys: ProvisionalKeys) {
        let isObserved = notifier.hasObservers
        var permanentKeys = provisionalKeys.snapshot()
        changedObjects.forEachUnretained { object in
            let base = object.fieldBase
            let isChanged = object.withRuntimeEntity { type in
                var isChanged = false
                for offset in type.toOneOffsets {
                    let reference = (base + offset).assumingMemoryBound(to: ToOneSlot.self)
                    let key = reference.pointee.key
                    let permanentKey = permanentKeys.permanentKey(for: key)
                    guard permanentKey != key else { continue }
                    reference.pointee.key = permanentKey
                    isChanged = true
                }
                guard !newKeys.isEmpty else { return isChanged }
                for relationship in type.relationshipFields where newKeys[relationship.rootIndex] != nil {
                    guard type.toOneOffsets.contains(relationship.offset) else { continue }
                    let reference = (base + relationship.offset).assumingMemoryBound(to: ToOneSlot.self)
                    guard let key = newKeys[relationship.rootIndex]?[reference.pointee.key] else { continue }
                    reference.pointee.key = key
                    isChanged = true
                }
                return isChanged
            }
            if isChanged, isObserved { event.keys.owners.append(object) }
        }
    }

    /// Updates relationships, and their values before the changes, to the new keys of objects.
    /// - Parameter newKeys: The new keys by old key, for each table.
    func changeKeysInRelationships(_ newKeys: [Int: [Int64: Int64]]) {
        forEachRegistered { object in
            for case let relationship? in object.runtimeEntity.relationships {
                guard let keys = newKeys[relationship.destinationRootIndex] else { continue }
                if relationship.description.isToMany {
                    guard let storage = object.toManyReference(at: relationship.field).pointee.storage else { continue }
                    if let removed = storage.changes?.removedKeys {
                        storage.changes?.removedKeys = Set(removed.map { keys[$0] ?? $0 })
                    }
                } else {
                    let reference = object.toOneReference(at: relationship.field)
                    if let new = keys[reference.pointee.key] { reference.pointee.key = new }
                    object.changes?.changeCommittedKey(of: relationship.field, by: keys)
                }
            }
            if object.isFault { object.changes?.batchKeys = nil }
        }
    }

    func registered(key: Int64, rootIndex: Int) -> ManagedObject? {
        registry.object(forKey: key, rootIndex: rootIndex)
    }

    /// Calls a closure for each registered object, except for objects that the closure registers.
    func forEachRegistered(_ body: (ManagedObject) -> Void) {
        // A copy, because the closure may register objects.
        let registry = registry
        registry.forEach(body)
    }

    func register(_ object: ManagedObject) {
        registry.insert(object, rootIndex: object.withRuntimeEntity(\.rootIndex))
        if observation != nil { object.slowPath.insert(.observable) }
    }

    /// Registers objects of one table, none of which is registered yet.
    func register(_ objects: [ManagedObject], rootIndex: Int) {
        registry.insert(contentsOf: objects, rootIndex: rootIndex)
        if observation != nil {
            for object in objects { object.slowPath.insert(.observable) }
        }
    }

    /// Returns a Boolean value that indicates whether no object of a table is registered, so that a new object is
    /// created for each of its rows.
    func knowsNone(rootIndex: Int) -> Bool { registry.count(rootIndex: rootIndex) == 0 }

    /// A Boolean value that indicates whether no object is registered.
    var knowsNone: Bool { registry.count == 0 }

    func unregister(_ object: ManagedObject) {
        endObservation(of: object)
        // An object that was replaced by another object has the key of that object.
        let rootIndex = object.withRuntimeEntity(\.rootIndex)
        if registered(key: object.key, rootIndex: rootIndex) === object {
            registry.removeObject(forKey: object.key, rootIndex: rootIndex)
        }
        object.leaveContext()
    }

    /// Creates an object of the context without registering it.
    /// - Parameter key: The key of its row; 0 if it has no row yet.
    @inline(__always)
    func makeObject(of type: RuntimeEntity, key: Int64 = 0) -> ManagedObject {
        let object = type.objectClass.init(ObjectInitialization(type, in: owner))
        object.key = key
        return object
    }

    /// Creates and registers the object of a row that another context has inserted.
    func makeObject(of row: ChangeSet.Row, _ values: RowStorage) -> ManagedObject {
        let object = makeObject(of: row.type, key: row.key)
        assign(values, version: row.version, to: object)
        register(object)
        return object
    }

    /// Detaches an object whose row another context has deleted; the object stays registered until the event ends.
    func detach(_ object: ManagedObject) {
        dropChanges(of: object)
        object.state = .detached
        object.detachmentReason = .deletion
    }

    /// Creates and registers an object whose row is read on the first access.
    func makeFault(key: Int64, type: RuntimeEntity) -> ManagedObject {
        let object = makeObject(of: type, key: key)
        object.slowPath = .fault
        object.version = -1  // There is a row; its version is read with it.
        register(object)
        return object
    }

    /// Releases unreferenced objects if more objects were registered since the last sweep than remained after it, and
    /// more than 1,000.
    ///
    /// This is called at the beginning of a fetch, a batch or a look-up, because only then no object in use is retained
    /// by the context alone.
    func sweepIfDue() {
        guard registry.isSweepDue, !notifier.isProcessing else { return }
        let count = registry.count
        guard sweep() * 2 > count else { return }
        // To-many relationships retain their members, and the members may retain the owner.
        releaseToOnes()
        sweep()
        sweep()
    }

    /// Releases the destinations of to-one relationships of objects without changes; each is found again by its key.
    private func releaseToOnes() {
        forEachRegistered { object in
            guard object.state == .clean, !object.isFault else { return }
            let base = object.fieldBase
            object.withRuntimeEntity { type in
                for offset in type.toOneOffsets {
                    (base + offset).assumingMemoryBound(to: ToOneSlot.self).pointee.object = nil
                }
            }
        }
    }

    /// Releases the objects that only the context retains and that have no unsaved changes.
    /// - Returns: The number of remaining objects.
    @discardableResult
    func sweep() -> Int {
        let callsFaultHooks = schema.hasFaultHooks && callsHooks
        // Hooks may use the context, so they run before the maps are changed.
        if callsFaultHooks { turnUnheldIntoFaults() }
        // Objects that a hook has just released are kept until their own hooks are called.
        let left = registry.sweep { callsFaultHooks && !$0.isFault && $0.runtimeEntity.hooks.turnsIntoFault }
        forgetObservationOfReleased()
        return left
    }

    /// Turns the objects that only the context retains into faults, and then the objects that these have released.
    private func turnUnheldIntoFaults() {
        var pending = registry.unheldObjects { !$0.isFault }
        while let object = pending.popLast() {
            // The hook of another object may have changed this object.
            guard object.state == .clean, !object.isFault else { continue }
            let targets = knownTargets(of: object)
            observation?.forget(IdentityMap.Key(of: object))
            turnIntoFault(object)
            for key in targets where registry.isUnheld(key) {
                if let target = registered(key: key.key, rootIndex: key.rootIndex), !target.isFault {
                    pending.append(target)
                }
            }
        }
    }

    /// Returns the keys of the objects in an object's relationships that are in memory.
    private func knownTargets(of object: ManagedObject) -> [IdentityMap.Key] {
        var targets: [IdentityMap.Key] = []
        for field in object.runtimeEntity.fields {
            if field.kind.base == .toOne, let target = object.toOneReference(field).pointee.object {
                targets.append(IdentityMap.Key(of: target))
            } else if field.kind.base == .toMany, let members = object.toManyReference(field).pointee.storage {
                targets += members.array.map { IdentityMap.Key(of: $0) }
            }
        }
        return targets
    }

    /// Releases the objects of saved rows that only the context retains (N5).
    func releaseObjects(of keys: [IdentityMap.Key]) {
        // Examining all objects in order costs less than looking up many of them.
        if keys.count * 4 > registry.count {
            sweep()
            return
        }
        for key in keys {
            if schema.hasFaultHooks, registry.isUnheld(key),
                let object = registered(key: key.key, rootIndex: key.rootIndex), object.state == .clean
            {
                observation?.forget(key)
                turnIntoFault(object)
            }
            registry.releaseObject(of: key)
            forgetObservation(of: key)
        }
    }

    /// Turns an object without unsaved changes into a fault again, whose row is read on the first access.
    func turnIntoFault(_ object: ManagedObject) {
        guard !object.isFault else { return }
        willChangeObserved(object)
        let hooks = object.runtimeEntity.hooks
        if callsHooks, let willTurnIntoFault = hooks.willTurnIntoFault {
            object.isAwakening = true
            willTurnIntoFault(object)
            object.isAwakening = false
        }
        object.slowPath.insert(.fault)
        object.changes = nil
        breakCycles(of: object)
        if !object.withRuntimeEntity(\.transientFields.isEmpty) { object.resetTransientValues() }
        if callsHooks { hooks.didTurnIntoFault?(object) }
    }

    /// Releases the objects that an object references, which could reference it in turn; its relationships are read
    /// again on access.
    func breakCycles(of object: ManagedObject) {
        let base = object.fieldBase
        object.withRuntimeEntity { type in
            for offset in type.toOneOffsets {
                (base + offset).assumingMemoryBound(to: ToOneSlot.self).pointee.object = nil
            }
            for toMany in type.toManys {
                (base + toMany.offset).assumingMemoryBound(to: ToManySlot.self).pointee.storage = nil
            }
        }
    }

    /// Empties the relationships of an object that has left the context: its attributes keep their values.
    func emptyRelationships(of object: ManagedObject) {
        let base = object.fieldBase
        object.withRuntimeEntity { type in
            for offset in type.toOneOffsets {
                (base + offset).assumingMemoryBound(to: ToOneSlot.self).pointee = ToOneSlot()
            }
            for toMany in type.toManys {
                (base + toMany.offset).assumingMemoryBound(to: ToManySlot.self).pointee.storage =
                    ToManyStorage.make(isOrdered: toMany.isOrdered)
            }
        }
    }

    /// Returns a Boolean value that indicates whether an object is of the destination entity of a relationship.
    ///
    /// Another program may have written the key of a row of another entity.
    func isDestination(_ object: ManagedObject, of relationship: RuntimeEntity.Relationship) -> Bool {
        schema.model.entity(
            object.runtimeEntity.entity.name,
            isKindOf: relationship.description.destinationEntityName
        )
    }
}
