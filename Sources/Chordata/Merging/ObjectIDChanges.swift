/// A Sendable value with the changes in a context or a store, as sets of object IDs.
public struct ObjectIDChanges: Sendable, Hashable {
    /// The object IDs of the inserted objects.
    public var inserted: Set<ManagedObjectID> = []
    /// The object IDs of the updated objects.
    public var updated: Set<ManagedObjectID> = []
    /// The object IDs of the deleted objects.
    public var deleted: Set<ManagedObjectID> = []
    /// The object IDs of the objects that were refreshed with the values in the store.
    public var refreshed: Set<ManagedObjectID> = []
    /// The object IDs of the invalidated objects; contexts leave this set empty, because they report an object that
    /// becomes a fault as refreshed.
    public var invalidated: Set<ManagedObjectID> = []
    /// A Boolean value that indicates whether all objects were invalidated because the context was reset, or because
    /// changes were missed.
    public var invalidatesAll = false

    /// Creates a value with changes; each parameter sets the property of the same name.
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

    /// A Boolean value that indicates whether the value contains no changes.
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

    /// The sets that are not empty, in the form of a notification's `userInfo`.
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
    /// The object IDs of the inserted, updated and deleted objects.
    public let changes: ObjectIDChanges
}
