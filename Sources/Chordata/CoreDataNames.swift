// Core Data's names where it does not exist, so that the compiler's error names the replacement.

#if !canImport(Darwin)
    public import Foundation

    // MARK: Types

    @available(*, unavailable, renamed: "ManagedObject")
    public typealias NSManagedObject = ManagedObject

    @available(*, unavailable, renamed: "ManagedObjectContext")
    public typealias NSManagedObjectContext = ManagedObjectContext

    @available(*, unavailable, renamed: "ManagedObjectID")
    public typealias NSManagedObjectID = ManagedObjectID

    @available(*, unavailable, renamed: "ManagedObjectModel")
    public typealias NSManagedObjectModel = ManagedObjectModel

    @available(*, unavailable, renamed: "EntityDescription")
    public typealias NSEntityDescription = EntityDescription

    @available(*, unavailable, renamed: "AttributeDescription")
    public typealias NSAttributeDescription = AttributeDescription

    @available(*, unavailable, renamed: "RelationshipDescription")
    public typealias NSRelationshipDescription = RelationshipDescription

    @available(*, unavailable, renamed: "FetchedPropertyDescription")
    public typealias NSFetchedPropertyDescription = FetchedPropertyDescription

    @available(*, unavailable, renamed: "ExpressionDescription")
    public typealias NSExpressionDescription = ExpressionDescription

    @available(*, unavailable, renamed: "FetchIndexDescription")
    public typealias NSFetchIndexDescription = FetchIndexDescription

    @available(*, unavailable, renamed: "AttributeType")
    public typealias NSAttributeType = AttributeType

    @available(*, unavailable, renamed: "DeleteRule")
    public typealias NSDeleteRule = DeleteRule

    @available(*, unavailable, renamed: "PersistentContainer")
    public typealias NSPersistentContainer = PersistentContainer

    @available(*, unavailable, renamed: "PersistentStoreCoordinator")
    public typealias NSPersistentStoreCoordinator = PersistentStoreCoordinator

    @available(*, unavailable, renamed: "PersistentStore")
    public typealias NSPersistentStore = PersistentStore

    @available(*, unavailable, renamed: "FetchRequest")
    public typealias NSFetchRequest<Object: ManagedObject> = FetchRequest<Object>

    @available(*, unavailable, renamed: "FetchedResultsController")
    public typealias NSFetchedResultsController<Object: ManagedObject> = FetchedResultsController<Object>

    @available(*, unavailable, renamed: "FetchedResultsControllerDelegate")
    public typealias NSFetchedResultsControllerDelegate = FetchedResultsControllerDelegate

    @available(*, unavailable, renamed: "FetchedResultsSectionInfo")
    public typealias NSFetchedResultsSectionInfo = FetchedResultsSectionInfo<ManagedObject>

    @available(*, unavailable, renamed: "FetchedResultsChangeType")
    public typealias NSFetchedResultsChangeType = FetchedResultsChangeType

    @available(*, unavailable, renamed: "BatchUpdateRequest")
    public typealias NSBatchUpdateRequest = BatchUpdateRequest<ManagedObject>

    @available(*, unavailable, renamed: "BatchUpdateResult")
    public typealias NSBatchUpdateResult = BatchUpdateResult

    @available(*, unavailable, renamed: "AsynchronousFetchRequest")
    public typealias NSAsynchronousFetchRequest<Object: ManagedObject> = AsynchronousFetchRequest<Object>

    @available(*, unavailable, renamed: "MergePolicy")
    public typealias NSMergePolicy = MergePolicy

    @available(*, unavailable, renamed: "MergePolicyType")
    public typealias NSMergePolicyType = MergePolicyType

    @available(*, unavailable, renamed: "MergeConflict")
    public typealias NSMergeConflict = MergeConflict

    @available(*, unavailable, renamed: "ConstraintConflict")
    public typealias NSConstraintConflict = ConstraintConflict

    @available(*, unavailable, renamed: "MigrationManager")
    public typealias NSMigrationManager = MigrationManager

    @available(*, unavailable, message: "name the class of the objects, such as FetchRequest<Item>")
    public typealias NSFetchRequestResult = ManagedObject

    @available(*, unavailable, message: "use 'dictionaries', 'objectIDs' or 'count' of a FetchRequest")
    public enum NSFetchRequestResultType {
        case managedObjectResultType, managedObjectIDResultType, dictionaryResultType, countResultType
    }

    @available(
        *,
        unavailable,
        message: "pass StoreOptions to PersistentContainer, or to the generated function container(at:options:)"
    )
    public final class NSPersistentStoreDescription {
        public var url: URL?
        public var type = ""
        public var isReadOnly = false
        public var shouldMigrateStoreAutomatically = true
        public var shouldInferMappingModelAutomatically = true
        public var shouldAddStoreAsynchronously = false

        public init() {}
        public init(url: URL) {}
        public func setOption(_ option: Any?, forKey key: String) {}
    }

    @available(*, unavailable, message: "delete the fetched objects with ManagedObjectContext.delete(_:), and save")
    public typealias NSBatchDeleteRequest = Never

    @available(*, unavailable, message: "use ManagedObjectContext.insertValues(_:)")
    public typealias NSBatchInsertRequest = Never

    @available(
        *,
        unavailable,
        message: "use a MigrationStage; 'chordata migrate mapping' writes one from a mapping model"
    )
    public typealias NSMappingModel = Never

    @available(
        *,
        unavailable,
        message: "use a MigrationStage; 'chordata migrate mapping' writes one from a mapping model"
    )
    public typealias NSEntityMigrationPolicy = Never

    @available(*, unavailable, message: "there is no synchronization with iCloud; use PersistentContainer")
    public typealias NSPersistentCloudKitContainer = PersistentContainer

    // MARK: Constants

    @available(*, unavailable, renamed: "MergePolicy.error")
    public var NSErrorMergePolicy: MergePolicy { .error }

    @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyStoreTrump")
    public var NSMergeByPropertyStoreTrumpMergePolicy: MergePolicy { .mergeByPropertyStoreTrump }

    @available(*, unavailable, renamed: "MergePolicy.mergeByPropertyObjectTrump")
    public var NSMergeByPropertyObjectTrumpMergePolicy: MergePolicy { .mergeByPropertyObjectTrump }

    @available(*, unavailable, renamed: "MergePolicy.overwrite")
    public var NSOverwriteMergePolicy: MergePolicy { .overwrite }

    @available(*, unavailable, renamed: "MergePolicy.rollback")
    public var NSRollbackMergePolicy: MergePolicy { .rollback }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.insertedObjects.rawValue")
    public var NSInsertedObjectsKey: String { ManagedObjectContext.NotificationKey.insertedObjects.rawValue }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.updatedObjects.rawValue")
    public var NSUpdatedObjectsKey: String { ManagedObjectContext.NotificationKey.updatedObjects.rawValue }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.deletedObjects.rawValue")
    public var NSDeletedObjectsKey: String { ManagedObjectContext.NotificationKey.deletedObjects.rawValue }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.refreshedObjects.rawValue")
    public var NSRefreshedObjectsKey: String { ManagedObjectContext.NotificationKey.refreshedObjects.rawValue }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue")
    public var NSInvalidatedObjectsKey: String { ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue }

    @available(*, unavailable, renamed: "ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue")
    public var NSInvalidatedAllObjectsKey: String {
        ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue
    }

    @available(
        *,
        unavailable,
        message: "every store is an SQLite database; pass its path to the generated function container(at:)"
    )
    public var NSSQLiteStoreType: String { "SQLite" }

    @available(*, unavailable, message: "pass ':memory:' to the generated function container(at:)")
    public var NSInMemoryStoreType: String { "InMemory" }

    extension Notification.Name {
        @available(*, unavailable, renamed: "ManagedObjectContext.didChangeObjectsNotification")
        public static var NSManagedObjectContextObjectsDidChange: Notification.Name {
            ManagedObjectContext.didChangeObjectsNotification
        }

        @available(*, unavailable, renamed: "ManagedObjectContext.willSaveObjectsNotification")
        public static var NSManagedObjectContextWillSave: Notification.Name {
            ManagedObjectContext.willSaveObjectsNotification
        }

        @available(*, unavailable, renamed: "ManagedObjectContext.didSaveObjectsNotification")
        public static var NSManagedObjectContextDidSave: Notification.Name {
            ManagedObjectContext.didSaveObjectsNotification
        }
    }

    // MARK: Members

    extension FetchRequest {
        @available(
            *,
            unavailable,
            message: "use sorted(by:), such as '.sorted(by: \\.name, .descending)', or 'sortKeys'"
        )
        public var sortDescriptors: [Any]? {
            get { nil }
            set {}
        }

        @available(*, unavailable, message: "use 'dictionaries', 'objectIDs' or 'count' of the request")
        public var resultType: NSFetchRequestResultType {
            get { .managedObjectResultType }
            set {}
        }

        @available(*, unavailable, message: "set it on 'dictionaries' of the request")
        public var propertiesToFetch: [Any]? {
            get { nil }
            set {}
        }

        @available(*, unavailable, message: "set it on 'dictionaries' of the request")
        public var propertiesToGroupBy: [Any]? {
            get { nil }
            set {}
        }

        @available(*, unavailable, message: "set it on 'dictionaries' of the request")
        public var havingPredicate: FetchPredicate? {
            get { nil }
            set {}
        }

        @available(*, unavailable, message: "set it on 'dictionaries' of the request")
        public var returnsDistinctResults: Bool {
            get { false }
            set {}
        }

        @available(*, unavailable, message: "use ManagedObjectContext.fetch(_:)")
        public func execute() throws -> [Object] { [] }
    }

    extension PersistentContainer {
        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String) { preconditionFailure("unavailable") }

        @available(
            *,
            unavailable,
            message: "use the generated function of the model, such as ShopModel.container(at: path)"
        )
        public convenience init(name: String, managedObjectModel: ManagedObjectModel) {
            preconditionFailure("unavailable")
        }

        @available(*, unavailable, message: "a container opens its store when it is created")
        public func loadPersistentStores(
            completionHandler: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
        ) {}

        @available(*, unavailable, message: "pass StoreOptions to the generated function container(at:options:)")
        public var persistentStoreDescriptions: [NSPersistentStoreDescription] {
            get { [] }
            set {}
        }

        @available(*, unavailable, renamed: "newContext()")
        public func newBackgroundContext() -> ManagedObjectContext { newContext() }
    }

    extension ManagedObjectContext {
        public enum ConcurrencyType {
            case mainQueueConcurrencyType, privateQueueConcurrencyType
        }

        @available(
            *,
            unavailable,
            message: "use newContext() of a container, or ManagedObjectContext() and set its parent"
        )
        public convenience init(concurrencyType: ConcurrencyType) { preconditionFailure("unavailable") }
    }
#endif
