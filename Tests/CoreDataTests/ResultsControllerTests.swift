#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    struct ResultsControllerTests {
        private final class Delegate: NSFetchedResultsControllerDelegate {
            var log: [String] = []
            weak var controller: NSFetchedResultsController<NSManagedObject>?

            func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                log.append("will \(controller == self.controller)")
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange anObject: Any,
                at indexPath: IndexPath?,
                for type: NSFetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) {
                let name = (anObject as? NSManagedObject)?.value(forKey: "name") as? String
                log.append("\(type) \(name ?? "") \(indexPath?.row ?? -1) \(newIndexPath?.row ?? -1)")
            }

            func controller(
                _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
                didChange sectionInfo: any NSFetchedResultsSectionInfo,
                atSectionIndex sectionIndex: Int,
                for type: NSFetchedResultsChangeType
            ) {
                log.append("\(type) section \(sectionInfo.name) \(sectionIndex)")
            }

            func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
                log.append("did")
            }
        }

        /// Without sections, all methods of the delegate are called too.
        @Test func listsWithoutSections() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let controller = makeList(sortedBy: "name", in: context)
                let delegate = Delegate()
                delegate.controller = controller
                controller.delegate = delegate
                try controller.performFetch()
                addAuthor("Ann", to: context)
                context.processPendingChanges()
                expectEqual(delegate.log, ["will true", "insert Ann -1 0", "did"])
                controller.fetchRequest.resultType = .dictionaryResultType
                #expect(throws: UnsupportedFeatureError.self) { try controller.performFetch() }
            }
        }

        /// A save replaces temporary object IDs by permanent ones, which is not an update of the objects.
        @Test func permanentObjectIDsAreNoUpdates() throws {
            let context = try makeLibrary().newBackgroundContext()
            try context.performAndWait {
                let controller = makeList(sortedBy: "name", in: context)
                let delegate = Delegate()
                delegate.controller = controller
                controller.delegate = delegate
                try controller.performFetch()
                let ann = addAuthor("Ann", to: context)
                #expect(ann.objectID.isTemporaryID)
                try context.save()
                #expect(!ann.objectID.isTemporaryID)
                expectEqual(delegate.log, ["will true", "insert Ann -1 0", "did"])
                expectEqual(controller.indexPath(forObject: ann), IndexPath(row: 0, section: 0))
                // An update in the same event as the new object ID is reported as an update.
                delegate.log = []
                addAuthor("Bob", to: context)
                ann.setValue(1950, forKey: "born")
                try context.save()
                expectEqual(delegate.log, ["will true", "update Ann 0 0", "insert Bob -1 1", "did"])
            }
        }

        @Test func changesReachTheDelegate() throws {
            let container = try makeLibrary()
            let context = container.newBackgroundContext()
            try context.performAndWait {
                addAuthor("Bob", born: 1950, to: context)
                try context.save()
                let controller = makeList(sortedBy: "born", "name", sections: "born", in: context)
                let delegate = Delegate()
                delegate.controller = controller
                controller.delegate = delegate
                #expect(controller.fetchedObjects == nil)
                try controller.performFetch()
                expectEqual(controller.fetchedObjects?.count, 1)
                addAuthor("Ann", born: 1950, to: context)
                addAuthor("Cem", born: 1960, to: context)
                context.processPendingChanges()
                expectEqual(
                    delegate.log,
                    [
                        "will true", "insert section 1960 1", "insert Ann -1 0", "insert Cem -1 0", "did",
                    ]
                )
                expectEqual(controller.sections?.map(\.name), ["1950", "1960"])
                expectEqual(controller.sections?.map(\.numberOfObjects), [2, 1])
                let first = controller.object(at: IndexPath(row: 0, section: 0))
                #expect(first.value(forKey: "name") as? String == "Ann")
                expectEqual(controller.indexPath(forObject: first), IndexPath(row: 0, section: 0))
                delegate.log = []
                // The save replaces temporary object IDs, and changes nothing else.
                try context.save()
                #expect(delegate.log.isEmpty)
                context.delete(first)
                try context.save()
                expectEqual(delegate.log, ["will true", "delete Ann 0 -1", "did"])
            }
        }
    }
#endif
