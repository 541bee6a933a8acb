import Chordata
import ChordataTestStores

/// Makes a context whose objects can be observed, with a saved team and its player.
func makeObservedLeague() throws -> (
    container: PersistentContainer, context: ManagedObjectContext, reds: Team, ann: Player
) {
    let container = try LeagueModel.definition.testContainer(at: ":memory:")
    let context = container.newContext()
    context.automaticallyMergesChangesFromParent = true
    context.isObservationEnabled = true
    let reds = Team(context: context, name: "Reds")
    let ann = Player(context: context, name: "Ann")
    ann.team = reds
    try context.save()
    return (container, context, reds, ann)
}
