// Undo makes changes, which are recorded like any other changes; redo undoes these.

extension ObjectEditor {
    /// Undoes changes, the last one first, when the deleted objects exist again.
    ///
    /// Inserted objects are removed when nothing references them any more.
    func restoreValues(_ steps: [UndoStep]) {
        // An object whose insertion is undone keeps its attributes, as a deleted object does.
        let removed = Set(steps.compactMap { if case .insertion(let object) = $0 { object } else { nil } })
        for step in steps.reversed() { restoreValue(step, except: removed) }
        for case .order(let property, let members) in steps.reversed() { restoreOrder(of: property, members) }
        for case .insertion(let object) in steps.reversed()
        where object.contextReference?.toOpaque() == graph.owner?.toOpaque() {
            delete(object, callsHook: false)
        }
    }

    private func restoreValue(_ step: UndoStep, except removed: Set<ManagedObject>) {
        switch step {
        case .insertion, .deletion, .order, .action: break
        case .attribute(let property, let value, let wasUnset):
            guard isHere(property.object), !removed.contains(property.object) else { return }
            recordChange(of: property.object, field: property.field)
            value.restore(to: property.object.runtimeEntity.fields[property.field], of: property.object)
            if wasUnset { property.object.changes?.unset.insert(property.field) }
        case .toOne(let property, let target):
            guard isHere(property.object) else { return }
            setToOne(target.flatMap { isHere($0) ? $0 : nil }, of: property.object, field: property.field)
        case .member(let property, let member, let wasAdded):
            guard isHere(property.object), isHere(member) else { return }
            if wasAdded {
                removeFromMany(member, of: property.object, field: property.field)
            } else {
                addToMany(member, of: property.object, field: property.field)
            }
        }
    }

    /// Restores the former order of the current members of a to-many relationship; members that other contexts have
    /// added since then are last.
    private func restoreOrder(of property: UndoStep.Property, _ members: [ManagedObject]) {
        guard isHere(property.object) else { return }
        let present = realizeToMany(of: property.object, field: property.field).array
        let (kept, known) = (Set(present), Set(members))
        setToMany(
            members.filter(kept.contains) + present.filter { !known.contains($0) },
            of: property.object,
            field: property.field
        )
    }

    /// Returns a Boolean value that indicates whether an object still exists; other contexts may have deleted it.
    private func isHere(_ object: ManagedObject) -> Bool {
        object.state != .detached && object.contextReference?.toOpaque() == graph.owner?.toOpaque()
    }

    /// Restores deleted objects; all of them exist before one references another.
    ///
    /// - Returns: The keys of the objects whose deletion was not saved.
    func restoreDeletions(_ steps: [UndoStep]) -> [IdentityMap.Key] {
        let deletions = steps.reversed().compactMap { step in
            if case .deletion(let deleted) = step { deleted } else { nil }
        }
        let kept = deletions.filter { $0.object.state == .deleted }
        let lost = deletions.filter { $0.object.state == .detached }
        let outdated = graph.remote.changedObjects
        for deleted in kept { keep(deleted.object) }
        for deleted in lost { insertAgain(deleted) }
        // The objects get their former references; the destinations, which had removed the objects, are changed again.
        for deleted in kept {
            for (field, target) in deleted.toOnes
            where !outdated.contains(deleted.object) || realizeToOne(of: deleted.object, field: field) === target {
                connectAgain(deleted.object, to: [target], by: field)
            }
            for members in deleted.toManys { connectAgain(deleted.object, to: members) }
        }
        for deleted in lost {
            for (field, target) in deleted.toOnes where mayLead(deleted.object, to: target, by: field) {
                setToOne(target, of: deleted.object, field: field)
            }
            for members in deleted.toManys {
                let objects = members.objects.filter { mayLead(deleted.object, to: $0, by: members.field) }
                setToMany(objects, of: deleted.object, field: members.field)
            }
        }
        return kept.map { IdentityMap.Key(of: $0.object) }
    }

    /// Cancels the deletion of an object, if it was not saved.
    func keep(_ object: ManagedObject) {
        let hasChanges = object.changes?.changed.isEmpty == false
        comeBack(object, as: hasChanges ? .updated : .clean)
        if !hasChanges { graph.unsaved.removeStaleEntriesLater() }
        // Other contexts have changed its row since.
        if graph.remote.changedObjects.remove(object) != nil { readChangedRow(of: object) }
        recordReturn(of: object)
    }

    /// Reads the row of an object again, but keeps its unsaved changes.
    private func readChangedRow(of object: ManagedObject) {
        guard let row = reader.readOrRecord({ try reader.readRowSnapshot(of: object) }) else { return }
        forgetToMany(around: object)
        graph.assign(row.values, version: row.version, to: object)
        forgetToMany(around: object)
        forgetOwnToMany(of: object)
        reader.readOrRecord { try settleOneToOnes(of: object, row.values) }
    }

    private func connectAgain(_ object: ManagedObject, to members: DeletedObject.Members) {
        let isStored = { (member: ManagedObject) in members.storedKeys.contains(member.key) }
        let added = members.objects.filter { !isStored($0) }
        connectAgain(object, to: added, by: members.field)
        guard let relationship = object.runtimeEntity.relationships[members.field],
            let inverse = relationship.inverseField
        else { return }
        if relationship.inverseToOne != nil {
            // If the deletion has changed the to-one relationships of the members, their membership is also an unsaved
            // change of the object; otherwise the to-many relationship would be read again without them.
            for member in added where member.changes?.changed.contains(inverse) == true {
                restore(member, in: object, field: members.field)
            }
        }
        for member in members.objects
        where isStored(member) && isHere(member) && member.state != .deleted && member !== object {
            undoPair(of: object, in: member, inverse)
        }
    }

    private func connectAgain(_ object: ManagedObject, to targets: [ManagedObject], by field: Int) {
        guard let relationship = object.runtimeEntity.relationships[field], let inverse = relationship.inverseField
        else {
            return
        }
        for target in targets where isHere(target) && target.state != .deleted {
            connect(object, to: target, inverse: inverse, isToMany: relationship.isInverseToMany)
        }
    }

    /// Inserts an object whose row was deleted, with its former values and its object ID.
    private func insertAgain(_ deleted: DeletedObject) {
        let object = deleted.object
        if object.contextReference == nil, let owner = graph.owner { object.enter(owner, as: object.runtimeEntity) }
        if let known = graph.registered(key: object.key, rootIndex: object.runtimeEntity.rootIndex), known !== object {
            object.key = reader.store.nextKey(
                for: object,
                near: object.key,
                isProvisional: graph.executor.givesTemporaryIDs
            )
        }
        if object.key > PersistentStore.firstProvisionalKey { graph.unsaved.hasProvisionalKeys = true }
        // If the object had a row, other contexts may still have it, so its versions must not be used again.
        if object.version != 0 { object.version = max(object.version, 0) + Self.reinsertionVersionStep }
        object.state = .inserted
        let changes = ObjectChanges(of: object)
        changes.unset = deleted.unset
        object.changes = changes
        graph.register(object)
        graph.unsaved.insert(object)
        recordReturn(of: object)
        graph.emptyRelationships(of: object)
    }

    /// Returns a Boolean value that indicates whether an object may be referenced: an object that is to be deleted may
    /// be referenced only by relationships from which no delete rule removes it.
    private func mayLead(_ object: ManagedObject, to target: ManagedObject, by field: Int) -> Bool {
        isHere(target) && (target.state != .deleted || object.runtimeEntity.relationships[field]?.inverseField == nil)
    }

    /// Records a restored object as a new object, because observers were notified of its deletion.
    private func recordReturn(of object: ManagedObject) {
        graph.trackChange(of: object)
        object.isNewInEvent = true
        if graph.recordsUndo { undoManager?.record(.insertion(object)) }
    }
}
