// Saving to a parent (N11): what is unsaved here becomes unsaved there.

extension ManagedObjectContext {
    /// Gives the unsaved changes to the parent, property by property; what is set here is written over what is unsaved
    /// there.
    ///
    /// Nothing is transferred where an object that was changed here is deleted there, or a relationship references one;
    /// then the merge policy decides. The hooks of these objects were called here, and are not called again there.
    /// - Throws: ``SaveConflictError``, ``StoreError`` when the store cannot be read.
    func push(to parent: ManagedObjectContext) throws {
        parent.processChanges()
        // What its event has read may be older than what was read here.
        parent.endReading()
        let counterparts = try readCounterparts(in: parent)
        try withExtendedLifetime(counterparts) {
            try resolveDeletions(in: parent)
            takeChanges(to: parent)
        }
    }

    private func takeChanges(to parent: ManagedObjectContext) {
        var pairs: [(object: ManagedObject, counterpart: ManagedObject)] = []
        var deletions: [ManagedObject] = []
        for object in changedObjects {
            switch object.state {
            case .inserted: pairs.append((object, parent.insertCounterpart(of: object)))
            // Without one only to-manys differ, and their members report it.
            case .updated: if let counterpart = parent.counterpart(of: object) { pairs.append((object, counterpart)) }
            case .deleted: if let counterpart = parent.counterpart(of: object) { deletions.append(counterpart) }
            case .clean, .detached: continue
            }
        }
        for (object, counterpart) in pairs { parent.takeAttributes(of: object, for: counterpart) }
        for (object, counterpart) in pairs { parent.takeRelationships(of: object, for: counterpart) }
        for (object, counterpart) in pairs { parent.takeOrders(of: object, for: counterpart) }
        parent.deleteCounterparts(deletions)
        // Where older news of them waits here, they come once more, after it.
        parentOverlayReader?.pushedObjects = inbox.isEmpty ? Set(pairs.map(\.counterpart) + deletions) : []
        parent.processChanges()
        parentOverlayReader?.pushedObjects = []
    }

    /// The version that an object has in the parent; `nil` for a context without one.
    func versionInParent(of object: ManagedObject) -> Int64? { parent?.counterpart(of: object)?.versionToSave }

    /// Registers the objects that were changed here, and the new destinations of relationships, in the parent.
    /// - Returns: Objects of the parent, which may have no other reference.
    private func readCounterparts(in parent: ManagedObjectContext) throws -> [ManagedObject] {
        var wanted: [Int: (type: RuntimeEntity, keys: Set<Int64>)] = [:]
        func want(_ key: Int64, _ type: RuntimeEntity) {
            guard registered(key: key, rootIndex: type.rootIndex)?.state != .inserted else { return }
            wanted[type.rootIndex, default: (type, [])].keys.insert(key)
        }
        for object in changedObjects where object.state != .detached {
            if object.state != .inserted { want(object.key, object.entityType) }
            for (relationship, key) in object.newTargets { want(key, schema.entityTypes[relationship.destination]) }
        }
        var counterparts: [ManagedObject] = []
        for (rootIndex, (type, keys)) in wanted {
            func known(_ key: Int64) -> ManagedObject? { parent.registered(key: key, rootIndex: rootIndex) }
            let held = keys.compactMap(known)
            try parent.readRows(of: keys.filter { known($0)?.isFault ?? true }.sorted(), type: type)
            counterparts += held + keys.compactMap(known)
        }
        return counterparts
    }

    /// An object that was deleted in the parent cannot be changed or referenced any more.
    private func resolveDeletions(in parent: ManagedObjectContext) throws {
        let lost = changedObjects.filter {
            $0.state == .updated && ($0.hasColumnChanges || $0.hasOwnPairs) && parent.counterpart(of: $0) == nil
        }
        if !lost.isEmpty {
            let conflicts = try lost.map { try MergeConflict($0, nil, in: self) }
            switch mergePolicy.mergeType {
            // There is no way back for what a parent deletes.
            case .error, .mergeByPropertyObjectTrump, .overwrite:
                throw SaveConflictError(conflicts, isWithParent: true)
            case .mergeByPropertyStoreTrump, .rollback:
                try askPolicy { try mergePolicy.resolve(optimisticLockingConflicts: conflicts) }
                try adopt(conflicts)
            }
        }
        var references: [DanglingReference] = []
        for object in changedObjects where object.state == .inserted || object.state == .updated {
            for (relationship, key) in object.newTargets {
                let type = schema.entityTypes[relationship.destination]
                let target = registered(key: key, rootIndex: type.rootIndex)
                if target?.state == .inserted || parent.counterpart(of: key, type) != nil { continue }
                let id = target?.objectID ?? ManagedObjectID(entityType: type, key: key)
                references.append(DanglingReference(object: object, relationship: relationship, destination: id))
            }
        }
        if !references.isEmpty { try resolve(references) }
        if !lost.isEmpty || !references.isEmpty { try validateChanges() }
    }

    // MARK: In the parent

    /// The object of the same row, unless it is deleted here or has none.
    fileprivate func counterpart(of object: ManagedObject) -> ManagedObject? {
        counterpart(of: object.key, object.entityType)
    }

    fileprivate func counterpart(of key: Int64, _ type: RuntimeEntity) -> ManagedObject? {
        guard let known = registered(key: key, rootIndex: type.rootIndex) else { return nil }
        return known.isFault || known.isDeleted || known.state == .detached || known.isWithoutRow ? nil : known
    }

    /// Makes an inserted object of that which a child has inserted.
    fileprivate func insertCounterpart(of object: ManagedObject) -> ManagedObject {
        let type = object.entityType
        let known = registered(key: object.key, rootIndex: type.rootIndex)
        if let known, known.state == .deleted {
            // A deletion that was taken from there, and is undone there now.
            keep(known)
            // Its destinations have removed it; it is linked again with the objects that the child restored.
            for case let relationship? in type.relationships where !relationship.description.isToMany {
                recordChange(of: known, field: relationship.field)
                known.toOneReference(at: relationship.field).pointee = ToOneSlot()
            }
            return known
        }
        // An object of that ID may already be registered here.
        let counterpart = known ?? type.objectClass.init(ObjectInitialization(type, in: self))
        if known != nil { registry.removeObject(forKey: object.key, rootIndex: type.rootIndex) }
        counterpart.slowPath.remove(.fault)
        counterpart.version = object.version
        counterpart.changes = ObjectChanges(of: counterpart)
        insert(counterpart, key: object.key)
        return counterpart
    }

    /// Sets the attributes that a child has set, which are all where it has inserted the object.
    fileprivate func takeAttributes(of object: ManagedObject, for counterpart: ManagedObject) {
        guard let changes = object.changes else { return }
        for field in object.entityType.fields where field.isAttribute {
            guard object.state == .inserted || changes.changed.contains(field.index) else { continue }
            // Initial values of a new object are not changes.
            if counterpart.state != .inserted || changes.changed.contains(field.index) {
                recordChange(of: counterpart, field: field.index)
            }
            copyAttribute(field.kind, from: object.address(of: field), to: counterpart.address(of: field))
            if changes.unset.contains(field.index) { counterpart.changes?.unset.insert(field.index) }
        }
    }

    /// Sets what a child has set of to-ones, and of to-manys what it has added and removed.
    fileprivate func takeRelationships(of object: ManagedObject, for counterpart: ManagedObject) {
        guard let changes = object.changes else { return }
        for case let relationship? in object.entityType.relationships where changes.changed.contains(relationship.field)
        {
            let field = object.entityType.fields[relationship.field]
            let destination = schema.entityTypes[relationship.destination]
            if !relationship.description.isToMany {
                let key = object.toOneReference(field).pointee.key
                let target = key == 0 ? nil : self.object(forKey: key, type: destination)
                setToOne(target.flatMap { $0.isDeleted ? nil : $0 }, of: counterpart, field: field.index)
                continue
            }
            // Where there is a to-one back, the members say it.
            guard relationship.inverseToOne == nil else { continue }
            let (added, removed) = object.memberChanges(of: relationship)
            for key in removed {
                guard let member = self.object(forKey: key, type: destination) else { continue }
                removeFromMany(member, of: counterpart, field: field.index)
            }
            for key in added {
                guard let member = self.object(forKey: key, type: destination), !member.isDeleted else { continue }
                addToMany(member, of: counterpart, field: field.index)
            }
        }
    }

    /// Brings members into the order that a child has given them; those it does not know come last.
    fileprivate func takeOrders(of object: ManagedObject, for counterpart: ManagedObject) {
        for case let relationship? in object.entityType.relationships where relationship.description.isOrdered {
            guard object.changes?.changed.contains(relationship.field) == true,
                let members = object.toManyReference(at: relationship.field).pointee.storage
            else { continue }
            let known = realizeToMany(of: counterpart, field: relationship.field).array
            let places = Dictionary(uniqueKeysWithValues: members.array.enumerated().map { ($1.key, $0) })
            let ordered = known.enumerated().ordered { left, right in
                (places[left.element.key] ?? .max, left.offset) < (places[right.element.key] ?? .max, right.offset)
            }
            setToMany(ordered.map(\.element), of: counterpart, field: relationship.field)
        }
    }
}

extension ManagedObject {
    /// The destinations of relationships by unsaved changes, where this end has them.
    fileprivate var newTargets: [(relationship: RuntimeEntity.Relationship, key: Int64)] {
        guard let changed = changes?.changed, !isDeleted else { return [] }
        var targets: [(RuntimeEntity.Relationship, Int64)] = []
        for case let relationship? in entityType.relationships where changed.contains(relationship.field) {
            if !relationship.description.isToMany {
                let key = toOneReference(at: relationship.field).pointee.key
                if key != 0 { targets.append((relationship, key)) }
            } else if relationship.inverseToOne == nil {
                targets += memberChanges(of: relationship).added.map { (relationship, $0) }
            }
        }
        return targets
    }

    /// The keys of members that came and that went since the last save, of a to-many without a to-one back.
    fileprivate func memberChanges(of relationship: RuntimeEntity.Relationship) -> (added: [Int64], removed: [Int64]) {
        if let storage = toManyReference(at: relationship.field).pointee.storage {
            let added = storage.addedMembers.filter { $0.state != .detached }
            return (added.map(\.key), storage.removedKeys.sorted())
        }
        guard let unread = changes?.pendingToManyChanges(of: relationship.field) else { return ([], []) }
        // An object that was inserted here and deleted again was never known to other contexts.
        return (
            unread.added.filter { $0.state != .detached }.map(\.key),
            unread.removed.filter { $0.state != .detached }.map(\.key)
        )
    }
}

extension Field {
    fileprivate var isAttribute: Bool { kind.base != .toOne && kind.base != .toMany }
}
