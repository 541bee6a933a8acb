#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The rules of saves, merge policies and uniqueness constraints, with Core Data's names.
    struct SavingRulesTests {
        private func authors(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request)
        }

        private func code(_ body: () throws -> Void) -> Int? {
            do {
                try body()
                return nil
            } catch let error as NSError {
                return error.domain == NSCocoaErrorDomain ? error.code : nil
            }
        }

        @Test func failedSavesKeepAllChanges() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let nameless = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                let ann = addAuthor("Ann", to: context)
                expectEqual(code { try context.save() }, NSValidationMissingMandatoryPropertyError)
                #expect(context.insertedObjects == [nameless, ann] && nameless.objectID.isTemporaryID)
                nameless.setValue("Bob", forKey: "name")
                try context.save()
                #expect(!context.hasChanges && !nameless.objectID.isTemporaryID)
            }
        }

        /// C5: another connection has the lock, as another process would.
        @Test func c5LockedStores() throws {
            try withStoreURL { url in
                let container = try makeLibrary(at: url, [NSPersistentStoreTimeoutOption: 0.05])
                let context = container.newBackgroundContext()
                try context.performAndWait {
                    addAuthor("Ann", to: context)
                    try withLockedStore(at: url) {
                        expectEqual(code { try context.save() }, NSPersistentStoreTimeoutError)
                        expectEqual(context.insertedObjects.count, 1)
                    }
                    try context.save()
                    expectEqual(try authors(context).count, 1)
                }
            }
        }

        /// Several failures are reported in one error.
        @Test func severalFailures() throws {
            let context = try makeLibrary().newBackgroundContext()
            context.performAndWait {
                for _ in 0..<2 { _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context) }
                do {
                    try context.save()
                    Issue.record("objects that are not valid were saved")
                } catch let error as NSError {
                    expectEqual(error.code, NSValidationMultipleErrorsError)
                    let details = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? []
                    expectEqual(
                        details.map(\.code),
                        Array(repeating: NSValidationMissingMandatoryPropertyError, count: 2)
                    )
                    #expect(details.allSatisfy { $0.userInfo[NSValidationObjectErrorKey] is NSManagedObject })
                    #expect(details.allSatisfy { $0.userInfo[NSValidationKeyErrorKey] as? String == "name" })
                }
            }
        }

        private struct Observer: @unchecked Sendable {  // Used on one queue.
            let body: () -> Void
        }

        /// Changes that an observer makes in the notification before a save are saved.
        @Test func changesBeforeASave() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", to: context)
                let observer = Observer { ann.setValue(1950, forKey: "born") }
                let token = NotificationCenter.default.addObserver(
                    forName: .NSManagedObjectContextWillSave,
                    object: context,
                    queue: nil
                ) { _ in observer.body() }
                defer { NotificationCenter.default.removeObserver(token) }
                try context.save()
                #expect(!context.hasChanges)
                let other = container.newBackgroundContext()
                let stored = try other.performAndWait { try authors(other).first?.value(forKey: "born") as? Int16 }
                expectEqual(stored, 1950)
            }
        }

        private func makeContainer(
            _ change: (NSEntityDescription, NSEntityDescription) throws -> Void
        ) throws -> NSPersistentContainer {
            let model = makeLibraryModel()
            try change(try #require(model.entitiesByName["Author"]), try #require(model.entitiesByName["Book"]))
            model.entities += model.entities.flatMap(\.subentities)
            let container = NSPersistentContainer(name: "Library", managedObjectModel: model)
            container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
            container.loadPersistentStores { _, error in #expect(error == nil) }
            return container
        }

        /// 5B step 4.
        @Test func derivedAttributes() throws {
            let container = try makeContainer { author, _ in
                let count = NSDerivedAttributeDescription()
                count.name = "bookCount"
                count.attributeType = .integer64AttributeType
                count.derivationExpression = NSExpression(format: "books.@count")
                author.properties.append(count)
            }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["Alpha", "Beta"], to: context)
                try context.save()
                context.refresh(ann, mergeChanges: false)
                #expect(ann.value(forKey: "bookCount") as? Int64 == 2)
            }
        }

        /// U2: missing values are not equal.
        @Test func missingValuesAreUnique() throws {
            let container = try makeContainer { _, book in book.uniquenessConstraints = [["title"]] }
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for _ in 0..<2 { _ = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) }
                try context.save()
                expectEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")), 2)
            }
        }

        /// U1: subentities inherit a constraint.
        @Test func subentitiesInheritConstraints() throws {
            let container = try makeContainer { author, _ in
                let editor = NSEntityDescription()
                editor.name = "Editor"
                author.subentities = [editor]
            }
            let context = container.newBackgroundContext()
            context.performAndWait {
                addAuthor("Ann", to: context)
                NSEntityDescription.insertNewObject(forEntityName: "Editor", into: context).setValue(
                    "Ann",
                    forKey: "name"
                )
                expectEqual(code { try context.save() }, NSManagedObjectConstraintMergeError)
            }
        }

        /// 5C: in the store, the author is renamed and gets another year of birth; here, the author gets a third year
        /// of birth.
        @Test(arguments: 0..<5) func mergePolicies(index: Int) throws {
            let container = try makeLibrary()
            let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
            try first.performAndWait {
                addAuthor("Ann", born: 1900, to: first)
                try first.save()
            }
            let ann = try second.performAndWait {
                let ann = try #require(try authors(second).first)
                ann.setValue(1902, forKey: "born")
                return ann
            }
            try first.performAndWait {
                let ann = try #require(try authors(first).first)
                ann.setValue("Eve", forKey: "name")
                ann.setValue(1901, forKey: "born")
                try first.save()
            }
            let policies = [
                NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
                NSOverwriteMergePolicy, NSRollbackMergePolicy,
            ]
            let expected: [(name: String, born: Int16)] = [
                ("Ann", 1902), ("Eve", 1901), ("Eve", 1902), ("Ann", 1902), ("Eve", 1901),
            ]
            second.performAndWait {
                second.mergePolicy = policies[index]
                let code = code { try second.save() }
                expectEqual(code, index == 0 ? NSManagedObjectMergeError : nil)
                expectEqual(second.hasChanges, index == 0)
                #expect(ann.value(forKey: "name") as? String == expected[index].name)
                #expect(ann.value(forKey: "born") as? Int16 == expected[index].born)
            }
        }

        /// 5D and U7 to U9: a duplicate of a saved author.
        @Test(arguments: 0..<5) func uniquenessPolicies(index: Int) throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let saved = addAuthor("Ann", born: 1900, ["Alpha"], to: context)
                try context.save()
                let id = saved.objectID
                addAuthor("Ann", born: 1902, ["Beta"], to: context)
                let policies = [
                    NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSMergeByPropertyObjectTrumpMergePolicy,
                    NSOverwriteMergePolicy, NSRollbackMergePolicy,
                ]
                context.mergePolicy = policies[index]
                let code = code { try context.save() }
                expectEqual(code, index == 0 ? NSManagedObjectConstraintMergeError : nil)
                guard index > 0 else { return }
                context.reset()
                let stored = try authors(context)
                expectEqual(stored.map(\.objectID), [id])
                let isOld = index == 1 || index == 4
                #expect(stored.first?.value(forKey: "born") as? Int16 == (isOld ? 1900 : 1902))
            }
        }

        /// U2, U10: duplicates among new authors.
        @Test func newDuplicates() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
                addAuthor("Ann", born: 1900, to: context)
                addAuthor("Ann", born: 1901, to: context)
                try context.save()
                #expect(try authors(context).map { $0.value(forKey: "born") as? Int16 } == [1901])
                context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
                addAuthor("Bob", born: 1902, to: context)
                addAuthor("Bob", born: 1903, to: context)
                try context.save()
                #expect(try authors(context).map { $0.value(forKey: "born") as? Int16 } == [1901, 1902])
            }
        }

        /// U12: a batch insertion is an upsert.
        @Test func batchInsertionsUpdateDuplicates() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1900, to: context)
                try context.save()
                context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
                _ = try context.execute(
                    NSBatchInsertRequest(
                        entityName: "Author",
                        objects: [["name": "Ann", "born": 1901], ["name": "Bob", "born": 1902]]
                    )
                )
                context.refreshAllObjects()
                #expect(try authors(context).map { $0.value(forKey: "born") as? Int16 } == [1901, 1902])
            }
        }

        /// 5B step 5 and the subclass of a merge policy.
        private final class Policy: NSMergePolicy {
            var log: [String] = []

            override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
                log.append("rows \(list.count)")
                try super.resolve(optimisticLockingConflicts: list)
            }

            override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
                log.append("values \(list.count)")
                try super.resolve(constraintConflicts: list)
            }
        }

        @Test func rowsComeBeforeValues() throws {
            let container = try makeLibrary()
            let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
            try first.performAndWait {
                addAuthor("Ann", to: first)
                try first.save()
            }
            try second.performAndWait { try authors(second).first?.setValue(1950, forKey: "born") }
            try first.performAndWait {
                try authors(first).first?.setValue(1951, forKey: "born")
                addAuthor("Bob", to: first)
                try first.save()
            }
            try second.performAndWait {
                let policy = Policy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
                second.mergePolicy = policy
                addAuthor("Bob", born: 1960, to: second)
                try second.save()
                expectEqual(policy.log, ["rows 1", "values 1"])
                second.reset()
                #expect(try authors(second).map { $0.value(forKey: "born") as? Int16 } == [1950, 1960])
            }
        }
    }
#endif
