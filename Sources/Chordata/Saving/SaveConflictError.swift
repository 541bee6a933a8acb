internal import OrderedCollections

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Rows were changed or deleted by another context or process since the context read them.
///
/// Nothing was saved, and the unsaved changes are as they were.
public struct SaveConflictError: Error, Sendable, Hashable {
    /// The conflict of one object with the store.
    public struct Conflict: Sendable, Hashable {
        /// The object that is to be saved.
        public let objectID: ManagedObjectID
        /// The properties that were changed both here and in the store; where no property is, all that were changed
        /// here.
        public let propertyNames: [String]
        /// The version of the row that the object was read from; 0 for a new object.
        public let oldVersion: Int
        /// The version that the row has now; 0 when it was deleted.
        public let newVersion: Int
        /// A Boolean value that indicates whether the row was deleted.
        public let isDeleted: Bool
        /// The deleted object that a relationship references; `nil` where the row itself changed.
        public let missingDestination: ManagedObjectID?
    }

    /// All conflicts of the save.
    public let conflicts: [Conflict]

    init(_ conflicts: [MergeConflict]) {
        self.conflicts = conflicts.map { conflict in
            Conflict(
                objectID: conflict.sourceObject.objectID,
                propertyNames: conflict.propertyNames,
                oldVersion: conflict.oldVersionNumber,
                newVersion: conflict.newVersionNumber,
                isDeleted: conflict.row == nil,
                missingDestination: nil
            )
        }
    }

    init(_ references: [DanglingReference]) {
        // A pair is found from both ends.
        let all = references.map { reference in
            Conflict(
                objectID: reference.object.objectID,
                propertyNames: [reference.relationship.description.name],
                oldVersion: Int(max(reference.object.version, 0)),
                newVersion: Int(max(reference.object.version, 0)),
                isDeleted: false,
                missingDestination: reference.destination
            )
        }
        conflicts = OrderedSet(all).elements
    }
}

extension SaveConflictError: CustomStringConvertible, LocalizedError {
    /// The description of the error, which `localizedDescription` returns.
    public var errorDescription: String? { description }

    /// A textual description of the error.
    public var description: String {
        "nothing was saved, because the store was changed after it was read: " + listed(conflicts.map(\.text))
            + "; read the new values with refresh(_:mergeChanges:), discard changes with rollback(), or set a "
            + "mergePolicy that resolves the conflicts, then save again (133020)"
    }
}

extension SaveConflictError.Conflict {
    fileprivate var text: String {
        let names = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
        if let missingDestination {
            return "\(names) of \(objectID) references \(missingDestination), which was deleted"
        }
        let change = isDeleted ? "was deleted" : oldVersion == 0 ? "already exists in the store" : "was changed"
        return names.isEmpty ? "\(objectID) \(change)" : "\(objectID) \(change), and \(names) changed in this context"
    }
}

/// The first of some texts in a row, and how many more there are.
func listed(_ texts: [String]) -> String {
    let shown = 10
    let rest = texts.count > shown ? "; and \(texts.count - shown) more" : ""
    return texts.prefix(shown).joined(separator: "; ") + rest
}
