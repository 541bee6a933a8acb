import CoreData
import Foundation

class OutlineStore {
    let container: NSPersistentContainer

    init(url: URL) {
        container = NSPersistentContainer(name: "Outline")
        let description = NSPersistentStoreDescription()
        description.url = url
        description.type = NSSQLiteStoreType
        description.shouldAddStoreAsynchronously = false
        description.setOption(["synchronous": "NORMAL"] as NSDictionary, forKey: NSSQLitePragmasOption)
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error = error { fatalError("Cannot load the store: \(error)") }
        }
    }

    var viewContext: NSManagedObjectContext {
        return container.viewContext
    }

    func document(named name: String) throws -> Document? {
        let request: NSFetchRequest<Document> = Document.fetchRequest()
        request.predicate = NSPredicate(format: "name == %@", name)
        request.fetchLimit = 1
        return try viewContext.fetch(request).first
    }

    func nodes(matching predicate: NSPredicate) throws -> [String] {
        let request: NSFetchRequest<Node> = Node.fetchRequest()
        request.predicate = predicate
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try viewContext.fetch(request).map { $0.title ?? "" }
    }

    /// The titles of the children that the store has, read by a context of its own.
    func storedChildren(of objectID: NSManagedObjectID) -> [String] {
        let context = container.newBackgroundContext()
        var titles: [String] = []
        context.performAndWait {
            do {
                let node = try context.existingObject(with: objectID) as? Node
                titles = node?.sortedChildren.map { $0.title ?? "" } ?? []
            } catch {
                titles = ["error \((error as NSError).code)"]
            }
        }
        return titles
    }

    /// Changes a node in a context of its own and saves it.
    func changeInBackground(_ objectID: NSManagedObjectID, _ change: (Node) -> Void) {
        let context = container.newBackgroundContext()
        context.performAndWait {
            guard let node = context.object(with: objectID) as? Node else { return }
            change(node)
            do {
                try context.save()
            } catch {
                print("cannot save: \(error)")
            }
        }
    }
}
