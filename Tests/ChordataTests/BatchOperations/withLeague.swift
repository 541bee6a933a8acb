import Chordata
import ChordataTestStores

/// Calls a closure with two saved teams: Reds, with players of 20, 30 and 40 years, and Blues, without players.
func withLeague(
    _ place: String = "file",
    _ body: (_ context: ManagedObjectContext, _ container: PersistentContainer) throws -> Void
) throws {
    try withStorePath { path in
        let container = try LeagueModel.definition.testContainer(at: place == "file" ? path : place)
        let context = container.newContext()
        let reds = Team(context: context, name: "Reds")
        for (name, age) in [("Ann", 20), ("Bob", 30), ("Cem", 40)] {
            let player = Player(context: context, name: name)
            player.age = Int16(age)
            player.team = reds
        }
        _ = Team(context: context, name: "Blues")
        try context.save()
        try body(context, container)
    }
}
