internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Why objects are not fit to be saved.
///
/// Codes are those of Core Data.
public struct ValidationError: Error, Sendable, Hashable {
    /// One thing that is wrong with one object.
    public struct Failure: Sendable, Hashable {
        /// The kind of failure, numbered as in Core Data.
        public enum Code: Int, Sendable, Hashable {
            /// A value cannot be stored.
            case managedObjectValidation = 1550
            /// A required property has no value.
            case missingMandatoryProperty = 1570
            /// A relationship with the delete rule Deny still leads to objects.
            case relationshipDeniedDelete = 1600
        }

        /// The kind of failure.
        public let code: Code
        /// The object's entity.
        public let entityName: String
        /// The property that is wrong.
        public let propertyName: String
        /// The object.
        public let objectID: ManagedObjectID
        /// What is wrong and what to do, as the rest of a sentence about the property.
        public let reason: String

        init(_ code: Code, _ field: Field, of object: ManagedObject, _ reason: String) {
            self.code = code
            entityName = object.entityType.entity.name
            propertyName = field.name
            objectID = object.objectID
            self.reason = reason
        }
    }

    /// All failures of the save.
    public let failures: [Failure]
}

extension ValidationError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String {
        failures.map {
            "'\($0.propertyName)' of '\($0.entityName)' (\($0.objectID)) \($0.reason) (\($0.code.rawValue))"
        }.joined(separator: "\n")
    }
}

/// A row was changed or deleted by somebody else since the context read it.
public struct SaveConflictError: Error, Sendable, Hashable {
    /// The object whose row it is.
    public let objectID: ManagedObjectID
}

extension SaveConflictError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String {
        "the row of \(objectID) was changed or deleted since it was read; "
            + "merge with processPendingChanges() or fetch again, then save (133020)"
    }
}

/// The store has no row for an identity.
public struct MissingObjectError: Error, Sendable, Hashable {
    /// The identity.
    public let objectID: ManagedObjectID
}

extension MissingObjectError: CustomStringConvertible, LocalizedError {
    /// The whole in words, for `localizedDescription`.
    public var errorDescription: String? { description }

    /// The whole in words.
    public var description: String {
        "there is no row of \(objectID); it was deleted, or never saved (133000)"
    }
}

extension ManagedObjectContext {
    /// Checks every object that the save would write, and reports all failures at once.
    func validateChanges() throws(ValidationError) {
        var failures: [ValidationError.Failure] = []
        for object in changedObjects {
            func fail(_ code: ValidationError.Failure.Code, _ field: Field, _ reason: String) {
                failures.append(ValidationError.Failure(code, field, of: object, reason))
            }
            switch object.state {
            case .inserted, .updated:
                for field in missingFields(of: object) {
                    fail(
                        .missingMandatoryProperty,
                        field,
                        "is required and has no value; set it before saving, or make it optional or give it a default in the model"
                    )
                }
                let base = UnsafeRawPointer(object.fieldBase)
                for column in object.entityType.columnsWithNaN where isNotANumber(column.kind, at: base + column.offset)
                {
                    fail(
                        .managedObjectValidation,
                        object.entityType.fields[column.index],
                        "is not a number, for which the store has no value; set another"
                    )
                }
            case .deleted:
                for case let relationship? in object.entityType.relationships
                where relationship.description.deleteRule == .deny {
                    // D4: not an error if the targets go in the same save.
                    if targets(of: object, relationship).contains(where: { $0.state != .deleted }) {
                        fail(
                            .relationshipDeniedDelete,
                            object.entityType.fields[relationship.field],
                            "has the delete rule Deny and still leads to objects; remove them first"
                        )
                    }
                }
            case .clean, .gone: break
            }
        }
        if !failures.isEmpty { throw ValidationError(failures: failures) }
    }

    /// The required properties without a value.
    private func missingFields(of object: ManagedObject) -> [Field] {
        let type = object.entityType
        var missing: [Field] = []
        if let unset = object.changes?.unset, !unset.isEmpty {
            // A derived attribute is computed on the way to the store.
            missing = type.fields.filter {
                unset.contains($0.index) && $0.isRequired && $0.attribute?.isDerived == false
            }
        }
        for field in type.requiredRelationships where isEmpty(field, of: object) { missing.append(field) }
        return missing
    }

    private func isEmpty(_ field: Field, of object: ManagedObject) -> Bool {
        if field.kind.base == .toOne { return object.toOneReference(field).pointee.key == 0 }
        // Only a loaded one can have become empty here; one that is not loaded is as it was saved.
        if object.state == .updated, object.toManyReference(field).pointee.storage == nil { return false }
        return realizeToMany(of: object, field: field.index).count == 0
    }
}
