#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The rules of the persistent history, with Core Data's names.
    struct HistoryRulesTests {
        private func history(
            _ context: NSManagedObjectContext,
            after token: NSPersistentHistoryToken?
        ) throws -> [NSPersistentHistoryTransaction] {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
            request.resultType = .transactionsAndChanges
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return result?.result as? [NSPersistentHistoryTransaction] ?? []
        }

        @Test func h3Transactions() throws {
            let container = try makeLibrary([NSPersistentHistoryTrackingKey: true])
            let context = container.newBackgroundContext()
            try context.performAndWait {
                (context.name, context.transactionAuthor) = ("editor", "app")
                let ann = addAuthor("Ann", to: context)
                try context.save()
                let inserted = try history(context, after: nil)
                expectEqual(inserted.count, 1)
                let first = try #require(inserted.first)
                #expect(first.author == "app" && first.contextName == "editor")
                expectEqual(first.changes?.map(\.changeType), [.insert])
                expectEqual(first.changes?.first?.changedObjectID, ann.objectID)
                ann.setValue(1950, forKey: "born")
                try context.save()
                context.delete(ann)
                try context.save()
                let later = try history(context, after: first.token)
                expectEqual(later.compactMap { $0.changes?.first?.changeType }, [.update, .delete])
                expectEqual(later[0].changes?.first?.updatedProperties?.map(\.name), ["born"])
                _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture))
                #expect(try history(context, after: nil).isEmpty)
            }
        }

        /// H6: saves and batch operations of another coordinator, which shares only the file.
        @Test func h6RemoteChanges() async throws {
            let name = "CoreDataTests-" + UUID().uuidString
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let url = folder.appendingPathComponent("Library.sqlite")
            let options: [String: NSNumber] = [
                NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
            ]
            let (container, other) = (try makeLibrary(at: url, options), try makeLibrary(at: url, options))
            let (tokens, continuation) = AsyncStream.makeStream(of: NSPersistentHistoryToken?.self)
            let observer = NotificationCenter.default.addObserver(
                forName: .NSPersistentStoreRemoteChange,
                object: container.persistentStoreCoordinator,
                queue: nil
            ) { continuation.yield($0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken) }
            defer { NotificationCenter.default.removeObserver(observer) }
            var iterator = tokens.makeAsyncIterator()
            let (context, editing) = (container.newBackgroundContext(), other.newBackgroundContext())
            try editing.performAndWait {
                addAuthor("Ann", to: editing)
                try editing.save()
            }
            let first = try #require(await iterator.next() ?? nil)
            try context.performAndWait { () throws in
                expectEqual(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")), 1)
                expectEqual(try history(context, after: nil).count, 1)
            }
            try editing.performAndWait {
                let request = NSBatchUpdateRequest(entityName: "Author")
                request.propertiesToUpdate = ["born": 1950]
                _ = try editing.execute(request)
            }
            #expect(await iterator.next() != nil)
            try context.performAndWait { () throws in
                expectEqual(try history(context, after: first).compactMap { $0.changes?.first?.changeType }, [.update])
            }
        }

        /// H4: without a history there are no tokens.
        @Test func h4NoHistory() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            context.performAndWait {
                #expect(container.persistentStoreCoordinator.currentPersistentHistoryToken(fromStores: nil) == nil)
                #expect(throws: (any Error).self) { try history(context, after: nil) }
            }
        }

        @Test func h5ExpiredTokens() throws {
            let container = try makeLibrary([NSPersistentHistoryTrackingKey: true])
            let context = container.newBackgroundContext()
            try context.performAndWait {
                for name in ["Ann", "Bob", "Cem"] {
                    addAuthor(name, to: context)
                    try context.save()
                }
                let transactions = try history(context, after: nil)
                _ = try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: transactions[2].token))
                do {
                    _ = try history(context, after: transactions[0].token)
                    Issue.record("the token is still valid")
                } catch let error as NSError {
                    expectEqual(error.code, NSPersistentHistoryTokenExpiredError)
                }
            }
        }
    }
#endif
