internal import OrderedCollections

/// The loaded objects of an ordered to-many relationship.
///
/// An `OrderedSet` renumbers all members that follow an insertion or a removal in its hash table. So changes in the
/// middle are made in an array and a separate set of the members, and the ordered set is created again when a getter
/// needs it.
final class OrderedToMany: ToManyStorage {
    private enum Members {
        case ordered(OrderedSet<ManagedObject>)
        case edited([ManagedObject], Set<ManagedObject>)
    }

    private var members = Members.ordered([])

    /// The members that were inserted since the members were read or saved; `nil` if a save has to read the positions.
    ///
    /// A save assigns them positions between those of the other members, whose positions in the store are valid.
    private(set) var insertedMembers: Set<ManagedObject>?

    /// The members in the form that a getter returns.
    var objects: OrderedSet<ManagedObject> {
        switch members {
        case .ordered(let objects): return objects
        case .edited(let objects, _):
            let ordered = OrderedSet(uncheckedUniqueElements: objects)
            members = .ordered(ordered)
            return ordered
        }
    }

    override var count: Int {
        switch members {
        case .ordered(let objects): objects.count
        case .edited(let objects, _): objects.count
        }
    }

    override var array: [ManagedObject] {
        switch members {
        case .ordered(let objects): objects.elements
        case .edited(let objects, _): objects
        }
    }

    override func contains(_ object: ManagedObject) -> Bool {
        switch members {
        case .ordered(let objects): objects.contains(object)
        case .edited(_, let set): set.contains(object)
        }
    }

    override func collection<Object: ManagedObject>(of _: Object.Type) -> Any {
        unsafeBitCast(objects, to: OrderedSet<Object>.self)
    }

    override func fill(with objects: [ManagedObject]) { members = .ordered(OrderedSet(objects)) }

    // MARK: Positions

    /// Starts to record insertions, except for `fill(with:)`, which sets the members in the order of the store.
    func recordInsertions() { insertedMembers = [] }

    /// Makes the next save read the positions of all members, and write those that differ from this context's order.
    func forgetPositions() { insertedMembers = nil }

    /// Records that a save has succeeded.
    /// - Parameter isWritten: A Boolean value that indicates whether the save wrote the order.
    func didSave(isWritten: Bool) { insertedMembers = isWritten || insertedMembers?.isEmpty == true ? [] : nil }

    // MARK: Changes

    override func add(_ object: ManagedObject) -> Bool {
        switch members {
        case .ordered(var objects):
            members = .ordered([])
            defer { members = .ordered(objects) }
            guard objects.append(object).inserted else { return false }
            insertedMembers?.insert(object)
            return true
        case .edited: return insertMember(object, at: count)
        }
    }

    override func take(_ object: ManagedObject) -> Bool {
        guard let index = index(of: object) else { return false }
        insertedMembers?.remove(object)
        edit { objects, set in
            objects.remove(at: index)
            set.remove(object)
        }
        return true
    }

    private func index(of object: ManagedObject) -> Int? {
        switch members {
        case .ordered(let objects): objects.firstIndex(of: object)
        case .edited(let objects, let set): set.contains(object) ? objects.lastIndex { $0 === object } : nil
        }
    }

    /// Inserts an object at an index; returns `false` if it is a member already.
    /// - Complexity: O(n) in the number of members that follow, or of all members for the first change after a read.
    func insert(_ object: ManagedObject, at index: Int) -> Bool {
        guard insertMember(object, at: index) else { return false }
        changes?.recordAddition(of: object)
        return true
    }

    private func insertMember(_ object: ManagedObject, at index: Int) -> Bool {
        edit { objects, set in
            guard set.insert(object).inserted else { return false }
            insertedMembers?.insert(object)
            objects.insert(object, at: index)
            return true
        }
    }

    /// Changes the order of the members.
    func reorder(_ objects: [ManagedObject]) {
        forgetPositions()
        edit { members, _ in members = objects }
    }

    private func edit<Result>(_ body: (inout [ManagedObject], inout Set<ManagedObject>) -> Result) -> Result {
        var objects: [ManagedObject]
        var set: Set<ManagedObject>
        switch members {
        case .ordered(let ordered): (objects, set) = (ordered.elements, Set(ordered))
        case .edited(let edited, let known): (objects, set) = (edited, known)
        }
        // Remove the other reference to each collection, so that the collections are changed in place.
        members = .ordered([])
        defer { members = .edited(objects, set) }
        return body(&objects, &set)
    }
}
