public import OrderedCollections

// What generated accessors of relationships call. `field` is the relationship's place in the field table.

extension ManagedObject {
    /// The object at the other end of a to-one.
    @_spi(Generated) @inlinable @inline(__always)
    public final func toOne<Object: ManagedObject>(_ reference: ToOne, _ field: Int) -> Object? {
        guard let object = toOneObject(reference, field) else { return nil }
        return unsafeDowncast(object, to: Object.self)
    }

    /// The same for any class: generic code of another module would pay for its type at each step.
    @_spi(Generated)
    public final func toOneObject(_ reference: ToOne, _ field: Int) -> ManagedObject? {
        if let object = reference.object { return object }
        if reference.key == 0 { return nil }
        return withContext(for: "read") { $0.realizeToOne(of: self, field: field) }
    }

    /// Sets a to-one and keeps the inverse in step.
    @_spi(Generated)
    public final func setToOne(_ object: ManagedObject?, _ field: Int) {
        withContext(for: "changed") { $0.setToOne(object, of: self, field: field) }
    }

    /// The objects at the other end of a to-many.
    @_spi(Generated) @inlinable @inline(__always)
    public final func toMany<Object: ManagedObject>(_ reference: ToMany, _ field: Int) -> Set<Object> {
        unsafeBitCast(toManyObjects(reference, field), to: Set<Object>.self)
    }

    /// The same for any class.
    @_spi(Generated)
    public final func toManyObjects(_ reference: ToMany, _ field: Int) -> Set<ManagedObject> {
        noteAccess(field)
        guard let storage = reference.storage ?? readMembers(field) else { return [] }
        return unsafeDowncast(storage, to: UnorderedToMany.self).objects
    }

    /// Sets a to-many and keeps the inverse in step.
    @_spi(Generated)
    public final func setToMany<Object: ManagedObject>(_ objects: Set<Object>, _ field: Int) {
        context(for: "changed").setToMany(Array(objects), of: self, field: field)
    }

    /// The objects at the other end of an ordered to-many.
    @_spi(Generated)
    public final func orderedToMany<Object: ManagedObject>(_ reference: ToMany, _ field: Int) -> OrderedSet<Object> {
        noteAccess(field)
        guard let storage = reference.storage ?? readMembers(field) else { return [] }
        return unsafeBitCast(unsafeDowncast(storage, to: OrderedToMany.self).objects, to: OrderedSet<Object>.self)
    }

    /// Sets an ordered to-many and keeps the inverse in step.
    @_spi(Generated)
    public final func setOrderedToMany<Object: ManagedObject>(_ objects: OrderedSet<Object>, _ field: Int) {
        context(for: "changed").setToMany(Array(objects), of: self, field: field)
    }

    /// Adds an object to a to-many, at the end of an ordered one.
    @_spi(Generated)
    public final func add(_ object: ManagedObject, toMany field: Int) {
        context(for: "changed").addToMany(object, of: self, field: field)
    }

    /// Removes an object from a to-many.
    @_spi(Generated)
    public final func remove(_ object: ManagedObject, fromMany field: Int) {
        context(for: "changed").removeFromMany(object, of: self, field: field)
    }

    /// Adds objects to a to-many, at the end of an ordered one.
    @_spi(Generated)
    public final func add<Objects: Sequence>(_ objects: Objects, toMany field: Int)
    where Objects.Element: ManagedObject {
        let context = context(for: "changed")
        for object in objects { context.addToMany(object, of: self, field: field) }
    }

    /// Removes objects from a to-many.
    @_spi(Generated)
    public final func remove<Objects: Sequence>(_ objects: Objects, fromMany field: Int)
    where Objects.Element: ManagedObject {
        let context = context(for: "changed")
        for object in objects { context.removeFromMany(object, of: self, field: field) }
    }

    // MARK: Places in an ordered to-many, in ascending order

    /// Inserts objects that are not there yet, so that they have these places afterwards.
    @_spi(Generated)
    public final func insert(
        _ objects: [ManagedObject],
        at indexes: some BidirectionalCollection<Int>,
        toMany field: Int
    ) {
        precondition(
            objects.count == indexes.count,
            "\(objects.count) objects need as many places, not \(indexes.count)"
        )
        changeOrder(of: field) { list in
            let known = Set(list)
            for (object, index) in zip(objects, indexes) where !known.contains(object) {
                list.insert(object, at: index)
            }
        }
    }

    /// Removes the objects at some places.
    @_spi(Generated)
    public final func remove(at indexes: some BidirectionalCollection<Int>, fromMany field: Int) {
        changeOrder(of: field) { list in
            for index in indexes.reversed() { list.remove(at: index) }
        }
    }

    /// Puts objects at the places of others.
    @_spi(Generated)
    public final func replace(
        at indexes: some BidirectionalCollection<Int>,
        with objects: [ManagedObject],
        inMany field: Int
    ) {
        precondition(
            objects.count == indexes.count,
            "\(objects.count) objects need as many places, not \(indexes.count)"
        )
        changeOrder(of: field) { list in
            for (object, index) in zip(objects, indexes) { list[index] = object }
        }
    }

    private func changeOrder(of field: Int, _ change: (inout [ManagedObject]) -> Void) {
        let context = context(for: "changed")
        var list = context.realizeToMany(of: self, field: field).array
        change(&list)
        context.setToMany(list, of: self, field: field)
    }

    /// The members of a to-many that is not in memory; `nil` for an object that was made without a context, which has none.
    final func readMembers(_ field: Int) -> ToManyStorage? {
        isUnattached ? nil : context(for: "read").realizeToMany(of: self, field: field)
    }

    // MARK: Storage

    /// Where the to-one with that place is; nothing is counted on the way.
    @inline(__always)
    final func toOneReference(at field: Int) -> UnsafeMutablePointer<ToOne> {
        (fieldBase + withEntityType { $0.relationshipFields[field].offset }).assumingMemoryBound(to: ToOne.self)
    }

    /// Where the to-many with that place is; nothing is counted on the way.
    @inline(__always)
    final func toManyReference(at field: Int) -> UnsafeMutablePointer<ToMany> {
        (fieldBase + withEntityType { $0.relationshipFields[field].offset }).assumingMemoryBound(to: ToMany.self)
    }

    final func toOneReference(_ field: Field) -> UnsafeMutablePointer<ToOne> {
        address(of: field).assumingMemoryBound(to: ToOne.self)
    }

    final func toManyReference(_ field: Field) -> UnsafeMutablePointer<ToMany> {
        address(of: field).assumingMemoryBound(to: ToMany.self)
    }
}
