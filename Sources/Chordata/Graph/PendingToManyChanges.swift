internal import OrderedCollections

/// The changes of an unread to-many relationship.
struct PendingToManyChanges {
    /// The added members of a relationship whose inverse is to-one.
    ///
    /// The to-one relationship of an object determines whether it is still a member.
    var candidates: [ManagedObject] = []
    /// The added members of another relationship.
    private(set) var added: OrderedSet<ManagedObject> = []
    /// The removed members of another relationship.
    private(set) var removed: Set<ManagedObject> = []

    mutating func add(_ object: ManagedObject) {
        removed.remove(object)
        added.append(object)
    }

    mutating func forget(_ deletedRows: Set<ManagedObject>) {
        candidates.removeAll { deletedRows.contains($0) }
        added.subtract(deletedRows)
        removed.subtract(deletedRows)
    }

    mutating func remove(_ object: ManagedObject) {
        added.remove(object)
        removed.insert(object)
    }
}
