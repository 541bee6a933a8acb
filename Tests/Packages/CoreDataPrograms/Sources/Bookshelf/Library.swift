import CoreData
import Foundation

/// The stack of the second release, which migrates the store of the first release when it is opened.
class Library {
    let storeURL: URL
    let model = ModelVersions.current
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(storeURL: URL) {
        self.storeURL = storeURL
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    func needsMigration() throws -> Bool {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType,
            at: storeURL,
            options: nil
        )
        return !model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    }

    func open(migrating: Bool, readOnly: Bool = false) throws -> NSPersistentStore {
        var options: [AnyHashable: Any] = [:]
        if migrating {
            options[NSMigratePersistentStoresAutomaticallyOption] = true
            options[NSInferMappingModelAutomaticallyOption] = true
        }
        if readOnly { options[NSReadOnlyPersistentStoreOption] = true }
        return try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: storeURL,
            options: options
        )
    }

    func books() throws -> [Book] {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Book.title), ascending: true)]
        return try context.fetch(request)
    }

    func book(titled title: String) throws -> Book {
        guard let book = try books().first(where: { $0.title == title }) else { fatalError("No book '\(title)'") }
        return book
    }

    func longBooks(minimum: Int) throws -> [String] {
        let variables = ["MINIMUM": NSNumber(value: minimum)]
        guard
            let request = model.fetchRequestFromTemplate(withName: "LongBooks", substitutionVariables: variables)
        else { fatalError("The template is missing") }
        request.sortDescriptors = [NSSortDescriptor(key: #keyPath(Book.pages), ascending: false)]
        let books = try context.fetch(request) as? [Book] ?? []
        return books.map { $0.title ?? "?" }
    }

    func addReview(_ stars: Int16, _ text: String?, to book: Book) -> Review {
        guard
            let review = NSEntityDescription.insertNewObject(forEntityName: "Review", into: context) as? Review
        else { fatalError("The model has no class for Review") }
        review.stars = stars
        review.text = text
        review.book = book
        return review
    }
}
