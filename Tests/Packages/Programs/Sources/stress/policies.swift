import Chordata

/// A policy that adds the increments of both sides.
final class Adding: MergePolicy {
    private let counters: Set<ManagedObjectID>
    private(set) var conflictCount = 0

    init(_ counters: [SharedObject]) {
        self.counters = Set(counters.map(\.id))
        super.init(merge: .overwrite)
    }

    override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        conflictCount += conflicts.count
        for conflict in conflicts {
            guard let counter = conflict.sourceObject as? Player, counters.contains(counter.objectID) else {
                throw Finding("\(conflict.sourceObject.objectID) is in conflict, and no other worker changes it")
            }
            let (base, theirs) = (
                conflict.objectSnapshot?["age"] as? Int16, conflict.persistedSnapshot?["age"] as? Int16
            )
            guard let base, let theirs else { throw Finding("a conflict about \(counter.objectID) has no values") }
            counter.age += theirs - base
        }
    }
}

/// One of the standard policies, which also records the values in the store when it is called.
final class Watched: MergePolicy {
    private let stamps: Set<ManagedObjectID>
    /// The last values in the store.
    private(set) var stored: [ManagedObjectID: Int16] = [:]

    init(_ stamps: [SharedObject], merge type: MergePolicyType) {
        self.stamps = Set(stamps.map(\.id))
        super.init(merge: type)
    }

    override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
        for conflict in conflicts {
            let id = conflict.sourceObject.objectID
            guard stamps.contains(id), let age = conflict.persistedSnapshot?["age"] as? Int16 else {
                throw Finding("\(id) is in conflict, and no other worker changes it")
            }
            stored[id] = age
        }
        try super.resolve(optimisticLockingConflicts: conflicts)
    }
}
