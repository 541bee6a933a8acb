import CoreData
import Foundation

/// The first release of the app, which had no classes for its entities.
func runFirstRelease(storeURL: URL) throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelVersions.first)
    let store = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: storeURL,
        options: nil
    )
    let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator

    func insert(_ entityName: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entityName, into: context)
        object.setValuesForKeys(values)
        return object
    }

    let novels = insert("Shelf", ["label": "Novels"])
    let science = insert("Shelf", ["label": "Science"])
    let press = insert("Publisher", ["name": "Lantern Press"])
    _ = insert("Book", ["name": "The Glass Tide", "author": "M. Oduya", "pages": 412, "shelf": novels])
    _ = insert("Book", ["name": "Moss", "note": "a gift", "pages": 96, "shelf": science, "publisher": press])
    _ = insert("Book", ["name": "Short Winters", "pages": 230, "shelf": novels, "publisher": press])
    let draft = insert("Book", ["pages": 1])
    do {
        try context.save()
    } catch let error as NSError {
        print("without a name: \(error.code == NSValidationMissingMandatoryPropertyError)")
    }
    context.delete(draft)
    try context.save()

    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    for book in try context.fetch(request) {
        let name = book.value(forKey: "name") as? String ?? "?"
        let shelf = book.value(forKeyPath: "shelf.label") as? String ?? "?"
        print("  \(name), \((book.value(forKey: "pages") as? NSNumber)?.intValue ?? 0) pages, \(shelf)")
    }
    try coordinator.remove(store)
}
