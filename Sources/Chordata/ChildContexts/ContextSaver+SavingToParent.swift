// Saving to a parent (N11): unsaved changes of the child become unsaved changes of the parent.

extension ContextSaver {
    /// Gives the unsaved changes to the parent, property by property; values that are set here overwrite unsaved values
    /// there.
    ///
    /// Nothing is transferred where an object that was changed here is deleted there, or a relationship references one;
    /// then the merge policy decides. The hooks of these objects were called here, and are not called again there.
    /// - Throws: ``SaveConflictError``, ``StoreError`` when the store cannot be read.
    func push(to parent: ContextSaver) throws {
        parent.processor.processChanges()
        // The read transaction of the parent's event may see an older state of the store than this context has read.
        parent.reader.endReading()
        let counterparts = try readCounterparts(in: parent)
        try withExtendedLifetime(counterparts) {
            try resolveDeletions(in: parent)
            takeChanges(to: parent)
        }
    }

    private func takeChanges(to parent: ContextSaver) {
        var pairs: [(object: ManagedObject, counterpart: ManagedObject)] = []
        var deletions: [ManagedObject] = []
        for object in graph.changedObjects {
            switch object.state {
            case .inserted: pairs.append((object, parent.editor.insertCounterpart(of: object)))
            // Without a counterpart, only to-many relationships differ, which their members report.
            case .updated: if let counterpart = parent.counterpart(of: object) { pairs.append((object, counterpart)) }
            case .deleted: if let counterpart = parent.counterpart(of: object) { deletions.append(counterpart) }
            case .clean, .detached: continue
            }
        }
        for (object, counterpart) in pairs { parent.editor.takeAttributes(of: object, for: counterpart) }
        for (object, counterpart) in pairs { parent.editor.takeRelationships(of: object, for: counterpart) }
        for (object, counterpart) in pairs { parent.editor.takeOrders(of: object, for: counterpart) }
        parent.editor.deleteCounterparts(deletions)
        // If older changes of these objects may be in the inbox, the parent reports the objects again, after them.
        reader.parentOverlay?.pushedObjects = merger.inbox.isEmpty ? Set(pairs.map(\.counterpart) + deletions) : []
        parent.processor.processChanges()
        reader.parentOverlay?.pushedObjects = []
    }

    /// The version that an object has in the parent; `nil` for a context without one.
    func versionInParent(of object: ManagedObject) -> Int64? { parent?.counterpart(of: object)?.versionToSave }

    /// Registers the objects that were changed here, and the new destinations of relationships, in the parent.
    /// - Returns: Objects of the parent, which may have no other reference.
    private func readCounterparts(in parent: ContextSaver) throws -> [ManagedObject] {
        var wanted: [Int: (type: RuntimeEntity, keys: Set<Int64>)] = [:]
        func want(_ key: Int64, _ type: RuntimeEntity) {
            guard graph.registered(key: key, rootIndex: type.rootIndex)?.state != .inserted else { return }
            wanted[type.rootIndex, default: (type, [])].keys.insert(key)
        }
        for object in graph.changedObjects where object.state != .detached {
            if object.state != .inserted { want(object.key, object.runtimeEntity) }
            for (relationship, key) in object.newTargets { want(key, schema.runtimeEntities[relationship.destination]) }
        }
        var counterparts: [ManagedObject] = []
        for (rootIndex, (type, keys)) in wanted {
            func known(_ key: Int64) -> ManagedObject? { parent.graph.registered(key: key, rootIndex: rootIndex) }
            let held = keys.compactMap(known)
            try parent.reader.readRows(of: keys.filter { known($0)?.isFault ?? true }.sorted(), type: type)
            counterparts += held + keys.compactMap(known)
        }
        return counterparts
    }

    /// An object that was deleted in the parent cannot be changed or referenced any more.
    private func resolveDeletions(in parent: ContextSaver) throws {
        let lost = graph.changedObjects.filter {
            $0.state == .updated && ($0.hasColumnChanges || $0.hasOwnPairs) && parent.counterpart(of: $0) == nil
        }
        if !lost.isEmpty {
            let conflicts = try lost.map { try MergeConflict($0, nil, in: editor) }
            switch mergePolicy.mergeType {
            // There is no way back for what a parent deletes.
            case .error, .mergeByPropertyObjectTrump, .overwrite:
                throw SaveConflictError(conflicts, isWithParent: true)
            case .mergeByPropertyStoreTrump, .rollback:
                try askPolicy { try mergePolicy.resolve(optimisticLockingConflicts: conflicts) }
                try editor.adopt(conflicts)
            }
        }
        var references: [DanglingReference] = []
        for object in graph.changedObjects where object.state == .inserted || object.state == .updated {
            for (relationship, key) in object.newTargets {
                let type = schema.runtimeEntities[relationship.destination]
                let target = graph.registered(key: key, rootIndex: type.rootIndex)
                if target?.state == .inserted || parent.counterpart(of: key, type) != nil { continue }
                let id = target?.objectID ?? ManagedObjectID(runtimeEntity: type, key: key)
                references.append(DanglingReference(object: object, relationship: relationship, destination: id))
            }
        }
        if !references.isEmpty { try resolve(references) }
        if !lost.isEmpty || !references.isEmpty { try validateChanges() }
    }

    // MARK: In the parent

    /// The object of the same row, unless it is deleted here or has none.
    fileprivate func counterpart(of object: ManagedObject) -> ManagedObject? {
        counterpart(of: object.key, object.runtimeEntity)
    }

    fileprivate func counterpart(of key: Int64, _ type: RuntimeEntity) -> ManagedObject? {
        guard let known = graph.registered(key: key, rootIndex: type.rootIndex) else { return nil }
        return known.isFault || known.isDeleted || known.state == .detached || known.isWithoutRow ? nil : known
    }
}

extension ManagedObject {
    /// The destinations of relationships by unsaved changes, where this end has them.
    fileprivate var newTargets: [(relationship: RuntimeEntity.Relationship, key: Int64)] {
        guard let changed = changes?.changed, !isDeleted else { return [] }
        var targets: [(RuntimeEntity.Relationship, Int64)] = []
        for case let relationship? in runtimeEntity.relationships where changed.contains(relationship.field) {
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
    func memberChanges(of relationship: RuntimeEntity.Relationship) -> (added: [Int64], removed: [Int64]) {
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
