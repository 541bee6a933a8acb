#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// Members of Core Data's and Foundation's classes that programs use less often.
    struct MemberTests {
        private func withLibrary(_ body: (NSManagedObjectContext) throws -> Void) throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait { try body(context) }
        }

        // MARK: Undo

        private final class Canvas: @unchecked Sendable {  // Used on one queue.
            var color = "white"
            /// The notifications of undo and redo, each with the color at that time.
            var log: [String] = []

            func paint(_ color: String, _ undoManager: UndoManager?) {
                undoManager?.registerUndo(withTarget: self) { [former = self.color] canvas in
                    canvas.paint(former, undoManager)
                }
                self.color = color
            }
        }

        @Test func undoOfOtherChanges() throws {
            try withLibrary { context in
                context.undoManager = UndoManager()
                let undoManager = try #require(context.undoManager)
                let (author, canvas) = (addAuthor("Ann", to: context), Canvas())
                try context.save()
                undoManager.removeAllActions()
                undoManager.beginUndoGrouping()
                author.setValue("Bob", forKey: "name")
                canvas.paint("red", undoManager)
                undoManager.setActionName("Paint")
                undoManager.endUndoGrouping()
                #expect(undoManager.undoMenuItemTitle == "Undo Paint" && undoManager.redoMenuItemTitle == "Redo")
                let all: [Notification.Name] = [
                    .NSUndoManagerWillUndoChange, .NSUndoManagerDidUndoChange, .NSUndoManagerWillRedoChange,
                    .NSUndoManagerDidRedoChange,
                ]
                let observers = all.map { name in
                    NotificationCenter.default.addObserver(forName: name, object: undoManager, queue: nil) { _ in
                        canvas.log.append("\(name.rawValue.dropFirst(13)) \(canvas.color)")
                    }
                }
                defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
                context.undo()
                #expect(author.value(forKey: "name") as? String == "Ann" && canvas.color == "white")
                expectEqual(undoManager.redoMenuItemTitle, "Redo Paint")
                undoManager.redo()
                #expect(author.value(forKey: "name") as? String == "Bob" && canvas.color == "red")
                expectEqual(
                    canvas.log,
                    [
                        "WillUndoChangeNotification red", "DidUndoChangeNotification white",
                        "WillRedoChangeNotification white", "DidRedoChangeNotification red",
                    ]
                )
                undoManager.undoNestedGroup()
                expectEqual(canvas.color, "white")
                undoManager.removeAllActions(withTarget: canvas)
                #expect(undoManager.groupsByEvent && undoManager.canRedo)
            }
        }

        // MARK: Objects

        @Test func keyValueCoding() throws {
            try withLibrary { context in
                let author = addAuthor("Ann", ["A", "B"], to: context)
                let book = try #require((author.value(forKey: "books") as? Set<NSManagedObject>)?.first)
                book.setValue("Bob", forKeyPath: "author.name")
                book.setValue(7, forKeyPath: "pages")
                #expect(author.value(forKey: "name") as? String == "Bob")
                #expect(book.value(forKeyPath: "pages") as? Int32 == 7)
                book.setValue(nil, forKey: "author")
                book.setValue("Cem", forKeyPath: "author.name")
                #expect(author.value(forKey: "name") as? String == "Bob")
                #expect(author.isEqual(author) && !author.isEqual(book) && !author.isEqual(nil))
                #expect(author.isKind(of: NSManagedObject.self) && !author.isKind(of: NSPersistentContainer.self))
                #expect(NSManagedObject.contextShouldIgnoreUnmodeledPropertyChanges)
            }
        }

        /// As in the accessors that Xcode generated in its early versions.
        @Test func primitiveAccessors() throws {
            try withLibrary { context in
                let (author, book) = (addAuthor("Ann", to: context), addAuthor("Bob", ["B"], to: context))
                try context.save()
                author.willChangeValue(forKey: "books", withSetMutation: .union, using: [book])
                author.didChangeValue(forKey: "books", withSetMutation: .union, using: [book])
                #expect(author.hasChanges && !book.hasChanges)
                context.rollback()
                author.willChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "books")
                author.didChange(.insertion, valuesAt: IndexSet(integer: 0), forKey: "books")
                #expect(author.hasChanges)
                context.rollback()
                author.willChangeValue(forKey: "name")
                author.setPrimitiveValue("Cem", forKey: "name")
                author.didChangeValue(forKey: "name")
                #expect(author.primitiveValue(forKey: "name") as? String == "Cem" && author.hasChanges)
            }
        }

        @Test func validationOfAValue() throws {
            try withLibrary { context in
                let author = addAuthor("Ann", to: context)
                var value: AnyObject? = "Bob" as NSString
                try author.validateValue(&value, forKey: "name")
                value = nil
                let error = #expect(throws: CocoaError.self) { try author.validateValue(&value, forKey: "name") }
                expectEqual(error?.code, .validationMissingMandatoryProperty)
                expectEqual(CocoaError.validationMissingMandatoryProperty.rawValue, 1570)
            }
        }

        @Test func collectionOperators() throws {
            try withLibrary { context in
                addAuthor("Ann", born: 1950, ["A", "B", "C"], to: context)
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let books = try context.fetch(request)
                for (book, pages) in zip(books, [10, 30, 20]) { book.setValue(pages, forKey: "pages") }
                let list = NSArray(array: books)
                #expect(list.value(forKey: "title") as? [String] == ["A", "B", "C"])
                #expect(list.value(forKeyPath: "author.name") as? [String] == ["Ann", "Ann", "Ann"])
                #expect(list.value(forKeyPath: "@distinctUnionOfObjects.author.name") as? [String] == ["Ann"])
                #expect(list.value(forKeyPath: "@sum.pages") as? NSNumber == 60)
                let set = NSSet(array: books)
                #expect(set.value(forKeyPath: "@avg.pages") as? NSNumber == 20)
                #expect(set.value(forKeyPath: "@max.pages") as? Int32 == 30)
                #expect(set.value(forKeyPath: "@min.title") as? String == "A")
                #expect(set.value(forKeyPath: "@count") as? NSNumber == 3)
                #expect((set.value(forKey: "author") as? NSSet)?.count == 1)
                books[0].setValue(nil, forKey: "title")
                #expect((list.value(forKey: "title") as? NSArray)?.contains(NSNull()) == true)
                #expect((set.value(forKey: "title") as? NSSet)?.count == 2)
            }
        }

        // MARK: Requests and stores

        @Test func expressions() throws {
            try withLibrary { context in
                let ann = addAuthor("Ann", ["A", "B"], to: context)
                let bob = addAuthor("Bob", ["C"], to: context)
                let books = NSExpression(
                    forSubquery: NSExpression(forKeyPath: "books"),
                    usingIteratorVariable: "book",
                    predicate: NSPredicate(format: "$book.title != %@", "B")
                )
                #expect(books.expressionType == .subquery && books.variable == "book")
                let predicate = NSPredicate(format: "%@.@count == 1 AND name == %@", books, "Ann")
                #expect(predicate.evaluate(with: ann) && !predicate.evaluate(with: bob))
                let length = NSExpression(
                    forConditional: NSPredicate(format: "name == 'Ann'"),
                    trueExpression: NSExpression(forConstantValue: 1),
                    falseExpression: NSExpression(forKeyPath: "born")
                )
                let comparison = NSComparisonPredicate(
                    leftExpression: length,
                    rightExpression: NSExpression(forConstantValue: 1),
                    modifier: .direct,
                    type: .equalTo
                )
                #expect(comparison.evaluate(with: ann) && !comparison.evaluate(with: bob))
                let sum = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
                #expect(sum.function == "sum:" && sum.arguments?.first?.keyPath == "pages")
                #expect(NSExpression(forConstantValue: 5).constantValue as? Int == 5)
                expectEqual(NSExpression.expressionForEvaluatedObject().expressionType, .evaluatedObject)
            }
        }

        @Test func otherPartsOfAnExpressionTrap() async {
            await #expect(processExitsWith: .failure) { _ = NSExpression(forConstantValue: 1).keyPath }
        }

        @Test func kindsOfRequests() throws {
            try withLibrary { context in
                addAuthor("Ann", to: context)
                try context.save()
                let update = NSBatchUpdateRequest(entityName: "Author")
                update.propertiesToUpdate = ["born": 1950]
                update.resultType = .updatedObjectsCountResultType
                expectEqual(update.requestType, .batchUpdateRequestType)
                expectEqual(NSFetchRequest<NSManagedObject>(entityName: "Author").requestType, .fetchRequestType)
                let coordinator = try #require(context.persistentStoreCoordinator)
                let result = try coordinator.execute(update, with: context) as? NSBatchUpdateResult
                #expect(result?.result as? Int == 1)
                let delete = NSBatchDeleteRequest(objectIDs: [])
                expectEqual(delete.requestType, .batchDeleteRequestType)
                let insert = NSBatchInsertRequest(entityName: "Author", objects: [])
                expectEqual(insert.requestType, .batchInsertRequestType)
            }
        }

        @Test func asynchronousFetchesHaveAProgress() async throws {
            let context = try makeLibrary().newBackgroundContext()
            try await context.perform {
                addAuthor("Ann", to: context)
                try context.save()
            }
            for isCancelled in [false, true] {
                let result = await withCheckedContinuation { continuation in
                    context.performAndWait {
                        let request = NSAsynchronousFetchRequest(
                            fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author")
                        ) { continuation.resume(returning: UncheckedBox(value: $0)) }
                        let result =
                            try? context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>
                        if isCancelled { result?.cancel() }
                    }
                }
                .value
                expectEqual(result.progress?.isCancelled, isCancelled)
                expectEqual(result.finalResult?.count, isCancelled ? nil : 1)
                #expect((result.operationError is CancellationError) == isCancelled)
            }
        }

        private struct UncheckedBox<Value>: @unchecked Sendable {  // Passed from one queue to another.
            let value: Value
        }

        @Test func objectsAreAssignedToStores() throws {
            try withLibrary { context in
                let store = try #require(context.persistentStoreCoordinator?.persistentStores.first)
                let author = addAuthor("Ann", to: context)
                context.assign(author, to: store)
                try context.save()
                expectEqual(author.objectID.entityName, "Author")
                expectEqual(context.persistentStoreCoordinator?.url(for: store).path, "/dev/null")
            }
        }

        @Test func savedObjectsCannotBeAssigned() async {
            await #expect(processExitsWith: .failure) {
                let context = try makeLibrary().newBackgroundContext()
                try context.performAndWait {
                    let author = addAuthor("Ann", to: context)
                    try context.save()
                    guard let store = context.persistentStoreCoordinator?.persistentStores.first else { return }
                    context.assign(author, to: store)
                }
            }
        }

        @Test func storesByType() throws {
            try withStoreURL { url in
                let container = try makeLibrary(at: url)
                let coordinator = container.persistentStoreCoordinator
                let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: url)
                #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
                let copy = url.deletingLastPathComponent().appendingPathComponent("Copy.sqlite")
                let store = try #require(coordinator.persistentStores.first)
                let moved = try coordinator.migratePersistentStore(store, to: copy, options: nil, type: .sqlite)
                expectEqual(coordinator.url(for: moved), copy)
                let other = url.deletingLastPathComponent().appendingPathComponent("Other.sqlite")
                try coordinator.replacePersistentStore(at: other, withPersistentStoreFrom: url, type: .sqlite)
                _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
                try coordinator.destroyPersistentStore(at: other, type: .sqlite, options: nil)
                #expect(throws: (any Error).self) {
                    try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: other)
                }
                #expect(throws: UnsupportedFeatureError.self) {
                    try coordinator.destroyPersistentStore(at: url, type: .postgresql, options: nil)
                }
            }
        }

        /// Each option without a counterpart has its name, and is refused when it is used.
        @Test func namesOfUnsupportedOptions() throws {
            let names = [
                NSSQLiteManualVacuumOption, NSSQLiteAnalyzeOption,
                NSPersistentStoreDeferredLightweightMigrationOptionKey,
                NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreConnectionPoolMaxSizeKey,
            ]
            for name in names {
                let error = #expect(throws: UnsupportedFeatureError.self) {
                    try makeLibrary(at: nil, [name: NSNumber(value: true)])
                }
                #expect(error?.message.contains(name) == true)
            }
        }

        @Test func modelsInCodeHaveConfigurationsAndTemplates() throws {
            let model = makeLibraryModel()
            model.setEntities(model.entities, forConfigurationName: "Writers")
            expectEqual(model.configurations, ["Writers"])
            expectEqual(model.entities(forConfigurationName: "Writers")?.map(\.name), ["Author", "Book"])
            #expect(model.entities(forConfigurationName: "Readers") == nil)
            let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
            template.predicate = NSPredicate(format: "born > $year")
            template.fetchLimit = 1
            model.setFetchRequestTemplate(template, forName: "younger")
            expectEqual(model.fetchRequestTemplatesByName.keys.sorted(), ["younger"])
            let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
            let description = NSPersistentStoreDescription()
            description.type = NSInMemoryStoreType
            container.persistentStoreDescriptions = [description]
            container.loadPersistentStores { #expect($1 == nil) }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                addAuthor("Bob", born: 1960, to: context)
                try context.save()
                let request = try #require(
                    model.fetchRequestFromTemplate(withName: "younger", substitutionVariables: ["year": 1955])
                )
                let names = try context.fetch(request).map {
                    ($0 as? NSManagedObject)?.value(forKey: "name") as? String
                }
                expectEqual(names, ["Bob"])
            }
            model.setFetchRequestTemplate(nil, forName: "younger")
            #expect(model.fetchRequestTemplate(forName: "younger") == nil)
        }

        @Test func partsOfAModelKnowTheirOwners() throws {
            let model = makeLibraryModel()
            let author = try #require(model.entitiesByName["Author"])
            #expect(author.managedObjectModel === model)
            expectEqual(author.versionHash, model.entityVersionHashesByName["Author"])
            let name = try #require(author.attributesByName["name"])
            let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
            let index = NSFetchIndexDescription(name: "byName", elements: [element])
            author.indexes = [index]
            #expect(index.entity === author && element.indexDescription === index && element.propertyName == "name")
            expectEqual(element.collationType, .binary)
            let generated = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: "/Kiosk.momd")))
            let item = try #require(generated.entitiesByName["Item"])
            #expect(item.managedObjectModel.entitiesByName["Item"] === item)
            expectEqual(item.versionHash, generated.entityVersionHashesByName["Item"])
        }

        @Test func modelsOfAStore() throws {
            let (model, other) = (makeLibraryModel(), NSManagedObjectModel())
            let entity = NSEntityDescription()
            entity.name = "Other"
            other.entities = [entity]
            let metadata: [String: Any] = [NSStoreModelVersionHashesKey: model.entityVersionHashesByName]
            let found = try #require(NSManagedObjectModel(byMerging: [other, model], forStoreMetadata: metadata))
            expectEqual(found.entitiesByName.keys.sorted(), ["Author", "Book"])
            #expect(NSManagedObjectModel(byMerging: [other], forStoreMetadata: metadata) == nil)
        }

        @Test func partsOfRequests() throws {
            let dictionaries = NSBatchInsertRequest(entityName: "Item", objects: [["name": "Tea"]])
            #expect(dictionaries.entity?.name == "Item" && dictionaries.objectsToInsert?.count == 1)
            #expect(dictionaries.dictionaryHandler == nil && dictionaries.managedObjectHandler == nil)
            let handler = NSBatchInsertRequest(entityName: "Item", dictionaryHandler: { _ in true })
            #expect(handler.objectsToInsert == nil && handler.dictionaryHandler?(NSMutableDictionary()) == true)
            #expect(NSBatchUpdateRequest(entityName: "Item").entity.attributesByName["name"] != nil)
            #expect(NSPersistentHistoryChangeRequest.fetchHistory(after: Date()).token == nil)
            let predicate = NSPredicate(format: "a == 1")
            let (one, two) = (NSExpression(forConstantValue: 1), NSExpression(forConstantValue: 2))
            let choice = NSExpression(forConditional: predicate, trueExpression: one, falseExpression: two)
            #expect(choice.true === one && choice.false === two && choice.predicate === predicate)
            #expect((NSExpression(forAggregate: [one, two]).collection as? [NSExpression]) == [one, two])
        }

        @Test func mutableSetsByKeyPath() throws {
            try withLibrary { context in
                let (author, other) = (
                    addAuthor("Ann", to: context),
                    NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                )
                let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(author, forKey: "author")
                book.mutableSetValue(forKeyPath: "author.books").add(other)
                #expect((author.value(forKey: "books") as? Set<NSManagedObject>) == [book, other])
            }
        }

        @Test func attributeTypes() {
            let attribute = NSAttributeDescription()
            attribute.type = .string
            expectEqual(attribute.attributeType, .stringAttributeType)
        }
    }
#endif
