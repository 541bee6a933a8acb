#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    // Core Data's names of types that have the same members here.

    /// An object with the properties of its entity.
    public typealias NSManagedObject = ManagedObject
    /// A set of objects with their unsaved changes.
    public typealias NSManagedObjectContext = ManagedObjectContext
    /// The identity of an object in its store.
    public typealias NSManagedObjectID = ManagedObjectID
    /// The connection of contexts with their stores.
    public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator
    /// An open store.
    public typealias NSPersistentStore = PersistentStore
    /// A rule that resolves conflicts of saves.
    public typealias NSMergePolicy = MergePolicy
    /// The kind of a merge policy.
    public typealias NSMergePolicyType = MergePolicyType
    /// A conflict of a save with a newer version of a row.
    public typealias NSMergeConflict = MergeConflict
    /// A violation of a uniqueness constraint.
    public typealias NSConstraintConflict = ConstraintConflict
    /// The type of an attribute.
    public typealias NSAttributeType = AttributeType
    /// A rule for the objects of a relationship when its owner is deleted.
    public typealias NSDeleteRule = DeleteRule
    /// A state of the store to which a context can be pinned.
    public typealias NSQueryGenerationToken = QueryGenerationToken
    /// The kind of a change that a results controller reports.
    public typealias NSFetchedResultsChangeType = FetchedResultsChangeType
    /// A manager of undo and redo.
    public typealias UndoManager = ContextUndoManager

    // MARK: Merge policies

    /// The policy that reports conflicts as errors.
    public var NSErrorMergePolicy: NSMergePolicy { .error }
    /// The policy that keeps the store's values of properties that were changed in the context and in the store.
    public var NSMergeByPropertyStoreTrumpMergePolicy: NSMergePolicy { .mergeByPropertyStoreTrump }
    /// The policy that keeps the context's values of properties that were changed in the context and in the store.
    public var NSMergeByPropertyObjectTrumpMergePolicy: NSMergePolicy { .mergeByPropertyObjectTrump }
    /// The policy that writes the context's objects over those of the store.
    public var NSOverwriteMergePolicy: NSMergePolicy { .overwrite }
    /// The policy that discards the context's changes of objects with conflicts.
    public var NSRollbackMergePolicy: NSMergePolicy { .rollback }

    extension MergePolicyType {
        /// See `NSErrorMergePolicy`.
        public static var errorMergePolicyType: MergePolicyType { .error }
        /// See `NSMergeByPropertyStoreTrumpMergePolicy`.
        public static var mergeByPropertyStoreTrumpMergePolicyType: MergePolicyType { .mergeByPropertyStoreTrump }
        /// See `NSMergeByPropertyObjectTrumpMergePolicy`.
        public static var mergeByPropertyObjectTrumpMergePolicyType: MergePolicyType { .mergeByPropertyObjectTrump }
        /// See `NSOverwriteMergePolicy`.
        public static var overwriteMergePolicyType: MergePolicyType { .overwrite }
        /// See `NSRollbackMergePolicy`.
        public static var rollbackMergePolicyType: MergePolicyType { .rollback }
    }

    extension AttributeType {
        /// Core Data's name of `integer16`.
        public static var integer16AttributeType: AttributeType { .integer16 }
        /// Core Data's name of `integer32`.
        public static var integer32AttributeType: AttributeType { .integer32 }
        /// Core Data's name of `integer64`.
        public static var integer64AttributeType: AttributeType { .integer64 }
        /// Core Data's name of `decimal`.
        public static var decimalAttributeType: AttributeType { .decimal }
        /// Core Data's name of `double`.
        public static var doubleAttributeType: AttributeType { .double }
        /// Core Data's name of `float`.
        public static var floatAttributeType: AttributeType { .float }
        /// Core Data's name of `string`.
        public static var stringAttributeType: AttributeType { .string }
        /// Core Data's name of `boolean`.
        public static var booleanAttributeType: AttributeType { .boolean }
        /// Core Data's name of `date`.
        public static var dateAttributeType: AttributeType { .date }
        /// Core Data's name of `binaryData`.
        public static var binaryDataAttributeType: AttributeType { .binaryData }
        /// Core Data's name of `uuid`.
        public static var UUIDAttributeType: AttributeType { .uuid }
        /// Core Data's name of `uri`.
        public static var URIAttributeType: AttributeType { .uri }
        /// Core Data's name of `transformable`.
        public static var transformableAttributeType: AttributeType { .transformable }
        /// Core Data's name of `undefined`.
        public static var undefinedAttributeType: AttributeType { .undefined }
        /// Core Data's name of `objectID`.
        public static var objectIDAttributeType: AttributeType { .objectID }
    }

    extension DeleteRule {
        /// Core Data's name of `noAction`.
        public static var noActionDeleteRule: DeleteRule { .noAction }
        /// Core Data's name of `nullify`.
        public static var nullifyDeleteRule: DeleteRule { .nullify }
        /// Core Data's name of `cascade`.
        public static var cascadeDeleteRule: DeleteRule { .cascade }
        /// Core Data's name of `deny`.
        public static var denyDeleteRule: DeleteRule { .deny }
    }

    // MARK: Notifications

    extension Notification.Name {
        /// See `NSManagedObjectContext.didChangeObjectsNotification`.
        public static var NSManagedObjectContextObjectsDidChange: Notification.Name {
            ManagedObjectContext.didChangeObjectsNotification
        }
        /// See `NSManagedObjectContext.willSaveObjectsNotification`.
        public static var NSManagedObjectContextWillSave: Notification.Name {
            ManagedObjectContext.willSaveObjectsNotification
        }
        /// See `NSManagedObjectContext.didSaveObjectsNotification`.
        public static var NSManagedObjectContextDidSave: Notification.Name {
            ManagedObjectContext.didSaveObjectsNotification
        }
        /// See `NSManagedObjectContext.didSaveObjectIDsNotification`.
        public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
            ManagedObjectContext.didSaveObjectIDsNotification
        }
        /// See `NSManagedObjectContext.didMergeChangesObjectIDsNotification`.
        public static var NSManagedObjectContextDidMergeChangesObjectIDs: Notification.Name {
            ManagedObjectContext.didMergeChangesObjectIDsNotification
        }
    }

    /// The key of the inserted objects in the user info of a context's notifications.
    public var NSInsertedObjectsKey: String { ManagedObjectContext.NotificationKey.insertedObjects.rawValue }
    /// The key of the updated objects in the user info of a context's notifications.
    public var NSUpdatedObjectsKey: String { ManagedObjectContext.NotificationKey.updatedObjects.rawValue }
    /// The key of the deleted objects in the user info of a context's notifications.
    public var NSDeletedObjectsKey: String { ManagedObjectContext.NotificationKey.deletedObjects.rawValue }
    /// The key of the refreshed objects in the user info of a context's notifications.
    public var NSRefreshedObjectsKey: String { ManagedObjectContext.NotificationKey.refreshedObjects.rawValue }
    /// The key of the invalidated objects in the user info of a context's notifications.
    public var NSInvalidatedObjectsKey: String { ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue }
    /// The key of the object IDs of a context that was reset, in the user info of its notification.
    public var NSInvalidatedAllObjectsKey: String {
        ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
    }
    /// The key of the inserted object IDs in the user info of a context's notifications.
    public var NSInsertedObjectIDsKey: String { ManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue }
    /// The key of the updated object IDs in the user info of a context's notifications.
    public var NSUpdatedObjectIDsKey: String { ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue }
    /// The key of the deleted object IDs in the user info of a context's notifications.
    public var NSDeletedObjectIDsKey: String { ManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue }
    /// The key of the refreshed object IDs in the user info of a context's notifications.
    public var NSRefreshedObjectIDsKey: String { ManagedObjectContext.NotificationKey.refreshedObjectIDs.rawValue }
    /// The key of the invalidated object IDs in the user info of a context's notifications.
    public var NSInvalidatedObjectIDsKey: String { ManagedObjectContext.NotificationKey.invalidatedObjectIDs.rawValue }

    // MARK: Identity

    extension ManagedObjectID {
        /// Returns the identity as a URI, such as `x-coredata://…/Player/p7`.
        public func uriRepresentation() -> URL {
            guard let url = URL(string: self.uriRepresentation as String) else {
                preconditionFailure("'\(self)' is not a URI; pass the uriRepresentation() of an object ID")
            }
            return url
        }

    }
#endif
