internal import ChordataModel
internal import ChordataSQL

extension ContextSaver {
    /// 5B step 3: checks every object that the save would write, and reports all failures together.
    func validateChanges() throws {
        editor.removeReferencesToDeletions()
        try validateObjects()
        if parent == nil, let partition = store.partition { try requireOneStore(partition) }
    }

    private func validateObjects() throws {
        var objects = graph.changedObjects
        guard schema.hasValidationHooks else { return try validate(objects) }
        for _ in 0..<ChangeLimitExceededError.limit {
            // A hook should not change anything, but its changes must not be saved without validation.
            objects = try objectsChanged { try validate(objects) }
            editor.removeReferencesToDeletions()
            if objects.isEmpty { return }
        }
        throw ChangeLimitExceededError(hook: "validation", entityNames: Set(objects.map(\.runtimeEntity.entity.name)))
    }

    /// Checks that changed relationships are between objects of one store.
    private func requireOneStore(_ partition: StorePartition) throws {
        var failures: [ValidationError.Failure] = []
        for object in graph.changedObjects where object.state == .inserted || object.state == .updated {
            guard let place = partition.placeToSave(object.key, of: object.runtimeEntity) else { continue }
            for case let relationship? in object.runtimeEntity.relationships {
                let places = changedMembers(of: object, relationship).compactMap {
                    partition.placeToSave($0.key, of: $0.type)
                }
                guard let otherPlace = places.first(where: { $0 != place }) else { continue }
                let paths = [place, otherPlace].map { partition.stores[$0].path }
                failures.append(
                    ValidationError.Failure(
                        .managedObjectValidation,
                        of: object,
                        propertyName: relationship.description.name,
                        reason: "references an object of another store ('\(paths[1])'), but the object with this "
                            + "relationship is in '\(paths[0])'; a relationship is possible only within a store, so assign new objects to "
                            + "one store with assign(_:to:), or store the URI of the object in an attribute"
                    )
                )
            }
        }
        try ValidationError.throwIfAny(failures)
    }

    /// Returns the objects that a save writes as values of a relationship.
    private func changedMembers(
        of object: ManagedObject,
        _ relationship: RuntimeEntity.Relationship
    ) -> [(type: RuntimeEntity, key: Int64)] {
        guard object.state == .inserted || object.changes?.changed.contains(relationship.field) == true else {
            return []
        }
        let field = object.runtimeEntity.fields[relationship.field]
        guard relationship.description.isToMany else {
            let key = object.toOneReference(field).pointee.key
            let destination = schema.runtimeEntities[relationship.destination]
            let known = graph.registered(key: key, rootIndex: destination.rootIndex)
            return key == 0 ? [] : [(known?.runtimeEntity ?? destination, key)]
        }
        // Other to-many relationships are stored as to-one relationships of the members.
        guard case .joinTable? = relationship.storage else { return [] }
        let added =
            if let storage = object.toManyReference(field).pointee.storage {
                storage.addedMembers
            } else {
                object.changes?.pendingToManyChanges(of: relationship.field).map { Array($0.added) } ?? []
            }
        return added.map { ($0.runtimeEntity, $0.key) }
    }

    private func validate(_ objects: [ManagedObject]) throws {
        var failures: [ValidationError.Failure] = []
        objects.forEachUnretained { object in
            object.withRuntimeEntity { validate(object, $0.validation, &failures) }
        }
        try ValidationError.throwIfAny(failures)
    }

    @inline(__always)
    private func validate(
        _ object: ManagedObject,
        _ rules: ValidationRules,
        _ failures: inout [ValidationError.Failure]
    ) {
        switch object.state {
        case .inserted, .updated:
            guard rules.concernsChanges || object.lacksValues(rules) else { return }
            if rules.isOverridable {
                object.addFailures(to: &failures) {
                    if object.state == .inserted {
                        try object.validateForInsert()
                    } else {
                        try object.validateForUpdate()
                    }
                }
            } else {
                object.findFailures(object.state == .inserted ? .insertion : .update, in: editor, &failures)
            }
        case .deleted:
            guard rules.concernsDeletion else { return }
            if rules.isOverridable {
                object.addFailures(to: &failures) { try object.validateForDelete() }
            } else {
                object.findFailures(.deletion, in: editor, &failures)
            }
        case .clean, .detached: break
        }
    }
}
