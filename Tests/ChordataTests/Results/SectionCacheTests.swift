import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The order and the sections of a list, which are stored next to the store for the next launch (`cacheName`).
@Suite(.serialized, .onlySQLite(.sectionCaches))
struct SectionCacheTests {
    /// A launch: a new container, a list of the players by team and name, and the statements of its first fetch.
    private final class Launch {
        let log = StatementLog()
        let container: PersistentContainer
        let context: ManagedObjectContext
        private(set) var controller: FetchedResultsController<Player>
        /// The statements that read objects.
        private(set) var reads: [String] = []

        init(
            at path: String,
            _ request: FetchRequest<Player> = SectionCacheTests.request,
            sections: String? = "team.name",
            cacheName: String? = "players",
            before: (ManagedObjectContext) throws -> Void = { _ in }
        ) throws {
            let options = StoreOptions(statementLogger: StatementLogger { [log] in log.add($0) })
            container = try LeagueModel.definition.testContainer(at: path, options: options)
            context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            try before(context)
            controller = FetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: sections,
                cacheName: cacheName
            )
            _ = log.take()
            try controller.performFetch()
            reads = log.take().map(\.sql).filter { $0.hasPrefix("SELECT") && !$0.contains("\"_metadata\"") }
        }

        var isSorted: Bool { reads.contains(where: SectionCacheTests.sorts) }
        var rows: [[String]] { controller.sections?.map { [$0.name] + $0.objects.map(\.name) } ?? [] }
    }

    /// Returns whether a statement sorts; a table is already in the order of its row keys.
    private static func sorts(_ sql: String) -> Bool {
        sql.contains("ORDER BY") && !sql.hasSuffix("ORDER BY t0.\"_id\"")
    }

    private static var request: FetchRequest<Player> {
        Player.fetchRequest().sorted(by: \.team?.name).sorted(by: \.name)
    }

    private func withTeams(_ body: (_ path: String) throws -> Void) throws {
        try withStorePath { path in
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            for (name, players) in [("Reds", ["Ann", "Cem"]), ("Blues", ["Eve", "Bob", "Dan"])] {
                let team = Team(context: context, name: name)
                for player in players { Player(context: context, name: player).team = team }
            }
            try context.save()
            try body(path)
        }
    }

    private let rows = [["Blues", "Bob", "Dan", "Eve"], ["Reds", "Ann", "Cem"]]

    /// S27: a second launch neither sorts nor computes sections.
    @Test(arguments: [0, 2]) func secondLaunch(batchSize: Int) throws {
        try withTeams { path in
            let request = Self.request.batchSize(batchSize)
            let first = try Launch(at: path, request)
            #expect(first.isSorted && first.rows == rows)
            for _ in 1...2 {
                let second = try Launch(at: path, request)
                #expect(!second.isSorted, "\(second.reads)")
                // If not all rows of a table are read, the matching rows are fetched without an order.
                expectEqual(second.reads.count, batchSize > 0 ? 3 : 2, "the players and their teams: \(second.reads)")
                expectEqual(second.rows, rows)
            }
            #expect(try Launch(at: path, request, cacheName: nil).isSorted)
        }
    }

    /// A list from a cache is updated like any other list.
    @Test func followsChanges() throws {
        try withTeams { path in
            _ = try Launch(at: path)
            let second = try Launch(at: path)
            let table = ResultsTable<Player>()
            second.controller.delegate = table
            table.show(second.controller)
            let bob = second.controller.object(at: IndexPath(row: 0, section: 0))
            bob.name = "Zoe"
            bob.team?.name = "Yellows"
            _ = Player(context: second.context, name: "Fay")
            try second.context.save()
            expectEqual(second.rows, [["", "Fay"], ["Reds", "Ann", "Cem"], ["Yellows", "Dan", "Eve", "Zoe"]])
            expectEqual(table.rows.map(\.count), [1, 2, 3])
        }
    }

    /// F42: any change of the store invalidates the cache, whatever its origin; the next fetch caches the new state.
    @Test func changesOfTheStore() throws {
        try withTeams { path in
            _ = try Launch(at: path)
            let second = try Launch(at: path) { context in
                (try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Ann")))).name = "Zoe"
                try context.save()
            }
            #expect(second.isSorted && second.rows[1] == ["Reds", "Cem", "Zoe"])
            #expect(try !Launch(at: path).isSorted)
            let batch = try Launch(at: path) { context in
                let request = BatchUpdateRequest<Team>().where(\.name == "Reds").setting(\.name, to: "Aces")
                _ = try context.execute(request)
            }
            #expect(batch.isSorted && batch.rows.map(\.first) == ["Aces", "Blues"])
            let values = try Launch(at: path) { context in
                try context.insertValues([Player.Values(objectID: ObjectID(), name: "Fay", age: 0, team: nil)])
            }
            #expect(values.isSorted && values.rows.count == 3)
            // Another program, which has the store open in the meantime, makes the changes.
            let (one, other) = (try Launch(at: path), try Launch(at: path))
            #expect(!one.isSorted && !other.isSorted)
            for launch in [one, other, one, other] {
                _ = Player(context: launch.context, name: "New")
                try launch.context.save()
                #expect(try Launch(at: path).isSorted)
                #expect(try !Launch(at: path).isSorted)
            }
        }
    }

    /// F41: a cache belongs to one request; another request does not use it.
    @Test func requests() throws {
        try withTeams { path in
            let variants: [(FetchRequest<Player>, String?)] = try [
                (Self.request, "team.name"), (Self.request, nil),
                (Self.request.where(\.name != "Bob"), "team.name"), (Self.request.where(\.name != "Ann"), "team.name"),
                (Self.request.where(format: "name IN %@", ["Ann", "Bob"]), "team.name"),
                (Self.request.limit(2), "team.name"), (Self.request.limit(3), "team.name"),
                (Self.request.offset(1), "team.name"),
                (Player.fetchRequest().sorted(by: \.team?.name, .descending), "team.name"),
                (Player.fetchRequest().sorted(by: \.team), "team"),
            ]
            for (request, sections) in variants {
                let expected = try Launch(at: path, request, sections: sections, cacheName: nil).rows
                #expect(try Launch(at: path, request, sections: sections).isSorted)
                let again = try Launch(at: path, request, sections: sections)
                #expect(!again.isSorted && again.rows == expected, "\(again.reads)")
            }
        }
    }

    /// A list that depends on more than the store is computed at each fetch.
    @Test func listsThatAreNotCached() throws {
        try withTeams { path in
            for _ in 1...2 {
                let unsaved = try Launch(at: path) { Player(context: $0, name: "Fay").team = nil }
                #expect(unsaved.isSorted && unsaved.rows.count == 3)
                let moment = try Launch(at: path, Self.request.where(format: "CAST(now(), 'NSNumber') > age"))
                #expect(moment.isSorted)
            }
            let context = try Launch(at: path).context
            for _ in 1...2 {
                let computed = FetchedResultsController(
                    fetchRequest: Player.fetchRequest().sorted(by: \.name),
                    managedObjectContext: context,
                    sectionedBy: \.initial,
                    cacheName: "initials"
                )
                try computed.performFetch()
                expectEqual(computed.sections?.map(\.name), ["A", "B", "C", "D", "E"])
            }
            expectEqual(try FileManager.default.contentsOfDirectory(atPath: path + "-sections").count, 1)
        }
    }

    /// A registered object is older than its row in the store: the cached section is that of the row.
    @Test func olderObjects() throws {
        try withTeams { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = try #require(try context.fetchOne(Team.fetchRequest().where(\.name == "Reds")))
            expectEqual(team.name, "Reds")
            let other = container.newContext()
            let reds = try #require(try other.fetchOne(Team.fetchRequest().where(\.name == "Reds")))
            reds.name = "Aces"
            try other.save()
            let controller = FetchedResultsController(
                fetchRequest: Self.request,
                managedObjectContext: context,
                sectionNameKeyPath: "team.name",
                cacheName: "players"
            )
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["Blues", "Reds"], "the object is not refreshed")
            let second = try Launch(at: path)
            #expect(!second.isSorted && second.rows == [["Aces", "Ann", "Cem"], ["Blues", "Bob", "Dan", "Eve"]])
            // Now there is a valid cache, but not for contexts with older objects.
            try controller.performFetch()
            expectEqual(controller.sections?.map(\.name), ["Blues", "Reds"])
            #expect(try !Launch(at: path).isSorted)
            expectEqual(team.name, "Reds")
        }
    }

    /// After any changes of the store, a list with a cache is equal to a list without a cache.
    @Test(arguments: 0..<6 as Range<UInt64>) func law(seed: UInt64) throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            var game = try RandomContextEvents(container, seed: seed)
            let kinds = ResultsLawTests.Kind.allCases
            let listings = try kinds.map { try ResultsLawTests.request($0, random: &game.random) }
            var useCount = 0
            for step in 0..<200 {
                if Bool.random(using: &game.random) { try game.makeEvent() }
                let number = Int.random(in: 0..<listings.count, using: &game.random)
                var (request, sectionKey) = listings[number]
                if Bool.random(using: &game.random) { request.fetchBatchSize = 3 }
                // A context that has unsaved changes and older objects, or a new context.
                let context = Bool.random(using: &game.random) ? game.context : container.newContext()
                let lists = [nil, "\(number)"].map { cacheName in
                    FetchedResultsController(
                        fetchRequest: request,
                        managedObjectContext: context,
                        sectionNameKeyPath: sectionKey,
                        cacheName: cacheName
                    )
                }
                for list in lists {
                    _ = log.take()
                    try list.performFetch()
                }
                if !log.take().contains(where: { Self.sorts($0.sql) }) { useCount += 1 }
                expectEqual(lists[0].snapshot, lists[1].snapshot, "seed \(seed), step \(step), \(number)")
            }
            #expect(useCount > 10, "seed \(seed)")
        }
    }

    /// F44: an invalid file counts as a missing one.
    @Test func damagedFiles() throws {
        try withTeams { path in
            _ = try Launch(at: path)
            let directory = path + "-sections"
            let name = try #require(try FileManager.default.contentsOfDirectory(atPath: directory).first)
            let file = URL(filePath: directory + "/" + name)
            let whole = try Data(contentsOf: file)
            #expect(try !Launch(at: path).isSorted)
            var damaged: [Data] = [
                Data(), Data("Chordata sections 1\n".utf8), whole.prefix(50), whole.dropLast(), whole + [0],
            ]
            for index in stride(from: 0, to: whole.count, by: 7) {
                var copy = whole
                copy[index] ^= 0x41
                damaged.append(copy)
            }
            for data in damaged {
                try data.write(to: file)
                let launch = try Launch(at: path)
                #expect(launch.isSorted && launch.rows == rows)
            }
            // No cache file can be created.
            try FileManager.default.removeItem(atPath: directory)
            try Data().write(to: URL(filePath: directory))
            #expect(try Launch(at: path).isSorted && Launch(at: path).isSorted)
        }
    }

    /// Another program writes with SQL: cached sections that are outdated are not used.
    @Test func changesByOtherPrograms() throws {
        try withTeams { path in
            for sql in [
                "UPDATE \"Player\" SET \"name\" = 'Aaa' WHERE \"name\" = 'Dan'",
                "DELETE FROM \"Player\" WHERE \"name\" = 'Eve'",
            ] {
                _ = try Launch(at: path)
                do {
                    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                    try connection.execute(sql)
                }
                let launch = try Launch(at: path)
                #expect(launch.isSorted)
                expectEqual(launch.rows, try Launch(at: path, cacheName: nil).rows)
            }
        }
    }

    /// Rows that no longer match, and rows that now match.
    @Test(arguments: [0, 2]) func matchesChangedByOtherPrograms(limit: Int) throws {
        try withTeams { path in
            let request = Self.request.where(\.age == 0).limit(limit)
            for (name, age) in [("Bob", 9), ("Dan", 9), ("Dan", 0)] {
                _ = try Launch(at: path, request)
                do {
                    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                    try connection.execute("UPDATE \"Player\" SET \"age\" = \(age) WHERE \"name\" = '\(name)'")
                }
                // New rows of a limited list are not noticed.
                if limit > 0, age == 0 { FetchedResultsController<Player>.deleteCache(withName: "players") }
                let launch = try Launch(at: path, request)
                #expect(launch.isSorted)
                expectEqual(launch.rows, try Launch(at: path, request, cacheName: nil).rows)
            }
        }
    }

    /// A file with the right hash that names entities that are not in the list.
    @Test func otherEntities() throws {
        try withTeams { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let team = try #require(store.schema.runtimeEntity(named: "Team"))
            func cache(_ includes: @escaping (RuntimeEntity) -> Bool) -> SectionCache {
                SectionCache(named: "players", of: store, contents: "c", shape: [], includes: includes)
            }
            var layout = SectionCache.Layout(ids: [ManagedObjectID(runtimeEntity: team, key: 1)])
            layout.sections = [SectionCache.Layout.Section(name: "", count: 1)]
            cache { _ in true }.write(layout)
            expectEqual(cache { $0 === team }.read()?.ids, layout.ids)
            #expect(cache { $0 !== team }.read() == nil)
        }
    }

    /// Files that any program could have created: pipes, folders, and incomplete files.
    @Test func foreignFiles() throws {
        try withTeams { path in
            _ = try Launch(at: path)
            let folder = path + "-sections"
            let file = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
            try FileManager.default.removeItem(atPath: folder + "/" + file)
            expectEqual(mkfifo(folder + "/" + file, 0o600), 0)
            expectEqual(try Launch(at: path).rows, rows, "a pipe does not block")
            #expect(try !Launch(at: path).isSorted, "it is replaced")
            let precious = folder + "/" + String(repeating: "a", count: 64)
            try FileManager.default.createDirectory(atPath: precious, withIntermediateDirectories: true)
            try Data("mine".utf8).write(to: URL(filePath: precious + "/note.txt"))
            try Data().write(to: URL(filePath: folder + "/" + file + ".unfinished"))
            FetchedResultsController<Player>.deleteCache(withName: "players")
            expectEqual(
                try FileManager.default.contentsOfDirectory(atPath: folder),
                [String(repeating: "a", count: 64)]
            )
            #expect(FileManager.default.fileExists(atPath: precious + "/note.txt"))
        }
    }

    /// F43.
    @Test func deletion() throws {
        try withTeams { path in
            let names = ["players", "a/../b", String(repeating: "long", count: 200), ""]
            for name in names { _ = try Launch(at: path, cacheName: name) }
            for name in names { #expect(try !Launch(at: path, cacheName: name).isSorted) }
            FetchedResultsController<Player>.deleteCache(withName: names[1])
            for name in names { expectEqual(try Launch(at: path, cacheName: name).isSorted, name == names[1]) }
            for name in names { #expect(try !Launch(at: path, cacheName: name).isSorted) }
            FetchedResultsController<Player>.deleteCache(withName: nil)
            for name in names { #expect(try Launch(at: path, cacheName: name).isSorted) }
            for name in names { #expect(try !Launch(at: path, cacheName: name).isSorted) }
            // Files of other programs are kept.
            let note = path + "-sections/note.txt"
            try Data("mine".utf8).write(to: URL(filePath: note))
            FetchedResultsController<Player>.deleteCache(withName: nil)
            expectEqual(try FileManager.default.contentsOfDirectory(atPath: path + "-sections"), ["note.txt"])
            try FileManager.default.removeItem(atPath: note)
            _ = try Launch(at: path)
            try PersistentStoreCoordinator.destroyPersistentStore(at: path)
            #expect(!FileManager.default.fileExists(atPath: path + "-sections"))
        }
    }
}

extension Player {
    fileprivate var initial: String { String(name.prefix(1)) }
}
