import CChordataSQLite
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Errors of a store or a program: each is reported as an error or traps with a message, and no data is lost.
///
/// | input | result | test |
/// |---|---|---|
/// | a damaged file | `notADatabase` | here, `aDamagedFile` |
/// | a damaged file, when a fault is fired | `readError` of the context | here, `aFaultThatMeetsADamagedFile` |
/// | not a store of this model | `notADatabase`, `notAChordataStore`, `incompatibleModel` | `OpenStoreTests` |
/// | a folder in which no store can be created | `cannotOpen` | here, `storeInAnUnwritableFolder` |
/// | a store next to which no log can be created | `cannotOpen` | here, `logThatCannotBeCreated` |
/// | a folder without write permission | `cannotOpen`, `readOnly` | here, `aFolderWithoutTheRightToWrite` |
/// | a file that cannot be written | `readOnly` | `StoreFileTests` |
/// | a full disk while writing | `full`, or the error of the system | here, `aFullDisk` |
/// | a full disk while a store is created | `full`, or the error of the system | here, `storeFileAtTheSizeLimit` |
/// | a store that another process has locked | `busy` | here, `aStoreThatAnotherProcessHolds`, …`Alone` |
/// | the same for readers | `busy` | here, `readersHonorTheBusyTimeout` |
/// | the same for less than the timeout | the operation waits | here, `aStoreThatAnotherProcessHoldsForAWhile` |
/// | a disk that fails at the commit | `outcomeUnknown` | `FailingDiskTests` |
/// | values of another type or range in the file | `UnreadableValueError` | `UnreadableValueTests` |
/// | numbers out of range, values of another type | a trap with a message | `MisuseTests` |
/// | a number that is NaN | 1550 | here, `notANumber`, `notANumberByKey` |
/// | strings with NUL | they are kept | here, `textWithNUL`; `RoundTripTests` |
/// | objects of another context | a trap with a message | `MisuseTests` |
/// | a change to a deleted object | dropped by the save, undone by a rollback | here, `changesToDeletedObjects` |
/// | use after deletion, or without the context | values in memory, or a trap | here, and `MisuseTests` |
struct BadInputTests {
    // MARK: Stores

    private func withTeams(_ body: (String, PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for index in 0..<500 { _ = Team(context: context, name: "Team \(index)") }
            try context.save()
            try body(path, container)
        }
    }

    private func sqlite(_ container: PersistentContainer) throws -> SQLiteStore {
        try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
    }

    @Test(.onlySQLite(.files)) func aDamagedFile() throws {
        try withTeams { path, container in
            let copy = path + ".damaged"
            try #require(container.persistentStoreCoordinator.persistentStores.first).backUp(to: copy)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
            // Overwrites everything after the first pages, which describe the contents of the file.
            for index in bytes.count / 2..<bytes.count { bytes[index] = 0xA5 }
            try bytes.write(to: URL(fileURLWithPath: copy))
            var found: StoreError?
            do {
                let context = try LeagueModel.definition.testContainer(at: copy).newContext()
                _ = try context.fetch(Team.fetchRequest())
            } catch let error as StoreError {
                found = error
            }
            expectEqual(found?.code, .notADatabase, "\(found.map { "\($0)" } ?? "no error")")
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: copy)), bytes)
        }
    }

    /// A getter cannot throw, and no change that another program makes to the file ends this process.
    @Test(.onlySQLite(.files)) func aFaultThatMeetsADamagedFile() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let id = Team(context: context, name: "Reds").objectID
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            // When the log has been moved into the file, readers read pages of the file.
            try SQLiteConnection(path: path, mode: .readWriteCreate).execute("PRAGMA wal_checkpoint(TRUNCATE)")
            let page = try store.read { try $0.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'Team'") }
            let size = try store.read { try $0.integer("PRAGMA page_size") }
            let other = container.newContext()
            let team = try #require(other.object(with: id) as? Team)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            try file.seek(toOffset: UInt64((page - 1) * size))
            try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
            try file.close()
            #expect(team.name == "" && other.readError is StoreError)
            #expect("\(other.readError.map { "\($0)" } ?? "")".contains("malformed"))
        }
    }

    /// Accesses of every kind to a store whose tables were renamed, as after a migration by another program; then the
    /// tables get their names back.
    @Test(.onlySQLite(.files)) func accessesToTablesThatAreNotThere() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            do {
                let context = container.newContext()
                let team = Team(context: context, name: "Reds")
                for name in ["Ann", "Bob"] { Player(context: context, name: name).team = team }
                try context.save()
            }
            let context = container.newContext()
            let teams = try context.fetch(Team.fetchRequest())
            let player = try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Ann")))
            let team = try #require(teams.first)
            func rename(_ names: [(String, String)]) throws {
                let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                for (old, new) in names { try connection.execute("ALTER TABLE \"\(old)\" RENAME TO \"\(new)\"") }
            }
            try rename([("Player", "Gone"), ("Team", "Lost")])
            #expect(context.readError == nil)
            #expect(team.players.isEmpty && team.objectIDs(forRelationshipNamed: "players").isEmpty)
            #expect(context.readError is StoreError)
            #expect(throws: StoreError.self) { try context.fetch(Team.fetchRequest()) }
            try context.save()  // There is nothing to save.
            context.refresh(player, mergeChanges: true)
            context.refreshAllObjects()
            #expect(context.readError == nil)
            #expect(player.name == "" && player.team == nil)
            player.name = "Cem"
            team.name = "Blues"
            context.delete(team)
            context.processPendingChanges()
            // Neither values that could not be read nor changes that follow from them reach the store.
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error == context.readError as? StoreError)
            try rename([("Gone", "Player"), ("Lost", "Team")])
            #expect(throws: StoreError.self) { try context.save() }
            context.refreshAllObjects()
            #expect(throws: SaveConflictError.self) { try context.save() }
            context.rollback()
            context.refreshAllObjects()
            #expect(player.name == "Ann" && player.team === team && team.players.count == 2)
            player.name = "Cem"
            try context.save()
            let names = try container.newContext().fetch(Player.fetchRequest().sorted(by: \.name)).map(\.name)
            expectEqual(names, ["Bob", "Cem"])
        }
    }

    /// The log cannot be created, whether the file itself is writable or not.
    @Test(.onlySQLite(.files), arguments: [0o444, 0o666])
    func aFolderWithoutTheRightToWrite(permissions: Int) async throws {
        try await withStorePath { path in
            do {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                _ = Team(context: context, name: "Reds")
                try await context.save()
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let before = FileManager.default.contents(atPath: path)
            try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder)
            // The check runs in a separate process, which may change its user, because root may write everywhere.
            await #expect(processExitsWith: .success) { [path = path as String] in
                if geteuid() == 0 {
                    #expect(setegid(65_534) == 0 && seteuid(65_534) == 0)
                }
                func error(_ path: String) -> StoreError? {
                    #expect(throws: StoreError.self) {
                        try LeagueModel.definition.testContainer(at: path).newContext().fetch(Team.fetchRequest())
                    }
                }
                expectEqual(error(path + ".new")?.code, .cannotOpen)
                let found = error(path)
                expectEqual(found?.code, .readOnly, "\(found.map { "\($0)" } ?? "")")
                // No process writes to this folder, so the file can be read directly.
                let container = try LeagueModel.definition.testContainer(
                    at: path,
                    options: StoreOptions(isReadOnly: true)
                )
                let context = container.newContext()
                expectEqual(try context.fetch(Team.fetchRequest()).map(\.name), ["Reds"])
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder)
            expectEqual(try FileManager.default.contentsOfDirectory(atPath: folder), ["store.sqlite"])
            expectEqual(FileManager.default.contents(atPath: path), before)
        }
    }

    @Test(.onlySQLite(.files)) func storeInAnUnwritableFolder() {
        let error = #expect(throws: StoreError.self) {
            try LeagueModel.definition.testContainer(at: "/proc/store.sqlite")
        }
        expectEqual(error?.code, .cannotOpen)
    }

    /// The write-ahead log cannot be created because a folder has its name.
    @Test(.onlySQLite(.files)) func logThatCannotBeCreated() throws {
        try withStorePath { path in
            do {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
            }
            let before = FileManager.default.contents(atPath: path)
            try FileManager.default.createDirectory(atPath: path + "-wal", withIntermediateDirectories: true)
            let error = #expect(throws: StoreError.self) {
                try LeagueModel.definition.testContainer(at: path).newContext().fetch(Team.fetchRequest())
            }
            expectEqual(error?.code, .cannotOpen)
            expectEqual(FileManager.default.contents(atPath: path), before)
            try FileManager.default.removeItem(atPath: path + "-wal")
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            expectEqual(try context.fetch(Team.fetchRequest()).map(\.name), ["Reds"])
        }
    }

    /// The operating system refuses to let a file grow, as with a disk quota.
    @Test(.onlySQLite(.files)) func storeFileAtTheSizeLimit() async {
        await #expect(processExitsWith: .success) {
            func limit(_ bytes: UInt) {
                var limit = rlimit()
                getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                limit.rlim_cur = min(bytes, limit.rlim_max)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            }
            signal(SIGXFSZ, SIG_IGN)
            try withStorePath { path in
                limit(1_000)
                #expect(throws: StoreError.self) { try LeagueModel.definition.testContainer(at: path) }
                limit(.max)
                let container = try LeagueModel.definition.testContainer(at: path)
                let context = container.newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
                let team = Team(context: context, name: String(repeating: "x", count: 1_000_000))
                let values = [Team.Values(objectID: ObjectID(), name: team.name, city: nil)]
                limit(200_000)
                let error = #expect(throws: StoreError.self) { try context.save() }
                #expect([.full, .statementFailed, .outcomeUnknown].contains(error?.code))
                #expect(team.isInserted && team.name.count == 1_000_000)
                #expect(throws: StoreError.self) { try context.insertValues(values) }
                limit(.max)
                try context.save()
                try context.insertValues(values)
                let counts = try container.newContext().fetch(Team.fetchRequest()).map(\.name.count)
                expectEqual(counts.sorted(), [4, 1_000_000, 1_000_000])
            }
        }
    }

    /// Another program locks the file exclusively, even for reading.
    @Test(.onlySQLite(.files)) func aStoreThatAnotherProcessHoldsAlone() throws {
        try withStorePath { path in
            do {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
            }
            let options = StoreOptions(busyTimeout: .milliseconds(30))
            func names() throws -> [String] {
                let container = try LeagueModel.definition.testContainer(at: path, options: options)
                let context = container.newContext()
                return try context.fetch(Team.fetchRequest()).map(\.name)
            }
            var other: SQLiteConnection? = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try other?.execute(
                "PRAGMA locking_mode=EXCLUSIVE; BEGIN EXCLUSIVE; UPDATE \"_sequence\" SET \"next\" = \"next\""
            )
            let error = #expect(throws: StoreError.self) { try names() }
            expectEqual(error?.code, .busy)
            other = nil
            expectEqual(try names(), ["Reds"])
        }
    }

    /// Another program locks the file exclusively while this process has it open, which is possible without a
    /// write-ahead log.
    @Test(.onlySQLite(.files)) func readersHonorTheBusyTimeout() throws {
        try withStorePath { path in
            do {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
            }
            let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
            expectEqual(try other.text("PRAGMA journal_mode=DELETE"), "delete")
            let options = StoreOptions(isReadOnly: true, busyTimeout: .milliseconds(30))
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let store = try sqlite(container)
            expectEqual(store.readers.statistics.idleCount, 0)
            try other.execute("BEGIN EXCLUSIVE")
            let opening = #expect(throws: StoreError.self) { try container.newContext().fetch(Team.fetchRequest()) }
            expectEqual(opening?.code, .busy)
            try other.execute("ROLLBACK")
            expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.name), ["Reds"])
            expectEqual(store.readers.statistics.idleCount, 1)
            try other.execute("BEGIN EXCLUSIVE")
            let reading = #expect(throws: StoreError.self) { try container.newContext().fetch(Team.fetchRequest()) }
            expectEqual(reading?.code, .busy)
            try other.execute("ROLLBACK")
            expectEqual(try store.read { try $0.integer("PRAGMA busy_timeout") }, 30)
            expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.name), ["Reds"])
        }
    }

    /// The connections for writing and for reading, of stores on disk, in memory, and opened read-only.
    @Test(.onlySQLite(.files)) func everyConnectionHasTheBusyTimeout() throws {
        try withTeams { path, _ in
            let waits: [(Duration, Int64)] = [
                (.milliseconds(1_500), 1_500), (.zero, 0), (.seconds(-1), 0), (.seconds(Int64.max), Int64(Int32.max)),
            ]
            for (path, isReadOnly) in [(path, false), (path, true), (":memory:", false)] {
                for (timeout, milliseconds) in waits {
                    let options = StoreOptions(isReadOnly: isReadOnly, busyTimeout: timeout)
                    let store = try sqlite(
                        try LeagueModel.definition.testContainer(at: path, options: options)
                    )
                    expectEqual(try store.read { try $0.integer("PRAGMA busy_timeout") }, milliseconds)
                    if isReadOnly { continue }
                    expectEqual(try store.write { try $0.integer("PRAGMA busy_timeout") }, milliseconds)
                }
            }
        }
    }

    @Test(.onlySQLite(.files)) func aFullDisk() throws {
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
            expectEqual(error?.code, .full)
            #expect(team.isInserted && team.objectID == id && team.name.count == 1_000_000)
            try limit("1073741823")
            try context.save()
            let fresh = container.newContext()
            #expect((try fresh.existingObject(with: id) as? Team)?.name.count == 1_000_000)
        }
    }

    @Test(.onlySQLite(.files)) func aStoreThatAnotherProcessHolds() throws {
        try withTeams { path, _ in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(busyTimeout: .milliseconds(30))
            )
            // For SQLite, another connection is equivalent to another process.
            let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try other.execute("BEGIN IMMEDIATE")
            let context = container.newContext()
            let team = Team(context: context, name: "Late")
            let error = #expect(throws: StoreError.self) { try context.save() }
            expectEqual(error?.code, .busy)
            #expect(team.isInserted)
            try other.execute("ROLLBACK")
            try context.save()
            #expect(team.objectID.key < PersistentStore.firstProvisionalKey)
            let fresh = container.newContext()
            expectEqual(try fresh.count(for: Team.fetchRequest().where(\.name == "Late")), 1)
        }
    }

    /// A save waits for another process that locks the store for less than the timeout (C5).
    @Test(.onlySQLite(.files)) func aStoreThatAnotherProcessHoldsForAWhile() throws {
        try withTeams { path, _ in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(busyTimeout: .seconds(60))
            )
            let (isHeld, isWanted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let isReleased = Mutex(false)
            let failure = Mutex<String?>(nil)
            let other = Thread {
                do {
                    let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
                    try other.execute("BEGIN IMMEDIATE; UPDATE \"Team\" SET \"city\" = 'Ulm' WHERE \"name\" = 'Team 7'")
                    isHeld.signal()
                    isWanted.wait()
                    // The save reaches the lock in the meantime. If it finds the lock free instead, the test proves
                    // nothing, but does not fail.
                    Thread.sleep(forTimeInterval: 0.1)
                    isReleased.withLock { $0 = true }
                    try other.execute("COMMIT")
                } catch {
                    failure.withLock { $0 = "\(error)" }
                    isHeld.signal()
                }
            }
            other.start()
            isHeld.wait()
            let context = container.newContext()
            let late = Team(context: context, name: "Late")
            isWanted.signal()
            try context.save()
            #expect(isReleased.withLock { $0 } && failure.withLock { $0 } == nil)
            #expect(!late.hasChanges)
            let names = try container.newContext().fetch(Team.fetchRequest().where(\.city == "Ulm" || \.name == "Late"))
            expectEqual(names.map(\.name).sorted(), ["Late", "Team 7"])
        }
    }

    // MARK: Values

    @Test func notANumber() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
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
        expectEqual(error?.failures.map(\.propertyName).sorted(), ["day", "price", "ratio", "temperature"])
        let codes = Set(error?.failures.filter { $0.propertyName != "day" }.map(\.code) ?? [])
        expectEqual(codes, [.managedObjectValidation])
        expectEqual(error?.failures.first { $0.propertyName == "day" }?.code, .invalidDate)
        #expect(
            error?.description.contains(
                "is not a number (NaN), which the store cannot represent; set another value (1550)"
            ) == true
        )
        reading.day = Date(timeIntervalSinceReferenceDate: 1)
        reading.temperature = -0.0
        reading.price = 1
        reading.ratio = .infinity
        try context.save()
    }

    @Test func notANumberByKey() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let day = Date(timeIntervalSinceReferenceDate: 0)
        let reading = Reading(context: context, bytes: Data(), day: day, identifier: UUID())
        for key in ["temperature", "price", "ratio"] { reading.setValue(Double.nan, forKey: key) }
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName).sorted(), ["price", "ratio", "temperature"])
        #expect(reading.isInserted)
        reading.setValue(1, forKey: "temperature")
        reading.setValue(1, forKey: "price")
        reading.setValue(nil, forKey: "ratio")
        try context.save()
        let values: [Reading.Values] = try context.fetchValues(Reading.fetchRequest())
        #expect(values.map(\.temperature) == [1] && values.map(\.price) == [1] && values.map(\.ratio) == [nil])
    }

    @Test(.onlySQLite(.nul)) func textWithNUL() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let name = "a\u{0}b\u{0}"
            let team = Team(context: context, name: name)
            try context.save()
            let fresh = container.newContext()
            #expect((try fresh.existingObject(with: team.objectID) as? Team)?.name == name)
            expectEqual(try fresh.count(for: Team.fetchRequest().where(\.name == name)), 1)
            expectEqual(try fresh.count(for: Team.fetchRequest().where(\.name == "a")), 0)
            let values: [Team.Values] = try fresh.fetchValues(Team.fetchRequest())
            expectEqual(values.map(\.name), [name])
        }
    }

    // MARK: Objects

    /// Changes to deleted objects are neither saved nor an error, and a rollback restores the saved values.
    @Test func changesToDeletedObjects() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "Reds")
        let ann = Player(context: context, name: "Ann")
        ann.team = team
        try context.save()
        func change() {
            context.delete(team)
            team.name = "Blues"
            team.setValue("Bergen", forKey: "city")
        }
        change()
        #expect(team.isDeleted && !team.isUpdated && team.name == "Blues")
        #expect(context.updatedObjects == [ann] && context.deletedObjects == [team])
        context.rollback()
        #expect(!team.isDeleted && team.name == "Reds" && team.city == nil && ann.team === team)
        #expect(!context.hasChanges)
        change()
        try context.save()
        #expect(team.managedObjectContext == nil && !team.isDeleted && !context.hasChanges)
        let fresh = container.newContext()
        #expect(try fresh.fetch(Team.fetchRequest()).isEmpty)
        expectEqual(try fresh.fetch(Player.fetchRequest()).map(\.team), [nil])
    }

    /// No row in the store references a deleted object that was assigned to a relationship.
    @Test func relationshipsToDeletedObjects() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "Reds")
        let (ann, bob) = (Player(context: context, name: "Ann"), Player(context: context, name: "Bob"))
        try context.save()
        context.delete(team)
        ann.team = team
        team.addToPlayers(bob)
        #expect(team.isDeleted && context.updatedObjects == [ann, bob])
        try context.save()
        let fresh = container.newContext()
        expectEqual(try fresh.fetch(Player.fetchRequest()).map(\.team), [nil, nil])
    }

    /// D7: a deleted object keeps its last values, and has no context.
    @Test func useAfterDeletion() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        context.delete(team)
        try context.save()
        #expect(team.name == "Reds" && team.managedObjectContext == nil && !team.isDeleted)
    }

    @Test func useAfterTheContextDied() throws {
        var context: ManagedObjectContext? = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: try #require(context), name: "Reds")
        context = nil
        #expect(team.name == "Reds" && team.managedObjectContext == nil)
    }
}
