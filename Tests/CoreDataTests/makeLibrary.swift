#if !canImport(Darwin)
    import CoreData

    /// Authors with books: a model that is built in code, as Core Data's programs do.
    func makeLibraryModel() -> NSManagedObjectModel {
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        name.isOptional = false
        let born = NSAttributeDescription()
        born.name = "born"
        born.attributeType = .integer16AttributeType
        born.defaultValue = 0
        let title = NSAttributeDescription()
        title.name = "title"
        title.attributeType = .stringAttributeType
        let pages = NSAttributeDescription()
        pages.name = "pages"
        pages.attributeType = .integer32AttributeType
        pages.defaultValue = NSNumber(value: 100)

        let author = NSEntityDescription()
        author.name = "Author"
        let book = NSEntityDescription()
        book.name = "Book"
        let books = NSRelationshipDescription()
        let writer = NSRelationshipDescription()
        books.name = "books"
        books.destinationEntity = book
        books.inverseRelationship = writer
        books.deleteRule = .cascadeDeleteRule
        writer.name = "author"
        writer.destinationEntity = author
        writer.inverseRelationship = books
        writer.maxCount = 1
        author.properties = [name, born, books]
        book.properties = [title, pages, writer]
        author.uniquenessConstraints = [["name"]]

        let model = NSManagedObjectModel()
        model.entities = [author, book]
        return model
    }

    /// A container of the library, with a store in memory or in a temporary file.
    func makeLibrary(at url: URL? = nil, _ options: [String: NSNumber] = [:]) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: makeLibraryModel())
        let description = NSPersistentStoreDescription()
        if let url { description.url = url } else { description.type = NSInMemoryStoreType }
        for (key, value) in options { description.setOption(value, forKey: key) }
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    /// Calls a closure with the URL of a store in a folder of its own, which is deleted afterwards.
    func withStoreURL(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("CoreDataTests-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("Library.sqlite"))
    }

    /// Returns a results controller without a cache.
    func makeList(
        of entityName: String = "Author",
        _ predicate: NSPredicate? = nil,
        sortedBy keys: String...,
        sections: String? = nil,
        in context: NSManagedObjectContext
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.predicate = predicate
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return NSFetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sections,
            cacheName: nil
        )
    }

    @discardableResult
    func addAuthor(_ name: String, born: Int = 0, _ titles: [String] = [], to context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue(name, forKey: "name")
        author.setValue(born, forKey: "born")
        for title in titles {
            let book = NSManagedObject(
                entity: NSEntityDescription.entity(forEntityName: "Book", in: context)!,
                insertInto: context
            )
            book.setValue(title, forKey: "title")
            book.setValue(author, forKey: "author")
        }
        return author
    }
#endif
