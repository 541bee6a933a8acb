#if !canImport(Darwin)
    import CoreData
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
            #expect(Set([context, context, other.viewContext]).count == 2)
            #expect(context.description.hasPrefix("<NSManagedObjectContext: 0x"))
            #expect("\(context)".hasSuffix(" 'import'>"))
            #expect(container == container && container != other)
            #expect(container.description.hasPrefix("<NSPersistentContainer: 0x"))
            let (coordinator, otherCoordinator) = (
                container.persistentStoreCoordinator, other.persistentStoreCoordinator
            )
            #expect([coordinator: 1, otherCoordinator: 2][coordinator] == 1)
            #expect(coordinator.description.hasPrefix("<NSPersistentStoreCoordinator: 0x"))
            let (store, otherStore) = (coordinator.persistentStores[0], otherCoordinator.persistentStores[0])
            #expect(Set([store, otherStore, store]).count == 2)
            #expect(store.description.hasSuffix(" ':memory:'>"))
            #expect(NSMergePolicy.error == .error && NSMergePolicy.error != .rollback)
            #expect(NSMergePolicy.error.hashValue == NSMergePolicy.error.hashValue)
            #expect(NSMergePolicy.error.description.hasSuffix(" 'error'>"))
        }

        @Test func objectsByOwner() throws {
            let context = try makeLibrary().newBackgroundContext()
            context.performAndWait {
                let authors = [addAuthor("Ann", to: context), addAuthor("Bob", to: context)]
                #expect(Dictionary(grouping: authors) { $0.managedObjectContext }[context]?.count == 2)
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
            #expect(count == 3)
            #expect(context.performAndWait { count + 1 } == 4)
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
                #expect(count == 1)
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
            #expect(name(NSManagedObjectContext(.privateQueue).concurrencyType) == "private")
            #expect(NSManagedObjectContextConcurrencyType(rawValue: 0).map(name) == "confinement")
            await #expect(processExitsWith: .failure) { _ = NSManagedObjectContext(.confinementConcurrencyType) }
        }

        private final class Container: NSPersistentContainer, @unchecked Sendable {
            private let own = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            override var viewContext: NSManagedObjectContext { own }
            override var name: String { "Own" }
        }

        @Test func overriddenMembersOfAContainer() {
            let container = Container(name: "Library", managedObjectModel: makeLibraryModel())
            #expect(container.viewContext.concurrencyType == .privateQueueConcurrencyType)
            #expect(container.name == "Own" && container.description.hasSuffix(" 'Own'>"))
        }

        @Test func namesOfStoreTypes() {
            #expect(NSPersistentStore.StoreType.sqlite.rawValue == NSSQLiteStoreType)
            #expect(NSPersistentStore.StoreType.inMemory.rawValue == NSInMemoryStoreType)
            for type in [NSPersistentStore.StoreType.sqlite, .inMemory, .postgresql] {
                #expect(NSPersistentStore.StoreType(rawValue: type.rawValue) == type)
            }
            #expect(NSPersistentStore.StoreType(rawValue: NSXMLStoreType) == nil)
        }

        @Test func autoreleasePools() throws {
            #expect(autoreleasepool { 1 } == 1)
            #expect(throws: CancellationError.self) { try autoreleasepool { throw CancellationError() } }
        }
    }
#endif
