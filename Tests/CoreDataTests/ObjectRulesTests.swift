#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The rules of objects and contexts, with Core Data's names.
    struct ObjectRulesTests {
        private final class Log {
            var lines: [String] = []
            private var tokens: [any NSObjectProtocol] = []

            func observe(
                _ name: Notification.Name,
                of context: NSManagedObjectContext,
                _ line: @escaping (Notification) -> String
            ) {
                tokens.append(
                    NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) {
                        [unowned self] in
                        self.lines.append(line($0))
                    }
                )
            }

            deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
        }

        private func names(_ notification: Notification, _ key: String) -> [String] {
            let objects = notification.userInfo?[key] as? Set<NSManagedObject> ?? []
            return objects.compactMap { ($0.value(forKey: "name") ?? $0.value(forKey: "title")) as? String }.sorted()
        }

        private func fetch(_ entityName: String, _ context: NSManagedObjectContext) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
            request.sortDescriptors = [NSSortDescriptor(key: entityName == "Book" ? "title" : "name", ascending: true)]
            return try context.fetch(request)
        }

        /// N1 to N3: one notification for an event, then those of the save.
        @Test func n1N2N3Notifications() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let log = Log()
                log.observe(.NSManagedObjectContextObjectsDidChange, of: context) {
                    "change +\(names($0, NSInsertedObjectsKey)) *\(names($0, NSUpdatedObjectsKey))"
                }
                log.observe(.NSManagedObjectContextWillSave, of: context) { "will save \($0.userInfo?.count ?? 0)" }
                log.observe(.NSManagedObjectContextDidSave, of: context) { notification in
                    let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
                    let areTemporary = inserted.contains { $0.objectID.isTemporaryID }
                    return "did save +\(inserted.count) *\(names(notification, NSUpdatedObjectsKey)) \(areTemporary)"
                }
                let ann = addAuthor("Ann", to: context)
                addAuthor("Bob", to: context)
                context.processPendingChanges()
                ann.setValue(1950, forKey: "born")
                ann.setValue(1951, forKey: "born")
                try context.save()
                expectEqual(
                    log.lines,
                    [
                        #"change +["Ann", "Bob"] *[]"#, #"change +[] *["Ann"]"#, "will save 0", "did save +2 *[] false",
                    ]
                )
            }
        }

        /// N4, 5E and H1: a merge of another context's save.
        @Test func n4MergedSaves() throws {
            let container = try makeLibrary()
            let (writer, reader) = (container.newBackgroundContext(), container.newBackgroundContext())
            try writer.performAndWait {
                for name in ["Ann", "Bob", "Cem"] { addAuthor(name, to: writer) }
                try writer.save()
            }
            let (ann, bob, cem) = try reader.performAndWait {
                let authors = try fetch("Author", reader)
                authors.forEach { _ = $0.value(forKey: "name") }
                authors[2].setValue(1999, forKey: "born")
                return (authors[0], authors[1], authors[2])
            }
            let log = Log()
            var saved: Notification?
            log.observe(.NSManagedObjectContextDidSave, of: writer) {
                saved = $0
                return ""
            }
            try writer.performAndWait {
                let authors = try fetch("Author", writer)
                authors[0].setValue(1901, forKey: "born")
                writer.delete(authors[1])
                authors[2].setValue(1903, forKey: "born")
                addAuthor("Dan", to: writer)
                try writer.save()
            }
            try reader.performAndWait {
                #expect(ann.value(forKey: "born") as? Int16 == 0)
                reader.mergeChanges(fromContextDidSave: try #require(saved))
                #expect(ann.value(forKey: "born") as? Int16 == 1901)
                #expect(bob.isDeleted || bob.managedObjectContext == nil)
                #expect(cem.value(forKey: "born") as? Int16 == 1999 && cem.hasChanges)
                let names = reader.registeredObjects.compactMap { $0.value(forKey: "name") as? String }
                #expect(names.contains("Dan"))
            }
        }

        @Test func n5UnreferencedObjectsAreReleased() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", to: context)
                addAuthor("Bob", to: context)
                try context.save()
                expectEqual(context.registeredObjects, [ann])
            }
        }

        @Test func n6RefreshingAllObjectsKeepsEdits() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let (ann, bob) = (addAuthor("Ann", to: context), addAuthor("Bob", to: context))
                try context.save()
                bob.setValue(1950, forKey: "born")
                context.refreshAllObjects()
                #expect(ann.isFault && !bob.isFault)
                #expect(bob.value(forKey: "born") as? Int16 == 1950)
            }
        }

        @Test func n7AFetchRefreshesObjectsOnRequest() throws {
            let container = try makeLibrary()
            let (writer, reader) = (container.newBackgroundContext(), container.newBackgroundContext())
            try writer.performAndWait {
                addAuthor("Ann", to: writer)
                try writer.save()
            }
            let ann = try reader.performAndWait { try #require(try fetch("Author", reader).first) }
            reader.performAndWait { #expect(ann.value(forKey: "born") as? Int16 == 0) }
            try writer.performAndWait {
                try fetch("Author", writer)[0].setValue(1950, forKey: "born")
                try writer.save()
            }
            try reader.performAndWait {
                _ = try fetch("Author", reader)
                #expect(ann.value(forKey: "born") as? Int16 == 0)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.shouldRefreshRefetchedObjects = true
                _ = try reader.fetch(request)
                #expect(ann.value(forKey: "born") as? Int16 == 1950)
            }
        }

        @Test func n8PerformProcessesPendingChanges() async throws {
            let context = try makeLibrary().newBackgroundContext()
            let counter = Counter()
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange,
                object: context,
                queue: nil
            ) { _ in counter.count += 1 }
            defer { NotificationCenter.default.removeObserver(token) }
            context.performAndWait {
                addAuthor("Ann", to: context)
                context.performAndWait { addAuthor("Bob", to: context) }
                expectEqual(counter.count, 0)
            }
            await context.perform { addAuthor("Cem", to: context) }
            // Here the queue has processed the changes of performAndWait after it, in a turn of its own.
            #expect(context.performAndWait { counter.count } >= 1)
        }

        private final class Counter: @unchecked Sendable {  // Used on one queue.
            var count = 0
        }

        @Test func n9ObjectsByTheirIDs() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", to: context)
                try context.save()
                let id = ann.objectID
                let other = container.newBackgroundContext()
                try other.performAndWait {
                    #expect(other.registeredObject(for: id) == nil)
                    #expect(other.object(with: id).isFault)
                    #expect(other.registeredObject(for: id) != nil)
                    let existing = try other.existingObject(with: id)
                    #expect(existing.value(forKey: "name") as? String == "Ann")
                }
                context.delete(ann)
                try context.save()
                let third = container.newBackgroundContext()
                third.performAndWait {
                    do {
                        _ = try third.existingObject(with: id)
                        Issue.record("a deleted object exists")
                    } catch let error as NSError {
                        expectEqual(error.code, NSManagedObjectReferentialIntegrityError)
                    }
                    #expect(third.object(with: id).value(forKey: "name") as? String == "")
                }
            }
        }

        @Test func n10MergesAreNotAutomatic() throws {
            let context = try makeLibrary().newBackgroundContext()
            #expect(!context.automaticallyMergesChangesFromParent)
            #expect(try !makeLibrary().viewContext.automaticallyMergesChangesFromParent)
        }

        /// N11: a child saves to its parent, one level up.
        @Test func n11ChildContexts() throws {
            let container = try makeLibrary()
            let parent = container.newBackgroundContext()
            try parent.performAndWait {
                let ann = addAuthor("Ann", to: parent)
                try parent.save()
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = parent
                let grandchild = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                grandchild.parent = child
                try grandchild.performAndWait {
                    grandchild.object(with: ann.objectID).setValue(1950, forKey: "born")
                    try grandchild.save()
                }
                #expect(child.hasChanges && !parent.hasChanges)
                try child.performAndWait { try child.save() }
                #expect(parent.hasChanges && ann.value(forKey: "born") as? Int16 == 1950)
                let other = container.newBackgroundContext()
                let stored = try other.performAndWait { try fetch("Author", other)[0].value(forKey: "born") as? Int16 }
                expectEqual(stored, 0)
            }
        }

        /// N12 and D8.
        @Test func n12UndoAndRollback() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let undoManager = UndoManager()
                context.undoManager = undoManager
                let ann = addAuthor("Ann", ["Alpha"], to: context)
                try context.save()
                undoManager.removeAllActions()
                ann.setValue(1950, forKey: "born")
                ann.setValue("Eve", forKey: "name")
                context.processPendingChanges()
                undoManager.undo()
                #expect(ann.value(forKey: "name") as? String == "Ann" && ann.value(forKey: "born") as? Int16 == 0)
                undoManager.redo()
                #expect(ann.value(forKey: "name") as? String == "Eve")
                context.delete(ann)
                context.processPendingChanges()
                context.rollback()
                #expect(!undoManager.canUndo && !context.hasChanges)
                #expect(!ann.isDeleted && ann.value(forKey: "name") as? String == "Ann")
                #expect((ann.value(forKey: "books") as? Set<NSManagedObject>)?.count == 1)
            }
        }

        /// S8, S10, S12, S13, S16: an object of an entity without a class.
        @Test func s8InsertedObjects() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                #expect(book.value(forKey: "pages") as? Int32 == 100 && book.entity.name == "Book")
                let ann = addAuthor("Ann", to: context)
                book.setValue(ann, forKey: "author")
                #expect(ann.value(forKey: "books") as? Set<NSManagedObject> == [book])
                book.setValue(nil, forKey: "author")
                #expect((ann.value(forKey: "books") as? Set<NSManagedObject>)?.isEmpty == true)
                try context.save()
            }
        }

        /// D1, D3, D4: the four delete rules.
        @Test(arguments: [
            NSDeleteRule.nullifyDeleteRule, .cascadeDeleteRule, .denyDeleteRule, .noActionDeleteRule,
        ])
        func d1DeleteRules(rule: NSDeleteRule) throws {
            let model = makeLibraryModel()
            model.entitiesByName["Author"]?.relationshipsByName["books"]?.deleteRule = rule
            let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
            container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
            container.loadPersistentStores { _, error in #expect(error == nil) }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["Alpha"], to: context)
                try context.save()
                let book = try #require(try fetch("Book", context).first)
                context.delete(ann)
                switch rule {
                case .deny:
                    do {
                        try context.save()
                        Issue.record("the deletion was saved")
                    } catch let error as NSError {
                        expectEqual(error.code, NSValidationRelationshipDeniedDeleteError)
                    }
                    // A book that is deleted in the same save does not deny the deletion.
                    context.delete(book)
                    try context.save()
                    #expect(try fetch("Author", context).isEmpty)
                case .cascade:
                    #expect(book.isDeleted && context.deletedObjects.count == 2)
                    try context.save()
                    #expect(try fetch("Book", context).isEmpty)
                case .nullify, .noAction:
                    try context.save()
                    expectEqual(try fetch("Book", context), [book])
                    context.refresh(book, mergeChanges: false)
                    #expect(book.value(forKey: "author") == nil)
                }
            }
        }

        /// D2: delete rules do not wait until pending changes are processed.
        @Test func d2DeleteRulesAreAppliedImmediately() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["Alpha"], to: context)
                try context.save()
                let book = try #require(try fetch("Book", context).first)
                context.delete(ann)
                #expect(ann.isDeleted && book.isDeleted)
            }
        }

        /// Objects that no rule needs remain faults.
        @Test func d9DeletionsReadOnlyWhatRulesNeed() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", ["Alpha", "Beta"], to: context)
                addAuthor("Bob", ["Gamma"], to: context)
                try context.save()
            }
            let other = container.newBackgroundContext()
            try other.performAndWait {
                let authors = try fetch("Author", other)
                let alpha = try #require(try fetch("Book", other).first)
                let gamma = try #require(try fetch("Book", other).last)
                #expect(authors.allSatisfy { $0.hasFault(forRelationshipNamed: "books") } && gamma.isFault)
                // The deletion of a book does not need other books of its author, or books of other authors.
                other.delete(alpha)
                other.processPendingChanges()
                #expect(authors[1].hasFault(forRelationshipNamed: "books") && authors[1].isFault && gamma.isFault)
                try other.save()
                #expect(gamma.isFault && authors[1].isFault)
            }
        }

        /// D6 and D7.
        @Test func d6DeletedObjects() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", to: context)
                let bob = addAuthor("Bob", to: context)
                context.delete(bob)
                context.processPendingChanges()
                #expect(context.insertedObjects == [ann] && context.deletedObjects.isEmpty)
                try context.save()
                expectEqual(try fetch("Author", context), [ann])
                context.delete(ann)
                #expect(ann.isDeleted && context.deletedObjects == [ann])
                try context.save()
                #expect(ann.managedObjectContext == nil && ann.value(forKey: "name") as? String == "Ann")
            }
        }

        /// D10: a batch deletion changes contexts when it is merged.
        @Test func d10BatchDeletions() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["Alpha"], to: context)
                try context.save()
                let request = NSBatchDeleteRequest(
                    fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
                )
                request.resultType = .resultTypeObjectIDs
                let result = try context.execute(request) as? NSBatchDeleteResult
                #expect(!ann.isDeleted && ann.value(forKey: "name") as? String == "Ann")
                let ids = try #require(result?.result as? [NSManagedObjectID])
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
                #expect(ann.isDeleted || ann.managedObjectContext == nil)
                #expect(try fetch("Book", context).isEmpty)
            }
        }
    }
#endif
