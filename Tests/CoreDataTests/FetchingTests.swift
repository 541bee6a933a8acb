#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    struct FetchingTests {
        private func titles(_ container: NSPersistentContainer, _ predicate: NSPredicate?) throws -> [String] {
            let context = container.newBackgroundContext()
            return try context.performAndWait {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = predicate
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                return try context.fetch(request).map { $0.value(forKey: "title") as? String ?? "" }
            }
        }

        private func filled() throws -> NSPersistentContainer {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, ["Alpha", "Beta"], to: context)
                addAuthor("Bob", born: 1960, ["Gamma"], to: context)
                try context.save()
            }
            return container
        }

        @Test func predicatesFromFormats() throws {
            let container = try filled()
            let names: [Any] = ["Alpha", "Gamma"]
            expectEqual(try titles(container, NSPredicate(format: "title BEGINSWITH[c] %@", "al")), ["Alpha"])
            expectEqual(try titles(container, NSPredicate(format: "%K == %@", "author.name", "Bob")), ["Gamma"])
            expectEqual(try titles(container, NSPredicate(format: "title IN %@", names)), ["Alpha", "Gamma"])
            expectEqual(
                try titles(container, NSPredicate(format: "title IN %@", NSSet(array: names))),
                ["Alpha", "Gamma"]
            )
            expectEqual(
                try titles(container, NSPredicate(format: "author.born > %d AND pages == %i", 1950, 100)),
                ["Gamma"]
            )
            let optional: String? = nil
            #expect(try titles(container, NSPredicate(format: "title == %@", optional)).isEmpty)
            #expect(try titles(container, NSPredicate(value: false)).isEmpty)
            expectEqual(try titles(container, NSPredicate(value: true)).count, 3)
            let both = NSCompoundPredicate(
                andPredicateWithSubpredicates: [
                    NSPredicate(format: "author.name == 'Ann'"),
                    NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "title == %@", "Alpha")),
                ]
            )
            expectEqual(try titles(container, both), ["Beta"])
            expectEqual(both.description, #"author.name == "Ann" AND NOT title == "Alpha""#)
            expectEqual(NSPredicate(format: "a=1&&b>%@", 2).description, "a == 1 AND b > 2")
            #expect(throws: UnsupportedFeatureError.self) {
                try titles(container, NSPredicate(block: { _, _ in true }))
            }
            let template = NSPredicate(format: "title == $title")
            expectEqual(try titles(container, template.withSubstitutionVariables(["title": "Beta"])), ["Beta"])
        }

        @Test func resultTypes() throws {
            let container = try filled()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let request = NSFetchRequest<NSDictionary>(entityName: "Book")
                request.resultType = .dictionaryResultType
                let count = NSExpressionDescription()
                count.name = "count"
                count.expression = NSExpression(forFunction: "count:", arguments: [NSExpression(forKeyPath: "title")])
                count.expressionResultType = .integer64AttributeType
                request.propertiesToFetch = ["author.name", count]
                request.propertiesToGroupBy = ["author.name"]
                request.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: false)]
                let rows = try context.fetch(request)
                #expect(rows.map { $0["author.name"] as? String } == ["Bob", "Ann"])
                #expect(rows.map { ($0["count"] as? NSNumber)?.intValue } == [1, 2])

                let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
                ids.resultType = .managedObjectIDResultType
                expectEqual(try context.fetch(ids).count, 3)
                expectEqual(try context.count(for: ids), 3)

                let erased = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
                erased.fetchLimit = 1
                erased.sortDescriptors = [NSSortDescriptor(key: "born", ascending: false)]
                let author = try #require(try context.fetch(erased).first as? NSManagedObject)
                #expect(author.value(forKey: "name") as? String == "Bob")
                expectEqual(author.entity.name, "Author")
                expectEqual(author.entity.attributesByName.keys.sorted(), ["born", "name"])
                expectEqual(author.entity.relationshipsByName["books"]?.destinationEntity?.name, "Book")
                expectEqual(author.objectID.uriRepresentation().scheme, "x-coredata")
            }
        }

        @Test func sortingInMemory() throws {
            let container = try filled()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let books = NSSet(set: Set(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))))
                let sorted = books.sortedArray(using: [NSSortDescriptor(key: "title", ascending: false)])
                #expect(
                    sorted.map { ($0 as? NSManagedObject)?.value(forKey: "title") as? String } == [
                        "Gamma", "Beta", "Alpha",
                    ]
                )
                let array = books.allObjects as NSArray
                expectEqual(array.filtered(using: NSPredicate(format: "title CONTAINS 'a'")).count, 3)
                expectEqual(array.filtered(using: NSPredicate(format: "title == 'Beta'")).count, 1)
            }
        }
    }
#endif
