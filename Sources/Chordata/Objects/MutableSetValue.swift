/// A to-many relationship of an object, to change by its name; see ``ManagedObject/mutableSetValue(forKey:)``.
public struct MutableSetValue {
    private let object: ManagedObject
    private let field: Int

    init(_ object: ManagedObject, _ field: Int) {
        self.object = object
        self.field = field
    }

    private var members: ToManyStorage? {
        object.recordAccess(field)
        return object.toManyReference(at: field).pointee.storage ?? object.readMembers(field)
    }

    /// The number of members.
    public var count: Int {
        object.recordAccess(field)
        return object.managedObjectContext?.countToMany(of: object, field: field) ?? members?.count ?? 0
    }
    /// The members, in their order if there is one.
    public var allObjects: [ManagedObject] { members?.array ?? [] }

    /// Returns a Boolean value that indicates whether an object is a member.
    /// - Returns: `true` if the object is a member; otherwise, `false`.
    public func contains(_ member: ManagedObject) -> Bool { members?.contains(member) == true }

    /// Adds an object, at the end of an ordered relationship; the members that are there need not be read for it.
    public func add(_ member: ManagedObject) {
        if let member = object.destination(member, of: object.entityType.fields[field]) {
            object.add(member, toMany: field)
        }
    }

    /// Removes an object.
    public func remove(_ member: ManagedObject) { object.remove(member, fromMany: field) }

    /// Removes all objects.
    public func removeAllObjects() { object.setMembers([], field) }

    /// Adds objects, at the end of an ordered relationship and in their order.
    public func union(_ others: some Sequence<ManagedObject>) {
        for other in others { add(other) }
    }

    /// Removes objects.
    public func minus(_ others: some Sequence<ManagedObject>) {
        for other in others { remove(other) }
    }

    /// Removes the members that are not among other objects.
    public func intersect(_ others: some Sequence<ManagedObject>) {
        let kept = Set(others)
        for member in allObjects where !kept.contains(member) { remove(member) }
    }

    /// Replaces the members.
    public func setSet(_ others: some Sequence<ManagedObject>) {
        object.setMembers(others.compactMap { object.destination($0, of: object.entityType.fields[field]) }, field)
    }
}

extension ManagedObject {
    /// Returns a to-many relationship as a collection that can be changed.
    /// - Parameter key: The name of a to-many relationship; any other name traps.
    /// - Returns: A collection that reads and changes the relationship of this object.
    public final func mutableSetValue(forKey key: String) -> MutableSetValue {
        guard let field = entityType.field(named: key), field.kind.base == .toMany else {
            preconditionFailure("entity '\(entityType.entity.name)' has no to-many relationship '\(key)'")
        }
        return MutableSetValue(self, field.index)
    }
}
