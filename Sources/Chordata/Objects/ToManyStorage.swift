internal import OrderedCollections

/// The loaded objects of a to-many relationship.
///
/// The subclasses know the destination's class, so that a getter hands out its `Set` without building one.
package class ToManyStorage {
    /// The keys in the store, kept from the first change until the save; `nil` while nothing changed.
    package final var committedKeys: [Int64]?

    package init() {}

    package var count: Int { preconditionFailure("abstract") }
    package func contains(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    /// Adds an object at the end; false when it is there already.
    package func insert(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    package func remove(_ object: ManagedObject) -> Bool { preconditionFailure("abstract") }
    /// The objects, in their order if there is one.
    package var array: [ManagedObject] { preconditionFailure("abstract") }

    /// The objects as a getter gives them: a `Set` or an `OrderedSet`.
    package var collection: Any { preconditionFailure("abstract") }

    /// Keeps the stored keys before the first change.
    package final func noteChange() {
        if committedKeys == nil { committedKeys = array.map(\.key) }
    }
}

final class UnorderedToMany<Object: ManagedObject>: ToManyStorage {
    var objects: Set<Object> = []

    override var count: Int { objects.count }
    override var array: [ManagedObject] { Array(objects) }
    override var collection: Any { objects }
    override func contains(_ object: ManagedObject) -> Bool {
        objects.contains(unsafeDowncast(object, to: Object.self))
    }
    override func insert(_ object: ManagedObject) -> Bool {
        objects.insert(unsafeDowncast(object, to: Object.self)).inserted
    }
    override func remove(_ object: ManagedObject) -> Bool {
        objects.remove(unsafeDowncast(object, to: Object.self)) != nil
    }
}

final class OrderedToMany<Object: ManagedObject>: ToManyStorage {
    var objects: OrderedSet<Object> = []

    override var count: Int { objects.count }
    override var array: [ManagedObject] { Array(objects) }
    override var collection: Any { objects }
    override func contains(_ object: ManagedObject) -> Bool {
        objects.contains(unsafeDowncast(object, to: Object.self))
    }
    override func insert(_ object: ManagedObject) -> Bool {
        objects.append(unsafeDowncast(object, to: Object.self)).inserted
    }
    override func remove(_ object: ManagedObject) -> Bool {
        objects.remove(unsafeDowncast(object, to: Object.self)) != nil
    }
}
