public import Foundation

// The names by which contexts' notifications are observed (S42, S43).

extension ManagedObjectContext {
    /// A notification that is posted at the end of an [event](doc:Glossary#Changes) in which objects of a context
    /// changed (rule N1 of <doc:Core-Data-Rules>).
    ///
    /// The notification's `object` is the context, and its `userInfo` has sets of objects for the keys of
    /// ``NotificationKey``. Each object is in one set, and keys without objects are left out. Fetches are not changes.
    /// The notification is posted in the context's isolation, after the results controllers of the context have been
    /// updated. Changes that an observer makes belong to the next event.
    ///
    /// The notification is posted only after this property has been accessed once in the process. This also applies to
    /// observers of all notifications, without a name, and to each of the other notifications of a context and its
    /// property.
    public static var didChangeObjectsNotification: Notification.Name {
        ContextNotification.didChangeObjects.askForName()
    }

    /// A notification, without `userInfo`, that is posted before a context's changes are validated and saved (rule N2
    /// of <doc:Core-Data-Rules>).
    ///
    /// Changes that an observer makes are saved too. An observer cannot save the context; see ``RecursiveSaveError``.
    /// The notification is posted only after this property has been accessed once; see
    /// ``didChangeObjectsNotification``.
    public static var willSaveObjectsNotification: Notification.Name {
        ContextNotification.willSaveObjects.askForName()
    }

    /// A notification with the inserted, updated and deleted objects that is posted after a context's changes were
    /// saved (rule N3 of <doc:Core-Data-Rules>).
    ///
    /// The `userInfo` has sets of objects for the keys of ``NotificationKey``. The objects have no unsaved changes,
    /// except for changes by `didSave` hooks. Their IDs are permanent, unless the context has a parent. To pass the
    /// changes to another isolation, use ``didSaveObjectIDsNotification``. The notification is posted only after this
    /// property has been accessed once; see ``didChangeObjectsNotification``.
    public static var didSaveObjectsNotification: Notification.Name { ContextNotification.didSaveObjects.askForName() }

    /// A notification with object IDs that is posted after a context's changes were saved (rule N3 of
    /// <doc:Core-Data-Rules>).
    ///
    /// The `userInfo` has sets of object IDs for the keys of ``NotificationKey``. The notification is posted only after
    /// this property has been accessed once; see ``didChangeObjectsNotification``.
    public static var didSaveObjectIDsNotification: Notification.Name {
        ContextNotification.didSaveObjectIDs.askForName()
    }

    /// A notification that is posted after a context has merged saves of other contexts, with the object IDs of all
    /// merged rows.
    ///
    /// The notification is posted only after this property has been accessed once; see
    /// ``didChangeObjectsNotification``.
    public static var didMergeChangesObjectIDsNotification: Notification.Name {
        ContextNotification.didMergeChangesObjectIDs.askForName()
    }

    /// The keys in the `userInfo` of a context's notifications; use the raw values.
    ///
    /// ```swift
    /// let key = ManagedObjectContext.NotificationKey.insertedObjects.rawValue
    /// let inserted = notification.userInfo?[key] as? Set<ManagedObject>
    /// ```
    public enum NotificationKey: String, Sendable, Hashable, CaseIterable {
        /// The inserted objects: a `Set<ManagedObject>`.
        case insertedObjects = "inserted"
        /// The updated objects: a `Set<ManagedObject>`.
        case updatedObjects = "updated"
        /// The deleted objects: a `Set<ManagedObject>`.
        case deletedObjects = "deleted"
        /// The objects that were refreshed, merged or rolled back and were not changed in the
        /// [event](doc:Glossary#Changes): a `Set<ManagedObject>`.
        case refreshedObjects = "refreshed"
        /// The objects that were invalidated: a `Set<ManagedObject>`.
        ///
        /// No context posts this key: an object that becomes a fault is reported as refreshed.
        case invalidatedObjects = "invalidated"
        /// The object IDs of all objects of a context that was reset: a `Set<ManagedObjectID>`.
        case invalidatedAllObjects = "invalidatedAll"
        /// The object IDs of the inserted objects: a `Set<ManagedObjectID>`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// The object IDs of the updated objects: a `Set<ManagedObjectID>`.
        case updatedObjectIDs = "updated_objectIDs"
        /// The object IDs of the deleted objects: a `Set<ManagedObjectID>`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// The object IDs of the refreshed objects: a `Set<ManagedObjectID>`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// The object IDs of the invalidated objects: a `Set<ManagedObjectID>`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}
