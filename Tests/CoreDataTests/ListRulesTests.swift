#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The rules of results controllers, with Core Data's names.
    struct ListRulesTests {
        private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
            var log: [String] = []
            private var changes: [String] = []

            func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                changes = []
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange anObject: Any,
                at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) {
                let object = anObject as? NSManagedObject
                let key = object?.entity.name == "Book" ? "title" : "name"
                let name = object?.value(forKey: key) as? String ?? ""
                let text = "\(type.rawValue) \(name) \(indexPath.map { "\($0[0]).\($0[1])" } ?? "-")"
                changes.append(type == .update ? text : text + " \(newIndexPath.map { "\($0[0]).\($0[1])" } ?? "-")")
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange sectionInfo: any NSFetchedResultsSectionInfo,
                atSectionIndex sectionIndex: Int,
                for type: NSFetchedResultsChangeType
            ) {
                // F23: before the changes of objects, and with the new list.
                #expect(changes.isEmpty)
                if type == .insert { expectEqual(controller.sections?[sectionIndex].name, sectionInfo.name) }
                log.append("section \(type.rawValue) \(sectionInfo.name) \(sectionIndex)")
            }

            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                log += changes.sorted() + ["end"]
            }

            func take() -> [String] {
                defer { log = [] }
                return log
            }
        }

        private func makeController(
            _ context: NSManagedObjectContext,
            _ predicate: NSPredicate? = nil,
            sections: String? = nil
        ) -> NSFetchedResultsController<NSManagedObject> {
            makeList(predicate, sortedBy: "born", "name", sections: sections, in: context)
        }

        @Test func f4f13Contents() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", born: 1950, to: context)
                let bob = addAuthor("Bob", born: 1960, to: context)
                try context.save()
                let list = makeController(context)
                #expect(list.fetchedObjects == nil && list.sections == nil)
                try list.performFetch()
                expectEqual(list.fetchedObjects, [ann, bob])
                #expect(list.sections?.count == 1 && list.sections?[0].numberOfObjects == 2)
                #expect(list.object(at: IndexPath(row: 1, section: 0)) === bob)
                expectEqual(list.indexPath(forObject: ann), IndexPath(row: 0, section: 0))
                let sectioned = makeController(context, sections: "born")
                try sectioned.performFetch()
                expectEqual(sectioned.sections?.map(\.name), ["1950", "1960"])
                expectEqual(sectioned.sections?.map(\.indexTitle), ["1", "1"])
                expectEqual(sectioned.sectionIndexTitles, ["1", "1"])
                expectEqual(sectioned.section(forSectionIndexTitle: "1", at: 1), 1)
                #expect(sectioned.sections?[1].objects?.first as? NSManagedObject === bob)
            }
        }

        @Test func f1SortDescriptorsAreRequired() async {
            await #expect(processExitsWith: .failure) {
                let context = try makeLibrary().newBackgroundContext()
                try context.performAndWait {
                    let list = NSFetchedResultsController(
                        fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author"),
                        managedObjectContext: context,
                        sectionNameKeyPath: nil,
                        cacheName: nil
                    )
                    try list.performFetch()
                }
            }
        }

        /// F21 to F29: one event.
        @Test func f33MixedEvents() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let authors = (1...5).map { addAuthor("A\($0)", born: $0, to: context) }
                try context.save()
                let list = makeController(context, NSPredicate(format: "born > 0"))
                let delegate = Delegate()
                list.delegate = delegate
                try list.performFetch()
                context.delete(authors[0])
                authors[1].setValue("B2", forKey: "name")
                authors[2].setValue(9, forKey: "born")
                authors[3].setValue(0, forKey: "born")
                addAuthor("New", born: 7, to: context)
                addAuthor("Other", born: 0, to: context)
                context.processPendingChanges()
                expectEqual(
                    delegate.take(),
                    [
                        "1 New - 0.2", "2 A1 0.0 -", "2 A4 0.3 -", "3 A3 0.2 0.3", "4 B2 0.1", "end",
                    ]
                )
                // F21: nothing for objects that do not match.
                addAuthor("Another", born: -1, to: context)
                context.processPendingChanges()
                #expect(delegate.take().isEmpty)
                // F28, F35: an unsaved object that matches from now on.
                let new = try #require(list.fetchedObjects?.first { $0.value(forKey: "name") as? String == "New" })
                new.setValue(0, forKey: "born")
                context.processPendingChanges()
                expectEqual(delegate.take(), ["2 New 0.2 -", "end"])
                // F34
                try context.save()
                #expect(delegate.take().isEmpty)
                context.refreshAllObjects()
                context.processPendingChanges()
                expectEqual(delegate.take().filter { !$0.hasPrefix("4") }, ["end"])
            }
        }

        /// Records the callbacks in their order.
        private final class Recorder: NSObject, NSFetchedResultsControllerDelegate {
            var changes:
                [(object: NSManagedObject?, old: IndexPath?, new: IndexPath?, type: NSFetchedResultsChangeType)] = []

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange anObject: Any,
                at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) { changes.append((anObject as? NSManagedObject, indexPath, newIndexPath, type)) }
        }

        /// No callback depends on another one of its kind: old index paths refer to the list before the event, and new
        /// ones to the list after it.
        @Test func f36CallbacksOfOneKindHaveNoOrder() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let authors = (1...6).map { addAuthor("A\($0)", born: $0 * 10, to: context) }
                try context.save()
                let list = makeController(context)
                let recorder = Recorder()
                list.delegate = recorder
                try list.performFetch()
                let before = try #require(list.fetchedObjects)
                for index in [0, 1, 4] { context.delete(authors[index]) }
                authors[2].setValue(91, forKey: "born")
                authors[3].setValue(90, forKey: "born")
                for born in [5, 35, 80] { addAuthor("New \(born)", born: born, to: context) }
                context.processPendingChanges()
                let after = try #require(list.fetchedObjects)
                for type in [NSFetchedResultsChangeType.insert, .delete, .move] {
                    #expect(recorder.changes.filter { $0.type == type }.count >= 2)
                }
                for change in recorder.changes {
                    if let old = change.old { #expect(before[old[1]] === change.object) }
                    if let new = change.new { #expect(after[new[1]] === change.object) }
                }
            }
        }

        @Test func f30f32Sections() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", born: 1950, to: context)
                let bob = addAuthor("Bob", born: 1960, to: context)
                try context.save()
                let list = makeController(context, sections: "born")
                let delegate = Delegate()
                list.delegate = delegate
                try list.performFetch()
                ann.setValue(1970, forKey: "born")
                context.processPendingChanges()
                expectEqual(
                    delegate.take(),
                    ["section 2 1950 0", "section 1 1970 1", "3 Ann 0.0 1.0", "end"]
                )
                context.delete(bob)
                try context.save()
                expectEqual(delegate.take(), ["section 2 1960 0", "2 Bob 0.0 -", "end"])
            }
        }

        /// F5, F6, F15: another request, and no delegate.
        @Test func f5OtherFetches() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let list = makeController(context)
                try list.performFetch()
                addAuthor("Bob", born: 1960, to: context)
                context.processPendingChanges()
                expectEqual(list.fetchedObjects?.count, 1)
                let delegate = Delegate()
                list.delegate = delegate
                list.fetchRequest.predicate = NSPredicate(format: "born > 1955")
                try list.performFetch()
                #expect(delegate.take().isEmpty && list.fetchedObjects?.count == 1)
            }
        }

        /// F17, F18: saves and batch updates of other contexts, after their merge.
        @Test func f17MergedChanges() throws {
            let container = try makeLibrary()
            let (context, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
            let (list, delegate) = try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let (list, delegate) = (makeController(context), Delegate())
                list.delegate = delegate
                try list.performFetch()
                return (list, delegate)
            }
            let ids = try writer.performAndWait {
                let request = NSBatchUpdateRequest(entityName: "Author")
                request.propertiesToUpdate = ["born": 1951]
                request.resultType = .updatedObjectIDsResultType
                return try #require(
                    (try writer.execute(request) as? NSBatchUpdateResult)?.result as? [NSManagedObjectID]
                )
            }
            context.performAndWait {
                #expect(delegate.take().isEmpty)
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSUpdatedObjectsKey: ids], into: [context])
                context.processPendingChanges()
                expectEqual(delegate.take(), ["4 Ann 0.0", "end"])
                #expect(list.fetchedObjects?.first?.value(forKey: "born") as? Int16 == 1951)
            }
        }

        /// F20: after a reset the list keeps its results.
        @Test func f20Resets() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let (list, delegate) = (makeController(context), Delegate())
                list.delegate = delegate
                try list.performFetch()
                context.reset()
                #expect(delegate.take().isEmpty && list.fetchedObjects?.count == 1)
                try list.performFetch()
                #expect(list.fetchedObjects?.first?.value(forKey: "name") as? String == "Ann")
            }
        }

        /// F2: sections whose objects are not consecutive are an error.
        @Test func f2SectionsOutOfOrder() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                for (name, year) in [("Ann", 1950), ("Bob", 1960), ("Cem", 1950)] {
                    addAuthor(name, born: year, to: context)
                }
                try context.save()
                let list = makeList(sortedBy: "name", sections: "born", in: context)
                #expect(throws: (any Error).self) { try list.performFetch() }
            }
        }

        /// F3, F19: sections by a key path over a to-one relationship, which follow its object.
        @Test func f3SectionsOverToOnes() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let ann = addAuthor("Ann", ["Alpha"], to: context)
                addAuthor("Bob", ["Beta"], to: context)
                try context.save()
                let list = makeList(of: "Book", sortedBy: "author.name", "title", sections: "author.name", in: context)
                let delegate = Delegate()
                list.delegate = delegate
                try list.performFetch()
                expectEqual(list.sections?.map(\.name), ["Ann", "Bob"])
                ann.setValue("Cem", forKey: "name")
                context.processPendingChanges()
                expectEqual(list.sections?.map(\.name), ["Bob", "Cem"])
            }
        }

        /// F8: the delegate is not retained.
        @Test func f8Delegates() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let list = makeController(context)
                do {
                    let delegate = Delegate()
                    list.delegate = delegate
                    #expect(list.delegate != nil)
                }
                #expect(list.delegate == nil)
                try list.performFetch()
            }
        }

        private final class LastDelegate: NSFetchedResultsControllerDelegate {
            var count = 0

            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                count += 1
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                sectionIndexTitleForSectionName sectionName: String
            ) -> String? { "#" + sectionName.suffix(1) }
        }

        /// F16: one method is enough; F11: the delegate gives titles.
        @Test func f16OneMethod() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1957, to: context)
                try context.save()
                let (list, delegate) = (makeController(context, sections: "born"), LastDelegate())
                list.delegate = delegate
                try list.performFetch()
                expectEqual(list.sectionIndexTitles, ["#7"])
                addAuthor("Bob", born: 1957, to: context)
                context.processPendingChanges()
                #expect(delegate.count == 1 && list.fetchedObjects?.count == 2)
            }
        }

        private final class DifferenceDelegate: NSFetchedResultsControllerDelegate {
            var differences: [CollectionDifference<NSManagedObjectID>] = []

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
            ) {
                differences.append(diff)
            }
        }

        @Test func f39Differences() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let (list, delegate) = (makeController(context), DifferenceDelegate())
                list.delegate = delegate
                try list.performFetch()
                let bob = addAuthor("Bob", born: 1960, to: context)
                context.processPendingChanges()
                #expect(delegate.differences.count == 1 && delegate.differences.first?.insertions.count == 1)
                context.delete(bob)
                context.processPendingChanges()
                #expect(delegate.differences.count == 2 && delegate.differences.last?.removals.count == 1)
            }
        }

        /// F41 to F43: caches of sections.
        @Test func f43Caches() throws {
            try withStoreURL { url in
                let context = try makeLibrary(at: url).newBackgroundContext()
                try context.performAndWait {
                    addAuthor("Ann", born: 1950, to: context)
                    try context.save()
                    for year in [1950, 1960] {
                        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
                        request.sortDescriptors = [NSSortDescriptor(key: "born", ascending: true)]
                        let list = NSFetchedResultsController(
                            fetchRequest: request,
                            managedObjectContext: context,
                            sectionNameKeyPath: "born",
                            cacheName: "authors"
                        )
                        try list.performFetch()
                        expectEqual(list.sections?.last?.name, "\(year)")
                        addAuthor("Bob", born: 1960, to: context)
                        if year == 1950 { try context.save() }
                    }
                    NSFetchedResultsController<NSManagedObject>.deleteCache(withName: "authors")
                    NSFetchedResultsController<NSManagedObject>.deleteCache(withName: nil)
                }
            }
        }

        private final class SnapshotDelegate: NSFetchedResultsControllerDelegate {
            var snapshots: [(sections: [String], count: Int)] = []

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
            ) {
                snapshots.append((snapshot.sectionIdentifiers.compactMap { $0 as? String }, snapshot.numberOfItems))
            }
        }

        @Test func f38Snapshots() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                addAuthor("Ann", born: 1950, to: context)
                try context.save()
                let (list, delegate) = (makeController(context, sections: "born"), SnapshotDelegate())
                list.delegate = delegate
                try list.performFetch()
                #expect(delegate.snapshots.count == 1 && delegate.snapshots.last?.sections == ["1950"])
                addAuthor("Bob", born: 1960, to: context)
                context.processPendingChanges()
                #expect(delegate.snapshots.last?.sections == ["1950", "1960"] && delegate.snapshots.last?.count == 2)
            }
        }
    }
#endif
