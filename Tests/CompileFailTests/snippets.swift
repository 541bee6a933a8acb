/// The model that the snippets use.
let shopModel = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Article" representedClassName="Article" syncable="YES" codeGenerationType="class">
            <attribute name="label" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(name)"/>
            <attribute name="name" attributeType="String"/>
            <attribute name="price" attributeType="Double" defaultValueString="0"/>
            <relationship name="shelf" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Shelf" \
    inverseName="articles" inverseEntity="Shelf"/>
        </entity>
        <entity name="Shelf" representedClassName="Shelf" syncable="YES" codeGenerationType="class">
            <attribute name="code" attributeType="Integer 32" usesScalarValueType="YES"/>
            <attribute name="room" attributeType="String"/>
            <relationship name="articles" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Article" \
    inverseName="shelf" inverseEntity="Article"/>
        </entity>
        <fetchRequest name="dear" entity="Article" predicateString="price &gt; $limit AND name BEGINSWITH $start"/>
    </model>
    """

extension Snippet {
    /// Correct forms of everything that is wrong in the other snippets.
    static let right = Snippet(
        "what is right",
        """
        import Chordata

        func use(_ container: PersistentContainer) async throws {
            let context = container.newContext()
            let article = Article(context: context, name: "Pen")
            article.shelf = Shelf(context: context, code: 1, room: "Attic")
            try await context.save()
            _ = try context.fetch(Article.dear(limit: 10, start: "P"))
            _ = try context.fetch(Article.fetchRequest().where(\\.name == article.name && \\.shelf?.room == "Attic"))
            _ = try context.fetch(Article.fetchRequest().sorted(by: \\.name))

            let id = try await container.performBackgroundTask { context in
                let article = Article(context: context, name: "Ink")
                try context.save()
                return article.objectID
            }
            let values: [Article.Values] = try await container.performBackgroundTask { context in
                try context.fetchValues(Article.fetchRequest())
            }
            Task.detached { print(id, values) }
        }

        @MainActor func show(_ container: PersistentContainer) {
            let article = Article(context: container.viewContext, name: "Pen")
            Task { @MainActor in print(article.name) }
        }

        actor Stock {
            let context: ManagedObjectContext
            init(_ container: PersistentContainer) { context = container.newContext() }
            func add(_ name: String) { _ = Article(context: context, name: name) }
        }
        """
    )

    /// Objects and contexts outside of their isolation.
    static let isolation = [
        Snippet(
            "an object that a background task returns",
            """
            import Chordata
            func use(_ container: PersistentContainer) async throws {
                let article = await container.performBackgroundTask { context in  // error: pass objectID or Values instead
                    Article(context: context, name: "Pen")
                }
                print(article.name)
            }
            """
        ),
        Snippet(
            "an object that a background task leaves in a variable",
            """
            import Chordata
            func use(_ container: PersistentContainer) async throws {
                var article: Article?
                await container.performBackgroundTask { context in
                    article = Article(context: context, name: "Pen")  // error: capture of 'article'  // error: mutation
                }
                print(article?.name ?? "")
            }
            """
        ),
        Snippet(
            "an object that a background task takes in",
            """
            import Chordata
            func use(_ article: Article, _ container: PersistentContainer) async throws {
                await container.performBackgroundTask { _ in
                    article.name = "Pen"  // error: capture of 'article' with non-Sendable type 'Article'
                }
            }
            """
        ),
        Snippet(
            "a context that a background task returns",
            """
            import Chordata
            func use(_ container: PersistentContainer) async throws {
                let context = await container.performBackgroundTask { context in context }  // error: does not conform to the 'Sendable' protocol
                try await context.save()
            }
            """
        ),
        Snippet(
            "an object in a detached task",
            """
            import Chordata
            func use(_ article: Article) {
                Task.detached { print(article.name) }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "an object of the view context in a detached task",
            """
            import Chordata
            @MainActor func use(_ container: PersistentContainer) {
                let article = Article(context: container.viewContext, name: "Pen")
                Task.detached { print(article.name) }  // error: risks causing data races
            }
            """
        ),
        Snippet(
            "an object of the view context in an actor",
            """
            import Chordata
            actor Printer { func print(_ article: Article) {} }
            @MainActor func use(_ container: PersistentContainer, _ printer: Printer) async {
                let article = Article(context: container.viewContext, name: "Pen")
                await printer.print(article)  // error: sending 'article' risks causing data races
            }
            """
        ),
        Snippet(
            "the view context elsewhere than on the main actor",
            """
            import Chordata
            func use(_ container: PersistentContainer) {
                _ = container.viewContext  // error: main actor-isolated property 'viewContext'
            }
            """
        ),
    ]

    /// Values that do not fit the model.
    static let types = [
        // Q3
        Snippet(
            "a closure as the predicate of a fetch request",
            """
            import Chordata
            func use() {
                _ = Article.fetchRequest().where { $0.price > 10 }  // error: no exact matches in call to instance method 'where'
            }
            """
        ),
        Snippet(
            "a variable of a fetch request that has the wrong type",
            """
            import Chordata
            func use() {
                _ = Article.dear(limit: "ten", start: "P")  // error: cannot convert value of type 'String'
            }
            """
        ),
        Snippet(
            "a variable of a fetch request that is missing",
            """
            import Chordata
            func use() {
                _ = Article.dear(limit: 10)  // error: missing argument for parameter 'start' in call
            }
            """
        ),
        Snippet(
            "a required property that an initializer does not get",
            """
            import Chordata
            func use(_ context: ManagedObjectContext) {
                _ = Shelf(context: context, room: "Attic")  // error: missing argument for parameter 'code' in call
            }
            """
        ),
        Snippet(
            "a derived property that is set",
            """
            import Chordata
            func use(_ article: Article) {
                article.label = "PEN"  // error: cannot assign to property: 'label' is a get-only property
            }
            """
        ),
        Snippet(
            "a required property that is set to nil",
            """
            import Chordata
            func use(_ article: Article) {
                article.name = nil  // error: 'nil' cannot be assigned to type 'String'
            }
            """
        ),
        Snippet(
            "a relationship to an object of another entity",
            """
            import Chordata
            func use(_ article: Article) {
                article.shelf = article  // error: cannot assign value of type 'Article' to type 'Shelf'
            }
            """
        ),
        Snippet(
            "a property compared with a value of another type",
            """
            import Chordata
            func use() {
                _ = Article.fetchRequest().where(\\.price == "ten")  // error: cannot convert value of type 'String'
            }
            """
        ),
        Snippet(
            "a condition of another entity",
            """
            import Chordata
            func use() {
                _ = Article.fetchRequest().where(\\Shelf.room == "Attic")  // error: cannot convert value of type 'TypedPredicate<Shelf>'
            }
            """
        ),
    ]

    /// Hooks that would never be called.
    static let hooks = [
        Snippet(
            "hooks that are overridden",
            """
            import Chordata
            extension Shelf {
                override func awakeFromInsert() {  // error: method does not override any method from its superclass
                    super.awakeFromInsert()  // error: 'awakeFromInsert' is unavailable: adopt AwakeFromInsertHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func awakeFromFetch() {  // error: method does not override any method from its superclass
                    super.awakeFromFetch()  // error: 'awakeFromFetch' is unavailable: adopt AwakeFromFetchHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func willSave() {  // error: method does not override any method from its superclass
                    super.willSave()  // error: 'willSave' is unavailable: adopt WillSaveHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func didSave() {  // error: method does not override any method from its superclass
                    super.didSave()  // error: 'didSave' is unavailable: adopt DidSaveHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func prepareForDeletion() {  // error: method does not override any method from its superclass
                    super.prepareForDeletion()  // error: 'prepareForDeletion' is unavailable: adopt PrepareForDeletionHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func willTurnIntoFault() {  // error: method does not override any method from its superclass
                    super.willTurnIntoFault()  // error: 'willTurnIntoFault' is unavailable: adopt WillTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override'
                }
                override func didTurnIntoFault() {  // error: method does not override any method from its superclass
                    super.didTurnIntoFault()  // error: 'didTurnIntoFault' is unavailable: adopt DidTurnIntoFaultHook in an extension of the generated class, and move this method there, without 'override'
                }
            }
            """
        ),
        Snippet(
            "a validation hook whose name is misspelt",
            """
            import Chordata
            extension Article: ValidateInsertHook {  // error: type 'Article' does not conform to protocol 'ValidateInsertHook'
                func validateForInsertion() throws {}
            }
            """
        ),
        Snippet(
            "a hook whose name is misspelt",
            """
            import Chordata
            extension Article: AwakeFromInsertHook {  // error: type 'Article' does not conform to protocol 'AwakeFromInsertHook'
                func awakeFromInsertion() { price = 1 }
            }
            """
        ),
        Snippet(
            "a hook on the main actor",
            """
            import Chordata
            extension Article: WillSaveHook {  // error: crosses into main actor-isolated code
                @MainActor func willSave() { price = 1 }
            }
            """
        ),
        Snippet(
            "a conformance on the main actor",
            """
            import Chordata
            extension Article: @MainActor WillSaveHook {  // error: cannot form main actor-isolated conformance  // error: cannot form main actor-isolated conformance
                @MainActor func willSave() { price = 1 }
            }
            """
        ),
    ]
}
