public import Foundation

// Functions for accessors that were generated with the types of Core Data. `field` is the property's index in the field
// table.

extension ManagedObject {
    // MARK: Required attributes, which are optional in Swift

    /// Returns a Boolean value that indicates whether a required attribute has no value.
    @_spi(Generated)
    public final func attributeIsUnset(_ field: Int) -> Bool { withChanges { $0.unset.contains(field) } ?? false }

    /// Records that a required attribute has no value; the change of the attribute must be recorded first.
    /// - Returns: `zero`, the value that the attribute's memory has until the attribute is set.
    @_spi(Generated)
    public final func unsetAttribute<Value>(_ field: Int, _ zero: Value) -> Value {
        withChanges { $0.unset.insert(field) }
        return zero
    }

    // MARK: To-many relationships

    /// Returns the destination objects of a to-many relationship.
    /// - Complexity: O(n) in the number of objects.
    @_spi(Generated)
    public final func toManySet(_ slot: ToManySlot, _ field: Int) -> NSSet {
        NSSet(array: Array(toManyObjects(slot, field)))
    }

    /// Returns the destination objects of an ordered to-many relationship.
    /// - Complexity: O(n) in the number of objects.
    @_spi(Generated)
    public final func toManyOrderedSet(_ slot: ToManySlot, _ field: Int) -> NSOrderedSet {
        let objects: OrderedSet<ManagedObject> = orderedToMany(slot, field)
        return NSOrderedSet(array: objects.elements)
    }

    /// Sets a to-many relationship and updates the inverse; traps if an element is not an object of the destination
    /// entity.
    @_spi(Generated)
    public final func setMembers(_ members: (any RelationshipCollection)?, ofMany field: Int) {
        setMembers(members.map { objects(in: $0, field) } ?? [], field)
    }

    /// Adds objects to a to-many relationship, at the end if it is ordered; traps if an element is not an object of the
    /// destination entity.
    @_spi(Generated)
    public final func add(members: any RelationshipCollection, toMany field: Int) {
        add(objects(in: members, field), toMany: field)
    }

    /// Removes objects from a to-many relationship; traps if an element is not an object of the destination entity.
    @_spi(Generated)
    public final func remove(members: any RelationshipCollection, fromMany field: Int) {
        remove(objects(in: members, field), fromMany: field)
    }

    private func objects(in collection: any RelationshipCollection, _ field: Int) -> [ManagedObject] {
        destinations(collection.relationshipMembers, of: runtimeEntity.fields[field])
    }
}
