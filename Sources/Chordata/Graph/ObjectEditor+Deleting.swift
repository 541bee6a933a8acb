internal import ChordataModel

// Deleting, and the rules for it (D1–D6).

extension ObjectEditor {
    func delete(_ object: ManagedObject, callsHook: Bool) {
        applyCascade(to: markDeleted(object, callsHook: callsHook), callsHook: callsHook)
    }

    /// Deletes objects whose hooks were called when they were first deleted; the hooks of other objects that their
    /// delete rules delete are called.
    func deleteCounterparts(_ objects: [ManagedObject]) {
        for targets in objects.map({ markDeleted($0, callsHook: false) }) { applyCascade(to: targets, callsHook: true) }
    }

    private func applyCascade(to targets: [ManagedObject], callsHook: Bool) {
        // Chains of delete rules can be long, so a list is used instead of recursion.
        var pending = Array(targets.reversed())
        while let next = pending.popLast() { pending += markDeleted(next, callsHook: callsHook).reversed() }
    }

    /// Marks one object as deleted, and returns the objects of its relationships with the rule Cascade.
    private func markDeleted(_ object: ManagedObject, callsHook: Bool) -> [ManagedObject] {
        guard object.state != .deleted, object.state != .detached, !object.isPreparingForDeletion else { return [] }
        if object.isFault { reader.fulfillFault(object) }
        object.withRuntimeEntity { type in
            guard callsHook, let prepareForDeletion = type.hooks.prepareForDeletion else { return }
            object.isPreparingForDeletion = true
            prepareForDeletion(object)
            object.isPreparingForDeletion = false
        }
        let leavesReferences = object.withRuntimeEntity(\.leavesReferences)
        let wasInserted = object.state == .inserted
        if graph.recordsUndo { undoManager?.record(.deletion(undoOfDeletion(of: object))) }
        if object.state == .clean {
            object.withChanges { $0.committedUnset = $0.unset }
            graph.unsaved.insert(object)
        }
        graph.willChangeObserved(object)
        object.state = .deleted
        graph.trackChange(of: object)
        let targets = propagateDeletion(of: object)
        // D6: an insertion that was undone never reaches the store; references to it are removed at the end of the
        // event.
        if wasInserted {
            graph.unsaved.removeStaleEntriesLater()
            object.state = .detached
            object.detachmentReason = .deletion
            graph.event.forgotten.append(object)
            if leavesReferences { graph.unsaved.undoneInsertions.append(object) }
        } else if leavesReferences {
            graph.unsaved.mayReferenceDeletedObjects = true
        }
        return targets
    }

    /// Applies the rules of all relationships of an object that was just marked as deleted.
    /// - Returns: The objects that are to be deleted too.
    func propagateDeletion(of object: ManagedObject) -> [ManagedObject] {
        var cascade: [ManagedObject] = []
        for relationship in object.withRuntimeEntity({ $0.deletionRelationships }) {
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

    /// Removes objects that are to be deleted from unsaved relationships to which the delete rules were not applied:
    /// relationships that were set after the deletion, have no inverse, or have the rule No Action.
    func removeReferencesToDeletions() {
        removeReferencesToUndoneInsertions()
        guard graph.unsaved.mayReferenceDeletedObjects else { return }
        graph.unsaved.mayReferenceDeletedObjects = false
        let changes = graph.changedObjects
        var deletedRows = DeletedRowKeys()
        for object in changes where object.state == .deleted { deletedRows.insert(object) }
        for object in changes where object.state != .deleted {
            for case let relationship? in object.runtimeEntity.relationships
            where object.changes?.changed.contains(relationship.field) == true && !isDenied(relationship) {
                removeReferences(to: deletedRows, from: object, relationship)
            }
        }
    }

    /// Returns a Boolean value that indicates whether the rule Deny at the other end makes the save fail; in this case,
    /// nothing is changed.
    private func isDenied(_ relationship: RuntimeEntity.Relationship) -> Bool {
        guard let inverse = relationship.inverseField else { return false }
        return graph.schema.runtimeEntities[relationship.destination].relationships[inverse]?.description.deleteRule
            == .deny
    }

    /// The objects that a relationship references.
    func targets(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) -> [ManagedObject] {
        if relationship.description.isToMany {
            return realizeToMany(of: object, field: relationship.field).array
        }
        return realizeToOne(of: object, field: relationship.field).map { [$0] } ?? []
    }
}
