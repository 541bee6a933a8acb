extension ContextSaver {
    /// 5B step 3: checks every object that the save would write, and reports all failures together.
    func validateChanges() throws {
        editor.removeReferencesToDeletions()
        var objects = graph.changedObjects
        guard schema.hasValidationHooks else { return try validate(objects) }
        for _ in 0..<ChangeLimitExceededError.limit {
            // A hook should change nothing, but what it changes must not be saved unseen.
            objects = try objectsChanged { try validate(objects) }
            editor.removeReferencesToDeletions()
            if objects.isEmpty { return }
        }
        throw ChangeLimitExceededError(hook: "validation", entityNames: Set(objects.map(\.entityType.entity.name)))
    }

    private func validate(_ objects: [ManagedObject]) throws {
        var failures: [ValidationError.Failure] = []
        objects.forEachUnretained { object in
            object.withEntityType { validate(object, $0.validation, &failures) }
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
