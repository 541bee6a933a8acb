// Reading again what the store has.

extension ManagedObjectContext {
    /// Brings an object up to what the store has.
    ///
    /// An object that was never saved, and one that is to be deleted, stay as they are.
    ///
    /// - Parameter mergeChanges: Whether unsaved changes of the object stay on top of what is read. Otherwise they are lost, and the
    ///   object becomes a fault.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' can only be refreshed in its own context"
        )
        guard object.state == .clean || object.state == .updated else { return }
        endReading()  // The newest is wanted.
        if mergeChanges {
            guard !object.isFault else { return }
            if let (values, version) = readOrTrap({ try readValues(of: object) }) {
                willChangeObservedMembers(of: object)
                assign(values, version: version, to: object)
                forgetOwnToMany(of: object)
            }
        } else {
            if object.state == .updated {
                object.state = .clean
                dropChanges(of: object)
            }
            turnIntoFault(object)
        }
        event.refreshed.append(object)
        scheduleProcessing?()
    }

    /// Makes all objects without unsaved changes faults, so that they are read again when somebody looks at them (N6).
    public func refreshAllObjects() {
        endReading()
        for object in registeredObjects where object.state == .clean && !object.isFault {
            turnIntoFault(object)
            event.refreshed.append(object)
        }
        if !event.isEmpty { scheduleProcessing?() }
    }

    /// Brings objects up to their rows, under their unsaved changes; those whose row is gone stay as they are.
    /// - Returns: Those whose row is another one than that which was read before.
    func refreshRows(of keys: [Int64], type: EntityType) throws -> [ManagedObject] {
        guard !keys.isEmpty else { return [] }
        var changed: [ManagedObject] = []
        let projection = schema.projection(of: schema.entityType(named: type.entity.rootEntityName) ?? type)
        try readStore { connection in
            let statement = try connection.statement(projection.selectMany)
            defer { statement.reset() }
            statement.bind(jsonList(keys), at: 1)
            try connection.forEachRow(of: statement) {
                let member = try projection.member(of: statement)
                guard let object = registered(key: statement.integer(at: 0), rootIndex: type.rootIndex) else { return }
                if refresh(object, from: statement, member) { changed.append(object) }
            }
        }
        return changed
    }

    /// Brings an object up to the row that a statement stands on.
    /// - Returns: Whether the row is another one than that which was read before.
    func refresh(_ object: ManagedObject, from statement: SQLiteStatement, _ member: Projection.Member) -> Bool {
        willChangeObservedMembers(of: object)
        forgetOwnToMany(of: object)
        let version = statement.integer(at: 1)
        guard version != object.version, object.entityType === member.type else { return false }
        forgetToMany(around: object)
        assign(FieldBlock(member, from: statement.values), version: version, to: object)
        forgetToMany(around: object)
        return true
    }

    /// What the store has for an object, and which version of it; `nil` when the row is gone.
    func readValues(of object: ManagedObject) throws -> (FieldBlock, version: Int64)? {
        let projection = schema.projection(of: object.entityType)
        return try readStore { connection in
            let statement = try connection.statement(projection.selectByKey)
            defer { statement.reset() }
            statement.bind(object.key, at: 1)
            guard try statement.step() else { return nil }
            return (FieldBlock(try projection.member(of: statement), from: statement.values), statement.integer(at: 1))
        }
    }
}
