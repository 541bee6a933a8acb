import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Changes that other programs and contexts make to rows between two saves.
@Suite(.onlySQLite(.engine))
struct InterferenceTests {
    private func sqlite(of container: PersistentContainer) -> SQLiteStore {
        container.persistentStoreCoordinator.persistentStores[0].sqlite
    }

    @Test(arguments: [1, 20]) func triggerThatSkipsRows(_ count: Int) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let teams = (0..<count).map { Team(context: context, name: "\($0)") }
            let trigger = "CREATE TRIGGER other BEFORE INSERT ON \"Team\" BEGIN SELECT RAISE(IGNORE); END"
            try sqlite(of: container).write { try $0.execute(trigger) }
            #expect(throws: StoreError.self) { try context.save() }
            expectEqual(teams.filter(\.isInserted).count, count)
            try sqlite(of: container).write { try $0.execute("DROP TRIGGER other") }
            try context.save()

            let update = "CREATE TRIGGER other BEFORE UPDATE ON \"Team\" BEGIN SELECT RAISE(IGNORE); END"
            try sqlite(of: container).write { try $0.execute(update) }
            for team in teams { team.name += "!" }
            #expect(throws: StoreError.self) { try context.save() }
            try sqlite(of: container).write { try $0.execute("DROP TRIGGER other") }
            try context.save()
            let names = try container.newContext().fetch(Team.fetchRequest()).map(\.name)
            expectEqual(names, teams.map(\.name))
        }
    }

    /// An update finds all of its rows even if triggers write other rows, and throws if triggers skip rows.
    @Test func triggersOnRowsOfBatchUpdates() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let players = ["Ann", "Bob"].map { Player(context: context, name: $0) }
            try context.save()
            let other = "CREATE TRIGGER other AFTER UPDATE OF age ON player BEGIN UPDATE Player SET name = 'y'; END"
            try sqlite(of: container).write { try $0.execute(other) }
            let result = try context.execute(BatchUpdateRequest<Player>().where(\.name == "Ann").setting(\.age, to: 7))
            expectEqual(result.updatedObjectIDs, [players[0].objectID])
            let skip = "CREATE TRIGGER skip BEFORE UPDATE OF age ON Player BEGIN SELECT RAISE(IGNORE); END"
            try sqlite(of: container).write { try $0.execute(skip) }
            #expect(throws: StoreError.self) {
                try context.execute(BatchUpdateRequest<Player>().setting(\.age, to: 8))
            }
        }
    }

    @Test func aRowThatBecomesOneOfAnotherEntity() throws {
        try withStorePath { path in
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Person",
                    attributes: [AttributeDescription(name: "name", attributeType: .string, isOptional: true)]
                ),
                EntityDescription(
                    name: "Manager",
                    superentityName: "Person",
                    attributes: [AttributeDescription(name: "title", attributeType: .string, isOptional: true)]
                ),
            ])
            let container = try ModelDefinition(name: "Staff", versionName: "Staff", model: model).testContainer(
                at: path
            )
            let context = container.newContext()
            let person = EntityDescription.insertNewObject(forEntityName: "Person", into: context)
            try context.save()
            try sqlite(of: container).write { try $0.execute("UPDATE \"Person\" SET \"_entity\" = 'Manager'") }
            var request = FetchRequest<ManagedObject>(entityName: "Manager")
            for size in [0, 10] {
                request.fetchBatchSize = size
                let error = #expect(throws: StoreError.self) { _ = try context.fetch(request) }
                expectEqual(error?.code, .incompatibleModel)
            }
            // A save of the row reports the same error, and keeps the unsaved changes.
            try sqlite(of: container).write { try $0.execute("UPDATE \"Person\" SET \"_version\" = 7") }
            context.mergePolicy = .mergeByPropertyObjectTrump
            person.setValue("Ann", forKey: "name")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .incompatibleModel && person.isUpdated)
            // Saves of the row by another context do not affect the object.
            let other = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            let manager = try #require(try other.fetch(FetchRequest<ManagedObject>(entityName: "Manager")).first)
            manager.setValue("Dr", forKey: "title")
            try other.save()
            context.processPendingChanges()
            #expect(person.managedObjectContext == nil && !context.hasChanges)
            expectEqual(person.objectID.entityName, "Person")
            context.reset()
            let count = try context.fetch(request).count
            expectEqual(count, 1)
        }
    }

    /// A re-inserted row never has the version of the deleted row.
    @Test func reinsertedRowsConflictWithEarlierVersions() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "1")
            try context.save()
            let other = container.newContext()
            let theirs = try other.existingObject(with: ObjectID<Team>(team))
            theirs.name = "2"
            try other.save()
            let third = container.newContext()
            let seen = try third.existingObject(with: ObjectID<Team>(team))
            theirs.name = "3"
            try other.save()
            other.delete(theirs)
            try other.save()

            team.name = "back"
            context.mergePolicy = .overwrite
            try context.save()
            context.automaticallyMergesChangesFromParent = true
            context.processPendingChanges()
            #expect(team.managedObjectContext === context && team.name == "back")
            seen.name = "over"
            #expect(throws: SaveConflictError.self) { try third.save() }
            let names = try container.newContext().fetch(Team.fetchRequest()).map(\.name)
            expectEqual(names, ["back"])
        }
    }

    @Test func rowsWithoutObjectsReachListsWithEdits() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "1")
            try context.save()
            #expect(team.players.isEmpty)
            Player(context: context, name: "mine").team = team
            let theirs = Player.Values(objectID: ObjectID(), name: "theirs", age: 2, team: ObjectID(team))
            try context.insertValues([theirs])
            try context.save()
            expectEqual(team.players.map(\.name).sorted(), ["mine", "theirs"])
        }
    }
}
