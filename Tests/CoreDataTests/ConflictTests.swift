#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The conflicts in the errors of saves.
    struct ConflictTests {
        private func author(_ context: NSManagedObjectContext) throws -> NSManagedObject {
            let authors = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
            return try #require(authors.first)
        }

        private func saveError(_ context: NSManagedObjectContext) throws -> NSError {
            do {
                try context.save()
            } catch let error as NSError {
                return error
            }
            throw NSError(domain: "the save succeeded", code: 0)
        }

        @Test func mergeConflictsHaveSnapshots() throws {
            let container = try makeLibrary()
            let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
            try first.performAndWait {
                addAuthor("Ann", born: 1950, to: first)
                try first.save()
            }
            let edited = try second.performAndWait {
                let author = try author(second)
                author.setValue(1951, forKey: "born")
                return author
            }
            try first.performAndWait {
                try author(first).setValue("Eve", forKey: "name")
                try first.save()
            }
            try second.performAndWait {
                let error = try saveError(second)
                #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectMergeError)
                let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
                expectEqual(conflicts.count, 1)
                let conflict = try #require(conflicts.first)
                #expect(conflict.sourceObject === edited)
                #expect(conflict.objectSnapshot?["name"] as? String == "Ann")
                #expect(conflict.persistedSnapshot?["name"] as? String == "Eve")
                #expect(conflict.persistedSnapshot?["born"] as? Int16 == 1950)
                #expect(conflict.cachedSnapshot?["name"] as? String == "Eve")
                #expect(conflict.newVersionNumber > conflict.oldVersionNumber)
                #expect(second.hasChanges)
                second.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
                try second.save()
                #expect(edited.value(forKey: "name") as? String == "Eve")
                #expect(edited.value(forKey: "born") as? Int16 == 1951)
            }
        }

        @Test func deletedRowsHaveNoSnapshot() throws {
            let container = try makeLibrary()
            let (first, second) = (container.newBackgroundContext(), container.newBackgroundContext())
            try first.performAndWait {
                addAuthor("Ann", to: first)
                try first.save()
            }
            try second.performAndWait { try author(second).setValue(1951, forKey: "born") }
            try first.performAndWait {
                first.delete(try author(first))
                try first.save()
            }
            try second.performAndWait {
                let error = try saveError(second)
                expectEqual(error.code, NSManagedObjectMergeError)
                let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict] ?? []
                expectEqual(conflicts.count, 1)
                expectEqual(conflicts.first?.newVersionNumber, 0)
                #expect(conflicts.first?.persistedSnapshot == nil && conflicts.first?.cachedSnapshot == nil)
                #expect(conflicts.first?.objectSnapshot?["name"] as? String == "Ann")
            }
        }

        @Test func constraintConflictsHaveTheirObjects() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let saved = addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let duplicate = addAuthor("Ann", born: 1960, to: context)
                let twins = [addAuthor("Bob", to: context), addAuthor("Bob", to: context)]
                let error = try saveError(context)
                #expect(error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError)
                let conflicts = error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict] ?? []
                expectEqual(conflicts.count, 2)
                #expect(conflicts.allSatisfy { $0.constraint == ["name"] })
                let ann = try #require(conflicts.first { $0.constraintValues["name"] as? String == "Ann" })
                #expect(ann.databaseObject === saved)
                #expect(ann.databaseSnapshot?["born"] as? Int16 == 1950)
                expectEqual(ann.conflictingObjects, [duplicate])
                #expect(ann.conflictingSnapshots.map { $0["born"] as? Int16 } == [1960])
                let bob = try #require(conflicts.first { $0.constraintValues["name"] as? String == "Bob" })
                #expect(bob.databaseObject == nil && bob.databaseSnapshot == nil)
                expectEqual(Set(bob.conflictingObjects), Set(twins))
            }
        }

        /// Errors of another kind have no conflicts.
        @Test func validationErrorsHaveNoConflicts() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                _ = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
                let error = try saveError(context)
                expectEqual(error.code, NSValidationMissingMandatoryPropertyError)
                #expect(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] == nil)
            }
        }
    }
#endif
