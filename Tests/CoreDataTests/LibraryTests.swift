#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    private protocol Waiting {
        func performAndWait(_ block: () -> Void)
    }

    extension ManagedObjectContext: Waiting {}

    /// Members that libraries above Core Data use: those of NSObject, and those that a subclass overrides.
    struct LibraryTests {
        @Test func identity() throws {
            let (container, other) = (try makeLibrary(), try makeLibrary())
            let context = container.newBackgroundContext()
            context.name = "import"
            #expect(context == context && context != other.viewContext)
            expectEqual(Set([context, context, other.viewContext]).count, 2)
            #expect(context.description.hasPrefix("<NSManagedObjectContext: 0x"))
            #expect("\(context)".hasSuffix(" 'import'>"))
            #expect(container == container && container != other)
            #expect(container.description.hasPrefix("<NSPersistentContainer: 0x"))
            let (coordinator, otherCoordinator) = (
                container.persistentStoreCoordinator, other.persistentStoreCoordinator
            )
            expectEqual([coordinator: 1, otherCoordinator: 2][coordinator], 1)
            #expect(coordinator.description.hasPrefix("<NSPersistentStoreCoordinator: 0x"))
            let (store, otherStore) = (coordinator.persistentStores[0], otherCoordinator.persistentStores[0])
            expectEqual(Set([store, otherStore, store]).count, 2)
            #expect(store.description.hasSuffix(" ':memory:'>"))
            #expect(NSMergePolicy.error == .error && NSMergePolicy.error != .rollback)
            expectEqual(Set([NSMergePolicy.error, .error, .rollback]).count, 2)
            #expect(NSMergePolicy.error.description.hasPrefix("<NSMergePolicy: 0x"))
            #expect(NSMergePolicy.error.description.hasSuffix(" 'error'>"))
        }

        @Test func objectsByOwner() throws {
            let context = try makeLibrary().newBackgroundContext()
            context.performAndWait {
                let authors = [addAuthor("Ann", to: context), addAuthor("Bob", to: context)]
                expectEqual(Dictionary(grouping: authors) { $0.managedObjectContext }[context]?.count, 2)
            }
        }

        @Test func functionsOfBlocksWithoutResults() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            var count = 0
            let functions: [(() -> Void) -> Void] = [
                context.performAndWait, container.persistentStoreCoordinator.performAndWait,
            ]
            for function in functions { function { count += 1 } }
            let waiting: any Waiting = context
            waiting.performAndWait { count += 1 }
            expectEqual(count, 3)
            expectEqual(context.performAndWait { count + 1 }, 4)
            #expect(throws: CancellationError.self) { try context.performAndWait { throw CancellationError() } }
        }

        @Test func countOfARequestWithoutResultType() throws {
            func request<Result: NSFetchRequestResult>() -> NSFetchRequest<Result> {
                NSFetchRequest(entityName: "Author")
            }
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", to: context)
                let count = try context.count(for: request())
                expectEqual(count, 1)
            }
        }

        @Test func confinementIsACase() async {
            func name(_ type: NSManagedObjectContextConcurrencyType) -> String {
                switch type {
                case .confinementConcurrencyType: "confinement"
                case .privateQueueConcurrencyType: "private"
                case .mainQueueConcurrencyType: "main"
                }
            }
            expectEqual(name(NSManagedObjectContext(.privateQueue).concurrencyType), "private")
            expectEqual(NSManagedObjectContextConcurrencyType(rawValue: 0).map(name), "confinement")
            await #expect(processExitsWith: .failure) { _ = NSManagedObjectContext(.confinementConcurrencyType) }
        }

        private final class Container: NSPersistentContainer, @unchecked Sendable {
            private let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: makeLibraryModel())
            override var viewContext: NSManagedObjectContext { context }
            override var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
            override var name: String { "Own" }
            override var description: String { "own" }
        }

        @Test func overriddenMembersOfAContainer() throws {
            let container = Container(name: "Library", managedObjectModel: makeLibraryModel())
            #expect(container.viewContext.concurrencyType == .privateQueueConcurrencyType && "\(container)" == "own")
            let description = try #require(container.persistentStoreDescriptions.first)
            expectEqual(description.url?.lastPathComponent, "Own.sqlite")
            description.type = NSInMemoryStoreType
            var failure: (any Error)?
            container.loadPersistentStores { failure = $1 }
            #expect(failure == nil && container.persistentStoreCoordinator.persistentStores.count == 1)
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", to: context)
                try context.save()
            }
        }

        @Test func namesOfStoreTypes() async throws {
            expectEqual(NSPersistentStore.StoreType.sqlite.rawValue, NSSQLiteStoreType)
            expectEqual(NSPersistentStore.StoreType.inMemory.rawValue, NSInMemoryStoreType)
            for type in [NSPersistentStore.StoreType.sqlite, .inMemory, .postgresql] {
                expectEqual(NSPersistentStore.StoreType(rawValue: type.rawValue), type)
            }
            let store = try makeLibrary().persistentStoreCoordinator.persistentStores[0]
            let name: String = store.type
            expectEqual(name, NSInMemoryStoreType)
            await #expect(processExitsWith: .failure) { _ = NSPersistentStore.StoreType(rawValue: NSXMLStoreType) }
        }

        @Test func autoreleasePools() throws {
            expectEqual(autoreleasepool { 1 }, 1)
            #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
        }
    }
#endif
