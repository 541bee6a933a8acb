#if !canImport(Darwin)
    import CoreData
    import Dispatch
    import ChordataTestSupport
    import Testing

    struct ContextTests {
        /// The program's own lock for a value that blocks on several queues change.
        private final class Log: @unchecked Sendable {
            private let lock = NSLock()
            private var lines: [String] = []

            func add(_ line: String) { lock.withLock { lines.append(line) } }
            var all: [String] { lock.withLock { lines } }
        }

        @Test func blocksRunInOrderOnTheQueue() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            let log = Log()
            context.perform { log.add("first") }
            context.perform { log.add("second") }
            context.performAndWait {
                log.add("third")
                context.performAndWait { log.add("nested") }
                context.perform { log.add("later") }
                log.add("end")
            }
            context.performAndWait {}
            expectEqual(log.all, ["first", "second", "third", "nested", "end", "later"])
            expectEqual(context.concurrencyType, .privateQueueConcurrencyType)
            context.userInfo["key"] = "value"
            #expect(context.userInfo["key"] as? String == "value")
        }

        @Test func asynchronousBlocks() async throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            let count = try await context.perform {
                addAuthor("Ann", to: context)
                try context.save()
                return try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
            }
            expectEqual(count, 1)
            await #expect(throws: (any Error).self) {
                try await context.perform {
                    addAuthor("Ann", to: context)
                    try context.save()
                }
            }
            await context.perform { context.rollback() }
            let names = try await container.performBackgroundTask { context in
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).count
            }
            expectEqual(names, 1)
        }

        @Test func childrenSaveToTheirParent() throws {
            let container = try makeLibrary()
            let parent = container.newBackgroundContext()
            let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            child.parent = parent
            try child.performAndWait {
                addAuthor("Ann", to: child)
                #expect(!parent.hasChanges)
                try child.save()
                #expect(!child.hasChanges && parent.hasChanges)
            }
            try parent.performAndWait {
                expectEqual(parent.insertedObjects.count, 1)
                try parent.save()
            }
            let other = container.newBackgroundContext()
            let count = try other.performAndWait {
                try other.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
            }
            expectEqual(count, 1)
        }

        /// All contexts in a tree use one queue.
        @Test func childrenOfTheMainContext() async throws {
            try await MainActor.run {
                let container = try makeLibrary()
                let context = container.viewContext
                let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                child.parent = context
                try child.performAndWait {
                    MainActor.assumeIsolated {}
                    addAuthor("Ann", to: child)
                    try child.save()
                }
                expectEqual(context.insertedObjects.count, 1)
                try context.save()
                let names = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
                expectEqual(names.count, 1)
            }
        }

        @Test(.timeLimit(.minutes(1))) func blocksWaitForEachOther() throws {
            let container = try makeLibrary()
            let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
            let result = first.performAndWait { second.performAndWait { first.performAndWait { 5 } } }
            expectEqual(result, 5)
        }

        @Test func objectsWithoutAContext() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let entity = try #require(NSEntityDescription.entity(forEntityName: "Author", in: context))
                let author = NSManagedObject(entity: entity, insertInto: nil)
                author.setValue("Ann", forKey: "name")
                context.insert(author)
                try context.save()
                expectEqual(author.committedValues(forKeys: ["name", "born"]).count, 2)
                #expect(author.dictionaryWithValues(forKeys: ["name"])["name"] as? String == "Ann")
            }
        }

        @Test func savesArePostedAndMerged() throws {
            let container = try makeLibrary()
            let (writer, reader) = (container.newBackgroundContext(), container.newBackgroundContext())
            let author = try reader.performAndWait {
                addAuthor("Ann", to: reader)
                try reader.save()
                return try #require(try reader.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).first)
            }
            let log = Log()
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave,
                object: writer,
                queue: nil
            ) { notification in
                let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
                log.add("\(updated?.count ?? 0)")
                reader.performAndWait { reader.mergeChanges(fromContextDidSave: notification) }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try writer.performAndWait {
                let same = try writer.existingObject(with: author.objectID)
                same.setValue("Eve", forKey: "name")
                try writer.save()
            }
            expectEqual(log.all, ["1"])
            #expect(reader.performAndWait { author.value(forKey: "name") as? String } == "Eve")
        }

        @Test func errorsHaveCoreDatasCodes() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                do {
                    try context.save()
                    Issue.record("an author without a name was saved")
                } catch let error as CocoaError {
                    expectEqual(error.code, .validationMissingMandatoryProperty)
                    #expect(error.userInfo[NSValidationObjectErrorKey] is NSManagedObject)
                }
                do {
                    try context.save()
                } catch let error as NSError {
                    expectEqual(error.domain, "NSCocoaErrorDomain")
                    expectEqual(error.code, NSValidationMissingMandatoryPropertyError)
                    #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
                }
            }
        }

        @Test(.timeLimit(.minutes(1))) func optionsWithoutACounterpartAreErrors() throws {
            #expect(throws: UnsupportedFeatureError.self) { try makeLibrary(["NSSomeOption": true]) }
            #expect(throws: UnsupportedFeatureError.self) {
                try makeLibrary([NSInferMappingModelAutomaticallyOption: false])
            }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeLibraryModel())
            #expect(throws: UnsupportedFeatureError.self) {
                try coordinator.addPersistentStore(
                    ofType: NSXMLStoreType,
                    configurationName: nil,
                    at: nil,
                    options: nil
                )
            }
            #expect(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/x/Unknown.momd")) == nil)
        }
    }
#endif
