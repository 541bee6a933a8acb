public import Foundation

// The names by which contexts' notifications are observed (S42, S43).

extension ManagedObjectContext {
    /// Posted when objects of a context have changed, at the end of an event (rule N1 of <doc:Core-Data-Rules>).
    ///
    /// `object` is the context, `userInfo` has the objects by ``NotificationKey``: each object once, keys without
    /// objects not at all. Fetches are no changes. It is posted where the context lives, after its results controllers
    /// have followed the change; what an observer changes belongs to the next event.
    ///
    /// Nothing is posted before the name was accessed. An observer of all notifications, without a name, receives it
    /// after that access.
    public static var didChangeObjectsNotification: Notification.Name {
        ContextNotification.didChangeObjects.askForName()
    }

    /// Posted before a context's changes are validated and saved, without `userInfo` (rule N2 of
    /// <doc:Core-Data-Rules>).
    ///
    /// What an observer changes is saved along. It cannot save itself: see ``RecursiveSaveError``.
    public static var willSaveObjectsNotification: Notification.Name {
        ContextNotification.willSaveObjects.askForName()
    }

    /// Posted after a context's changes were saved, with the objects by ``NotificationKey`` as they were inserted,
    /// updated and deleted (rule N3 of <doc:Core-Data-Rules>).
    ///
    /// The objects have permanent identities and no unsaved changes. For use elsewhere take
    /// ``didSaveObjectIDsNotification``.
    public static var didSaveObjectsNotification: Notification.Name { ContextNotification.didSaveObjects.askForName() }

    /// Posted after a context's changes were saved, with sets of the object IDs in `userInfo`, under the keys of
    /// ``NotificationKey`` (rule N3 of <doc:Core-Data-Rules>).
    public static var didSaveObjectIDsNotification: Notification.Name {
        ContextNotification.didSaveObjectIDs.askForName()
    }

    /// Posted after a context has merged what others saved, with the identities of all rows that were merged.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        ContextNotification.didMergeChangesObjectIDs.askForName()
    }

    /// The keys in the `userInfo` of a context's notification, by their raw values.
    ///
    /// ```swift
    /// let key = ManagedObjectContext.NotificationKey.insertedObjects.rawValue
    /// let inserted = notification.userInfo?[key] as? Set<ManagedObject>
    /// ```
    public enum NotificationKey: String, Sendable, Hashable, CaseIterable {
        /// The objects that were inserted: a `Set<ManagedObject>`.
        case insertedObjects = "inserted"
        /// The objects that were changed: a `Set<ManagedObject>`.
        case updatedObjects = "updated"
        /// The objects that were deleted: a `Set<ManagedObject>`.
        case deletedObjects = "deleted"
        /// The objects that were refreshed or merged, and have no changes of their own: a `Set<ManagedObject>`.
        case refreshedObjects = "refreshed"
        /// The objects that lost what they had: a `Set<ManagedObject>`.
        ///
        /// No context posts it: what becomes a fault is refreshed.
        case invalidatedObjects = "invalidated"
        /// The identities of all objects of a context that was reset: a `Set<ManagedObjectID>`.
        case invalidatedAllObjects = "invalidatedAll"
        /// The identities of the objects that were inserted: a `Set<ManagedObjectID>`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The identities of the objects that were changed: a `Set<ManagedObjectID>`.
        case updatedObjectIDs = "updated_objectIDs"
        /// The identities of the objects that were deleted: a `Set<ManagedObjectID>`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The identities of the objects that were refreshed: a `Set<ManagedObjectID>`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The identities of the objects that lost what they had: a `Set<ManagedObjectID>`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}
