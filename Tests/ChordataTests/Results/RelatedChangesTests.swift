import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Lists whose rows depend on properties of a to-one destination, which another context changes.
struct RelatedChangesTests {
    /// A list that reads the team's city for one of three purposes.
    enum Reading: CaseIterable { case sortKey, section, predicate }
    /// The state of the team in the list's context.
    enum Known: CaseIterable { case object, fault, nothing }

    private struct List {
        let container: PersistentContainer
        let controller: FetchedResultsController<Player>
        let table = ResultsTable<Player>()
        /// Keeps the team registered.
        let team: Team?

        init(_ reading: Reading, _ known: Known, path: String) throws {
            container = try LeagueModel.definition.testContainer(at: path)
            let writer = container.newContext()
            let team = Team(context: writer, name: "Reds")
            team.city = "Ulm"
            for number in 0..<5 { Player(context: writer, name: "P\(number)").team = team }
            try writer.save()
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            var request = Player.fetchRequest().sorted(by: \.name)
            switch reading {
            case .sortKey, .section: request = Player.fetchRequest().sorted(by: "team.city").sorted(by: \.name)
            case .predicate: request = try request.where(format: "team.city == 'Ulm'")
            }
            controller = FetchedResultsController(
                fetchRequest: request,
                managedObjectContext: context,
                sectionNameKeyPath: reading == .section ? "team.city" : nil
            )
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            self.team = known == .nothing ? nil : try context.fetchOne(Team.fetchRequest())
            if known == .fault, let team = self.team { context.refresh(team, mergeChanges: false) }
            context.processPendingChanges()
        }

        /// Lets another context change the store, and returns the number of reported changes of each kind.
        func changes(_ body: (Team, ManagedObjectContext) throws -> Void) throws -> [FetchedResultsChangeType: Int] {
            let writer = container.newContext()
            try body(try #require(try writer.fetchOne(Team.fetchRequest())), writer)
            try writer.save()
            return try merged()
        }

        func merged() throws -> [FetchedResultsChangeType: Int] {
            let before = table.willCount
            controller.managedObjectContext.processPendingChanges()
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
            guard table.willCount > before else { return [:] }
            return Dictionary(table.changes.map { ($0.type, 1) }, uniquingKeysWith: +)
        }
    }

    private func withList(
        _ reading: Reading,
        _ known: Known,
        _ body: (List) throws -> Void
    ) throws {
        try withStorePath { path in try body(try List(reading, known, path: path)) }
    }

    /// If a team gets another player, or loses a player, its city is the same, so the rows of its other players are not
    /// reported.
    @Test(arguments: Reading.allCases, Known.allCases) func siblingsAreNotReported(_ reading: Reading, _ known: Known)
        throws
    {
        try withList(reading, known) { list in
            let added = try list.changes { team, context in Player(context: context, name: "new").team = team }
            expectEqual(added, [.insert: 1])
            let joined = try list.changes { team, context in
                team.addToPlayers(Player(context: context, name: "n2"))
            }
            expectEqual(joined, [.insert: 1])
            let removed = try list.changes { team, context in context.delete(try #require(team.players.first)) }
            expectEqual(removed, [.delete: 1])
            let renamed = try list.changes { team, _ in team.name = "Blues" }
            expectEqual(renamed, [:])
            expectEqual(list.controller.fetchedObjects?.count, 6)
        }
    }

    /// A change of the city is reported for all players, even if other saves precede or follow it.
    @Test(arguments: Reading.allCases, Known.allCases) func changesOfThePropertyAreReported(
        _ reading: Reading,
        _ known: Known
    ) throws {
        try withList(reading, known) { list in
            let writer = list.container.newContext()
            let team = try #require(try writer.fetchOne(Team.fetchRequest()))
            for change in [{ team.name = "Blues" }, { team.city = "Jena" }, { team.name = "Greens" }] {
                change()
                try writer.save()
            }
            let changes = try list.merged()
            if reading == .predicate {
                expectEqual(changes, [.delete: 5])
            } else {
                expectEqual(changes.values.reduce(0, +), 5)
            }
        }
    }

    /// A batch update runs between two saves.
    @Test(arguments: Reading.allCases) func fieldsOfABatchUpdateAreUnknown(_ reading: Reading) throws {
        try withList(reading, .object) { list in
            let writer = list.container.newContext()
            let team = try #require(try writer.fetchOne(Team.fetchRequest()))
            team.name = "Blues"
            try writer.save()
            let update = BatchUpdateRequest<Team>().setting(\.city, to: "Jena")
            writer.mergeChanges(try writer.execute(update).changes)
            team.name = "Greens"
            try writer.save()
            let changes = try list.merged()
            expectEqual(changes, reading == .predicate ? [.delete: 5] : changes)
            expectEqual(changes.values.reduce(0, +), 5)
        }
    }

    /// A rollback restores the team of a player; the other players of both teams have the same city as before.
    @Test(arguments: Reading.allCases) func siblingsAreNotReportedByARollback(_ reading: Reading) throws {
        try withList(reading, .object) { list in
            let context = list.controller.managedObjectContext
            let blues = Team(context: context, name: "Blues")
            blues.city = "Jena"
            Player(context: context, name: "blue").team = blues
            try context.save()
            let player = try #require(list.controller.fetchedObjects?.first { $0.name == "P2" })
            player.team = blues
            context.processPendingChanges()
            expectEqual(list.table.changes.map(\.type), [reading == .predicate ? .delete : .move])
            context.rollback()
            expectEqual(list.table.changes.map(\.type), [reading == .predicate ? .insert : .move])
            expectEqual(list.table.rows.flatMap { $0 }, list.controller.fetchedObjects?.map(\.objectID))
            // An unchanged team is refreshed.
            let count = list.table.willCount
            if let team = player.team { context.refresh(team, mergeChanges: true) }
            context.processPendingChanges()
            expectEqual(list.table.willCount, count)
            // The rollback restores the city itself.
            player.team?.city = "Bonn"
            context.processPendingChanges()
            context.rollback()
            expectEqual(list.table.changes.count, 5)
        }
    }

    /// The list belongs to a child context, whose parent merges.
    @Test(.onlySQLite(.childContexts)) func siblingsAreNotReportedInAChild() throws {
        try withList(.section, .object) { list in
            let parent = list.controller.managedObjectContext
            let child = ManagedObjectContext()
            child.parent = parent
            child.automaticallyMergesChangesFromParent = true
            let controller = FetchedResultsController(
                fetchRequest: list.controller.fetchRequest,
                managedObjectContext: child,
                sectionNameKeyPath: "team.city"
            )
            let table = ResultsTable<Player>()
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            let added = try list.changes { team, context in Player(context: context, name: "new").team = team }
            expectEqual(added, [.insert: 1])
            child.processPendingChanges()
            expectEqual(table.changes.map(\.type), [.insert])
            let team = try #require(list.team)
            Player(context: parent, name: "local").team = team
            parent.processPendingChanges()
            child.processPendingChanges()
            expectEqual(table.changes.map(\.type), [.insert])
            _ = try list.changes { team, _ in team.city = "Jena" }
            child.processPendingChanges()
            expectEqual(table.changes.count, 7)
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        }
    }
}
