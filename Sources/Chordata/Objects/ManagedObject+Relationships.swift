public import OrderedCollections

// Functions for generated accessors of relationships. `field` is the relationship's index in the field table.

extension ManagedObject {
    /// Returns the destination object of a to-one relationship.
    @_spi(Generated) @inlinable @inline(__always)
    public final func toOne<Object: ManagedObject>(_ reference: ToOneSlot, _ field: Int) -> Object? {
        guard let object = toOneObject(reference, field) else { return nil }
        return unsafeDowncast(object, to: Object.self)
    }

    /// Returns the destination object of a to-one relationship as a ``ManagedObject``.
    ///
    /// The result does not have the specific class, because generic code of another module would be slower.
    @_spi(Generated)
    public final func toOneObject(_ reference: ToOneSlot, _ field: Int) -> ManagedObject? {
        if let object = reference.object { return object }
        if reference.key == 0 { return nil }
        return withContext { $0.editor.realizeToOne(of: self, field: field) }
    }

    /// Sets a to-one relationship and updates the inverse.
    @_spi(Generated)
    public final func setToOne(_ object: ManagedObject?, _ field: Int) {
        guard let context = contextForChange() else { return setDetachedToOne(object, field) }
        context.editor.setToOne(object.flatMap { $0.isDeletedAndDetached ? nil : $0 }, of: self, field: field)
    }

    /// Returns the destination objects of a to-many relationship.
    @_spi(Generated) @inlinable @inline(__always)
    public final func toMany<Object: ManagedObject>(_ reference: ToManySlot, _ field: Int) -> Set<Object> {
        unsafeBitCast(toManyObjects(reference, field), to: Set<Object>.self)
    }

    /// Returns the destination objects of a to-many relationship as ``ManagedObject``s.
    @_spi(Generated)
    public final func toManyObjects(_ reference: ToManySlot, _ field: Int) -> Set<ManagedObject> {
        recordAccess(field)
        guard let storage = reference.storage ?? readMembers(field) else { return [] }
        return unsafeDowncast(storage, to: UnorderedToMany.self).objects
    }

    /// Sets a to-many relationship and updates the inverse.
    @_spi(Generated)
    public final func setToMany<Object: ManagedObject>(_ objects: Set<Object>, _ field: Int) {
        setMembers(Array(objects), field)
    }

    /// Returns the destination objects of an ordered to-many relationship.
    @_spi(Generated)
    public final func orderedToMany<Object: ManagedObject>(_ reference: ToManySlot, _ field: Int) -> OrderedSet<Object>
    {
        recordAccess(field)
        guard let storage = reference.storage ?? readMembers(field) else { return [] }
        return unsafeBitCast(unsafeDowncast(storage, to: OrderedToMany.self).objects, to: OrderedSet<Object>.self)
    }

    /// Sets an ordered to-many relationship and updates the inverse.
    @_spi(Generated)
    public final func setOrderedToMany<Object: ManagedObject>(_ objects: OrderedSet<Object>, _ field: Int) {
        setMembers(objects.elements, field)
    }

    /// Sets a to-many relationship, ordered or not.
    final func setMembers(_ objects: [ManagedObject], _ field: Int) {
        guard let context = contextForChange() else { return setDetachedMembers(objects, field) }
        context.editor.setToMany(objects.filter { !$0.isDeletedAndDetached }, of: self, field: field)
    }

    /// Adds an object to a to-many relationship, at the end if it is ordered.
    @_spi(Generated)
    public final func add(_ object: ManagedObject, toMany field: Int) {
        guard let context = contextForChange() else {
            _ = detachedMembers(field).insert(object)
            return
        }
        if !object.isDeletedAndDetached { context.editor.addToMany(object, of: self, field: field) }
    }

    /// Removes an object from a to-many relationship.
    @_spi(Generated)
    public final func remove(_ object: ManagedObject, fromMany field: Int) {
        guard let context = contextForChange() else {
            _ = detachedMembers(field).remove(object)
            return
        }
        context.editor.removeFromMany(object, of: self, field: field)
    }

    /// Adds objects to a to-many relationship, at the end if it is ordered.
    @_spi(Generated)
    public final func add<Objects: Sequence>(_ objects: Objects, toMany field: Int)
    where Objects.Element: ManagedObject {
        guard let context = contextForChange() else {
            let members = detachedMembers(field)
            for object in objects { _ = members.insert(object) }
            return
        }
        for object in objects where !object.isDeletedAndDetached {
            context.editor.addToMany(object, of: self, field: field)
        }
    }

    /// Removes objects from a to-many relationship.
    @_spi(Generated)
    public final func remove<Objects: Sequence>(_ objects: Objects, fromMany field: Int)
    where Objects.Element: ManagedObject {
        guard let context = contextForChange() else {
            let members = detachedMembers(field)
            for object in objects { _ = members.remove(object) }
            return
        }
        for object in objects { context.editor.removeFromMany(object, of: self, field: field) }
    }

    // MARK: Indexes in an ordered to-many relationship, in ascending order

    /// Inserts objects that are not yet members into an ordered to-many relationship; they have the given indexes
    /// afterwards.
    @_spi(Generated)
    public final func insert(
        _ objects: [ManagedObject],
        at indexes: some BidirectionalCollection<Int>,
        toMany field: Int
    ) {
        precondition(
            objects.count == indexes.count,
            "\(objects.count) objects need \(objects.count) indexes, not \(indexes.count)"
        )
        guard let context = contextForChange() else {
            let members = detachedMembers(field) as? OrderedToMany
            for (object, index) in zip(objects, indexes) { _ = members?.insert(object, at: index) }
            return
        }
        let present = zip(objects, indexes).filter { !$0.0.isDeletedAndDetached }
        context.editor.insert(present.map(\.0), at: present.map(\.1), of: self, field: field)
    }

    /// Removes the objects at the given indexes from an ordered to-many relationship.
    @_spi(Generated)
    public final func remove(at indexes: some BidirectionalCollection<Int>, fromMany field: Int) {
        guard let context = contextForChange() else {
            let members = detachedMembers(field)
            let list = members.array
            for index in indexes { _ = members.remove(list[index]) }
            return
        }
        for object in members(at: indexes, of: field).reversed() {
            context.editor.removeFromMany(object, of: self, field: field)
        }
    }

    // The array of all members is released before the members change, so that they can change in place.
    private func members(at indexes: some Sequence<Int>, of field: Int) -> [ManagedObject] {
        let list = readMembers(field)?.array ?? []
        return indexes.map { list[$0] }
    }

    /// Replaces the objects at the given indexes of an ordered to-many relationship.
    @_spi(Generated)
    public final func replace(
        at indexes: some BidirectionalCollection<Int>,
        with objects: [ManagedObject],
        inMany field: Int
    ) {
        precondition(
            objects.count == indexes.count,
            "\(objects.count) objects need \(objects.count) indexes, not \(indexes.count)"
        )
        let isNew = readMembers(field).map { members in !objects.contains { members.contains($0) } }
        guard isNew == true, let context = contextForChange() else {
            return changeOrder(of: field) { list in
                for (object, index) in zip(objects, indexes) { list[index] = object }
            }
        }
        for ((object, index), old) in zip(zip(objects, indexes), members(at: indexes, of: field)) {
            context.editor.removeFromMany(old, of: self, field: field)
            context.editor.insert([object], at: [index], of: self, field: field)
        }
    }

    private func changeOrder(of field: Int, _ change: (inout [ManagedObject]) -> Void) {
        var list = (contextForChange()?.editor.realizeToMany(of: self, field: field) ?? detachedMembers(field)).array
        change(&list)
        setMembers(list, field)
    }

    /// Reads the members of a to-many relationship that is not in memory; returns `nil` for an object without a
    /// context, which has no members.
    final func readMembers(_ field: Int) -> ToManyStorage? {
        defer { markAsRead() }
        return managedObjectContext?.editor.realizeToMany(of: self, field: field)
    }

    // MARK: Detached objects

    /// A Boolean value that indicates whether the object was deleted and detached.
    ///
    /// Relationships of other objects ignore such an object.
    final var isDeletedAndDetached: Bool {
        state == .detached && contextReference == nil && detachmentReason != .discarded
    }

    /// Sets a to-one relationship of a detached object, without updating its inverse.
    final func setDetachedToOne(_ object: ManagedObject?, _ field: Int) {
        var reference = ToOneSlot()
        reference.key = object?.key ?? 0
        reference.object = object
        toOneReference(at: field).pointee = reference
    }

    /// Sets a to-many relationship of a detached object, without updating its inverse.
    final func setDetachedMembers(_ objects: [ManagedObject], _ field: Int) {
        toManyReference(at: field).pointee.storage = nil
        let members = detachedMembers(field)
        for object in objects { _ = members.insert(object) }
    }

    private final func detachedMembers(_ field: Int) -> ToManyStorage {
        let reference = toManyReference(at: field)
        if let storage = reference.pointee.storage { return storage }
        let isOrdered = runtimeEntity.relationships[field]?.description.isOrdered == true
        let storage = ToManyStorage.make(isOrdered: isOrdered)
        reference.pointee.storage = storage
        return storage
    }

    // MARK: Storage

    /// Returns the slot of a to-one relationship, without counting references.
    @inline(__always)
    final func toOneReference(at field: Int) -> UnsafeMutablePointer<ToOneSlot> {
        (fieldBase + withRuntimeEntity { $0.relationshipFields[field].offset }).assumingMemoryBound(to: ToOneSlot.self)
    }

    /// Returns the slot of a to-many relationship, without counting references.
    @inline(__always)
    final func toManyReference(at field: Int) -> UnsafeMutablePointer<ToManySlot> {
        (fieldBase + withRuntimeEntity { $0.relationshipFields[field].offset }).assumingMemoryBound(to: ToManySlot.self)
    }

    final func toOneReference(_ field: Field) -> UnsafeMutablePointer<ToOneSlot> {
        address(of: field).assumingMemoryBound(to: ToOneSlot.self)
    }

    final func toManyReference(_ field: Field) -> UnsafeMutablePointer<ToManySlot> {
        address(of: field).assumingMemoryBound(to: ToManySlot.self)
    }
}
