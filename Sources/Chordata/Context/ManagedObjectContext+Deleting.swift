internal import ChordataModel

// Deleting, and the rules for it (D1–D6).

extension ManagedObjectContext {
    /// Marks an object for deletion at the next save and immediately applies the delete rules Nullify and Cascade of
    /// its relationships.
    ///
    /// An object that was never saved is no unsaved change after this call, and nothing is written for it. The context
    /// removes it when pending changes are processed.
    /// - Parameter object: An object of this context. An object of another context traps.
    public func delete(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        // Another context or process may have deleted it already.
        if object.isDeletedAndDetached { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' can only be deleted in its own context"
        )
        delete(object, callsHook: true)
    }

    func delete(_ object: ManagedObject, callsHook: Bool) {
        applyCascade(to: markDeleted(object, callsHook: callsHook), callsHook: callsHook)
    }

    /// Deletes objects whose hooks were called at their first deletion; the hooks of further objects that their rules
    /// delete are called.
    func deleteCounterparts(_ objects: [ManagedObject]) {
        for targets in objects.map({ markDeleted($0, callsHook: false) }) { applyCascade(to: targets, callsHook: true) }
    }

    private func applyCascade(to targets: [ManagedObject], callsHook: Bool) {
        // Chains of rules can be long, so their objects wait in a list.
        var pending = Array(targets.reversed())
        while let next = pending.popLast() { pending += markDeleted(next, callsHook: callsHook).reversed() }
    }

    /// Marks one object as deleted, and returns the objects of its relationships with the rule Cascade.
    private func markDeleted(_ object: ManagedObject, callsHook: Bool) -> [ManagedObject] {
        guard object.state != .deleted, object.state != .detached, !object.isPreparingForDeletion else { return [] }
        if object.isFault { fulfillFault(object) }
        object.withEntityType { type in
            guard callsHook, let prepareForDeletion = type.hooks.prepareForDeletion else { return }
            object.isPreparingForDeletion = true
            prepareForDeletion(object)
            object.isPreparingForDeletion = false
        }
        let leavesReferences = object.withEntityType(\.leavesReferences)
        let wasInserted = object.state == .inserted
        if recordsUndo { undoManager?.record(.deletion(undoOfDeletion(of: object))) }
        if object.state == .clean {
            object.withChanges { $0.committedUnset = $0.unset }
            list(object)
        }
        willChangeObserved(object)
        object.state = .deleted
        trackChange(of: object)
        let targets = propagateDeletion(of: object)
        // D6: an insertion that was undone never reaches the store; references to it are removed at the end of the
        // event.
        if wasInserted {
            hasStaleEntries = true
            object.state = .detached
            object.detachmentReason = .deletion
            event.forgotten.append(object)
            if leavesReferences { undoneInsertions.append(object) }
        } else if leavesReferences {
            mayReferenceDeletedObjects = true
        }
        return targets
    }

    /// Applies the rules of all relationships of an object that was just marked as deleted.
    /// - Returns: The objects that are to be deleted too.
    func propagateDeletion(of object: ManagedObject) -> [ManagedObject] {
        var cascade: [ManagedObject] = []
        for relationship in object.withEntityType({ $0.deletionRelationships }) {
            switch relationship.description.deleteRule {
            case .noAction, .deny: continue  // Deny is checked at save (D4).
            case .cascade:
                cascade += targets(of: object, relationship)
            case .nullify:
                guard let inverse = relationship.inverseField else { continue }
                func disconnect(_ target: ManagedObject) {
                    guard target.state != .deleted else { return }
                    let isToMany = relationship.isInverseToMany
                    self.disconnect(object, from: target, inverse: inverse, isToMany: isToMany, isDeletion: true)
                }
                if relationship.description.isToMany {
                    realizeToMany(of: object, field: relationship.field).array.forEach(disconnect)
                } else if let target = realizeToOne(of: object, field: relationship.field) {
                    disconnect(target)
                }
            }
        }
        return cascade
    }

    /// Takes objects that are to be deleted out of unsaved relationships, which the rules have not seen: set after the
    /// deletion, without an inverse, or with the rule No Action.
    func removeReferencesToDeletions() {
        removeReferencesToUndoneInsertions()
        guard mayReferenceDeletedObjects else { return }
        mayReferenceDeletedObjects = false
        let changes = changedObjects
        var deletedRows = DeletedRowKeys()
        for object in changes where object.state == .deleted { deletedRows.insert(object) }
        for object in changes where object.state != .deleted {
            for case let relationship? in object.entityType.relationships
            where object.changes?.changed.contains(relationship.field) == true && !isDenied(relationship) {
                removeReferences(to: deletedRows, from: object, relationship)
            }
        }
    }

    /// Returns a Boolean value that indicates whether the rule Deny at the other end makes the save fail; then
    /// everything stays as it is.
    private func isDenied(_ relationship: RuntimeEntity.Relationship) -> Bool {
        guard let inverse = relationship.inverseField else { return false }
        return schema.entityTypes[relationship.destination].relationships[inverse]?.description.deleteRule == .deny
    }

    /// The objects that a relationship references.
    func targets(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) -> [ManagedObject] {
        if relationship.description.isToMany {
            return realizeToMany(of: object, field: relationship.field).array
        }
        return realizeToOne(of: object, field: relationship.field).map { [$0] } ?? []
    }
}
