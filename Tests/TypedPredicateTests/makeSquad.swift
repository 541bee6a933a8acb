import Chordata
import ChordataTestStores

/// A store in memory with a context.
struct Squad {
    let context: ManagedObjectContext
    let container: PersistentContainer

    init() throws {
        container = try SquadModel.definition.testContainer(at: ":memory:")
        context = container.newContext()
    }

    /// All players, in the order in which they were made.
    var players: [Player] {
        context.insertedObjects.compactMap { $0 as? Player }.sorted { $0.objectID.key < $1.objectID.key }
    }

    func makePlayer(_ name: String = "Jo") -> Player { Player(context: context, name: name) }
    func makeTeam(_ name: String = "Reds") -> Team { Team(context: context, name: name) }
}
