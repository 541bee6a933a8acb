#if !canImport(Darwin)
    import CoreData
    import Synchronization
    import ChordataTestSupport
    import Testing

    /// The rules of lists on several screens and of the queues of callbacks, with Core Data's names.
    struct ScreenRulesTests {
        /// A list on a screen, which logs its callbacks.
        private final class Screen: NSObject, NSFetchedResultsControllerDelegate {
            let list: NSFetchedResultsController<NSManagedObject>
            private var log: [String] = []
            /// Runs within the update of the view.
            var whileUpdating: (() -> Void)?

            init(_ context: NSManagedObjectContext) throws {
                list = makeList(sortedBy: "name", in: context)
                super.init()
                list.delegate = self
                try list.performFetch()
            }

            func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                log.append("begin")
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange anObject: Any,
                at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) {
                log.append("\(type.rawValue) \(indexPath?[1] ?? -1) \(newIndexPath?[1] ?? -1)")
            }

            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                log.append("end")
                let body = whileUpdating
                whileUpdating = nil
                body?()
            }

            func take() -> [String] {
                defer { log = [] }
                return log
            }

            var names: [String] { (list.fetchedObjects ?? []).compactMap { $0.value(forKey: "name") as? String } }
        }

        private func author(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = NSPredicate(format: "name == %@", name)
            return try #require(try context.fetch(request).first)
        }

        private let insert = NSFetchedResultsChangeType.insert.rawValue
        private let delete = NSFetchedResultsChangeType.delete.rawValue
        private let update = NSFetchedResultsChangeType.update.rawValue

        @Test func s5TwoScreensOnOneContext() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let (first, second) = (try Screen(context), try Screen(context))
                addAuthor("Ann", to: context)
                context.processPendingChanges()
                for screen in [first, second] {
                    expectEqual(screen.names, ["Ann"])
                    expectEqual(screen.take(), ["begin", "\(insert) -1 0", "end"])
                }
            }
        }

        /// The other screen has a context of its own.
        @Test func s39InsertionsOnAnotherScreen() throws {
            let container = try makeLibrary()
            let (context, editing) = (container.newBackgroundContext(), container.newBackgroundContext())
            let screen = try context.performAndWait {
                addAuthor("Ann", to: context)
                try context.save()
                return try Screen(context)
            }
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave,
                object: editing,
                queue: nil
            ) { notification in
                context.performAndWait { context.mergeChanges(fromContextDidSave: notification) }
            }
            defer { NotificationCenter.default.removeObserver(token) }
            try editing.performAndWait {
                addAuthor("Bob", to: editing)
                try editing.save()
            }
            context.performAndWait {
                context.processPendingChanges()
                expectEqual(screen.take(), ["begin", "\(insert) -1 1", "end"])
                expectEqual(screen.names, ["Ann", "Bob"])
            }
        }

        @Test func s40ADeletionAndItsSaveWithinAnUpdate() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                for name in ["Ann", "Bob", "Cid"] { addAuthor(name, to: context) }
                try context.save()
                let screen = try Screen(context)
                var failure: (any Error)?
                screen.whileUpdating = {
                    do {
                        context.delete(try author("Bob", context))
                        try context.save()
                    } catch {
                        failure = error
                    }
                }
                try author("Ann", context).setValue(1950, forKey: "born")
                context.processPendingChanges()
                context.processPendingChanges()
                #expect(failure == nil && !context.hasChanges)
                expectEqual(screen.take(), ["begin", "\(update) 0 0", "end", "begin", "\(delete) 1 -1", "end"])
                expectEqual(screen.names, ["Ann", "Cid"])
                expectEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")), 2)
            }
        }

        /// No table: an observer of the notification reads the list.
        @Test func s41ListsOfOtherConsumers() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let screen = try Screen(context)
                nonisolated(unsafe) var seen: [[String]] = []
                let token = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextObjectsDidChange,
                    object: context,
                    queue: nil
                ) { _ in seen.append(screen.names) }
                defer { NotificationCenter.default.removeObserver(token) }
                addAuthor("Ann", to: context)
                context.processPendingChanges()
                expectEqual(seen, [["Ann"]])
            }
        }

        @Test func s44TheContextOfASave() throws {
            let (container, stranger) = (try makeLibrary(), try makeLibrary())
            nonisolated(unsafe) var accepted: [NSManagedObjectContext] = []
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextDidSave,
                object: nil,
                queue: nil
            ) { notification in
                guard let sender = notification.object as? NSManagedObjectContext,
                    sender.persistentStoreCoordinator === container.persistentStoreCoordinator
                else { return }
                accepted.append(sender)
            }
            defer { NotificationCenter.default.removeObserver(token) }
            let contexts = [container.newBackgroundContext(), stranger.newBackgroundContext()]
            for context in contexts {
                try context.performAndWait {
                    addAuthor("Ann", to: context)
                    try context.save()
                }
            }
            #expect(accepted.count == 1 && accepted.first === contexts[0])
        }

        /// The context of the main queue merges the saves of other contexts, and calls its delegates, on the main
        /// queue.
        @MainActor @Test func f9CallbacksOnTheMainQueue() async throws {
            let container = try makeLibrary()
            container.viewContext.automaticallyMergesChangesFromParent = true
            final class Listener: NSObject, NSFetchedResultsControllerDelegate {
                let key = DispatchSpecificKey<Bool>()
                var wereThere: [Bool?] = []
                var reached: (() -> Void)?

                func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                    wereThere.append(DispatchQueue.getSpecific(key: key))
                    reached?()
                }
            }
            let listener = Listener()
            DispatchQueue.main.setSpecific(key: listener.key, value: true)
            let list = makeList(sortedBy: "name", in: container.viewContext)
            list.delegate = listener
            try list.performFetch()
            let (reports, continuation) = AsyncStream.makeStream(of: Void.self)
            listener.reached = { continuation.yield() }
            var iterator = reports.makeAsyncIterator()
            for name in ["Ann", "Bob"] {
                try await container.performBackgroundTask { context in
                    addAuthor(name, to: context)
                    try context.save()
                }
                _ = await iterator.next()
            }
            expectEqual(listener.wereThere, [true, true])
            expectEqual(list.fetchedObjects?.count, 2)
        }
    }
#endif
