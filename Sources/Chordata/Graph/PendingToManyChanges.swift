internal import OrderedCollections

/// The changes of an unread to-many relationship.
struct PendingToManyChanges {
    /// Where members have a to-one back, those that came.
    ///
    /// Whether an object is still a member is decided by its to-one.
    var arrivals: [ManagedObject] = []
    /// Where they have none, those that came and those that went.
    private(set) var added: OrderedSet<ManagedObject> = []
    private(set) var removed: Set<ManagedObject> = []

    mutating func add(_ object: ManagedObject) {
        removed.remove(object)
        added.append(object)
    }

    mutating func forget(_ deletedRows: Set<ManagedObject>) {
        arrivals.removeAll { deletedRows.contains($0) }
        added.subtract(deletedRows)
        removed.subtract(deletedRows)
    }

    mutating func remove(_ object: ManagedObject) {
        added.remove(object)
        removed.insert(object)
    }
}
