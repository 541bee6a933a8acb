extension Snippet {
    /// Names of Core Data, as people type them, and what the compiler answers.
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

    private static let typed: [(code: String, answer: String)] = [
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
            "'loadPersistentStores(completionHandler:)' is unavailable: a container opens its store when it is created"
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
            "'NSFetchRequestResult' is unavailable: name the class of the objects, such as FetchRequest<Item>"
        ),
        (
            "request.sortDescriptors = []",
            #"'sortDescriptors' is unavailable: use sorted(by:), such as '.sorted(by: \.name, .descending)', or 'sortKeys'"#
        ),
        (
            "request.resultType = .dictionaryResultType",
            "'resultType' is unavailable: use 'dictionaries', 'objectIDs' or 'count' of the request"
        ),
        (
            #"request.propertiesToFetch = ["name"]"#,
            "'propertiesToFetch' is unavailable: set it on 'dictionaries' of the request"
        ),
        (
            #"request.propertiesToGroupBy = ["name"]"#,
            "'propertiesToGroupBy' is unavailable: set it on 'dictionaries' of the request"
        ),
        (
            "request.returnsDistinctResults = true",
            "'returnsDistinctResults' is unavailable: set it on 'dictionaries' of the request"
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
            "_ = NSBatchInsertRequest.self",
            "'NSBatchInsertRequest' is unavailable: use ManagedObjectContext.insertValues(_:)"
        ),
        (
            "_ = NSBatchDeleteRequest.self",
            "'NSBatchDeleteRequest' is unavailable: delete the fetched objects with ManagedObjectContext.delete(_:), and save"
        ),
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
            "'NSSQLiteStoreType' is unavailable: every store is an SQLite database"
        ),
        ("_ = NSInMemoryStoreType", "'NSInMemoryStoreType' is unavailable: pass ':memory:'"),
    ]
}
