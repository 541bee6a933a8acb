#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for a save with objects that violate a uniqueness constraint (rules U5, U6 of <doc:Core-Data-Rules>).
///
/// Nothing was saved, and all unsaved changes are kept.
public struct UniquenessConflictError: Error, Sendable, Hashable {
    /// A violation of one constraint: objects with the same values of its properties.
    public struct Conflict: Sendable, Hashable {
        /// The name of the entity that has the constraint.
        public let entityName: String
        /// The names of the properties whose combined values must be unique.
        public let propertyNames: [String]
        /// The object IDs of the objects to be saved with these values, in the order of their first change.
        public let objectIDs: [ManagedObjectID]
        /// The object ID of the object with these values in the store; `nil` when only unsaved objects have them.
        public let databaseObjectID: ManagedObjectID?
    }

    /// The violations of uniqueness constraints that the merge policy does not resolve.
    public let conflicts: [Conflict]

    init(_ conflicts: [ConstraintConflict]) {
        self.conflicts = conflicts.map { conflict in
            Conflict(
                entityName: conflict.uniqueness.entityName,
                propertyNames: conflict.constraint,
                objectIDs: conflict.conflictingObjects.map(\.objectID),
                databaseObjectID: conflict.row.map {
                    ManagedObjectID(runtimeEntity: $0.values.runtimeEntity, key: $0.key)
                }
            )
        }
    }
}

extension UniquenessConflictError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "nothing was saved, because values that must be unique are duplicated: " + listed(conflicts.map(\.text))
            + "; give the objects other values, delete all but one, or set a mergePolicy that resolves the conflicts"
            + (conflicts.contains(where: \.isOfTwoEntities)
                ? " (a policy that keeps the new object cannot put it in the place of a saved object of another entity)"
                : "") + ", then save again (133021)"
    }
}

extension UniquenessConflictError.Conflict {
    /// A Boolean value that indicates whether the saved object is of another entity than one that is to be saved.
    fileprivate var isOfTwoEntities: Bool {
        databaseObjectID.map { saved in objectIDs.contains { $0.entityName != saved.entityName } } ?? false
    }

    fileprivate var text: String {
        let names = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
        let objects = objectIDs.map(\.description).joined(separator: ", ")
        let have = objectIDs.count == 1 ? "has" : "have"
        let others = databaseObjectID.map { "as the saved \($0)" } ?? "in common"
        return "\(objects) \(have) the same \(names) of '\(entityName)' \(others)"
    }
}
