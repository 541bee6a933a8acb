// Saving to a parent (N11): unsaved changes of the child become unsaved changes of the parent.

extension ContextSaver {
    /// Transfers the unsaved changes to the parent, property by property; values that were set in this context
    /// overwrite unsaved values of the parent.
    ///
    /// If the parent has deleted an object that was changed in this context, or that a relationship references, the
    /// change is not transferred, and the merge policy decides. The hooks of the changed objects were called in this
    /// context, and are not called again in the parent.
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
            // An object without a counterpart differs only in to-many relationships, which its members transfer.
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

    /// Returns the version of an object in the parent; `nil` if the context has no parent.
    func versionInParent(of object: ManagedObject) -> Int64? { parent?.counterpart(of: object)?.versionToSave }

    /// Registers the objects that were changed in this context, and the new destinations of relationships, in the
    /// parent.
    /// - Returns: Objects of the parent, to which there may be no other strong reference.
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

    /// Resolves changes of, and references to, objects that were deleted in the parent: these cannot be saved.
    private func resolveDeletions(in parent: ContextSaver) throws {
        let lost = graph.changedObjects.filter {
            $0.state == .updated && ($0.hasColumnChanges || $0.hasOwnPairs) && parent.counterpart(of: $0) == nil
        }
        if !lost.isEmpty {
            let conflicts = try lost.map { try MergeConflict($0, nil, in: editor) }
            switch mergePolicy.mergeType {
            // The child cannot restore an object that the parent has deleted.
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

    /// Returns the object of this context for the same row; `nil` if the object is deleted or has no row.
    fileprivate func counterpart(of object: ManagedObject) -> ManagedObject? {
        counterpart(of: object.key, object.runtimeEntity)
    }

    fileprivate func counterpart(of key: Int64, _ type: RuntimeEntity) -> ManagedObject? {
        guard let known = graph.registered(key: key, rootIndex: type.rootIndex) else { return nil }
        return known.isFault || known.isDeleted || known.state == .detached || known.isWithoutRow ? nil : known
    }
}

extension ManagedObject {
    /// The destinations that unsaved changes have added to relationships, except for to-many relationships with a
    /// to-one inverse.
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

    /// Returns the keys of the members that were added and removed since the last save, for a to-many relationship
    /// without a to-one inverse.
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
