#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The rules of requests and predicates, with Core Data's names.
    struct FetchingRulesTests {
        private func withLibrary(_ body: (NSManagedObjectContext) throws -> Void) throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, ["Alpha", "beta"], to: context)
                addAuthor("Bob", born: 1960, ["Gamma", "Délta"], to: context)
                addAuthor("Cem", born: 1970, to: context)
                try context.save()
                try body(context)
            }
        }

        private func names(_ context: NSManagedObjectContext, _ predicate: NSPredicate?) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.predicate = predicate
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let objects = try context.fetch(request)
            if let predicate {
                // The result is the same in memory.
                let all = NSArray(array: try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")))
                #expect(Set(all.filtered(using: predicate).compactMap { $0 as? NSManagedObject }) == Set(objects))
            }
            return objects.compactMap { $0.value(forKey: "name") as? String }
        }

        private func titles(_ context: NSManagedObjectContext, _ predicate: NSPredicate) throws -> Set<String> {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = predicate
            return Set(try context.fetch(request).compactMap { $0.value(forKey: "title") as? String })
        }

        @Test func q1Sorting() throws {
            try withLibrary { context throws -> Void in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [
                    NSSortDescriptor(key: "author.born", ascending: false),
                    NSSortDescriptor(key: "title", ascending: true),
                ]
                let titles = try context.fetch(request).compactMap { $0.value(forKey: "title") as? String }
                expectEqual(titles, ["Délta", "Gamma", "Alpha", "beta"])
            }
        }

        @Test func q6q9Subqueries() throws {
            try withLibrary { context throws -> Void in
                let alpha = NSPredicate(format: "SUBQUERY(books, $b, $b.title == %@).@count > 0", "Alpha")
                expectEqual(try names(context, alpha), ["Ann"])
                expectEqual(try names(context, NSPredicate(format: "books.@count == 2")), ["Ann", "Bob"])
                expectEqual(try names(context, NSPredicate(format: "books.@sum.pages == 0")), ["Cem"])
                expectEqual(try names(context, NSPredicate(format: "ANY books.title BEGINSWITH 'G'")), ["Bob"])
                #expect(try names(context, NSPredicate(format: "ALL books.pages == 100")).contains("Ann"))
            }
        }

        @Test func q4q8q19TextsAndNumbers() throws {
            try withLibrary { context throws -> Void in
                expectEqual(try names(context, NSPredicate(format: "name MATCHES '[AB].*'")), ["Ann", "Bob"])
                expectEqual(try names(context, NSPredicate(format: "born + 10 > 1965")), ["Bob", "Cem"])
                expectEqual(try titles(context, NSPredicate(format: "title LIKE[cd] 'd?lta'")), ["Délta"])
                #expect(try titles(context, NSPredicate(format: "title CONTAINS %@", "*")).isEmpty)
                expectEqual(try titles(context, NSPredicate(format: "title ==[c] 'BETA'")), ["beta"])
            }
        }

        @Test func p1p15Formats() throws {
            try withLibrary { context throws -> Void in
                expectEqual(try names(context, NSPredicate(format: "%K == %d", "born", 1950)), ["Ann"])
                #expect(try names(context, NSPredicate(format: "name == '%@'")).isEmpty)
                expectEqual(try names(context, NSPredicate(format: "born BETWEEN {1950, 1960}")), ["Ann", "Bob"])
                expectEqual(try names(context, NSPredicate(format: "name IN {'Ann', 'Cem'}")), ["Ann", "Cem"])
                expectEqual(try names(context, NSPredicate(format: "name != nil")).count, 3)
                expectEqual(try names(context, NSPredicate(format: "TRUEPREDICATE")).count, 3)
                #expect(try names(context, NSPredicate(value: false)).isEmpty)
                let variable = NSPredicate(format: "born >= $YEAR")
                expectEqual(try names(context, variable.withSubstitutionVariables(["YEAR": 1960])), ["Bob", "Cem"])
                #expect(throws: (any Error).self) { try titles(context, NSPredicate(format: "title == $missing")) }
            }
        }

        /// P11: an object and its ID.
        @Test func p11Objects() throws {
            try withLibrary { context throws -> Void in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.predicate = NSPredicate(format: "name == 'Ann'")
                let ann = try #require(try context.fetch(request).first)
                expectEqual(try titles(context, NSPredicate(format: "author == %@", ann)), ["Alpha", "beta"])
                expectEqual(try titles(context, NSPredicate(format: "author == %@", ann.objectID)), ["Alpha", "beta"])
                expectEqual(try names(context, NSPredicate(format: "SELF == %@", ann)), ["Ann"])
                let others = try names(context, NSPredicate(format: "NOT (SELF IN %@)", [ann] as NSArray))
                expectEqual(others, ["Bob", "Cem"])
            }
        }

        @Test func q11q14Dictionaries() throws {
            try withLibrary { context throws -> Void in
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.resultType = .dictionaryResultType
                request.propertiesToFetch = ["pages"]
                expectEqual(try context.fetch(request).count, 4)
                request.returnsDistinctResults = true
                expectEqual(try context.fetch(request), [["pages": 100]])
                let sum = NSExpressionDescription()
                sum.name = "sum"
                sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
                sum.expressionResultType = .integer64AttributeType
                request.propertiesToFetch = [sum]
                #expect((try context.fetch(request).first?["sum"] as? NSNumber)?.intValue == 400)
            }
        }

        /// Q15, Q16: counts and object IDs include unsaved changes.
        @Test func q16UnsavedChanges() throws {
            try withLibrary { context throws -> Void in
                let dan = addAuthor("Dan", to: context)
                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
                expectEqual(try context.count(for: request), 4)
                request.includesPendingChanges = false
                expectEqual(try context.count(for: request), 3)
                let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
                ids.resultType = .managedObjectIDResultType
                #expect(try context.fetch(ids).contains(dan.objectID))
                let numbers = NSFetchRequest<NSNumber>(entityName: "Author")
                numbers.resultType = .countResultType
                expectEqual(try context.fetch(numbers), [4])
            }
        }

        /// Makes a container for a changed library model.
        private func makeContainer(_ change: (NSEntityDescription) -> Void) throws -> NSPersistentContainer {
            let model = makeLibraryModel()
            let author = try #require(model.entitiesByName["Author"])
            change(author)
            model.entities += author.subentities
            let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
            container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
            container.loadPersistentStores { _, error in #expect(error == nil) }
            return container
        }

        @Test func q2TransientAttributes() throws {
            let container = try makeContainer { author in
                let mark = NSAttributeDescription()
                mark.name = "mark"
                mark.attributeType = .stringAttributeType
                mark.isTransient = true
                author.properties.append(mark)
            }
            let context = container.newBackgroundContext()
            context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.predicate = NSPredicate(format: "mark == 'x'")
                #expect(throws: (any Error).self) { try context.fetch(request) }
                request.predicate = nil
                request.sortDescriptors = [NSSortDescriptor(key: "mark", ascending: true)]
                #expect(throws: (any Error).self) { try context.fetch(request) }
            }
        }

        @Test func q18Subentities() throws {
            let container = try makeContainer { author in
                let editor = NSEntityDescription()
                editor.name = "Editor"
                author.subentities = [editor]
            }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", to: context)
                let bob = NSEntityDescription.insertNewObject(forEntityName: "Editor", into: context)
                bob.setValue("Bob", forKey: "name")
                try context.save()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                expectEqual(try context.fetch(request).count, 2)
                #expect(try context.fetch(request).contains(bob))
                request.includesSubentities = false
                expectEqual(try context.fetch(request).count, 1)
            }
        }

        @Test func q17OrderedRelationships() throws {
            let container = try makeContainer { $0.relationshipsByName["books"]?.isOrdered = true }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["C", "A", "B"], to: context)
                try context.save()
                context.refreshAllObjects()
                let books = ann.mutableOrderedSetValue(forKey: "books").array
                #expect(books.map { ($0 as? NSManagedObject)?.value(forKey: "title") as? String } == ["C", "A", "B"])
            }
        }

        @Test func p9p12FunctionsAndNumbers() throws {
            try withLibrary { context throws -> Void in
                expectEqual(try names(context, NSPredicate(format: "uppercase(name) == 'ANN'")), ["Ann"])
                expectEqual(try names(context, NSPredicate(format: "born == %@", NSNumber(value: 1960.0))), ["Bob"])
                expectEqual(try names(context, NSPredicate(format: "noindex:(name) == 'Cem'")), ["Cem"])
                expectEqual(try names(context, NSPredicate(format: "NOT (name MATCHES 'A.*')")), ["Bob", "Cem"])
                expectEqual(try names(context, NSPredicate(format: "name LIKE 'A*'")), ["Ann"])
            }
        }

        @Test func p13MalformedFormatsTrap() async {
            await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "name ==") }
        }

        @Test func limitsAndBatches() throws {
            try withLibrary { context throws -> Void in
                let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
                (request.fetchLimit, request.fetchOffset, request.fetchBatchSize) = (1, 1, 20)
                #expect(try context.fetch(request).map { $0.value(forKey: "name") as? String } == ["Bob"])
            }
        }
    }
#endif
