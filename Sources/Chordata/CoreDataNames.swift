// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    // MARK: Types

    /// Core Data's name of `ManagedObject`.
    @available(*, unavailable, renamed: "ManagedObject")
    public typealias NSManagedObject = ManagedObject

    /// Core Data's name of `ManagedObjectContext`.
    @available(*, unavailable, renamed: "ManagedObjectContext")
    public typealias NSManagedObjectContext = ManagedObjectContext

    /// Core Data's name of `ManagedObjectID`.
    @available(*, unavailable, renamed: "ManagedObjectID")
    public typealias NSManagedObjectID = ManagedObjectID

    /// Core Data's name of `ManagedObjectModel`.
    @available(*, unavailable, renamed: "ManagedObjectModel")
    public typealias NSManagedObjectModel = ManagedObjectModel

    /// Core Data's name of `EntityDescription`.
    @available(*, unavailable, renamed: "EntityDescription")
    public typealias NSEntityDescription = EntityDescription

    /// Core Data's name of `AttributeDescription`.
    @available(*, unavailable, renamed: "AttributeDescription")
    public typealias NSAttributeDescription = AttributeDescription

    /// Core Data's name of `RelationshipDescription`.
    @available(*, unavailable, renamed: "RelationshipDescription")
    public typealias NSRelationshipDescription = RelationshipDescription

    /// Core Data's name of `FetchedPropertyDescription`.
    @available(*, unavailable, renamed: "FetchedPropertyDescription")
    public typealias NSFetchedPropertyDescription = FetchedPropertyDescription

    /// Core Data's name of `ExpressionDescription`.
    @available(*, unavailable, renamed: "ExpressionDescription")
    public typealias NSExpressionDescription = ExpressionDescription

    /// Core Data's name of `FetchIndexDescription`.
    @available(*, unavailable, renamed: "FetchIndexDescription")
    public typealias NSFetchIndexDescription = FetchIndexDescription

    /// Core Data's name of `AttributeType`.
    @available(*, unavailable, renamed: "AttributeType")
    public typealias NSAttributeType = AttributeType

    /// Core Data's name of `DeleteRule`.
    @available(*, unavailable, renamed: "DeleteRule")
    public typealias NSDeleteRule = DeleteRule

    /// Core Data's name of `PersistentContainer`.
    @available(*, unavailable, renamed: "PersistentContainer")
    public typealias NSPersistentContainer = PersistentContainer

    /// Core Data's name of `PersistentStoreCoordinator`.
    @available(*, unavailable, renamed: "PersistentStoreCoordinator")
    public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator

    /// Core Data's name of `PersistentStore`.
    @available(*, unavailable, renamed: "PersistentStore")
    public typealias NSPersistentStore = PersistentStore

    /// Core Data's name of `FetchRequest`.
    @available(*, unavailable, renamed: "FetchRequest")
    public typealias NSFetchRequest<Object: ManagedObject> = FetchRequest<Object>

    /// Core Data's name of `FetchedResultsController`.
    @available(*, unavailable, renamed: "FetchedResultsController")
    public typealias NSFetchedResultsController<Object: ManagedObject> = FetchedResultsController<Object>

    /// Core Data's name of `FetchedResultsControllerDelegate`.
    @available(*, unavailable, renamed: "FetchedResultsControllerDelegate")
    public typealias NSFetchedResultsControllerDelegate = FetchedResultsControllerDelegate

    /// Core Data's name of `FetchedResultsSectionInfo`.
    @available(*, unavailable, renamed: "FetchedResultsSectionInfo")
    public typealias NSFetchedResultsSectionInfo = FetchedResultsSectionInfo<ManagedObject>

    /// Core Data's name of `FetchedResultsChangeType`.
    @available(*, unavailable, renamed: "FetchedResultsChangeType")
    public typealias NSFetchedResultsChangeType = FetchedResultsChangeType

    /// Core Data's name of `BatchUpdateRequest`.
    @available(*, unavailable, renamed: "BatchUpdateRequest")
    public typealias NSBatchUpdateRequest = BatchUpdateRequest<ManagedObject>

    /// Core Data's name of `BatchUpdateResult`.
    @available(*, unavailable, renamed: "BatchUpdateResult")
    public typealias NSBatchUpdateResult = BatchUpdateResult

    /// Core Data's name of `BatchDeleteRequest`.
    @available(*, unavailable, renamed: "BatchDeleteRequest")
    public typealias NSBatchDeleteRequest<Object: ManagedObject> = BatchDeleteRequest<Object>

    /// Core Data's name of `BatchDeleteResult`.
    @available(*, unavailable, renamed: "BatchDeleteResult")
    public typealias NSBatchDeleteResult = BatchDeleteResult

    /// Core Data's name of `BatchInsertRequest`.
    @available(*, unavailable, renamed: "BatchInsertRequest")
    public typealias NSBatchInsertRequest = BatchInsertRequest<ManagedObject>

    /// Core Data's name of `BatchInsertResult`.
    @available(*, unavailable, renamed: "BatchInsertResult")
    public typealias NSBatchInsertResult = BatchInsertResult

    /// Core Data's name of `AsynchronousFetchRequest`.
    @available(*, unavailable, renamed: "AsynchronousFetchRequest")
    public typealias NSAsynchronousFetchRequest<Object: ManagedObject> = AsynchronousFetchRequest<Object>

    /// Core Data's name of `MergePolicy`.
    @available(*, unavailable, renamed: "MergePolicy")
    public typealias NSMergePolicy = MergePolicy

    /// Core Data's name of `MergePolicyType`.
    @available(*, unavailable, renamed: "MergePolicyType")
    public typealias NSMergePolicyType = MergePolicyType

    /// Core Data's name of `MergeConflict`.
    @available(*, unavailable, renamed: "MergeConflict")
    public typealias NSMergeConflict = MergeConflict

    /// Core Data's name of `ConstraintConflict`.
    @available(*, unavailable, renamed: "ConstraintConflict")
    public typealias NSConstraintConflict = ConstraintConflict

    /// Core Data's name of `MigrationManager`.
    @available(*, unavailable, renamed: "MigrationManager")
    public typealias NSMigrationManager = MigrationManager

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "write the class of the fetched objects, such as Item in FetchRequest<Item>")
    public typealias NSFetchRequestResult = ManagedObject

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message: "use 'request.dictionaries', 'request.objectIDs' or 'request.count' of a FetchRequest"
    )
    public enum NSFetchRequestResultType {
        case managedObjectResultType, managedObjectIDResultType, dictionaryResultType, countResultType
    }

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message: "pass StoreOptions to PersistentContainer, or to the generated function container(at:options:)"
    )
    public final class NSPersistentStoreDescription {
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var url: URL?
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var type = ""
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var isReadOnly = false
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var shouldMigrateStoreAutomatically = true
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var shouldInferMappingModelAutomatically = true
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public var shouldAddStoreAsynchronously = false

        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public init() {}
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public init(url: URL) {}
        /// A member of Core Data's class `NSPersistentStoreDescription`, which Chordata does not have.
        public func setOption(_ option: Any?, forKey key: String) {}
    }

    /// Core Data's name of `PersistentHistoryChangeRequest`.
    @available(*, unavailable, renamed: "PersistentHistoryChangeRequest")
    public typealias NSPersistentHistoryChangeRequest = PersistentHistoryChangeRequest

    /// Core Data's name of `PersistentHistoryTransaction`.
    @available(*, unavailable, renamed: "PersistentHistoryTransaction")
    public typealias NSPersistentHistoryTransaction = PersistentHistoryTransaction

    /// Core Data's name of `PersistentHistoryChange`.
    @available(*, unavailable, renamed: "PersistentHistoryChange")
    public typealias NSPersistentHistoryChange = PersistentHistoryChange

    /// Core Data's name of `QueryGenerationToken`.
    @available(*, unavailable, renamed: "QueryGenerationToken")
    public typealias NSQueryGenerationToken = QueryGenerationToken

    /// Core Data's name of `PersistentHistoryToken`.
    @available(*, unavailable, renamed: "PersistentHistoryToken")
    public typealias NSPersistentHistoryToken = PersistentHistoryToken

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "ManagedObjectContext.execute(_:) returns the transactions")
    public typealias NSPersistentHistoryResult = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use AttributeDescription, which has 'derivationExpression' and 'elements'")
    public typealias NSDerivedAttributeDescription = AttributeDescription

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "use AttributeDescription, which has 'derivationExpression' and 'elements'")
    public typealias NSCompositeAttributeDescription = AttributeDescription

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "pass MigrationStage values in StoreOptions.migrationStages")
    public typealias NSStagedMigrationManager = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "pass MigrationStage values in StoreOptions.migrationStages")
    public typealias NSCustomMigrationStage = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "pass MigrationStage values in StoreOptions.migrationStages")
    public typealias NSLightweightMigrationStage = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "a store in a file is always an SQLite database")
    public typealias NSIncrementalStore = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "a store in a file is always an SQLite database")
    public typealias NSAtomicStore = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "a store in a file is always an SQLite database")
    public typealias NSSaveChangesRequest = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "there is no integration with Spotlight")
    public typealias NSCoreDataCoreSpotlightDelegate = Never

    /// Core Data's undo manager of a context.
    @available(*, unavailable, renamed: "ContextUndoManager")
    public typealias UndoManager = ContextUndoManager

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "use a MigrationStage; 'chordata migrate mapping --swift' prints the code of a stage for a mapping model"
    )
    public typealias NSMappingModel = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(
        *,
        unavailable,
        message:
            "use a MigrationStage; 'chordata migrate mapping --swift' prints the code of a stage for a mapping model"
    )
    public typealias NSEntityMigrationPolicy = Never

    /// A name of Core Data without a counterpart of the same kind in Chordata; if there is a replacement, the
    /// compiler's error describes it.
    @available(*, unavailable, message: "there is no synchronization with iCloud; use PersistentContainer")
    public typealias NSPersistentCloudKitContainer = PersistentContainer

    // MARK: Constants

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

    // MARK: Members

    extension MergePolicyType {
        /// Core Data's name of `error`.
        @available(*, unavailable, renamed: "error")
        public static var errorMergePolicyType: MergePolicyType { .error }

        /// Core Data's name of `mergeByPropertyStoreTrump`.
        @available(*, unavailable, renamed: "mergeByPropertyStoreTrump")
        public static var mergeByPropertyStoreTrumpMergePolicyType: MergePolicyType { .mergeByPropertyStoreTrump }

        /// Core Data's name of `mergeByPropertyObjectTrump`.
        @available(*, unavailable, renamed: "mergeByPropertyObjectTrump")
        public static var mergeByPropertyObjectTrumpMergePolicyType: MergePolicyType { .mergeByPropertyObjectTrump }

        /// Core Data's name of `overwrite`.
        @available(*, unavailable, renamed: "overwrite")
        public static var overwriteMergePolicyType: MergePolicyType { .overwrite }

        /// Core Data's name of `rollback`.
        @available(*, unavailable, renamed: "rollback")
        public static var rollbackMergePolicyType: MergePolicyType { .rollback }
    }

    extension ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use EntityDescription.entity(forEntityName:in:), or 'entity' of an object")
        public static func entity() -> EntityDescription { preconditionFailure("unavailable") }
    }

    // Because of their argument, these methods are not those of the hooks, so that hooks do not have to override them.
    // An overriding method usually calls the method of its superclass, and then the compiler finds these methods.
    extension ManagedObject {
        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt AwakeFromInsertHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func awakeFromInsert(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt AwakeFromFetchHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func awakeFromFetch(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt WillSaveHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func willSave(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt DidSaveHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func didSave(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt PrepareForDeletionHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func prepareForDeletion(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt WillTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func willTurnIntoFault(_: Void = ()) {}

        /// A method of Core Data that a class overrides; the error names the protocol to adopt.
        @available(
            *,
            unavailable,
            message:
                "adopt DidTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override' and the call of super"
        )
        public func didTurnIntoFault(_: Void = ()) {}
    }

    extension ManagedObjectModel {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use 'definition' of the generated model, such as ShopModel.definition")
        public init?(contentsOf url: URL) { return nil }

        /// Core Data's name of `init(merging:)`.
        @available(*, unavailable, renamed: "init(merging:)")
        public init?(byMerging models: [ManagedObjectModel]?) { return nil }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "use 'definition' of the generated model, such as ShopModel.definition; ManagedObjectModel(merging:) merges models"
        )
        public static func mergedModel(from bundles: [Bundle]?) -> ManagedObjectModel? { nil }
    }

    extension FetchRequest {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use sorted(by:), such as '.sorted(by: \\.name, .descending)', or 'sortKeys'"
        )
        public var sortDescriptors: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use 'request.dictionaries', 'request.objectIDs' or 'request.count'")
        public var resultType: NSFetchRequestResultType {
            get { .managedObjectResultType }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'propertiesToFetch' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var propertiesToFetch: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'propertiesToGroupBy' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var propertiesToGroupBy: [Any]? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'havingPredicate' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var havingPredicate: FetchPredicate? {
            get { nil }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "set 'returnsDistinctResults' of the request that 'request.dictionaries' returns, before you pass it to 'fetch'"
        )
        public var returnsDistinctResults: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "use ManagedObjectContext.fetch(_:)")
        public func execute() throws -> [Object] { [] }
    }

    extension BatchDeleteRequest where Object == ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:objectIDs:)")
        public init(objectIDs: [ManagedObjectID]) { preconditionFailure("unavailable") }
    }

    extension BatchInsertRequest where Object == ManagedObject {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:objects:)")
        public init(entity: EntityDescription, objects: [[String: Any]]) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity, and a closure that fills a [String: Any?]")
        public init(entity: EntityDescription, dictionaryHandler: (NSMutableDictionary) -> Bool) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass a closure that fills a [String: Any?]")
        public init(entityName: String, dictionaryHandler: (NSMutableDictionary) -> Bool) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass the name of the entity: init(entityName:managedObjectHandler:)")
        public init(entity: EntityDescription, managedObjectHandler: (ManagedObject) -> Bool) {
            preconditionFailure("unavailable")
        }
    }

    extension PersistentContainer {
        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String, managedObjectModel: ManagedObjectModel) {
            preconditionFailure("unavailable")
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove the call; the initializer of a container opens its store")
        public func loadPersistentStores(
            completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {}

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass StoreOptions to the generated function container(at:options:)")
        public var persistentStoreDescriptions: [NSPersistentStoreDescription] {
            get { [] }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "pass a path of your own to the generated function container(at:)")
        public static func defaultDirectoryURL() -> URL { preconditionFailure("unavailable") }

        /// Core Data's name of `newContext()`.
        @available(*, unavailable, renamed: "newContext()")
        public func newBackgroundContext() -> ManagedObjectContext { newContext() }
    }

    extension ManagedObjectContext {
        /// Core Data's kinds of contexts.
        public enum ConcurrencyType {
            case mainQueueConcurrencyType, privateQueueConcurrencyType
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message: "use newContext() of a container, or ManagedObjectContext() and set its parent"
        )
        public convenience init(concurrencyType: ConcurrencyType) { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "keep such values in a type of your own")
        public var userInfo: NSMutableDictionary { preconditionFailure("unavailable") }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; a fault reads the store")
        public var stalenessInterval: TimeInterval {
            get { 0 }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "remove it; a context retains only objects with unsaved changes, so your program must retain others that it needs"
        )
        public var retainsRegisteredObjects: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(
            *,
            unavailable,
            message:
                "remove it; if its row was deleted, a fault has nil for optional properties, and defaults for required attributes"
        )
        public var shouldDeleteInaccessibleFaults: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; delete(_:) applies delete rules immediately")
        public var propagatesDeletesAtEndOfEvent: Bool {
            get { false }
            set {}
        }

        /// A name of Core Data for which Chordata has no declaration of the same form; if there is a replacement, the
        /// compiler's error names it.
        @available(*, unavailable, message: "remove it; a save detects conflicts")
        public func detectConflicts(for object: ManagedObject) {}
    }
#endif
