import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The error codes that handlers of Core Data errors check, as listed on the manual's page Errors.
struct ErrorCodeTests {
    static let storeCodes: [(StoreError.Code, Int)] = [
        (.cannotOpen, 134_080), (.notADatabase, 259), (.notAChordataStore, 134_010), (.incompleteStore, 259),
        (.incompatibleModel, 134_100), (.newerVersion, 134_100), (.missingMigration, 134_140),
        (.migrationFailed, 134_110), (.cancelled, 134_120), (.migrationNeeded, 134_100), (.missingStage, 134_140),
        (.storeDrifted, 134_020), (.incompatibleClass, 134_020), (.unsupportedEnvironment, 134_060),
        (.constraintViolated, 134_111), (.busy, 134_090), (.readerLimitExceeded, 134_090),
        (.waitingSaveLimitExceeded, 134_090), (.full, 640), (.readOnly, 513), (.statementFailed, 134_180),
        (.outcomeUnknown, 134_040), (.queryGenerationExpired, 134_060), (.noStoreForEntity, 134_020),
        (.connectionLost, 134_070), (.timedOut, 134_090),
    ]

    private func page() throws -> String {
        let root = URL(filePath: #filePath).appending(path: "../../../..").standardized
        return try String(
            contentsOf: root.appending(path: "Sources/Chordata/Chordata.docc/Errors.md"),
            encoding: .utf8
        )
    }

    @Test func storeErrors() throws {
        let page = try page()
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| ``") }
        expectEqual(rows.count, Self.storeCodes.count)
        for (code, number) in Self.storeCodes {
            #expect(rows.contains { $0.hasPrefix("| `\(code)` | \(number) |") }, "\(code)")
            let error = StoreError(code, "cannot be used; do something else", sqliteCode: 2_570, path: "a.sqlite")
            let bridged = error as NSError
            #expect(bridged.domain == NSCocoaErrorDomain && bridged.code == number, "\(code)")
            expectEqual(bridged.localizedDescription, error.description)
            #expect(bridged.userInfo["NSSQLiteErrorDomain"] as? Int == 2_570)
            #expect(bridged.userInfo["NSFilePath"] as? String == "a.sqlite")
        }
        let ofServer = StoreError(.busy, "is in use", sqlState: "40001", path: "localhost")
        expectEqual(ofServer.description, "store 'localhost': is in use (SQLSTATE 40001)")
        #expect((ofServer as NSError).userInfo["ChordataSQLState"] as? String == "40001")
        let bare = (StoreError(.busy, "is in use") as NSError).userInfo
        #expect(bare["NSSQLiteErrorDomain"] == nil && bare["NSFilePath"] == nil && bare["ChordataSQLState"] == nil)
    }

    @Test func aStoreThatCannotBeOpened() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let error =
                try #require(#expect(throws: StoreError.self) { try DoneModel.definition.testContainer(at: path) })
                as NSError
            #expect(error.domain == NSCocoaErrorDomain && error.code == 134_100)
        }
    }

    @Test func remainingErrorTypes() throws {
        let page = try page()
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        let id = team.objectID
        context.delete(team)
        try context.save()
        let missing = try #require(#expect(throws: MissingObjectError.self) { try context.existingObject(with: id) })
        #expect((missing as NSError).userInfo["NSAffectedObjectsErrorKey"] as? [ManagedObjectID] == [id])
        let predicate = try #require(
            #expect(throws: FetchPredicateError.self) { try Team.fetchRequest().where(format: "name ==") }
        )
        let request = try #require(
            #expect(throws: FetchError.self) { try context.fetch(FetchRequest<Team>(entityName: "None")) }
        )
        let token = PersistentHistoryToken(storeID: UUID(), transactionNumber: 1, origin: 1)
        let errors: [(any Error, Int)] = [
            (missing, 133_000), (predicate, 134_060), (request, 134_060),
            (BatchUpdateError.nothingToUpdate(entityName: "Team"), 134_060),
            (BatchUpdateError.invalidValue("a", entityName: "Team", typeName: "Date", objectID: nil), 1_550),
            (BatchUpdateError.missingValue("a", entityName: "Team", objectID: nil), 1_570),
            (BatchUpdateError.unknownDestination("a", entityName: "A", destinationEntityName: "B"), 133_000),
            (BatchInsertError.unknownProperty("a", entityName: "Team", index: 0, suggestion: nil), 134_060),
            (BatchInsertError.notInsertable("a", entityName: "Team", index: 0, reason: "is derived"), 134_060),
            (BatchInsertError.invalidValue("a", entityName: "Team", typeName: "Date", index: 0), 1_550),
            (PersistentHistoryError.notTracked(path: "a.sqlite"), 134_060),
            (PersistentHistoryError.tokenExpired(token), 134_301),
            (PersistentHistoryError.tokenOfAnotherStore(token, storeID: UUID()), 134_301),
            (RecursiveSaveError(), 132_001), (WriteError(.nestedWrite), 134_060),
            (ChangeLimitExceededError(hook: "willSave", entityNames: ["Team"]), 134_060),
            (UnreadableValueError(objectID: id, attributeName: "name", typeName: "String"), 134_060),
            (RemoteChangesError(reason: .notACollection(key: "a")), 134_060),
            (BatchUpdateError.notUnique(["a"], entityName: "Team"), 133_021),
        ]
        for (error, number) in errors {
            let bridged = error as NSError
            #expect(bridged.domain == NSCocoaErrorDomain && bridged.code == number, "\(error)")
            expectEqual(bridged.localizedDescription, "\(error)")
            #expect(page.contains("\(type(of: error))"))
        }
    }
}
