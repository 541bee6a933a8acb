import Chordata
import Foundation
import Testing

struct FetchedResultsControllerTests {
    @Test func nothingIsReportedForOtherObjects() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        let controller = FetchedResultsController(
            fetchRequest: try Player.fetchRequest().where(format: "age > 5").sorted(by: \.name),
            managedObjectContext: context
        )
        let table = ResultsTable()
        controller.delegate = table
        try controller.performFetch()
        #expect(controller.sections?.count == 1)
        _ = Player(context: context, name: "young")
        _ = Team(context: context, name: "Reds")
        try context.save()
        #expect(table.willCount == 0)
    }

    /// A request that was set since counts from the next `performFetch()` on, also where the store has to be asked.
    @Test(arguments: [0, 10]) func anotherRequestWaitsForItsFetch(limit: Int) throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        for index in 0..<4 { Team(context: context, name: "T\(index)").city = index < 2 ? "Ulm" : "Jena" }
        var request = try Team.fetchRequest().where(format: "city == 'Ulm'").sorted(by: \.name)
        request.fetchLimit = limit
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let table = ResultsTable()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        controller.fetchRequest = try Team.fetchRequest().where(format: "city == 'Jena'").sorted(by: \.name)
        controller.fetchRequest.fetchLimit = limit
        Team(context: context, name: "T9").city = "Ulm"
        context.processPendingChanges()
        #expect(controller.fetchedObjects?.map(\.name) == ["T0", "T1", "T9"])
        #expect(table.rows.flatMap { $0 } == controller.fetchedObjects?.map(\.objectID))
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map(\.name) == ["T2", "T3"])
    }

    @Test func aListThatCannotFollowSaysWhy() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
        for (name, city) in [("1", "A"), ("2", "B")] { Team(context: context, name: name).city = city }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let table = ResultsTable()
        controller.delegate = table
        try controller.performFetch()
        Team(context: context, name: "3").city = "A"
        context.processPendingChanges()
        #expect(controller.changeError is FetchError)
        #expect(table.willCount == 0)
        #expect(controller.fetchedObjects?.map(\.name) == ["1", "2"])
        // What comes next is no reason to show a list without what came before.
        Team(context: context, name: "4").city = "B"
        context.processPendingChanges()
        #expect(table.willCount == 0 && controller.changeError is FetchError)
        #expect(controller.fetchedObjects?.map(\.name) == ["1", "2"])
    }

    @Test func sectionsThatDoNotGroupAreAnError() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext()
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
