#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for an object ID that has no row in the store.
public struct MissingObjectError: Error, Sendable, Hashable {
    /// The object ID.
    public let objectID: ManagedObjectID
}

extension MissingObjectError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "there is no row of \(objectID); it was deleted, or never saved (133000)"
    }
}

extension ManagedObjectContext {
    /// 5B step 3: checks every object that the save would write, and reports all failures together.
    func validateChanges() throws {
        removeReferencesToDeletions()
        var objects = changedObjects
        guard schema.hasValidationHooks else { return try validate(objects) }
        for _ in 0..<ChangeLimitExceededError.limit {
            // A hook should change nothing, but what it changes must not be saved unseen.
            objects = try objectsChanged { try validate(objects) }
            removeReferencesToDeletions()
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
                object.findFailures(object.state == .inserted ? .insertion : .update, in: self, &failures)
            }
        case .deleted:
            guard rules.concernsDeletion else { return }
            if rules.isOverridable {
                object.addFailures(to: &failures) { try object.validateForDelete() }
            } else {
                object.findFailures(.deletion, in: self, &failures)
            }
        case .clean, .detached: break
        }
    }
}
