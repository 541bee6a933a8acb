/// The loaded objects of a to-many relationship.
///
/// Sets have the element type ``ManagedObject`` for all destination classes: code for one type of element is several
/// times faster than generic code. A set of objects of a class has the same memory layout and the same hashes as a set
/// of objects of its subclass, so getters return it as a set of the destination's class.
package class ToManyStorage {
    /// The members that were added and removed since the last save; `nil` if nothing has changed.
    final var changes: MemberChanges?

    package init() {}

    static func make(isOrdered: Bool) -> ToManyStorage { isOrdered ? OrderedToMany() : UnorderedToMany() }

    package var count: Int { preconditionFailure("abstract") }
    package func contains(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    /// The objects, in their order if there is one.
    package var array: [ManagedObject] { preconditionFailure("abstract") }
    /// Sets the members of an empty storage to the given objects, which must not contain duplicates.
    func fill(with objects: [ManagedObject]) { preconditionFailure("abstract") }
    /// Returns the objects in the form that a getter of that class returns: a `Set` or an `OrderedSet`.
    func collection<Object: ManagedObject>(of _: Object.Type) -> Any { preconditionFailure("abstract") }

    func add(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    func take(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }

    /// Adds an object at the end; returns `false` if it is a member already.
    package final func insert(_ object: ManagedObject) -> Bool {
        guard add(object) else { return false }
        changes?.recordAddition(of: object)
        return true
    }

    /// Removes an object; returns `false` if it is not a member.
    package final func remove(_ object: ManagedObject) -> Bool {
        guard take(object) else { return false }
        changes?.recordRemoval(of: object)
        return true
    }

    /// Starts to record additions and removals.
    package final func recordChange() {
        if changes == nil { changes = MemberChanges() }
    }

    /// Records the differences between the members and those that the store has.
    /// - Complexity: O(n) in the number of members.
    final func recordChanges(since storedKeys: [Int64]) {
        let members = array
        let stored = Set(storedKeys)
        var changes = MemberChanges()
        changes.added = Set(members.filter { !stored.contains($0.key) })
        changes.removedKeys = stored.subtracting(members.map(\.key))
        self.changes = changes
    }

    /// The members that a save adds to the store.
    final var addedMembers: [ManagedObject] {
        guard let changes else { return array }
        return changes.added.sorted { $0.key < $1.key }
    }

    /// The keys of the members that a save removes from the store.
    final var removedKeys: Set<Int64> { changes?.removedKeys ?? [] }

    /// A Boolean value that indicates whether the store has an object as a member.
    final func isStored(_ object: ManagedObject) -> Bool {
        guard let changes else { return contains(object) }
        return changes.removedKeys.contains(object.key) || !changes.added.contains(object) && contains(object)
    }
}

/// The members that were added to a to-many relationship and removed from it since the last save.
struct MemberChanges {
    var added: Set<ManagedObject> = []
    /// The keys of the removed objects, which need not stay in memory.
    var removedKeys: Set<Int64> = []

    mutating func recordAddition(of object: ManagedObject) {
        if removedKeys.remove(object.key) == nil { added.insert(object) }
    }

    mutating func recordRemoval(of object: ManagedObject) {
        if added.remove(object) == nil { removedKeys.insert(object.key) }
    }
}

final class UnorderedToMany: ToManyStorage {
    /// The members that were read before a set was requested: inserting objects into a set accesses all of them, and a
    /// caller that requests the set accesses them next anyway.
    @exclusivity(unchecked) private var unsorted: [ManagedObject] = []
    @exclusivity(unchecked) private var set: Set<ManagedObject> = []

    var objects: Set<ManagedObject> {
        makeSet()
        return set
    }

    private func makeSet() {
        guard !unsorted.isEmpty else { return }
        set = Set(minimumCapacity: unsorted.count)
        // The objects are moved, so that no reference is counted.
        while let object = unsorted.popLast() { set.insert(object) }
        unsorted = []
    }

    override var count: Int { unsorted.isEmpty ? set.count : unsorted.count }
    override var array: [ManagedObject] { unsorted.isEmpty ? Array(set) : unsorted }
    override func collection<Object: ManagedObject>(of _: Object.Type) -> Any {
        unsafeBitCast(objects, to: Set<Object>.self)
    }
    override func contains(_ object: ManagedObject) -> Bool { objects.contains(object) }
    override func add(_ object: ManagedObject) -> Bool {
        makeSet()
        return set.insert(object).inserted
    }
    override func take(_ object: ManagedObject) -> Bool {
        makeSet()
        return set.remove(object) != nil
    }
    override func fill(with objects: [ManagedObject]) { unsorted = objects }
}
