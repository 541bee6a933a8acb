internal import ChordataModel
internal import ChordataSQL

// The destinations of relationships as object IDs.

extension ManagedObject {
    /// Returns the object IDs of a relationship's destinations, including unsaved changes.
    ///
    /// The method creates no objects, and reads no row except the row of this object. A to-one relationship needs no
    /// further statement; a to-many relationship that is not in memory needs one statement that reads
    /// [row keys](doc:Glossary#Store).
    /// - Parameter key: The name of a relationship of the entity. Passing any other name traps.
    /// - Returns: The object IDs, in order if the relationship is ordered. The result for a to-one relationship has at
    ///   most one object ID. The array is empty for an object without a context.
    public final func objectIDs(forRelationshipNamed key: String) -> [ManagedObjectID] {
        guard let field = runtimeEntity.field(named: key), let relationship = runtimeEntity.relationships[field.index]
        else {
            preconditionFailure("entity '\(runtimeEntity.entity.name)' has no relationship '\(key)'")
        }
        return managedObjectContext?.editor.objectIDs(of: self, relationship) ?? []
    }
}

extension ObjectEditor {
    fileprivate func objectIDs(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship)
        -> [ManagedObjectID]
    {
        if object.isFault { reader.fulfillFault(object) }
        object.recordAccess(relationship.field)
        let field = object.runtimeEntity.fields[relationship.field]
        let destination = graph.schema.runtimeEntities[relationship.destination]
        guard relationship.description.isToMany else {
            let key = object.toOneReference(field).pointee.key
            return key == 0 ? [] : [identity(key, destination)]
        }
        if let loaded = object.toManyReference(field).pointee.storage {
            // Without an inverse, a member that is to be deleted stays until the save.
            return loaded.array.filter { !$0.isDeleted }.map(\.objectID)
        }
        let unread = object.changes?.pendingToManyChanges(of: relationship.field)
        // If the inverse is a to-one, its value determines whether an object is a member.
        func isMember(_ member: ManagedObject) -> Bool {
            guard !member.isDeleted else { return false }
            guard relationship.inverseToOne != nil else { return unread?.removed.contains(member) != true }
            return member.state == .clean && unread == nil || member.isFault
                || !wasReassigned(member, relationship, object)
        }
        var identities: [ManagedObjectID] = []
        // An object without a row has nothing in the store.
        let stored =
            object.version == 0 ? [] : reader.readOrRecord([]) { try storedIdentities(of: object, relationship) }
        for identity in stored {
            if let member = graph.registered(key: identity.key, rootIndex: destination.rootIndex), !isMember(member) {
                continue
            }
            identities.append(identity)
        }
        let candidates = unread.map { $0.candidates + Array($0.added) } ?? []
        let held = locallyRetainedMembers(by: object, relationship)
        guard !candidates.isEmpty || !held.isEmpty else { return identities }
        var known = Set(stored)
        for member in candidates + held where isMember(member) {
            if known.insert(member.objectID).inserted { identities.append(member.objectID) }
        }
        return identities
    }

    private func identity(_ key: Int64, _ type: RuntimeEntity) -> ManagedObjectID {
        graph.registered(key: key, rootIndex: type.rootIndex)?.objectID
            ?? ManagedObjectID(runtimeEntity: type, key: key)
    }

    private func storedIdentities(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) throws
        -> [ManagedObjectID]
    {
        let destination = graph.schema.runtimeEntities[relationship.destination]
        guard let sql = graph.schema.membersSQL(of: relationship, in: object.runtimeEntity)?.keysOfOne else {
            return []
        }
        return try reader.readStore { connection in
            var identities: [ManagedObjectID] = []
            try connection.forEachRow(of: StoreQuery(sql, .key(object.key))) { row in
                let name = destination.mapping.isInHierarchy ? row.text(at: 1) : nil
                let type = name.flatMap { graph.schema.runtimeEntity(named: $0) } ?? destination
                identities.append(ManagedObjectID(runtimeEntity: type, key: row.integer(at: 0)))
            }
            return identities
        }
    }
}
