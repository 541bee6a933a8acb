// Access to objects by object ID.

extension ManagedObjectContext {
    func runtimeEntity(for objectClass: ManagedObject.Type) -> RuntimeEntity {
        graph.runtimeEntity(for: objectClass)
    }

    /// Returns the object with an object ID if it is [registered](doc:Glossary#Objects) in the context.
    ///
    /// The method does not read the store.
    /// - Returns: The object; `nil` when it is not registered or the object ID belongs to another store.
    public func registeredObject(for objectID: ManagedObjectID) -> ManagedObject? {
        guard reader.boundStore != nil, let type = reader.runtimeEntityInStore(of: objectID) else { return nil }
        return graph.registered(key: objectID.permanentKey, rootIndex: type.rootIndex)
    }

    /// Returns the object with an object ID: the [registered](doc:Glossary#Objects) object, or a new fault.
    ///
    /// The existence of the row is not checked. The row is read only when the object is not registered and the entity
    /// of the object ID has subentities.
    /// - Parameter objectID: An object ID of the context's store. Passing an ID of another store traps.
    /// - Returns: The object. If there is no row, the object is a fault. When it is accessed, optional properties are
    ///   `nil`, required attributes have the default of the model or zero, and to-many relationships are empty.
    public func object(with objectID: ManagedObjectID) -> ManagedObject {
        graph.sweepIfDue()
        if let known = registeredObject(for: objectID) { return known }
        let type = reader.runtimeEntity(of: objectID)
        // N9. Where there are subentities, only the row determines the class.
        let key = objectID.permanentKey
        if type.entity.subentityNames.isEmpty { return graph.makeFault(key: key, type: type) }
        return reader.object(forKey: key, type: type) ?? graph.makeFault(key: key, type: type)
    }

    /// Returns the object with an object ID and reads its row if necessary (rule N9 of <doc:Core-Data-Rules>).
    ///
    /// The store is not read if the object is [registered](doc:Glossary#Objects) in the context and is not a fault.
    /// - Parameter objectID: An object ID of the context's store. Passing an ID of another store traps.
    /// - Returns: The object, which is not a fault.
    /// - Throws: ``MissingObjectError`` when the object has no row, ``UnreadableValueError`` when the row has a value
    ///   of another type than its attribute, ``StoreError`` when the store cannot be read.
    public func existingObject(with objectID: ManagedObjectID) throws -> ManagedObject {
        graph.sweepIfDue()
        return try reader.existingObject(forKey: objectID.permanentKey, type: reader.runtimeEntity(of: objectID))
    }
}
