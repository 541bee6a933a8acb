import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

struct FetchedResultsControllerTests {
    /// F21: changes of other entities, and of objects that do not match, cause no callback.
    @Test func nothingIsReportedForOtherObjects() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let controller = FetchedResultsController(
            fetchRequest: try Player.fetchRequest().where(format: "age > 5").sorted(by: \.name),
            managedObjectContext: context
        )
        let table = ResultsTable<Player>()
        controller.delegate = table
        try controller.performFetch()
        expectEqual(controller.sections?.count, 1)
        _ = Player(context: context, name: "young")
        _ = Team(context: context, name: "Reds")
        try context.save()
        expectEqual(table.willCount, 0)
    }

    /// F6, S32: a new request is used from the next `performFetch()` on, even if changes require reads of the store.
    @Test(arguments: [0, 10]) func anotherRequestWaitsForItsFetch(limit: Int) throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for index in 0..<4 { Team(context: context, name: "T\(index)").city = index < 2 ? "Ulm" : "Jena" }
        var request = try Team.fetchRequest().where(format: "city == 'Ulm'").sorted(by: \.name)
        request.fetchLimit = limit
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let table = ResultsTable<Team>()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        controller.fetchRequest = try Team.fetchRequest().where(format: "city == 'Jena'").sorted(by: \.name)
        controller.fetchRequest.fetchLimit = limit
        Team(context: context, name: "T9").city = "Ulm"
        context.processPendingChanges()
        expectEqual(controller.fetchedObjects?.map(\.name), ["T0", "T1", "T9"])
        expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        try controller.performFetch()
        expectEqual(controller.fetchedObjects?.map(\.name), ["T2", "T3"])
    }

    /// F2, F14: a change after which the rows of a section would not be consecutive does not update the list.
    @Test func failedUpdatesSetTheChangeError() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for (name, city) in [("1", "A"), ("2", "B")] { Team(context: context, name: name).city = city }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let table = ResultsTable<Team>()
        controller.delegate = table
        try controller.performFetch()
        Team(context: context, name: "3").city = "A"
        context.processPendingChanges()
        #expect(controller.changeError is FetchError)
        expectEqual(table.willCount, 0)
        expectEqual(controller.fetchedObjects?.map(\.name), ["1", "2"])
        // Later changes do not update the list either, because it does not include the earlier change.
        Team(context: context, name: "4").city = "B"
        context.processPendingChanges()
        #expect(table.willCount == 0 && controller.changeError is FetchError)
        expectEqual(controller.fetchedObjects?.map(\.name), ["1", "2"])
    }

    /// F3, S26: sections by properties of the model or of a to-one, and by computed properties of an extension.
    @Test func sectionsByKeyPaths() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        for (name, age) in [("Ann", 1), ("Amy", 1), ("Bob", 2)] as [(String, Int16)] {
            let player = Player(context: context, name: name)
            player.age = age
            if age == 1 { player.team = team }
        }
        func sections<Value>(_ sortKey: KeyPath<Player, Value>, by keyPath: KeyPath<Player, some Any>) throws
            -> ([String], FetchedResultsController<Player>)
        {
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: sortKey).sorted(by: \.name),
                managedObjectContext: context,
                sectionedBy: keyPath
            )
            try controller.performFetch()
            return (controller.sections?.map { "\($0.name): \($0.objects.map(\.name))" } ?? [], controller)
        }
        expectEqual(try sections(\.age, by: \.age).0, ["1: [\"Amy\", \"Ann\"]", "2: [\"Bob\"]"])
        let (byTeam, teams) = try sections(\.team?.name, by: \.team?.name)
        #expect(byTeam == [": [\"Bob\"]", "Reds: [\"Amy\", \"Ann\"]"] && teams.sectionNameKeyPath == "team.name")
        let (byInitial, controller) = try sections(\.name, by: \.initial)
        expectEqual(byInitial, ["A: [\"Amy\", \"Ann\"]", "B: [\"Bob\"]"])
        expectEqual(try sections(\.age, by: \.grade).0, [": [\"Amy\", \"Ann\"]", "2: [\"Bob\"]"])
        let table = ResultsTable<Player>()
        controller.delegate = table
        table.show(controller)
        try #require(controller.fetchedObjects?.first).name = "Cem"
        context.processPendingChanges()
        expectEqual(controller.sections?.map(\.name), ["A", "B", "C"])
        expectEqual(table.rows, controller.sections?.map { $0.objects.map(\.objectID) })
    }

    /// F15, F22, S28: a list without a delegate is not updated; a delegate that is set later is notified of the missed
    /// changes.
    @Test func changesMissedWithoutADelegate() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for name in ["B", "C", "D"] { _ = Team(context: context, name: name) }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        let table = ResultsTable<Team>()
        try controller.performFetch()
        table.show(controller)
        let teams = try #require(controller.fetchedObjects)
        context.delete(teams[0])
        teams[1].name = "E"
        _ = Team(context: context, name: "A")
        try context.save()
        expectEqual(controller.fetchedObjects, teams)
        controller.delegate = table
        _ = Player(context: context, name: "P")
        context.processPendingChanges()
        expectEqual(controller.fetchedObjects?.map(\.name), ["A", "D", "E"])
        #expect(table.rows == [controller.fetchedObjects?.map(\.objectID) ?? []] && table.willCount == 1)
        _ = Team(context: context, name: "F")
        context.processPendingChanges()
        #expect(table.rows == [controller.fetchedObjects?.map(\.objectID) ?? []] && table.willCount == 2)
    }

    /// F11, S36: the titles are the titles of the current delegate at the time of the access.
    @Test func sectionIndexTitlesOfANewDelegate() throws {
        final class Titles: FetchedResultsControllerDelegate {
            func controller(
                _ controller: FetchedResultsController<Team>,
                sectionIndexTitleForSectionName name: String
            ) -> String? { "#\(name)" }
        }
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        Team(context: context, name: "1").city = "ulm"
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.city),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        try controller.performFetch()
        expectEqual(controller.sectionIndexTitles, ["U"])
        let titles = Titles()
        controller.delegate = titles
        expectEqual(controller.sectionIndexTitles, ["#ulm"])
    }

    /// F35: unsaved objects are shown immediately, even if a fetch would exclude them.
    @Test func unsavedChangesAreAlwaysShown() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        _ = Team(context: context, name: "B")
        var request = Team.fetchRequest().sorted(by: \.name)
        request.includesPendingChanges = false
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let table = ResultsTable<Team>()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        expectEqual(controller.fetchedObjects?.map(\.name), ["B"])
        _ = Team(context: context, name: "A")
        context.processPendingChanges()
        expectEqual(controller.fetchedObjects?.map(\.name), ["A", "B"])
    }

    /// Events that do not affect a list read nothing, and a first fetch reads all sort values together.
    @Test(.onlySQLite(.statements)) func statements() throws {
        try withStorePath { path in
            let log = StatementLog()
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(statementLogger: StatementLogger { log.add($0) })
            )
            let writer = container.newContext()
            for number in 0..<10 {
                let team = Team(context: writer, name: "T\(number)")
                team.city = number < 5 ? "Ulm" : "Jena"
                Player(context: writer, name: "P\(number)").team = team
            }
            try writer.save()
            let context = container.newContext()
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: "team.city").sorted(by: "team.name").offset(2),
                managedObjectContext: context,
                sectionNameKeyPath: "team.city"
            )
            let table = ResultsTable<Player>()
            controller.delegate = table
            _ = log.take()
            try controller.performFetch()
            let selections = log.take().map(\.sql).filter { $0.hasPrefix("SELECT") }
            expectEqual(selections.count, 2, "\(selections)")
            table.show(controller)
            _ = Team(context: context, name: "T")
            context.processPendingChanges()
            #expect(log.take().filter { $0.sql.hasPrefix("SELECT") }.isEmpty)
            Player(context: context, name: "P").team = controller.fetchedObjects?[0].team
            context.processPendingChanges()
            #expect(!log.take().filter { $0.sql.hasPrefix("SELECT") }.isEmpty)
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        }
    }

    /// F2, F14: two sections never have the same name.
    @Test func sectionsThatDoNotGroupAreAnError() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for (name, city) in [("1", "A"), ("2", "B"), ("3", "A")] { Team(context: context, name: name).city = city }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let error = #expect(throws: FetchError.self) { try controller.performFetch() }
        #expect(error?.description.contains("'city'") == true)
    }
}

extension Player {
    fileprivate var initial: String { String(name.prefix(1)) }
    fileprivate var grade: Int? { age < 2 ? nil : Int(age) }
}
