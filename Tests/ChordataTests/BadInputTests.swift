import CChordataSQLite
import Foundation
import Testing

@testable import Chordata

/// What a store or a program may do wrong: each gets an error or ends the program with a sentence, and nothing is lost.
struct BadInputTests {
    // MARK: Stores

    private func withTeams(_ body: (String, PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let context = container.newContext()
            for index in 0..<500 { _ = Team(context: context, name: "Team \(index)") }
            try context.save()
            try body(path, container)
        }
    }

    private func sqlite(_ container: PersistentContainer) throws -> SQLiteStore {
        try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
    }

    @Test func aDamagedFile() throws {
        try withTeams { path, container in
            let copy = path + ".damaged"
            try #require(container.persistentStoreCoordinator.persistentStores.first).backUp(to: copy)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
            // Everything behind the first pages, which say what is in the file.
            for index in bytes.count / 2..<bytes.count { bytes[index] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: copy))
            var found: StoreError?
            do {
                let context = try LeagueModel.container(at: copy).newContext()
                _ = try context.fetch(Team.fetchRequest())
            } catch let error as StoreError {
                found = error
            }
            #expect(found?.code == .notADatabase, "\(found.map { "\($0)" } ?? "no error")")
            #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == bytes)
        }
    }

    @Test func aFolderThatTakesNoFile() {
        let error = #expect(throws: StoreError.self) { try LeagueModel.container(at: "/proc/store.sqlite") }
        #expect(error?.code == .cannotOpen)
    }

    @Test func aFullDisk() throws {
        try withTeams { _, container in
            let store = try sqlite(container)
            let context = container.newContext()
            let team = Team(context: context, name: String(repeating: "x", count: 1_000_000))
            let id = team.objectID
            func limit(_ pages: String) throws {
                try store.write { connection in _ = try connection.text("PRAGMA max_page_count=\(pages)") }
            }
            let pages = try store.write { try $0.integer("PRAGMA page_count") }
            try limit("\(pages)")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .full)
            #expect(team.isInserted && team.objectID == id && team.name.count == 1_000_000)
            try limit("1073741823")
            try context.save()
            let fresh = container.newContext()
            #expect((try fresh.existingObject(with: id) as? Team)?.name.count == 1_000_000)
        }
    }

    @Test func aStoreThatAnotherProcessHolds() throws {
        try withTeams { path, _ in
            let container = try PersistentContainer(
                model: LeagueModel.definition,
                path: path,
                options: StoreOptions(busyTimeout: .milliseconds(30))
            )
            // Another connection is to SQLite what another process is.
            let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try other.execute("BEGIN IMMEDIATE")
            let context = container.newContext()
            let team = Team(context: context, name: "Late")
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.code == .busy)
            #expect(team.isInserted)
            try other.execute("ROLLBACK")
            try context.save()
            #expect(team.objectID.key < PersistentStore.provisionalKeys)
            let fresh = container.newContext()
            #expect(try fresh.count(for: Team.fetchRequest().where(\.name == "Late")) == 1)
        }
    }

    @Test func numbersThatAnotherProgramWroteOutOfRange() throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let context = container.newContext()
            let player = Player(context: context, name: "Ann")
            try context.save()
            try sqlite(container).write { try $0.execute("UPDATE \"Player\" SET \"age\" = 70000") }
            let fresh = container.newContext()
            let found = try #require(try fresh.existingObject(with: player.objectID) as? Player)
            #expect(found.age == Int16.max, "the nearest value keeps the order")
        }
    }

    // MARK: Values

    @Test func notANumber() throws {
        let context = try EverythingModel.container(at: ":memory:").newContext()
        let reading = Reading(
            context: context,
            bytes: Data(),
            day: Date(timeIntervalSinceReferenceDate: .nan),
            identifier: UUID()
        )
        reading.temperature = .nan
        reading.price = .nan
        reading.ratio = .nan
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.failures.map(\.propertyName).sorted() == ["day", "price", "ratio", "temperature"])
        #expect(error?.failures.map(\.code).allSatisfy { $0 == .managedObjectValidation } == true)
        #expect(
            error?.description.contains("is not a number, for which the store has no value; set another (1550)") == true
        )
        reading.day = Date(timeIntervalSinceReferenceDate: 1)
        reading.temperature = -0.0
        reading.price = 1
        reading.ratio = .infinity
        try context.save()
    }

    @Test func textWithNUL() throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let context = container.newContext()
            let name = "a\u{0}b\u{0}"
            let team = Team(context: context, name: name)
            try context.save()
            let fresh = container.newContext()
            #expect((try fresh.existingObject(with: team.objectID) as? Team)?.name == name)
            #expect(try fresh.count(for: Team.fetchRequest().where(\.name == name)) == 1)
            #expect(try fresh.count(for: Team.fetchRequest().where(\.name == "a")) == 0)
            let values: [Team.Values] = try fresh.fetchValues(Team.fetchRequest())
            #expect(values.map(\.name) == [name])
        }
    }

    // MARK: Objects

    @Test func useAfterDeletion() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        context.delete(team)
        try context.save()
        #expect(team.name == "Reds" && team.managedObjectContext == nil && !team.isDeleted)
    }

    @Test func useAfterTheContextDied() throws {
        var context: ManagedObjectContext? = try LeagueModel.container(at: ":memory:").newContext()
        let team = Team(context: try #require(context), name: "Reds")
        context = nil
        #expect(team.name == "Reds" && team.managedObjectContext == nil)
    }
}
