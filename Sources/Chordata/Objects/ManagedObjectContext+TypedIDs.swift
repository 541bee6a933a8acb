extension ObjectID {
    /// Creates the typed object ID of an object.
    public init(_ object: Object) { self.init(key: object.objectID.key) }

    /// Creates the typed object ID from a managed object ID.
    ///
    /// The initializer returns `nil` if the ID's entity does not have the class `Object` or a subclass. If an ID comes
    /// from a to-one relationship and the row of the destination has not been read, the entity of the ID is the
    /// relationship's destination entity, which can be a superentity of the object's entity.
    public init?(_ objectID: ManagedObjectID) {
        guard objectID.runtimeEntity.objectClass is Object.Type else { return nil }
        self.init(key: objectID.key)
    }
}

extension ManagedObjectContext {
    /// Returns the managed object ID for a typed object ID, in the store of the context.
    ///
    /// The existence of the row is not checked.
    /// - Returns: The managed object ID, with the entity of the class `Object`.
    public func managedObjectID<Object: ManagedObject>(for objectID: ObjectID<Object>) -> ManagedObjectID {
        ManagedObjectID(runtimeEntity: runtimeEntity(for: Object.self), key: permanentKey(of: objectID))
    }

    /// Returns the object with an object ID: the [registered](doc:Glossary#Objects) object, or a new fault, whose row
    /// is read when a property is accessed.
    ///
    /// The method reads the store only if the object is not registered and its entity has a superentity or subentities,
    /// because the row then determines the class of the object.
    /// - Returns: The object; `nil` when the row is of another class, or when the method reads the store and there is
    ///   no row.
    public func object<Object: ManagedObject>(with objectID: ObjectID<Object>) -> Object? {
        graph.sweepIfDue()
        return reader.object(forKey: permanentKey(of: objectID), type: runtimeEntity(for: Object.self)) as? Object
    }

    /// Returns the object with an object ID and reads its row if necessary.
    ///
    /// The store is not read if the object is [registered](doc:Glossary#Objects) in the context and is not a fault.
    /// - Returns: The object, which is not a fault.
    /// - Throws: ``MissingObjectError`` when the object has no row or the row is of another class,
    ///   ``UnreadableValueError`` when the row has a value of another type than its attribute, ``StoreError`` when the
    ///   store cannot be read.
    public func existingObject<Object: ManagedObject>(with objectID: ObjectID<Object>) throws -> Object {
        graph.sweepIfDue()
        let type = runtimeEntity(for: Object.self)
        guard let object = try reader.existingObject(forKey: permanentKey(of: objectID), type: type) as? Object else {
            throw MissingObjectError(objectID: ManagedObjectID(runtimeEntity: type, key: objectID.key))
        }
        return object
    }

    func permanentKey<Object>(of objectID: ObjectID<Object>) -> Int64 {
        schema.provisionalKeys.permanentKey(for: objectID.key)
    }
}
