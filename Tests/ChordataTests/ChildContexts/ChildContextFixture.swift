import ChordataTestStores
import Testing

@testable import Chordata

/// Helpers that the tests of child contexts share.
protocol ChildContextFixture {}

extension ChildContextFixture {
    /// Calls a closure with a parent that has the team Reds with two players, all saved, and with a child.
    func withFamily(
        _ place: String = "file",
        _ body: (_ parent: ManagedObjectContext, _ child: ManagedObjectContext, _ container: PersistentContainer) throws
            -> Void
    ) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: place == "file" ? path : place)
            let parent = container.newContext()
            let reds = Team(context: parent, name: "Reds")
            for name in ["Ann", "Bob"] { Player(context: parent, name: name).team = reds }
            try parent.save()
            try body(parent, makeChild(of: parent), container)
        }
    }

    func makeChild(of parent: ManagedObjectContext) -> ManagedObjectContext {
        let child = ManagedObjectContext(isolation: nil)
        child.parent = parent
        return child
    }

    func find<Object: ManagedObject>(_ name: String, _ context: ManagedObjectContext) throws -> Object {
        try #require(try context.fetchOne(FetchRequest<Object>().where(format: "name == %@", name)))
    }

    /// The names of the players.
    func names(_ context: ManagedObjectContext) throws -> [String] {
        try withExtendedLifetime(context) { try context.fetch(Player.fetchRequest().sorted(by: \.name)).map(\.name) }
    }

    /// A list of the players sorted by name, and a table that shows it.
    func showPlayers(of context: ManagedObjectContext) throws -> (
        FetchedResultsController<Player>, ResultsTable<Player>
    ) {
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        let table = ResultsTable<Player>()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        return (controller, table)
    }
}
