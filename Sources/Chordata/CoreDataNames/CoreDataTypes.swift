// Core Data's names for platforms without Core Data, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

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
#endif
