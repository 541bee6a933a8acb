extension ObjectID {
    /// Creates the object ID of an object.
    public init(_ object: Object) { self.init(key: object.objectID.key) }
}

extension ManagedObjectContext {
    /// Returns the object with an object ID: the known one, or a new fault, whose row is read when a property is
    /// accessed.
    ///
    /// Reads the store only where the row has to say of which class the object is.
    /// - Returns: The object; `nil` when the row is of another class, or, in a hierarchy of entities, when there is no
    ///   row.
    public func object<Object: ManagedObject>(with objectID: ObjectID<Object>) -> Object? {
        sweepIfDue()
        return object(forKey: permanentKey(of: objectID), type: entityType(for: Object.self)) as? Object
    }

    /// Returns the object with an object ID, read from the store unless it is known and no fault.
    /// - Returns: The object, which is not a fault.
    /// - Throws: ``MissingObjectError`` when there is no such row or it is of another class, ``UnreadableValueError``
    ///   when the row has a value of another type than its attribute, ``StoreError`` when the store cannot be read.
    public func existingObject<Object: ManagedObject>(with objectID: ObjectID<Object>) throws -> Object {
        sweepIfDue()
        let type = entityType(for: Object.self)
        guard let object = try existingObject(forKey: permanentKey(of: objectID), type: type) as? Object else {
            throw MissingObjectError(objectID: ManagedObjectID(entityType: type, key: objectID.key))
        }
        return object
    }

    private func permanentKey<Object>(of objectID: ObjectID<Object>) -> Int64 {
        schema.firstProvisionalKey.permanentKey(for: objectID.key)
    }
}
