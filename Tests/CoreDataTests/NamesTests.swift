#if !canImport(Darwin)
    import CoreData
    import ChordataTestSupport
    import Testing

    /// The table of names in the manual's page "Bring your code" has a row "yes" for each type that exists.
    struct NamesTests {
        private static let types: [String: Any] = [
            "NSManagedObjectContext": NSManagedObjectContext.self, "NSPredicate(format:)": NSPredicate.self,
            "NSFetchRequest": NSFetchRequest<NSManagedObject>.self, "NSManagedObject": NSManagedObject.self,
            "NSManagedObjectID": NSManagedObjectID.self, "NSSortDescriptor": NSSortDescriptor.self,
            "NSCompoundPredicate": NSCompoundPredicate.self, "NSEntityDescription": NSEntityDescription.self,
            "NSFetchedResultsController": NSFetchedResultsController<NSManagedObject>.self,
            "NSFetchRequestResult": (any NSFetchRequestResult).self, "NSManagedObjectModel": NSManagedObjectModel.self,
            "NSPersistentContainer": NSPersistentContainer.self,
            "NSPersistentHistoryChangeRequest": NSPersistentHistoryChangeRequest.self,
            "NSPersistentHistoryTransaction": NSPersistentHistoryTransaction.self,
            "NSPersistentHistoryResult": NSPersistentHistoryResult.self,
            "NSPersistentHistoryToken": NSPersistentHistoryToken.self,
            "NSPersistentHistoryChange": NSPersistentHistoryChange.self,
            "NSPersistentStoreDescription": NSPersistentStoreDescription.self,
            "NSPersistentStoreCoordinator": NSPersistentStoreCoordinator.self,
            "NSPersistentStore": NSPersistentStore.self,
            "NSFetchedResultsControllerDelegate": (any NSFetchedResultsControllerDelegate).self,
            "NSFetchedResultsSectionInfo": (any NSFetchedResultsSectionInfo).self,
            "NSFetchedResultsChangeType": NSFetchedResultsChangeType.self,
            "NSBatchDeleteRequest": NSBatchDeleteRequest.self, "NSBatchDeleteResult": NSBatchDeleteResult.self,
            "NSBatchUpdateRequest": NSBatchUpdateRequest.self, "NSBatchUpdateResult": NSBatchUpdateResult.self,
            "NSBatchInsertRequest": NSBatchInsertRequest.self, "NSBatchInsertResult": NSBatchInsertResult.self,
            "NSAsynchronousFetchRequest": NSAsynchronousFetchRequest<NSManagedObject>.self,
            "NSAsynchronousFetchResult": NSAsynchronousFetchResult<NSManagedObject>.self,
            "NSMergePolicy": NSMergePolicy.self, "NSMergeConflict": NSMergeConflict.self,
            "NSConstraintConflict": NSConstraintConflict.self, "NSExpression": NSExpression.self,
            "NSExpressionDescription": NSExpressionDescription.self,
            "NSComparisonPredicate": NSComparisonPredicate.self, "NSPropertyDescription": NSPropertyDescription.self,
            "NSAttributeDescription": NSAttributeDescription.self,
            "NSDerivedAttributeDescription": NSDerivedAttributeDescription.self,
            "NSRelationshipDescription": NSRelationshipDescription.self,
            "NSFetchIndexDescription": NSFetchIndexDescription.self,
            "NSFetchIndexElementDescription": NSFetchIndexElementDescription.self,
            "NSQueryGenerationToken": NSQueryGenerationToken.self,
            "NSDiffableDataSourceSnapshotReference": NSDiffableDataSourceSnapshotReference.self,
        ]

        private func readPage() throws -> String {
            let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let page = root.appendingPathComponent("Sources/Chordata/Chordata.docc/Bring-Your-Code.md")
            return try String(contentsOf: page, encoding: .utf8)
        }

        /// The page states how many names remain impossible.
        @Test func theManualCountsTheNamesThatDoNotExist() throws {
            let page = try readPage()
            let number = try #require(page.firstMatch(of: #/The table has (\d+) names/#)?.1)
            let section = try #require(page.split(separator: "### Members that the module does not have").last)
            let columns = section.split(separator: "\n").filter { $0.hasPrefix("| `") }
                .compactMap { $0.split(separator: "|").first }
            let names = columns.flatMap { $0.matches(of: #/`[^`]+`/#).map { String($0.0) } }
            #expect(Int(number) == names.count && Set(names).count == names.count, "\(names)")
        }

        @Test func theManualListsTheNamesThatExist() throws {
            let rows = try readPage().split(separator: "\n").filter { $0.hasSuffix("| yes |") }
            let names = rows.map { String($0.dropFirst(3).prefix { $0 != "`" }) }
            expectEqual(Set(names), Set(Self.types.keys))
            expectEqual(names.count, Self.types.count)
        }
    }
#endif
