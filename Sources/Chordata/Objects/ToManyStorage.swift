internal import OrderedCollections

/// The loaded objects of a to-many relationship.
///
/// Sets are of ``ManagedObject``, whatever the destination's class is: code for one type of element is several times faster than
/// generic code. A set of a class is laid out and hashed like one of its subclass, so getters hand it out as such.
package class ToManyStorage {
    /// The keys in the store, kept from the first change until the save; `nil` while nothing changed.
    package final var committedKeys: [Int64]?

    package init() {}

    static func make(isOrdered: Bool) -> ToManyStorage { isOrdered ? OrderedToMany() : UnorderedToMany() }

    package var count: Int { preconditionFailure("abstract") }
    package func contains(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    /// Adds an object at the end; false when it is there already.
    package func insert(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    package func remove(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    /// Takes objects, each once, for the members; only of an empty storage.
    func fill(with objects: [ManagedObject]) { preconditionFailure("abstract") }

    /// The objects, in their order if there is one.
    package var array: [ManagedObject] { preconditionFailure("abstract") }

    /// The objects as a getter of that class gives them: a `Set` or an `OrderedSet`.
    func collection<Object: ManagedObject>(of _: Object.Type) -> Any { preconditionFailure("abstract") }

    /// Keeps the stored keys before the first change.
    package final func noteChange() {
        if committedKeys == nil { committedKeys = array.map(\.key) }
    }
}

final class UnorderedToMany: ToManyStorage {
    /// What was read and not asked for as a set yet: to put objects into one touches all of them, and whoever asks touches them next.
    @exclusivity(unchecked) private var unsorted: [ManagedObject] = []
    @exclusivity(unchecked) private var set: Set<ManagedObject> = []

    var objects: Set<ManagedObject> {
        makeSet()
        return set
    }

    private func makeSet() {
        guard !unsorted.isEmpty else { return }
        set = Set(minimumCapacity: unsorted.count)
        // They move, so that nobody counts who holds them.
        while let object = unsorted.popLast() { set.insert(object) }
        unsorted = []
    }

    override var count: Int { unsorted.isEmpty ? set.count : unsorted.count }
    override var array: [ManagedObject] { unsorted.isEmpty ? Array(set) : unsorted }
    override func collection<Object: ManagedObject>(of _: Object.Type) -> Any {
        unsafeBitCast(objects, to: Set<Object>.self)
    }
    override func contains(_ object: ManagedObject) -> Bool { objects.contains(object) }
    override func insert(_ object: ManagedObject) -> Bool {
        makeSet()
        return set.insert(object).inserted
    }
    override func remove(_ object: ManagedObject) -> Bool {
        makeSet()
        return set.remove(object) != nil
    }
    override func fill(with objects: [ManagedObject]) { unsorted = objects }
}

final class OrderedToMany: ToManyStorage {
    private(set) var objects: OrderedSet<ManagedObject> = []

    override var count: Int { objects.count }
    override var array: [ManagedObject] { objects.elements }
    override func collection<Object: ManagedObject>(of _: Object.Type) -> Any {
        unsafeBitCast(objects, to: OrderedSet<Object>.self)
    }
    override func contains(_ object: ManagedObject) -> Bool { objects.contains(object) }
    override func insert(_ object: ManagedObject) -> Bool { objects.append(object).inserted }
    override func remove(_ object: ManagedObject) -> Bool { objects.remove(object) != nil }
    override func fill(with objects: [ManagedObject]) { self.objects = OrderedSet(objects) }
}
