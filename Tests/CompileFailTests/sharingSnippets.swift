extension Snippet {
    /// Ways to escape by types that are made for sharing: locks, errors, observers, notifications, policies and hooks.
    ///
    /// An object in the `userInfo` of an `NSError` is not rejected, because Foundation declares this type as Sendable.
    static let sharing = [
        Snippet(
            "objects in a lock",
            """
            import Chordata
            import Synchronization

            final class Kept1: Sendable {
                let article: Mutex<Article?> = Mutex(nil)
                func keep(_ article: Article) {
                    self.article.withLock { $0 = article }  // error: cannot be task-isolated at end of function
                }
            }

            @MainActor func use2(_ container: PersistentContainer) {
                let article = Article(context: container.viewContext, name: "Pen")
                let box = Mutex(article)  // error: risks causing data races
                Task.detached { box.withLock { print($0.name) } }
            }

            func use3(_ container: PersistentContainer) async {
                await container.performBackgroundTask { context in
                    let article = Article(context: context, name: "Pen")
                    let box = Mutex(article)  // error: risks causing data races
                    box.withLock { print($0.name) }
                }
            }

            func use4(_ container: PersistentContainer) throws {
                let context = container.newContext(isolation: nil)
                let box = Mutex(try context.fetch(Article.fetchRequest()))  // error: risks causing data races
                try context.save()
                box.withLock { print($0.count) }
            }
            """
        ),
        Snippet(
            "objects in errors, which are Sendable: of these the compiler warns",
            """
            import Chordata

            struct Refusal1: Error { let article: Article }  // error: has non-Sendable type 'Article'

            enum Refusal2: Error { case article(Article) }  // error: has non-Sendable type 'Article'

            final class Refusal3: Error {
                let article: Article  // error: has non-Sendable type 'Article'
                init(_ article: Article) { self.article = article }
            }

            struct Refusal4<Value>: Error { let value: Value }  // error: has non-Sendable type 'Value'

            struct Refusal5: Error { let conflicts: [MergeConflict] }  // error: has non-Sendable type '[MergeConflict]'
            """
        ),
        Snippet(
            "objects and contexts in a tracking closure",
            """
            import Chordata
            import Observation

            @MainActor func use1(_ article: Article) {
                withObservationTracking { print(article.name) } onChange: { print(article.name) }  // error: capture of 'article'
            }

            @MainActor func use2(_ article: Article) {
                withObservationTracking { print(article.name) } onChange: {
                    Task { @MainActor in print(article.name) }  // error: capture of 'article'
                }
            }

            @MainActor func use3(_ context: ManagedObjectContext) {
                withObservationTracking { print(context.hasChanges) } onChange: { context.reset() }  // error: capture of 'context'
            }
            """
        ),
        Snippet(
            "notifications and what they have in other tasks",
            """
            import Chordata
            import Foundation

            func observe1() {
                let name = ManagedObjectContext.didSaveObjectsNotification
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                    Task { print(notification.userInfo ?? [:]) }  // error: risks causing data races
                }
            }

            func observe2() {
                let name = ManagedObjectContext.didChangeObjectsNotification
                _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                    let context = notification.object as? ManagedObjectContext
                    Task { try context?.save() }  // error: risks causing data races
                }
            }

            @MainActor func use3(_ notification: Notification) {
                let key = ManagedObjectContext.NotificationKey.insertedObjects.rawValue
                let inserted = notification.userInfo?[key] as? Set<ManagedObject>
                Task.detached { print(inserted?.count ?? 0) }  // error: risks causing data races
            }

            @MainActor func use4(_ notification: Notification, _ context: ManagedObjectContext) {
                Task.detached { print(ObjectIDChanges(fromContextDidSave: notification)) }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "conflicts that a policy sends away",
            """
            import Chordata

            actor Log {
                func note(_ conflicts: [MergeConflict]) {}
                func note(_ conflicts: [ConstraintConflict]) {}
            }

            final class Policy1: MergePolicy {
                let log: Log
                init(_ log: Log) {
                    self.log = log
                    super.init(merge: .error)
                }
                override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
                    Task { [log] in await log.note(conflicts) }  // error: risks causing data races  // error: risks causing data races
                }
                override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
                    Task { [log] in await log.note(conflicts) }  // error: risks causing data races  // error: risks causing data races
                }
            }

            final class Policy2: MergePolicy {
                override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
                    let objects = conflicts.map(\\.sourceObject)
                    Task.detached { print(objects.count) }  // error: risks causing data races
                }
            }
            """
        ),
        Snippet(
            "the object of a hook in a task",
            """
            import Chordata

            extension Article: WillSaveHook {
                func willSave() {
                    Task { self.name = "Ink" }  // error: risks causing data races
                }
            }

            extension Shelf: AwakeFromInsertHook, PrepareForDeletionHook {
                func awakeFromInsert() {
                    Task { @MainActor in room = "Attic" }  // error: risks causing data races
                }
                func prepareForDeletion() {
                    let context = managedObjectContext
                    Task.detached { try context?.save() }  // error: risks causing data races
                }
            }
            """
        ),
    ]
}
