public import OrderedCollections

// What generated accessors of relationships call. `field` is the relationship's place in the field table.

extension ManagedObject {
    /// The object at the other end of a to-one.
    @_spi(Generated)
    public final func toOne<Object: ManagedObject>(_ reference: ToOne, _ field: Int) -> Object? {
        if let object = reference.object { return unsafeDowncast(object, to: Object.self) }
        if reference.key == 0 { return nil }
        return context(for: "read").realizeToOne(of: self, field: field).map { unsafeDowncast($0, to: Object.self) }
    }

    /// Sets a to-one and keeps the inverse in step.
    @_spi(Generated)
    public final func setToOne(_ object: ManagedObject?, _ field: Int) {
        context(for: "changed").setToOne(object, of: self, field: field)
    }

    /// The objects at the other end of a to-many.
    @_spi(Generated)
    public final func toMany<Object: ManagedObject>(_ reference: ToMany, _ field: Int) -> Set<Object> {
        let storage = reference.storage ?? context(for: "read").realizeToMany(of: self, field: field)
        return unsafeDowncast(storage, to: UnorderedToMany<Object>.self).objects
    }

    /// Sets a to-many and keeps the inverse in step.
    @_spi(Generated)
    public final func setToMany<Object: ManagedObject>(_ objects: Set<Object>, _ field: Int) {
        context(for: "changed").setToMany(Array(objects), of: self, field: field)
    }

    /// The objects at the other end of an ordered to-many.
    @_spi(Generated)
    public final func orderedToMany<Object: ManagedObject>(_ reference: ToMany, _ field: Int) -> OrderedSet<Object> {
        let storage = reference.storage ?? context(for: "read").realizeToMany(of: self, field: field)
        return unsafeDowncast(storage, to: OrderedToMany<Object>.self).objects
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

    // MARK: Storage

    final func toOneReference(_ field: Field) -> UnsafeMutablePointer<ToOne> {
        address(of: field).assumingMemoryBound(to: ToOne.self)
    }

    final func toManyReference(_ field: Field) -> UnsafeMutablePointer<ToMany> {
        address(of: field).assumingMemoryBound(to: ToMany.self)
    }
}
