/// The kinds of ``MergePolicy``.
public enum MergePolicyType: Sendable, Hashable {
    /// The save fails with ``SaveConflictError`` or ``UniquenessConflictError``, and nothing changes.
    case error
    /// Property by property, what the store has wins over what was set here.
    case mergeByPropertyStoreTrump
    /// Property by property, what was set here wins over what the store has.
    case mergeByPropertyObjectTrump
    /// The whole object is written as it is here.
    case overwrite
    /// Local changes are dropped.
    case rollback
}

/// The policy by which a save resolves rows that were changed or deleted since they were read, and violated uniqueness
/// constraints.
///
/// A context asks its ``ManagedObjectContext/mergePolicy``. The page <doc:Conflicts> describes each policy in every
/// case.
///
/// A subclass decides for itself, property by property:
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
/// A policy runs where its context is used, while no transaction is open: it may use other contexts. It must not save
/// the context whose conflicts it resolves. When it returns, the context takes over which versions the store has, and
/// writes what its objects hold then; so a policy that does nothing overwrites. When it throws, nothing is written, and
/// what it has changed stays.
open class MergePolicy {
    // These have nothing that changes, and their class has no subclass's code.
    /// Conflicts are errors.
    public nonisolated(unsafe) static let error = MergePolicy(merge: .error)
    /// Property by property, what the store has wins.
    public nonisolated(unsafe) static let mergeByPropertyStoreTrump = MergePolicy(merge: .mergeByPropertyStoreTrump)
    /// Property by property, what was set here wins.
    public nonisolated(unsafe) static let mergeByPropertyObjectTrump = MergePolicy(merge: .mergeByPropertyObjectTrump)
    /// The whole object is written as it is here.
    public nonisolated(unsafe) static let overwrite = MergePolicy(merge: .overwrite)
    /// Local changes are dropped.
    public nonisolated(unsafe) static let rollback = MergePolicy(merge: .rollback)

    /// The kind of conflict resolution; a subclass can override the resolution itself, and then this value has no
    /// effect.
    public final let mergeType: MergePolicyType

    /// Creates a policy that does the same as one of the given ones, for subclasses to change.
    /// - Parameter type: The policy that subclasses start from.
    public init(merge type: MergePolicyType) { mergeType = type }

    /// Resolves conflicts with rows that were changed or deleted since they were read (rule 5C of
    /// <doc:Core-Data-Rules>).
    ///
    /// Called before uniqueness is checked, with all such conflicts of a save in one call.
    /// - Parameter conflicts: All such conflicts of the save.
    /// - Throws: ``SaveConflictError`` for the policy ``error``; for ``mergeByPropertyObjectTrump`` where a changed
    ///   object was deleted in the store. Nothing was changed then. An override may throw any error, which the save
    ///   then throws.
    open func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        switch mergeType {
        case .error: throw SaveConflictError(conflicts)
        case .mergeByPropertyStoreTrump:
            for conflict in conflicts { conflict.takeStoredValues { conflict.isChangedInStore($0) } }
        case .mergeByPropertyObjectTrump:
            // An edit is never dropped, and a row never comes back by itself.
            let lost = conflicts.filter { $0.row == nil && !$0.sourceObject.isDeleted }
            if !lost.isEmpty { throw SaveConflictError(lost) }
            for conflict in conflicts { conflict.takeStoredValues { !conflict.changedHere.contains($0.index) } }
        case .overwrite: break
        case .rollback:
            for conflict in conflicts { conflict.restoreObject() }
        }
    }

    /// Resolves that objects that are about to be saved have values that must be unique and are not (rule 5D of
    /// <doc:Core-Data-Rules>).
    ///
    /// Called after optimistic locking has been resolved (rule U11 of <doc:Core-Data-Rules>), with all such conflicts
    /// of a save in one call.
    /// - Parameter conflicts: All such conflicts of the save.
    /// - Throws: ``UniquenessConflictError`` for the policy ``error``; for ``mergeByPropertyObjectTrump`` and
    ///   ``overwrite`` where one of two saved objects would have to be removed. Nothing was changed then.
    ///   ``StoreError`` or ``UnreadableValueError`` when a row that is needed cannot be read. An override may throw any
    ///   error, which the save then throws.
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

    /// Resolves conflicts one after the other; those about objects that an earlier resolution changed are examined
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

    /// The conflicts in which one of two saved objects would have to go, where the object changed last is kept.
    private func conflictsOfSavedObjects(_ conflicts: [ConstraintConflict]) -> [ConstraintConflict] {
        // One new object cannot become two saved ones.
        var rows: [ManagedObject: Set<IdentityMap.Key>] = [:]
        for conflict in conflicts {
            guard let row = conflict.row, let last = conflict.conflictingObjects.last else { continue }
            let rootIndex = row.values.entityType.rootIndex
            rows[last, default: []].insert(IdentityMap.Key(rootIndex: rootIndex, key: row.key))
        }
        return conflicts.filter { conflict in
            guard !conflict.losesSavedObject, let last = conflict.conflictingObjects.last else { return true }
            return conflict.row != nil && (rows[last]?.count ?? 0) > 1
        }
    }
}
