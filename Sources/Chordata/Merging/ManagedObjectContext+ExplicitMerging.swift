public import Foundation

// Merging of changes passed by the caller (5E: N4, H1, H2).

extension ManagedObjectContext {
    /// Merges the changes that a save notification of another context describes.
    ///
    /// Inserted objects are [registered](doc:Glossary#Objects). Updated objects that were read get the new values;
    /// faults and unregistered objects do not change. Deleted objects are [detached](doc:Glossary#Objects), except for
    /// objects with unsaved changes of attributes: they remain, and saving them is a conflict. Unsaved changes of
    /// updated objects are kept. At its end, the method calls ``processPendingChanges()``, which notifies observers. If
    /// ``automaticallyMergesChangesFromParent`` is `true`, the call is not necessary. A second merge of the same
    /// changes has no effect.
    ///
    /// Call this method in the isolation of this context. A notification is not Sendable. To pass the changes from
    /// another context's isolation, create an ``ObjectIDChanges`` value from the notification and pass it to
    /// ``mergeChanges(_:)``.
    ///
    /// Objects of other stores are ignored, and so is a notification of this context itself.
    /// - Precondition: The notification is a ``didSaveObjectsNotification`` or a ``didSaveObjectIDsNotification``.
    public func mergeChanges(fromContextDidSave notification: Notification) {
        if let sender = notification.object as? ManagedObjectContext, sender === self { return }
        mergeChanges(ObjectIDChanges(fromContextDidSave: notification))
    }

    /// Merges changes in the store that are described by object IDs.
    ///
    /// The rules of ``mergeChanges(fromContextDidSave:)`` apply. Values that were saved by contexts of the same
    /// container are available in memory; other values are read from the store, in one statement for each entity.
    /// Refreshed and invalidated objects are merged as updated objects. If `invalidatesAll` is `true`, the method first
    /// calls ``refreshAllObjects()``.
    /// - Complexity: O(n) in the number of these changes and of other contexts' saved changes that are not merged yet.
    public func mergeChanges(_ changes: ObjectIDChanges) {
        let access = beginAccess()
        defer { access.end() }
        if changes.invalidatesAll { refreshAllObjects() }
        merger.merge(changes)
        executor.scheduleProcessing()
        processPendingChanges()
    }

    /// Merges changes of batch operations, other programs or other containers into several contexts (rule H2 of
    /// <doc:Core-Data-Rules>).
    ///
    /// - Parameters:
    ///   - changes: A dictionary whose keys are raw values of ``NotificationKey``, and whose values are collections of
    ///     objects, of object IDs, or of a ``ManagedObjectID/uriRepresentation`` as `String` or `URL`. Other keys and
    ///     objects of other stores are ignored.
    ///   - contexts: The contexts to merge into. Call this method in their isolation.
    /// - Throws: ``RemoteChangesError`` when a value is not a collection, when an element is not an object, an object
    ///   ID or the URI of an object, or when a URI names an entity that the store of a context does not have. If an
    ///   error is thrown, nothing is merged.
    @_disfavoredOverload public static func mergeChanges(
        fromRemoteContextSave changes: [AnyHashable: Any],
        into contexts: [ManagedObjectContext]
    ) throws(RemoteChangesError) {
        let remote = try RemoteChanges(changes)
        var resolved: [ObjectIDChanges] = []
        for context in contexts { resolved.append(try remote.changes(in: context.store)) }
        for (context, changes) in zip(contexts, resolved) {
            // The values in the inbox, which contexts of this container have saved, may be older.
            context.inbox.forgetValues(of: Set(context.merger.ownChanges(changes).kinds.keys))
            context.mergeChanges(changes)
        }
    }
}

/// Merges changes, for the module `CoreData`, whose own method for this does not throw.
package func mergeRemoteChanges(
    _ changes: [AnyHashable: Any],
    into context: ManagedObjectContext
) throws(RemoteChangesError) {
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
}

extension ObjectIDChanges {
    /// Creates a value with the changes in a save notification, to pass them to another context's isolation.
    /// - Precondition: The notification is a ``ManagedObjectContext/didSaveObjectsNotification`` or a
    ///   ``ManagedObjectContext/didSaveObjectIDsNotification``.
    public init(fromContextDidSave notification: Notification) {
        let names = [ContextNotification.didSaveObjects.name, ContextNotification.didSaveObjectIDs.name]
        precondition(
            names.contains(notification.name),
            "'\(notification.name.rawValue)' does not contain the saved objects; "
                + "merge didSaveObjectsNotification or didSaveObjectIDsNotification"
        )
        func ids(_ objects: ManagedObjectContext.NotificationKey, _ ids: ManagedObjectContext.NotificationKey)
            -> Set<ManagedObjectID>
        {
            let objects = notification.userInfo?[objects.rawValue] as? Set<ManagedObject> ?? []
            let ids = notification.userInfo?[ids.rawValue] as? Set<ManagedObjectID> ?? []
            return objects.isEmpty ? ids : ids.union(objects.map(\.objectID))
        }
        self.init(
            inserted: ids(.insertedObjects, .insertedObjectIDs),
            updated: ids(.updatedObjects, .updatedObjectIDs),
            deleted: ids(.deletedObjects, .deletedObjectIDs)
        )
    }
}
