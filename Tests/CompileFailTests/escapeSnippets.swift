extension Snippet {
    /// Values that may cross an isolation boundary, and how contexts are passed to the code that uses them.
    static let crossings = Snippet(
        "what crosses",
        """
        import Chordata

        /// Values, object IDs and unused contexts can be sent anywhere.
        func cross(_ container: PersistentContainer) async throws {
            let (id, all) = try await container.performBackgroundTask { context in
                let article = Article(context: context, name: "Ink")
                try context.save()
                return (article.objectID, try context.fetchValues(Article.fetchRequest()) as [Article.Values])
            }
            let first: Article.Values? = try await container.performBackgroundTask { context in
                let all: [Article.Values] = try context.fetchValues(Article.fetchRequest())
                return all.first
            }
            let request = Article.dear(limit: 10, start: "P")
            Task.detached { print(id, all, first?.name ?? "", request) }
            await Stock3(context: container.newContext(isolation: nil)).take(id, all)

            let context = container.newContext(isolation: nil)
            _ = Article(context: context, name: "Pen")
            Task.detached { try context.save() }
        }

        actor Stock2 {
            private let container: PersistentContainer
            private lazy var context = container.newContext()
            private var controller: FetchedResultsController<Article>?

            init(_ container: PersistentContainer) { self.container = container }

            func load() async throws -> [Article.Values] {
                let controller = FetchedResultsController(
                    fetchRequest: Article.fetchRequest().sorted(by: \\.name), managedObjectContext: context)
                self.controller = controller
                return try await context.perform {
                    try controller.performFetch()
                    try context.save()
                    return try context.fetchValues(Article.fetchRequest())
                }
            }
        }

        actor Stock3 {
            private let context: ManagedObjectContext

            init(_ container: PersistentContainer) async {
                context = container.newContext()
                context.attach(to: self)
            }

            init(context: sending ManagedObjectContext) async {
                self.context = context
                context.attach(to: self)
            }

            func take(_ id: ManagedObjectID, _ values: [Article.Values]) {
                print(context.object(with: id).isFault, values.count)
            }
        }

        @MainActor final class Screen {
            let editing: ManagedObjectContext
            private let controller: FetchedResultsController<Article>
            init(_ container: PersistentContainer) {
                editing = container.newContext()
                editing.automaticallyMergesChangesFromParent = true
                controller = FetchedResultsController(
                    fetchRequest: Article.fetchRequest().sorted(by: \\.name), managedObjectContext: container.viewContext)
            }
            func count() async throws -> Int {
                try await editing.perform {
                    try controller.performFetch()
                    return controller.fetchedObjects?.count ?? 0
                }
            }
        }
        """
    )

    /// All known ways in which an object or a context could leave its isolation.
    static let escapes = [
        Snippet(
            "objects that a background task gives back",
            """
            import Chordata

            func use1(_ container: PersistentContainer) async throws {
                let article: Article? = try await container.performBackgroundTask { context in  // error: pass objectID or Values instead
                    try context.fetch(Article.fetchRequest()).first
                }
                print(article?.name ?? "")
            }

            func use2(_ container: PersistentContainer) async throws {
                let articles = try await container.performBackgroundTask { context in  // error: pass objectID or Values instead
                    try context.fetch(Article.fetchRequest())
                }
                print(articles.count)
            }

            func use3(_ container: PersistentContainer) async {
                let (article, price) = await container.performBackgroundTask { context in  // error: pass objectID or Values instead
                    let article = Article(context: context, name: "Pen")
                    return (article, article.price)
                }
                print(article.name, price)
            }

            func load<Object: ManagedObject>(_ type: Object.Type, _ container: PersistentContainer) async throws -> [Object] {
                try await container.performBackgroundTask { context in  // error: does not conform to the 'Sendable' protocol
                    try context.fetch(FetchRequest<Object>(entityName: "Article"))
                }
            }

            struct Box<Value> { var value: Value }
            func use5(_ container: PersistentContainer) async {
                let box = await container.performBackgroundTask { context in  // error: does not conform to the 'Sendable' protocol
                    Box(value: Article(context: context, name: "Pen"))
                }
                print(box.value.name)
            }

            func use6(_ container: PersistentContainer) async {
                let name = await container.performBackgroundTask { context in  // error: does not conform to the 'Sendable' protocol
                    let article = Article(context: context, name: "Pen")
                    return { article.name }
                }
                print(name())
            }

            func use7(_ container: PersistentContainer) async {
                let controller = await container.performBackgroundTask { context in  // error: does not conform to the 'Sendable' protocol
                    FetchedResultsController(fetchRequest: Article.fetchRequest().sorted(by: \\.name), managedObjectContext: context)
                }
                print(controller.fetchedObjects?.count ?? 0)
            }
            """
        ),
        Snippet(
            "objects and contexts that a closure takes out of a background task, or in",
            """
            import Chordata
            import Dispatch

            func use1(_ container: PersistentContainer) async {
                let name = await container.performBackgroundTask { context -> @Sendable () -> String in
                    let article = Article(context: context, name: "Pen")
                    return { article.name }  // error: capture of 'article'
                }
                print(name())
            }

            @MainActor final class Screen {
                var article: Article?
                func load(_ container: PersistentContainer) async {
                    await container.performBackgroundTask { context in
                        self.article = Article(context: context, name: "Pen")  // error: can not be mutated from a Sendable closure
                    }
                }
            }

            func use3(_ container: PersistentContainer) async {
                var kept: ManagedObjectContext?
                await container.performBackgroundTask { context in kept = context }  // error: capture of 'kept'  // error: mutation of captured var
                print(kept?.hasChanges ?? false)
            }

            func use4(_ container: PersistentContainer, _ context: ManagedObjectContext) async throws {
                try await container.performBackgroundTask { _ in try context.save() }  // error: capture of 'context'
            }

            @MainActor func use5(_ container: PersistentContainer) {
                let article = Article(context: container.viewContext, name: "Pen")
                DispatchQueue.global().async { print(article.name) }  // error: capture of 'article'
            }
            """
        ),
        Snippet(
            "objects and contexts in any isolation",
            """
            import Chordata

            let shared = ManagedObjectContext()  // error: is not concurrency-safe

            enum Stack { static var last: Article? }  // error: is not concurrency-safe

            final class Model: Sendable {
                let article: Article  // error: has non-Sendable type 'Article'
                init(_ article: Article) { self.article = article }
            }

            func send<Value: Sendable>(_ value: Value) {}
            func use4(_ article: Article, _ context: ManagedObjectContext) {
                send(article)  // error: pass objectID or Values instead
                send(context)  // error: does not conform to the 'Sendable' protocol
            }
            """
        ),
        Snippet(
            "the context of an actor elsewhere",
            """
            import Chordata

            actor Stock1 {
                let context: ManagedObjectContext
                init(_ container: PersistentContainer) { context = container.newContext() }
            }
            func use1(_ stock: Stock1) async throws {
                try await stock.context.save()  // error: cannot exit actor-isolated context
            }

            actor Stock2 {
                let context: ManagedObjectContext
                init(_ container: PersistentContainer) { context = container.newContext() }
            }
            func use2(_ stock: Stock2) async {
                await stock.context.perform { print("inside") }  // error: cannot exit actor-isolated context
            }
            """
        ),
        Snippet(
            "an object of an actor elsewhere",
            """
            import Chordata

            actor Stock1 {
                let context: ManagedObjectContext
                init(_ container: PersistentContainer) { context = container.newContext() }
                func article() throws -> Article? { try context.fetch(Article.fetchRequest()).first }
            }
            func use1(_ stock: Stock1) async throws {
                let article = try await stock.article()  // error: can not be returned from actor-isolated instance method
                print(article?.name ?? "")
            }
            """
        ),
        Snippet(
            "objects and the context of a background task in other tasks",
            """
            import Chordata

            func use1(_ container: PersistentContainer) async throws {
                try await container.performBackgroundTask { context in
                    let article = Article(context: context, name: "Pen")
                    Task { article.name = "Ink" }  // error: risks causing data races
                    try context.save()
                }
            }

            actor Printer2 { func print(_ article: Article) {} }
            func use2(_ container: PersistentContainer, _ printer: Printer2) async {
                await container.performBackgroundTask { context in
                    let article = Article(context: context, name: "Pen")
                    Task { await printer.print(article) }  // error: risks causing data races  // error: risks causing data races
                }
            }

            func use3(_ container: PersistentContainer) async {
                await container.performBackgroundTask { context in
                    Task { print(context.hasChanges) }  // error: risks causing data races
                    context.reset()
                }
            }

            func use4(_ container: PersistentContainer) async {
                let article: Article = await withCheckedContinuation { continuation in
                    Task {
                        await container.performBackgroundTask { context in
                            continuation.resume(returning: Article(context: context, name: "Pen"))  // error: risks causing data races
                        }
                    }
                }
                print(article.name)
            }

            func use5(_ container: PersistentContainer) async {
                let (stream, continuation) = AsyncStream.makeStream(of: Article.self)
                await container.performBackgroundTask { context in
                    let article = Article(context: context, name: "Pen")
                    continuation.yield(article)  // error: risks causing data races
                    article.name = "Ink"
                }
                for await article in stream { print(article.name) }
            }
            """
        ),
        Snippet(
            "objects of the main actor elsewhere",
            """
            import Chordata

            @MainActor func use1(_ article: Article) async {
                async let name = describe1(article)  // error: risks causing data races
                print(await name)
            }
            @concurrent func describe1(_ article: Article) async -> String { article.name }

            @concurrent func describe2(_ article: Article) async -> String { article.name }
            @MainActor func use2(_ container: PersistentContainer) async {
                let article = Article(context: container.viewContext, name: "Pen")
                print(await describe2(article))  // error: risks causing data races
            }

            @MainActor func use3(_ articles: [Article]) async {
                await withTaskGroup { group in
                    for article in articles { group.addTask { print(article.name) } }  // error: risks causing data races
                }
            }

            @MainActor func use4(_ shelf: Shelf) {
                let articles = shelf.articles
                Task.detached { print(articles.count) }  // error: risks causing data races
            }

            @MainActor func use5(_ container: PersistentContainer) throws {
                let controller = FetchedResultsController(
                    fetchRequest: Article.fetchRequest().sorted(by: \\.name), managedObjectContext: container.viewContext)
                try controller.performFetch()
                Task.detached { print(controller.fetchedObjects?.count ?? 0) }  // error: risks causing data races
            }

            @MainActor func use6(_ controller: FetchedResultsController<Article>) {
                guard let section = controller.sections?.first else { return }
                Task.detached { print(section.objects.count) }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "contexts elsewhere than where they were made",
            """
            import Chordata

            @MainActor func use1(_ container: PersistentContainer) {
                let context = container.newContext()
                Task.detached { try context.save() }  // error: risks causing data races
            }

            actor Stock2 {
                private var context: ManagedObjectContext?
                func take(_ context: sending ManagedObjectContext) { self.context = context }
            }
            @MainActor func use2(_ container: PersistentContainer, _ stock: Stock2) async {
                await stock.take(container.newContext())  // error: risks causing data races
            }

            @MainActor func use3(_ coordinator: PersistentStoreCoordinator) {
                let context = ManagedObjectContext()
                context.persistentStoreCoordinator = coordinator
                Task.detached { try context.save() }  // error: risks causing data races
            }

            @MainActor func use4(_ container: PersistentContainer) {
                let context = container.viewContext
                Task.detached { try context.save() }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "children elsewhere than their parents",
            """
            import Chordata

            @MainActor func use1(_ container: PersistentContainer) {
                let child = ManagedObjectContext(isolation: nil)
                child.parent = container.viewContext
                Task.detached { try child.save() }  // error: risks causing data races
            }

            func use2(_ container: PersistentContainer) {
                let child = container.newContext(isolation: nil)
                let parent = container.newContext(isolation: nil)
                child.parent = parent
                Task.detached { try child.save() }  // error: risks causing data races
                parent.reset()
            }
            """
        ),
        Snippet(
            "a child of the view context made elsewhere",
            """
            import Chordata

            func use(_ container: PersistentContainer) async {
                let child = ManagedObjectContext()
                child.parent = await container.viewContext  // error: cannot exit main actor-isolated context
            }
            """
        ),
        Snippet(
            "contexts and their objects after they were sent, or got an actor",
            """
            import Chordata

            actor Stock1 {
                private var context: ManagedObjectContext?
                func take(_ context: sending ManagedObjectContext) {
                    self.context = context
                    context.attach(to: self)
                }
            }
            func use1(_ container: PersistentContainer, _ stock: Stock1) async throws {
                let context = container.newContext(isolation: nil)
                await stock.take(context)  // error: risks causing data races
                try await context.save()
            }

            actor Stock2 {
                private var context: ManagedObjectContext?
                func take(_ context: sending ManagedObjectContext) { self.context = context }
            }
            func use2(_ container: PersistentContainer, _ stock: Stock2) async throws {
                let context = container.newContext(isolation: nil)
                let article = Article(context: context, name: "Pen")
                await stock.take(context)  // error: risks causing data races
                print(article.name)
            }

            @MainActor func use3(_ container: PersistentContainer) {
                let context = container.newContext(isolation: nil)
                context.attach(to: MainActor.shared)
                Task.detached { try context.save() }  // error: risks causing data races
            }

            func use4(_ context: ManagedObjectContext) {
                Task.detached { context.reset() }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "a context that gets an actor of which the code is not",
            """
            import Chordata

            actor Stock1 {
                let context: ManagedObjectContext
                init(_ container: PersistentContainer) {
                    context = container.newContext()
                    context.attach(to: self)  // error: in a synchronous nonisolated context
                }
            }

            actor Stock2 {}
            func use2(_ context: ManagedObjectContext, _ stock: Stock2) {
                context.attach(to: stock)  // error: in a synchronous nonisolated context
            }
            """
        ),
    ]
}
