/// A mutable collection that represents a to-many relationship of an object; see
/// ``ManagedObject/mutableSetValue(forKey:)``.
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
        return object.managedObjectContext?.editor.countToMany(of: object, field: field) ?? members?.count ?? 0
    }
    /// The members, in order if the relationship is ordered.
    public var allObjects: [ManagedObject] { members?.array ?? [] }

    /// Returns a Boolean value that indicates whether an object is a member.
    /// - Returns: `true` if the object is a member; otherwise, `false`.
    public func contains(_ member: ManagedObject) -> Bool { members?.contains(member) == true }

    /// Adds an object, at the end if the relationship is ordered; the existing members are not read.
    public func add(_ member: ManagedObject) {
        if let member = object.destination(member, of: object.runtimeEntity.fields[field]) {
            object.add(member, toMany: field)
        }
    }

    /// Removes an object from the relationship.
    public func remove(_ member: ManagedObject) { object.remove(member, fromMany: field) }

    /// Removes all objects from the relationship.
    public func removeAllObjects() { object.setMembers([], field) }

    /// Adds objects in the given order, at the end if the relationship is ordered.
    public func union(_ others: some Sequence<ManagedObject>) {
        for other in others { add(other) }
    }

    /// Removes objects from the relationship.
    public func minus(_ others: some Sequence<ManagedObject>) {
        for other in others { remove(other) }
    }

    /// Removes all members that are not in a sequence of objects.
    public func intersect(_ others: some Sequence<ManagedObject>) {
        let kept = Set(others)
        for member in allObjects where !kept.contains(member) { remove(member) }
    }

    /// Replaces the members with the objects of a sequence.
    public func setSet(_ others: some Sequence<ManagedObject>) {
        object.setMembers(others.compactMap { object.destination($0, of: object.runtimeEntity.fields[field]) }, field)
    }
}

extension ManagedObject {
    /// Returns a mutable collection that represents a to-many relationship.
    /// - Parameter key: The name of a to-many relationship. Any other name traps.
    /// - Returns: A collection that reads and changes the relationship of this object.
    public final func mutableSetValue(forKey key: String) -> MutableSetValue {
        guard let field = runtimeEntity.field(named: key), field.kind.base == .toMany else {
            preconditionFailure("entity '\(runtimeEntity.entity.name)' has no to-many relationship '\(key)'")
        }
        return MutableSetValue(self, field.index)
    }
}
