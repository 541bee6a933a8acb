internal import OrderedCollections

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An error for a save in conflict with rows that another context or process changed or deleted after they were read.
///
/// Nothing was saved, and all unsaved changes are kept.
public struct SaveConflictError: Error, Sendable, Hashable {
    /// The conflict of one object with the store.
    public struct Conflict: Sendable, Hashable {
        /// The object ID of the object to be saved.
        public let objectID: ManagedObjectID
        /// The names of the properties that were changed both in the context and in the store.
        ///
        /// If the conflict has no such property, the names of all properties that were changed in the context; with a
        /// ``missingDestination``, only the name of the relationship.
        public let propertyNames: [String]
        /// The version of the row when the object was read; 0 for a new object.
        public let oldVersion: Int
        /// The current version of the row; 0 when the row was deleted.
        public let newVersion: Int
        /// A Boolean value that indicates whether the row was deleted.
        public let isDeleted: Bool
        /// The object ID of a deleted object that a relationship references; `nil` when the row of ``objectID`` was
        /// itself changed or deleted.
        public let missingDestination: ManagedObjectID?
    }

    /// The conflicts that the merge policy does not resolve: of changed rows or, if no row was changed, of references
    /// to deleted objects.
    public let conflicts: [Conflict]
    /// A Boolean value that indicates whether the conflicts are with the parent context, which has deleted objects,
    /// and not with the store.
    public let isWithParent: Bool

    init(_ conflicts: [MergeConflict], isWithParent: Bool = false) {
        self.isWithParent = isWithParent
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

    init(_ references: [DanglingReference], isWithParent: Bool = false) {
        self.isWithParent = isWithParent
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
        if isWithParent {
            return "nothing was saved to the parent context, because the parent has deleted objects: "
                + listed(conflicts.map(\.text))
                + "; undo the deletion in the parent context, or discard the changes of the child context with its rollback() (133020)"
        }
        return "nothing was saved, because the store was changed after it was read: " + listed(conflicts.map(\.text))
            + "; read the new values with refresh(_:mergeChanges:), or discard changes with rollback() and read all "
            + "objects again with refreshAllObjects(), or set a mergePolicy that resolves the conflicts, then save again "
            + "(133020)"
    }
}

extension SaveConflictError.Conflict {
    fileprivate var text: String {
        let names = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
        if let missingDestination {
            return "\(names) of \(objectID) references \(missingDestination), which was deleted"
        }
        let change =
            isDeleted
            ? "was deleted" : oldVersion == 0 ? "already exists in the store" : "was changed in the store"
        return names.isEmpty ? "\(objectID) \(change)" : "\(objectID) \(change), and \(names) changed in this context"
    }
}

/// Returns the first texts in one line, and the number of the remaining ones.
func listed(_ texts: [String]) -> String {
    let shown = 10
    let rest = texts.count > shown ? "; and \(texts.count - shown) more" : ""
    return texts.prefix(shown).joined(separator: "; ") + rest
}
