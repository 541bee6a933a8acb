#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    struct BatchTests {
        @Test func insertionUpdateAndDeletion() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                let insertion = NSBatchInsertRequest(
                    entityName: "Author",
                    objects: [["name": "Ann", "born": 1950], ["name": "Bob", "born": 1960]]
                )
                insertion.resultType = .count
                #expect((try context.execute(insertion) as? NSBatchInsertResult)?.result as? Int == 2)
                var names = ["Cem", "Dan"].makeIterator()
                let handled = NSBatchInsertRequest(entityName: "Author") { (row: NSMutableDictionary) -> Bool in
                    guard let name = names.next() else { return true }
                    row["name"] = name
                    return false
                }
                handled.resultType = .objectIDs
                let ids = (try context.execute(handled) as? NSBatchInsertResult)?.result as? [NSManagedObjectID]
                expectEqual(ids?.count, 2)

                let update = NSBatchUpdateRequest(entityName: "Author")
                update.predicate = NSPredicate(format: "born > 0")
                update.propertiesToUpdate = ["born": NSExpression(format: "born + 1")]
                update.resultType = .updatedObjectsCountResultType
                #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)

                let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Author")
                request.predicate = NSPredicate(format: "born == 1951")
                let deletion = NSBatchDeleteRequest(fetchRequest: request)
                deletion.resultType = .resultTypeObjectIDs
                let deleted = (try context.execute(deletion) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID]
                expectEqual(deleted?.count, 1)
                NSManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [NSDeletedObjectsKey: deleted ?? []],
                    into: [context]
                )
                let rest = NSBatchDeleteRequest(objectIDs: ids ?? [])
                rest.resultType = .resultTypeCount
                #expect((try context.execute(rest) as? NSBatchDeleteResult)?.result as? Int == 2)
                expectEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")), 1)
            }
        }

        @Test func history() throws {
            try withStoreURL { url in
                let container = try makeLibrary(at: url, [NSPersistentHistoryTrackingKey: true])
                let context = container.newBackgroundContext()
                try context.performAndWait {
                    context.transactionAuthor = "app"
                    let ann = addAuthor("Ann", to: context)
                    try context.save()
                    let last = try #require(
                        container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil)
                    )
                    let data = try NSKeyedArchiver.archivedData(withRootObject: last, requiringSecureCoding: true)
                    let token = try NSKeyedUnarchiver.unarchivedObject(
                        ofClass: NSPersistentHistoryToken.self,
                        from: data
                    )
                    expectEqual(token, last)
                    ann.setValue(1950, forKey: "born")
                    try context.save()
                    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
                    let result = try context.execute(request) as? NSPersistentHistoryResult
                    let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
                    expectEqual(transactions.count, 1)
                    expectEqual(transactions.first?.author, "app")
                    let change = try #require(transactions.first?.changes?.first)
                    expectEqual(change.changeType, .update)
                    expectEqual(change.updatedProperties?.map(\.name), ["born"])
                    expectEqual(change.changedObjectID, ann.objectID)
                    try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
                    let count = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
                    count.resultType = .count
                    #expect((try context.execute(count) as? NSPersistentHistoryResult)?.result as? Int == 0)
                }
            }
        }

        @Test func asynchronousFetch() async throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", to: context)
                try context.save()
            }
            let count = await withCheckedContinuation { continuation in
                let request = NSAsynchronousFetchRequest(
                    fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author")
                ) { result in
                    continuation.resume(returning: result.finalResult?.count)
                }
                context.perform { _ = try? context.execute(request) }
            }
            expectEqual(count, 1)
        }
    }
#endif
