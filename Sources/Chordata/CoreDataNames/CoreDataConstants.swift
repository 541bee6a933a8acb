// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    /// Core Data's name of `MergePolicy.error`.
    @available(*, unavailable, renamed: "MergePolicy.error")
    public var NSErrorMergePolicy: MergePolicy { .error }

    /// Core Data's name of `MergePolicy.mergeByPropertyStoreTrump`.
    @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyStoreTrump")
    public var NSMergeByPropertyStoreTrumpMergePolicy: MergePolicy { .mergeByPropertyStoreTrump }

    /// Core Data's name of `MergePolicy.mergeByPropertyObjectTrump`.
    @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyObjectTrump")
    public var NSMergeByPropertyObjectTrumpMergePolicy: MergePolicy { .mergeByPropertyObjectTrump }

    /// Core Data's name of `MergePolicy.overwrite`.
    @available(*, unavailable, renamed: "MergePolicy.overwrite")
    public var NSOverwriteMergePolicy: MergePolicy { .overwrite }

    /// Core Data's name of `MergePolicy.rollback`.
    @available(*, unavailable, renamed: "MergePolicy.rollback")
    public var NSRollbackMergePolicy: MergePolicy { .rollback }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.insertedObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.insertedObjects.rawValue")
    public var NSInsertedObjectsKey: String { ManagedObjectContext.NotificationKey.insertedObjects.rawValue }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.updatedObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.updatedObjects.rawValue")
    public var NSUpdatedObjectsKey: String { ManagedObjectContext.NotificationKey.updatedObjects.rawValue }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.deletedObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.deletedObjects.rawValue")
    public var NSDeletedObjectsKey: String { ManagedObjectContext.NotificationKey.deletedObjects.rawValue }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.refreshedObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.refreshedObjects.rawValue")
    public var NSRefreshedObjectsKey: String { ManagedObjectContext.NotificationKey.refreshedObjects.rawValue }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue")
    public var NSInvalidatedObjectsKey: String { ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue }

    /// Core Data's name of `ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue`.
    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue")
    public var NSInvalidatedAllObjectsKey: String {
        ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
    }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "a store in a file is always an SQLite database; pass the path of the file to the generated function container(at:)"
    )
    public var NSSQLiteStoreType: String { "SQLite" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "pass ':memory:' to the generated function container(at:)")
    public var NSInMemoryStoreType: String { "InMemory" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "a store in a file is always an SQLite database; pass the path of the file to the generated function container(at:)"
    )
    public var NSXMLStoreType: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "a store in a file is always an SQLite database; pass the path of the file to the generated function container(at:)"
    )
    public var NSBinaryStoreType: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set StoreOptions.tracksPersistentHistory")
    public var NSPersistentHistoryTrackingKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set StoreOptions.reportsRemoteChanges")
    public var NSPersistentStoreRemoteChangeNotificationPostOptionKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "remove the option: stores are migrated automatically unless StoreOptions.shouldMigrateStoreAutomatically is false"
    )
    public var NSMigratePersistentStoresAutomaticallyOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "remove the option: a store of another version is migrated or not opened")
    public var NSIgnorePersistentStoreVersioningOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "migrations are inferred when code is generated; remove the option")
    public var NSInferMappingModelAutomaticallyOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set StoreOptions.isReadOnly")
    public var NSReadOnlyPersistentStoreOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set StoreOptions.busyTimeout")
    public var NSPersistentStoreTimeoutOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set 'synchronous' and 'cacheSize' of StoreOptions")
    public var NSSQLitePragmasOption: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "set the protection of the file itself")
    public var NSPersistentStoreFileProtectionKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use the failures of a ValidationError")
    public var NSValidationErrorKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use the failures of a ValidationError")
    public var NSValidationKeyErrorKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use the failures of a ValidationError")
    public var NSValidationObjectErrorKey: String { "" }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use the failures of a ValidationError")
    public var NSDetailedErrorsKey: String { "" }

    extension Notification.Name {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use PersistentContainer.remoteChanges")
        public static var NSPersistentStoreRemoteChange: Notification.Name { Notification.Name("") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "remove the observer; all stores are added before the first context is used"
        )
        public static var NSPersistentStoreCoordinatorStoresDidChange: Notification.Name { Notification.Name("") }

        /// Core Data's name of `ManagedObjectContext.didChangeObjectsNotification`.
        @available(*, unavailable, renamed: "ManagedObjectContext.didChangeObjectsNotification")
        public static var NSManagedObjectContextObjectsDidChange: Notification.Name {
            ManagedObjectContext.didChangeObjectsNotification
        }

        /// Core Data's name of `ManagedObjectContext.willSaveObjectsNotification`.
        @available(*, unavailable, renamed: "ManagedObjectContext.willSaveObjectsNotification")
        public static var NSManagedObjectContextWillSave: Notification.Name {
            ManagedObjectContext.willSaveObjectsNotification
        }

        /// Core Data's name of `ManagedObjectContext.didSaveObjectsNotification`.
        @available(*, unavailable, renamed: "ManagedObjectContext.didSaveObjectsNotification")
        public static var NSManagedObjectContextDidSave: Notification.Name {
            ManagedObjectContext.didSaveObjectsNotification
        }
    }
#endif
