/// The changes in a context or a store, as object IDs: a value that is Sendable.
public struct ObjectIDChanges: Sendable, Hashable {
    /// The objects that were inserted.
    public var inserted: Set<ManagedObjectID> = []
    /// The objects that were changed.
    public var updated: Set<ManagedObjectID> = []
    /// The objects that were deleted.
    public var deleted: Set<ManagedObjectID> = []
    /// The objects that were refreshed with the values in the store.
    public var refreshed: Set<ManagedObjectID> = []
    /// The objects that lost what they had.
    public var invalidated: Set<ManagedObjectID> = []
    /// A Boolean value that indicates whether all objects were invalidated because the context was reset.
    public var invalidatesAll = false

    /// Creates a description of changes; each parameter is the property of the same name.
    public init(
        inserted: Set<ManagedObjectID> = [],
        updated: Set<ManagedObjectID> = [],
        deleted: Set<ManagedObjectID> = [],
        refreshed: Set<ManagedObjectID> = [],
        invalidated: Set<ManagedObjectID> = [],
        invalidatesAll: Bool = false
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.refreshed = refreshed
        self.invalidated = invalidated
        self.invalidatesAll = invalidatesAll
    }

    /// A Boolean value that indicates whether nothing changed.
    public var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty && invalidated.isEmpty
            && !invalidatesAll
    }
}

extension ObjectIDChanges {
    init(_ change: ContextChange) {
        func ids(_ objects: Set<ManagedObject>) -> Set<ManagedObjectID> { Set(objects.map(\.objectID)) }
        let deleted = change.deleted.filter { !change.undone.contains($0) && change.formerIDs[$0] == nil }
        self.init(
            inserted: ids(change.inserted),
            updated: ids(change.updated),
            deleted: ids(deleted).union(change.formerIDs.values),
            refreshed: ids(change.refreshed)
        )
    }

    /// The sets that are not empty, as a notification has them.
    var userInfo: [AnyHashable: Any] {
        var userInfo: [AnyHashable: Any] = [:]
        func add(_ ids: Set<ManagedObjectID>, _ key: ManagedObjectContext.NotificationKey) {
            if !ids.isEmpty { userInfo[key.rawValue] = ids }
        }
        add(inserted, .insertedObjectIDs)
        add(updated, .updatedObjectIDs)
        add(deleted, .deletedObjectIDs)
        add(refreshed, .refreshedObjectIDs)
        add(invalidated, .invalidatedObjectIDs)
        return userInfo
    }
}

/// The changes of one save.
public struct ContextSave: Sendable, Hashable {
    /// The ``ManagedObjectContext/name`` of the context that was saved.
    public let contextName: String?
    /// The objects that were inserted, updated and deleted.
    public let changes: ObjectIDChanges
}
