#if !canImport(Darwin)
    import CoreData
    import Testing

    /// Objects are faults until the program accesses their values.
    struct FaultTests {
        /// Runs a test with a context that has one author with two books, whose row has not been read.
        private func withContext(_ body: (NSManagedObjectContext) throws -> Void) throws {
            let container = try makeLibrary()
            let writer = container.newBackgroundContext()
            try writer.performAndWait {
                addAuthor("Ann", born: 1950, ["Alpha", "Beta"], to: writer)
                try writer.save()
            }
            let context = container.newBackgroundContext()
            try context.performAndWait { try body(context) }
        }

        private func author(
            _ context: NSManagedObjectContext,
            asFault: Bool = true
        ) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.returnsObjectsAsFaults = asFault
            return try #require(try context.fetch(request).first)
        }

        @Test func fetchedObjectsAreFaultsUntilAValueIsRead() throws {
            try withContext { context in
                let author = try author(context)
                #expect(author.isFault && author.faultingState == 1)
                #expect(author.objectID.isTemporaryID == false && !author.hasChanges && author.isFault)
                #expect(author.value(forKey: "name") as? String == "Ann")
                #expect(!author.isFault && author.faultingState == 0)
                // A later fetch returns the object as it is.
                #expect(try self.author(context) === author)
                #expect(!author.isFault)
            }
        }

        @Test func requestsForObjectsThatAreNoFaults() throws {
            try withContext { context in
                let author = try author(context, asFault: false)
                #expect(!author.isFault)
            }
        }

        @Test func membersOfRelationshipsAreFaults() throws {
            try withContext { context in
                let author = try author(context)
                #expect(author.hasFault(forRelationshipNamed: "books"))
                #expect(author.value(forKey: "born") as? Int16 == 1950)
                #expect(author.hasFault(forRelationshipNamed: "books"))
                let books = try #require(author.value(forKey: "books") as? Set<NSManagedObject>)
                #expect(!author.hasFault(forRelationshipNamed: "books"))
                let book = try #require(books.first)
                #expect(books.count == 2 && books.allSatisfy(\.isFault))
                #expect(book.value(forKey: "author") as? NSManagedObject === author)
                #expect(!book.isFault && books.filter(\.isFault).count == 1)
            }
        }

        /// Reading a relationship fires the fault of its owner.
        @Test func ownersOfRelationshipsAreNoFaults() throws {
            try withContext { context in
                let author = try author(context)
                context.refresh(author, mergeChanges: false)
                #expect(author.isFault)
                #expect((author.value(forKey: "books") as? Set<NSManagedObject>)?.count == 2)
                #expect(!author.isFault)
            }
        }

        @Test func existingObjectsAreNoFaults() throws {
            try withContext { context in
                let id = try author(context).objectID
                context.reset()
                #expect(context.object(with: id).isFault)
                #expect(try !context.existingObject(with: id).isFault)
            }
        }

        @Test func changedObjectsAreNoFaults() throws {
            try withContext { context in
                let author = try author(context)
                author.setValue(1951, forKey: "born")
                #expect(!author.isFault)
                try context.save()
                #expect(!author.isFault)
                context.refresh(author, mergeChanges: true)
                #expect(!author.isFault)
                context.refresh(author, mergeChanges: false)
                #expect(author.isFault)
                context.refreshAllObjects()
                #expect(author.isFault)
                author.willAccessValue(forKey: "name")
                #expect(!author.isFault && author.primitiveValue(forKey: "name") as? String == "Ann")
                author.didAccessValue(forKey: "name")
            }
        }

        @Test func insertedAndDeletedObjectsAreNoFaults() throws {
            try withContext { context in
                let new = addAuthor("Bob", to: context)
                #expect(!new.isFault)
                let author = try #require(
                    try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first { $0 !== new }
                )
                context.delete(author)
                #expect(!author.isFault && author.isDeleted)
            }
        }
    }
#endif
