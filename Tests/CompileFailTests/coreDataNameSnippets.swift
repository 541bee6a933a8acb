extension Snippet {
    /// Names of Core Data, as programmers write them, and the messages of the compiler.
    static let coreDataNames =
        typed.map { code, answer in
            Snippet(
                code,
                """
                import Chordata
                import Foundation
                func use(_ context: ManagedObjectContext, _ request: inout FetchRequest<Article>, _ container: PersistentContainer) throws {
                    \(code)  // error: \(answer)
                }
                """
            )
        } + [
            Snippet(
                "a hand-written class",
                """
                import Chordata
                class Drawer: NSManagedObject {}  // error: 'NSManagedObject' has been renamed to 'ManagedObject'
                """
            ),
            Snippet(
                "a delegate",
                """
                import Chordata
                final class List: NSFetchedResultsControllerDelegate {  // error: 'NSFetchedResultsControllerDelegate' has been renamed to 'FetchedResultsControllerDelegate'
                    func controllerDidChangeContent(_ controller: FetchedResultsController<Article>) {}
                }
                """
            ),
        ]

    static let typed: [(code: String, answer: String)] = [
        ("_ = NSManagedObject.self", "'NSManagedObject' has been renamed to 'ManagedObject'"),
        ("_ = NSManagedObjectContext.self", "'NSManagedObjectContext' has been renamed to 'ManagedObjectContext'"),
        ("_ = NSManagedObjectID.self", "'NSManagedObjectID' has been renamed to 'ManagedObjectID'"),
        ("_ = NSManagedObjectModel.self", "'NSManagedObjectModel' has been renamed to 'ManagedObjectModel'"),
        (
            #"_ = NSEntityDescription.insertNewObject(forEntityName: "Article", into: context)"#,
            "'NSEntityDescription' has been renamed to 'EntityDescription'"
        ),
        ("_ = NSAttributeDescription.self", "'NSAttributeDescription' has been renamed to 'AttributeDescription'"),
        (
            "_ = NSRelationshipDescription.self",
            "'NSRelationshipDescription' has been renamed to 'RelationshipDescription'"
        ),
        (
            "_ = NSFetchedPropertyDescription.self",
            "'NSFetchedPropertyDescription' has been renamed to 'FetchedPropertyDescription'"
        ),
        ("_ = NSExpressionDescription.self", "'NSExpressionDescription' has been renamed to 'ExpressionDescription'"),
        ("_ = NSFetchIndexDescription.self", "'NSFetchIndexDescription' has been renamed to 'FetchIndexDescription'"),
        ("_ = NSAttributeType.self", "'NSAttributeType' has been renamed to 'AttributeType'"),
        ("_ = NSDeleteRule.self", "'NSDeleteRule' has been renamed to 'DeleteRule'"),
        ("_ = NSPersistentStore.self", "'NSPersistentStore' has been renamed to 'PersistentStore'"),
        (
            "_ = NSPersistentStoreCoordinator.self",
            "'NSPersistentStoreCoordinator' has been renamed to 'PersistentStoreCoordinator'"
        ),
        ("_ = NSPersistentContainer.self", "'NSPersistentContainer' has been renamed to 'PersistentContainer'"),
        (
            "_ = NSPersistentCloudKitContainer.self",
            "'NSPersistentCloudKitContainer' is unavailable: there is no synchronization with iCloud; use PersistentContainer"
        ),
        (
            #"_ = PersistentContainer(name: "Shop")"#,
            "'init(name:)' is unavailable: use the generated function of the model, such as ShopModel.container(at: path)"
        ),
        (
            "container.loadPersistentStores { _, error in if let error { fatalError(error.localizedDescription) } }",
            "'loadPersistentStores(completionHandler:)' is unavailable: remove the call; the initializer of a container opens its store"
        ),
        (
            "_ = container.persistentStoreDescriptions.first?.url",
            "'persistentStoreDescriptions' is unavailable: pass StoreOptions to the generated function container(at:options:)"
        ),
        (
            #"_ = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/"))"#,
            "'NSPersistentStoreDescription' is unavailable: pass StoreOptions"
        ),
        (
            "_ = container.newBackgroundContext()",
            "'newBackgroundContext()' has been renamed to 'newContext()'"
        ),
        (
            "_ = ManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)",
            "'init(concurrencyType:)' is unavailable: use newContext() of a container"
        ),
        (
            #"_ = NSFetchRequest<Article>(entityName: "Article")"#,
            "'NSFetchRequest' has been renamed to 'FetchRequest'"
        ),
        (
            #"_ = FetchRequest<NSFetchRequestResult>(entityName: "Article")"#,
            "'NSFetchRequestResult' is unavailable: write the class of the fetched objects, such as Item in "
                + "FetchRequest<Item>"
        ),
        (
            "request.sortDescriptors = []",
            #"'sortDescriptors' is unavailable: use sorted(by:), such as '.sorted(by: \.name, .descending)', or 'sortKeys'"#
        ),
        (
            "request.resultType = .dictionaryResultType",
            "'resultType' is unavailable: use 'request.dictionaries', 'request.objectIDs' or 'request.count'"
        ),
        (
            #"request.propertiesToFetch = ["name"]"#,
            "'propertiesToFetch' is unavailable: set 'propertiesToFetch' of the request that 'request.dictionaries' returns"
        ),
        (
            #"request.propertiesToGroupBy = ["name"]"#,
            "'propertiesToGroupBy' is unavailable: set 'propertiesToGroupBy' of the request that 'request.dictionaries' returns"
        ),
        (
            "request.returnsDistinctResults = true",
            "'returnsDistinctResults' is unavailable: set 'returnsDistinctResults' of the request that 'request.dictionaries'"
        ),
        ("_ = try request.execute()", "'execute()' is unavailable: use ManagedObjectContext.fetch(_:)"),
        (
            "_ = NSFetchedResultsController<Article>.self",
            "'NSFetchedResultsController' has been renamed to 'FetchedResultsController'"
        ),
        (
            "_ = NSFetchedResultsSectionInfo.self",
            "'NSFetchedResultsSectionInfo' has been renamed to 'FetchedResultsSectionInfo'"
        ),
        (
            "_ = NSFetchedResultsChangeType.insert",
            "'NSFetchedResultsChangeType' has been renamed to 'FetchedResultsChangeType'"
        ),
        ("_ = NSBatchUpdateRequest.self", "'NSBatchUpdateRequest' has been renamed to 'BatchUpdateRequest'"),
        (
            "_ = NSAsynchronousFetchRequest<Article>.self",
            "'NSAsynchronousFetchRequest' has been renamed to 'AsynchronousFetchRequest'"
        ),
        (
            "context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy",
            "'NSMergeByPropertyObjectTrumpMergePolicy' has been renamed to 'MergePolicy.mergeByPropertyObjectTrump'"
        ),
        ("_ = NSMergePolicy.self", "'NSMergePolicy' has been renamed to 'MergePolicy'"),
        ("_ = NSMergeConflict.self", "'NSMergeConflict' has been renamed to 'MergeConflict'"),
        ("_ = NSMigrationManager.self", "'NSMigrationManager' has been renamed to 'MigrationManager'"),
        ("_ = NSMappingModel.self", "'NSMappingModel' is unavailable: use a MigrationStage"),
        ("_ = NSEntityMigrationPolicy.self", "'NSEntityMigrationPolicy' is unavailable: use a MigrationStage"),
        (
            "_ = Notification.Name.NSManagedObjectContextDidSave",
            "'NSManagedObjectContextDidSave' has been renamed to 'ManagedObjectContext.didSaveObjectsNotification'"
        ),
        (
            "_ = Notification.Name.NSManagedObjectContextObjectsDidChange",
            "'NSManagedObjectContextObjectsDidChange' has been renamed to 'ManagedObjectContext.didChangeObjectsNotification'"
        ),
        (
            "_ = NSInsertedObjectsKey",
            "'NSInsertedObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.insertedObjects.rawValue'"
        ),
        (
            "_ = NSSQLiteStoreType",
            "'NSSQLiteStoreType' is unavailable: a store in a file is always an SQLite database"
        ),
        ("_ = NSInMemoryStoreType", "'NSInMemoryStoreType' is unavailable: pass ':memory:'"),
        (
            #"_ = NSBatchInsertRequest(entityName: "Article", objects: [["name": "a"]])"#,
            "'NSBatchInsertRequest' has been renamed to 'BatchInsertRequest'"
        ),
        (
            "_ = NSBatchDeleteRequest(fetchRequest: request)",
            "'NSBatchDeleteRequest' has been renamed to 'BatchDeleteRequest'"
        ),
        (
            "_ = NSBatchDeleteResult.self",
            "'NSBatchDeleteResult' has been renamed to 'BatchDeleteResult'"
        ),
        (
            "_ = NSBatchInsertResult.self",
            "'NSBatchInsertResult' has been renamed to 'BatchInsertResult'"
        ),
        (
            "_ = BatchDeleteRequest(objectIDs: [context.insertedObjects.first!.objectID])",
            "'init(objectIDs:)' is unavailable: pass the name of the entity: init(entityName:objectIDs:)"
        ),
        (
            #"_ = BatchInsertRequest(entity: context.insertedObjects.first!.entity, objects: [["name": "a"]])"#,
            "'init(entity:objects:)' is unavailable: pass the name of the entity: init(entityName:objects:)"
        ),
        (
            #"_ = BatchInsertRequest(entityName: "Article", dictionaryHandler: { (_: NSMutableDictionary) in true })"#,
            "'init(entityName:dictionaryHandler:)' is unavailable: pass a closure that fills a [String: Any?]"
        ),
        (
            "_ = NSBatchUpdateResult.self",
            "'NSBatchUpdateResult' has been renamed to 'BatchUpdateResult'"
        ),
        (
            "_ = NSPersistentHistoryChangeRequest.self",
            "'NSPersistentHistoryChangeRequest' has been renamed to 'PersistentHistoryChangeRequest'"
        ),
        (
            "_ = NSPersistentHistoryTransaction.self",
            "'NSPersistentHistoryTransaction' has been renamed to 'PersistentHistoryTransaction'"
        ),
        (
            "_ = NSPersistentHistoryChange.self",
            "'NSPersistentHistoryChange' has been renamed to 'PersistentHistoryChange'"
        ),
        (
            "_ = NSPersistentHistoryToken.self",
            "'NSPersistentHistoryToken' has been renamed to 'PersistentHistoryToken'"
        ),
        (
            "_ = NSPersistentHistoryResult.self",
            "'NSPersistentHistoryResult' is unavailable: ManagedObjectContext.execute(_:) returns the transactions"
        ),
        (
            "_ = NSPersistentHistoryTrackingKey",
            "'NSPersistentHistoryTrackingKey' is unavailable: set StoreOptions.tracksPersistentHistory"
        ),
        (
            "_ = NSPersistentStoreRemoteChangeNotificationPostOptionKey",
            "'NSPersistentStoreRemoteChangeNotificationPostOptionKey' is unavailable: set StoreOptions.reportsRemoteChanges"
        ),
        (
            "_ = Notification.Name.NSPersistentStoreRemoteChange",
            "'NSPersistentStoreRemoteChange' is unavailable: use PersistentContainer.remoteChanges"
        ),
        (
            "_ = Notification.Name.NSManagedObjectContextWillSave",
            "'NSManagedObjectContextWillSave' has been renamed to 'ManagedObjectContext.willSaveObjectsNotification'"
        ),
        (
            "_ = NSDerivedAttributeDescription.self",
            "'NSDerivedAttributeDescription' is unavailable: use AttributeDescription, which has 'derivationExpression' and 'elements'"
        ),
        (
            "_ = NSCompositeAttributeDescription.self",
            "'NSCompositeAttributeDescription' is unavailable: use AttributeDescription, which has 'derivationExpression' and 'elements'"
        ),
        (
            "_ = NSStagedMigrationManager.self",
            "'NSStagedMigrationManager' is unavailable: pass MigrationStage values in StoreOptions.migrationStages"
        ),
        (
            "_ = NSCustomMigrationStage.self",
            "'NSCustomMigrationStage' is unavailable: pass MigrationStage values in StoreOptions.migrationStages"
        ),
        (
            "_ = NSLightweightMigrationStage.self",
            "'NSLightweightMigrationStage' is unavailable: pass MigrationStage values in StoreOptions.migrationStages"
        ),
        (
            "_ = NSIncrementalStore.self",
            "'NSIncrementalStore' is unavailable: a store in a file is always an SQLite database"
        ),
        (
            "_ = NSSaveChangesRequest.self",
            "'NSSaveChangesRequest' is unavailable: a store in a file is always an SQLite database"
        ),
        (
            "_ = NSIgnorePersistentStoreVersioningOption",
            "'NSIgnorePersistentStoreVersioningOption' is unavailable: remove the option: a store of another version"
        ),
        (
            "_ = Notification.Name.NSPersistentStoreCoordinatorStoresDidChange",
            "'NSPersistentStoreCoordinatorStoresDidChange' is unavailable: remove the observer; all stores are added before the first context is used"
        ),
        (
            "_ = NSAtomicStore.self",
            "'NSAtomicStore' is unavailable: a store in a file is always an SQLite database"
        ),
        (
            "_ = NSCoreDataCoreSpotlightDelegate.self",
            "'NSCoreDataCoreSpotlightDelegate' is unavailable: there is no integration with Spotlight"
        ),
        (
            "context.undoManager = UndoManager()",
            "'UndoManager' has been renamed to 'ContextUndoManager'"
        ),
        (
            "_ = NSXMLStoreType",
            "'NSXMLStoreType' is unavailable: a store in a file is always an SQLite database"
        ),
        (
            "_ = NSBinaryStoreType",
            "'NSBinaryStoreType' is unavailable: a store in a file is always an SQLite database"
        ),
        (
            "_ = NSMigratePersistentStoresAutomaticallyOption",
            "'NSMigratePersistentStoresAutomaticallyOption' is unavailable: remove the option: stores are migrated"
        ),
        (
            "_ = NSInferMappingModelAutomaticallyOption",
            "'NSInferMappingModelAutomaticallyOption' is unavailable: migrations are inferred when code is generated"
        ),
        (
            "_ = NSReadOnlyPersistentStoreOption",
            "'NSReadOnlyPersistentStoreOption' is unavailable: set StoreOptions.isReadOnly"
        ),
        (
            "_ = NSPersistentStoreTimeoutOption",
            "'NSPersistentStoreTimeoutOption' is unavailable: set StoreOptions.busyTimeout"
        ),
        (
            "_ = NSSQLitePragmasOption",
            "'NSSQLitePragmasOption' is unavailable: set 'synchronous' and 'cacheSize' of StoreOptions"
        ),
        (
            "_ = NSPersistentStoreFileProtectionKey",
            "'NSPersistentStoreFileProtectionKey' is unavailable: set the protection of the file itself"
        ),
        (
            "_ = NSValidationErrorKey",
            "'NSValidationErrorKey' is unavailable: use the failures of a ValidationError"
        ),
        (
            "_ = NSValidationKeyErrorKey",
            "'NSValidationKeyErrorKey' is unavailable: use the failures of a ValidationError"
        ),
        (
            "_ = NSValidationObjectErrorKey",
            "'NSValidationObjectErrorKey' is unavailable: use the failures of a ValidationError"
        ),
        (
            "_ = NSDetailedErrorsKey",
            "'NSDetailedErrorsKey' is unavailable: use the failures of a ValidationError"
        ),
        (
            "context.mergePolicy = NSErrorMergePolicy",
            "'NSErrorMergePolicy' has been renamed to 'MergePolicy.error'"
        ),
        (
            "context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy",
            "'NSMergeByPropertyStoreTrumpMergePolicy' has been renamed to 'MergePolicy.mergeByPropertyStoreTrump'"
        ),
        (
            "context.mergePolicy = NSOverwriteMergePolicy",
            "'NSOverwriteMergePolicy' has been renamed to 'MergePolicy.overwrite'"
        ),
        (
            "context.mergePolicy = NSRollbackMergePolicy",
            "'NSRollbackMergePolicy' has been renamed to 'MergePolicy.rollback'"
        ),
        (
            "_ = NSUpdatedObjectsKey",
            "'NSUpdatedObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.updatedObjects.rawValue'"
        ),
        (
            "_ = NSDeletedObjectsKey",
            "'NSDeletedObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.deletedObjects.rawValue'"
        ),
        (
            "_ = NSRefreshedObjectsKey",
            "'NSRefreshedObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.refreshedObjects.rawValue'"
        ),
        (
            "_ = NSInvalidatedObjectsKey",
            "'NSInvalidatedObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.invalidatedObjects.rawValue'"
        ),
        (
            "_ = NSInvalidatedAllObjectsKey",
            "'NSInvalidatedAllObjectsKey' has been renamed to 'ManagedObjectContext.NotificationKey.invalidatedAllObjects.rawValue'"
        ),
        (
            "_ = NSFetchRequestResultType.self",
            "'NSFetchRequestResultType' is unavailable: use 'request.dictionaries', 'request.objectIDs' or 'request.count' of a FetchRequest"
        ),
        (
            "_ = NSMergePolicyType.self",
            "'NSMergePolicyType' has been renamed to 'MergePolicyType'"
        ),
        (
            "_ = NSConstraintConflict.self",
            "'NSConstraintConflict' has been renamed to 'ConstraintConflict'"
        ),
        (
            "context.mergePolicy = MergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)",
            "'mergeByPropertyObjectTrumpMergePolicyType' has been renamed to 'mergeByPropertyObjectTrump'"
        ),
        (
            "_ = Article.entity()",
            "'entity()' is unavailable: use EntityDescription.entity(forEntityName:in:), or 'entity' of an object"
        ),
        (
            #"_ = ManagedObjectModel(contentsOf: URL(fileURLWithPath: "/"))"#,
            "'init(contentsOf:)' is unavailable: use 'definition' of the generated model"
        ),
        (
            "_ = ManagedObjectModel.mergedModel(from: nil)",
            "'mergedModel(from:)' is unavailable: use 'definition' of the generated model"
        ),
        (
            "_ = ManagedObjectModel(byMerging: nil)",
            "'init(byMerging:)' has been renamed to 'init(merging:)'"
        ),
        (
            "_ = PersistentContainer.defaultDirectoryURL()",
            "'defaultDirectoryURL()' is unavailable: pass a path of your own"
        ),
        (
            "_ = context.userInfo",
            "'userInfo' is unavailable: keep such values in a type of your own"
        ),
        (
            "context.stalenessInterval = 0",
            "'stalenessInterval' is unavailable: remove it; a fault reads the store"
        ),
        (
            "context.retainsRegisteredObjects = true",
            "'retainsRegisteredObjects' is unavailable: remove it; a context retains only objects with unsaved changes"
        ),
        (
            "context.shouldDeleteInaccessibleFaults = true",
            "'shouldDeleteInaccessibleFaults' is unavailable: remove it; if its row was deleted, a fault has nil"
        ),
        (
            "context.propagatesDeletesAtEndOfEvent = false",
            "'propagatesDeletesAtEndOfEvent' is unavailable: remove it; delete(_:) applies delete rules immediately"
        ),
        (
            "_ = NSQueryGenerationToken.current",
            "'NSQueryGenerationToken' has been renamed to 'QueryGenerationToken'"
        ),
        (
            "context.detectConflicts(for: context.insertedObjects.first!)",
            "'detectConflicts(for:)' is unavailable: remove it; a save detects conflicts"
        ),
    ]
}
