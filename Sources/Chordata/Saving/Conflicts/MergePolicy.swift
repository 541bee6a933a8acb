/// The kinds of ``MergePolicy``.
public enum MergePolicyType: Sendable, Hashable {
    /// The save fails with ``SaveConflictError`` or ``UniquenessConflictError``, and nothing changes.
    case error
    /// Conflicts are resolved property by property; values in the store take precedence over values in the context.
    case mergeByPropertyStoreTrump
    /// Conflicts are resolved property by property; changes in the context take precedence over values in the store.
    case mergeByPropertyObjectTrump
    /// Conflicts are resolved object by object; all values in the context overwrite the values in the store.
    case overwrite
    /// All unsaved changes of conflicting objects are discarded.
    case rollback
}

/// The policy with which a save resolves conflicts between a context and its store.
///
/// A conflict is a row that was changed or deleted since it was read, or a violated uniqueness constraint.
///
/// A save uses the context's ``ManagedObjectContext/mergePolicy``. The page <doc:Conflicts> describes all cases of each
/// policy.
///
/// A subclass can resolve individual properties:
///
/// ```swift
/// final class Counting: MergePolicy {
///     override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
///         let ours = conflicts.map { $0.sourceObject.value(forKey: "count") as? Int64 ?? 0 }
///         try super.resolve(optimisticLockingConflicts: conflicts)      // the other properties
///         for (conflict, ours) in zip(conflicts, ours) {
///             let base = conflict.objectSnapshot?["count"] as? Int64 ?? 0
///             let theirs = conflict.persistedSnapshot?["count"] as? Int64 ?? 0
///             conflict.sourceObject.setValue(theirs + ours - base, forKey: "count")
///         }
///     }
/// }
/// ```
///
/// A policy is called in the isolation of its context while no transaction is open, so it can use other contexts. It
/// must not save the context whose conflicts it resolves. When the policy returns, the context adopts the
/// [row versions](doc:Glossary#Store) of the store and writes the current values of its objects; so an override of
/// ``resolve(optimisticLockingConflicts:)`` that does nothing overwrites the rows. A uniqueness conflict that a policy
/// leaves makes the save throw ``UniquenessConflictError``. When a policy throws, nothing is written, and the changes
/// that it has made are kept.
open class MergePolicy {
    // These policies have no mutable state, and their class is not a subclass with other code.
    /// A policy with which a save that has conflicts throws an error.
    public nonisolated(unsafe) static let error = MergePolicy(merge: .error)
    /// A policy that resolves conflicts property by property; values in the store take precedence.
    public nonisolated(unsafe) static let mergeByPropertyStoreTrump = MergePolicy(merge: .mergeByPropertyStoreTrump)
    /// A policy that resolves conflicts property by property; changes in the context take precedence.
    public nonisolated(unsafe) static let mergeByPropertyObjectTrump = MergePolicy(merge: .mergeByPropertyObjectTrump)
    /// A policy that overwrites a conflicting row with all values of the object in the context.
    public nonisolated(unsafe) static let overwrite = MergePolicy(merge: .overwrite)
    /// A policy that discards all unsaved changes of conflicting objects.
    public nonisolated(unsafe) static let rollback = MergePolicy(merge: .rollback)

    /// The kind of the policy; a subclass can override its behavior.
    public final let mergeType: MergePolicyType

    /// Creates a policy of a kind, for subclasses that change a part of its behavior.
    /// - Parameter type: The kind of the policy.
    public init(merge type: MergePolicyType) { mergeType = type }

    /// Resolves conflicts with rows that were changed or deleted since they were read (rule 5C of
    /// <doc:Core-Data-Rules>).
    ///
    /// A save calls this method with all such conflicts together, before it checks uniqueness, and again if another
    /// context or process saves in the meantime.
    /// - Parameter conflicts: All conflicts of this kind in the save.
    /// - Throws: ``SaveConflictError`` for the policy ``error``; for ``mergeByPropertyObjectTrump`` when a changed
    ///   object was deleted in the store. In these cases, nothing was changed. An override can throw any error; the
    ///   save then throws it.
    open func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        switch mergeType {
        case .error: throw SaveConflictError(conflicts)
        case .mergeByPropertyStoreTrump:
            for conflict in conflicts { conflict.takeStoredValues { conflict.isChangedInStore($0) } }
        case .mergeByPropertyObjectTrump:
            // An edit is never discarded, and a deleted row is never inserted again automatically.
            let lost = conflicts.filter { $0.row == nil && !$0.sourceObject.isDeleted }
            if !lost.isEmpty { throw SaveConflictError(lost) }
            for conflict in conflicts { conflict.takeStoredValues { !conflict.changedHere.contains($0.index) } }
        case .overwrite: break
        case .rollback:
            for conflict in conflicts { conflict.restoreObject() }
        }
    }

    /// Resolves violated uniqueness constraints of objects that are about to be saved (rule 5D of
    /// <doc:Core-Data-Rules>).
    ///
    /// A save calls this method with all such conflicts together, after the resolution of changed rows (rule U11 of
    /// <doc:Core-Data-Rules>), and again if conflicts remain or new conflicts arise.
    /// - Parameter conflicts: All conflicts of this kind in the save.
    /// - Throws: ``UniquenessConflictError`` for the policy ``error``; for ``mergeByPropertyObjectTrump`` and
    ///   ``overwrite`` when one of two objects that both have a row in the store would have to be removed, or a new
    ///   object would have to replace two rows or a row of another entity. In these cases, nothing was changed.
    ///   ``StoreError`` or ``UnreadableValueError`` when a required row cannot be read. An override can throw any
    ///   error; the save then throws it.
    open func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
        switch mergeType {
        case .error: throw UniquenessConflictError(conflicts)
        case .mergeByPropertyStoreTrump, .rollback:
            try resolveEach(conflicts) { try $0.keepSaved(restoresAll: mergeType == .rollback) }
        case .mergeByPropertyObjectTrump, .overwrite:
            let lost = conflictsOfSavedObjects(conflicts)
            if !lost.isEmpty { throw UniquenessConflictError(lost) }
            try resolveEach(conflicts) { try $0.keepLast(replacesAll: mergeType == .overwrite) }
        }
    }

    /// Resolves conflicts one after the other; conflicts of objects that an earlier resolution changed are examined
    /// again.
    private func resolveEach(_ conflicts: [ConstraintConflict], _ body: (ConstraintConflict) throws -> Void) rethrows {
        var touched: Set<ObjectIdentifier> = []
        for conflict in conflicts {
            let participants = conflict.participants
            if touched.isDisjoint(with: participants) {
                try body(conflict)
            } else {
                conflict.isPostponed = true
            }
            touched.formUnion(participants)
        }
    }

    /// Returns the conflicts in which one of two saved objects would have to be removed if the object that was changed
    /// last is kept.
    private func conflictsOfSavedObjects(_ conflicts: [ConstraintConflict]) -> [ConstraintConflict] {
        // One new object cannot replace two saved objects.
        var rows: [ManagedObject: Set<IdentityMap.Key>] = [:]
        for conflict in conflicts {
            guard let row = conflict.row, let last = conflict.conflictingObjects.last else { continue }
            let rootIndex = row.values.runtimeEntity.rootIndex
            rows[last, default: []].insert(IdentityMap.Key(rootIndex: rootIndex, key: row.key))
        }
        return conflicts.filter { conflict in
            guard !conflict.losesSavedObject, let last = conflict.conflictingObjects.last else { return true }
            return conflict.row != nil && (rows[last]?.count ?? 0) > 1
        }
    }
}
