// Which object is that of a row, and for how long.

extension ManagedObjectContext {
    func entityType(for objectClass: ManagedObject.Type) -> EntityType {
        if let last = lastEntityType, last.objectClass == objectClass { return last }
        guard let type = schema.entityType(of: objectClass) else {
            preconditionFailure("class \(objectClass) is not of an entity of this context's model")
        }
        lastEntityType = type
        return type
    }

    /// The entity of an identity, which another container of the same file may have given.
    func entityType(of objectID: ManagedObjectID) -> EntityType {
        guard let type = ownEntityType(of: objectID) else {
            preconditionFailure("\(objectID) is of another store than this context's, \(store.identifier)")
        }
        return type
    }

    func ownEntityType(of objectID: ManagedObjectID) -> EntityType? {
        let type = objectID.entityType
        if schema.entityTypes.indices.contains(type.index), schema.entityTypes[type.index] === type { return type }
        return type.storeUUID == store.identifier ? schema.entityType(named: type.entity.name) : nil
    }

    /// The object with that identity if the context knows it already.
    public func registeredObject(for objectID: ManagedObjectID) -> ManagedObject? {
        guard attachedStore != nil, let type = ownEntityType(of: objectID) else { return nil }
        return registered(key: objectID.key, rootIndex: type.rootIndex)
    }

    /// The object with that identity: the known one, or a new fault, without looking whether there is a row.
    public func object(with objectID: ManagedObjectID) -> ManagedObject {
        if let known = registeredObject(for: objectID) { return known }
        let type = entityType(of: objectID)
        return object(forKey: objectID.key, type: type) ?? makeFault(key: objectID.key, type: type)
    }

    func changeKey(of object: ManagedObject, to key: Int64) {
        let old = IdentityMap.Key(of: object)
        identityMaps[object.entityType.rootIndex].removeObject(forKey: object.key)
        object.key = key
        observation?.changeKey(from: old, to: IdentityMap.Key(of: object))
        identityMaps[object.entityType.rootIndex].insert(object)
    }

    func registered(key: Int64, rootIndex: Int) -> ManagedObject? { identityMaps[rootIndex].object(forKey: key) }

    func register(_ object: ManagedObject) {
        object.contextReference = Unmanaged.passUnretained(self)
        identityMaps[object.withEntityType(\.rootIndex)].insert(object)
        registrationsSinceSweep += 1
        if observation != nil { object.slowPath.insert(.observable) }
    }

    func unregister(_ object: ManagedObject) {
        endObservation(of: object)
        // One that gave way to another object has the other's identity.
        let rootIndex = object.withEntityType(\.rootIndex)
        if registered(key: object.key, rootIndex: rootIndex) === object {
            identityMaps[rootIndex].removeObject(forKey: object.key)
        }
        object.leaveContext()
    }

    /// An object whose row is read on first access.
    func makeFault(key: Int64, type: EntityType) -> ManagedObject {
        let object = type.objectClass.init(ObjectInitialization(type))
        object.key = key
        object.slowPath = .fault
        object.version = -1  // There is a row; its version is read with it.
        register(object)
        return object
    }

    /// Lets go of the objects that nobody else holds and that have no unsaved changes.
    func sweep() {
        if schema.hasFaultHooks, callsHooks {
            for index in identityMaps.indices {
                // Hooks may use the context, so they run before the map is taken apart.
                let unheld = identityMaps[index].unheldObjects { $0.entityType.hooks.turnsIntoFault && !$0.isFault }
                for object in unheld {
                    observation?.forget(IdentityMap.Key(of: object))
                    turnIntoFault(object)
                }
            }
        }
        for index in identityMaps.indices { identityMaps[index].sweep() }
        forgetObservationOfReleased()
        registrationsSinceSweep = 0
        survivorsOfSweep = identityMaps.reduce(0) { $0 + $1.count }
    }

    /// Lets go of the objects of rows that were saved, where nobody else holds them (N5).
    func releaseObjects(of keys: [IdentityMap.Key]) {
        // Looking at all in their order costs less than looking for many.
        if keys.count * 4 > identityMaps.reduce(0, { $0 + $1.count }) { return sweep() }
        for key in keys {
            if schema.hasFaultHooks, identityMaps[key.rootIndex].isUnheld(key.key),
                let object = registered(key: key.key, rootIndex: key.rootIndex)
            {
                observation?.forget(key)
                turnIntoFault(object)
            }
            identityMaps[key.rootIndex].releaseObject(forKey: key.key)
            forgetObservation(of: key)
        }
    }

    /// Makes an object without unsaved changes a fault again, whose row is read when somebody looks at it.
    func turnIntoFault(_ object: ManagedObject) {
        guard !object.isFault else { return }
        willChangeObserved(object)
        let hooks = object.entityType.hooks
        if callsHooks, let willTurnIntoFault = hooks.willTurnIntoFault {
            object.isAwakening = true
            willTurnIntoFault(object)
            object.isAwakening = false
        }
        object.slowPath.insert(.fault)
        object.changes = nil
        breakCycles(of: object)
        if callsHooks { hooks.didTurnIntoFault?(object) }
    }

    /// Lets an object hold no others, which would hold it in turn; what its relationships lead to is found again when somebody asks.
    func breakCycles(of object: ManagedObject) {
        let base = object.fieldBase
        object.withEntityType { type in
            for offset in type.toOneOffsets {
                (base + offset).assumingMemoryBound(to: ToOne.self).pointee.object = nil
            }
            for toMany in type.toManys {
                (base + toMany.offset).assumingMemoryBound(to: ToMany.self).pointee.storage = nil
            }
        }
    }

    /// Empties the relationships of an object that has left the context: its attributes are as they were, but it leads nowhere.
    func emptyRelationships(of object: ManagedObject) {
        let base = object.fieldBase
        object.withEntityType { type in
            for offset in type.toOneOffsets {
                (base + offset).assumingMemoryBound(to: ToOne.self).pointee = ToOne()
            }
            for toMany in type.toManys {
                (base + toMany.offset).assumingMemoryBound(to: ToMany.self).pointee.storage =
                    ToManyStorage.make(isOrdered: toMany.isOrdered)
            }
        }
    }
}
