import Chordata
import Contest
import Foundation

// The work with Chordata's own names.

/// Makes a store with players, 100 in each team.
func fillStore(at path: String, playerCount: Int) throws {
    let container = try LayerModel.container(at: path)
    let context = container.newContext(isolation: nil)
    insertPlayers(playerCount, context)
    try context.save()
    // Without a log next to it, the file can be copied.
    let store = container.persistentStoreCoordinator.persistentStores[0]
    try store.backUp(to: path + ".copy")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + ".copy", toPath: path)
}

private func insertPlayers(_ count: Int, _ context: ManagedObjectContext) {
    var team: Team?
    for number in 0..<count {
        if number % 100 == 0 { team = Team(context: context, name: "Team \(number / 100)", city: "City") }
        let player = Player(
            context: context,
            name: "Player \(number)",
            age: Int64(18 + number % 20),
            salary: Double(number),
            joined: Date(timeIntervalSinceReferenceDate: Double(number)),
            active: number % 4 != 0,
            uuid: UUID(),
            score: Int64(number % 1_000)
        )
        player.team = team
    }
}

/// Opens a store with a context for the calling task.
private func openForTask(_ path: String) throws -> ManagedObjectContext {
    try LayerModel.container(at: path).newContext(isolation: nil)
}

/// Opens a store with a context of the main actor, as the view context of Core Data's container belongs to the main
/// queue: a context of an actor schedules the end of each event, with a weak reference to the context.
private func openForMainActor(_ path: String) throws -> ManagedObjectContext {
    struct Box: @unchecked Sendable {  // The program has one thread.
        let context: ManagedObjectContext
    }
    let container = try LayerModel.container(at: path)
    return MainActor.assumeIsolated { Box(context: container.newContext()) }.context
}

private final class Follower: FetchedResultsControllerDelegate {
    var count = 0

    func controller(
        _ controller: FetchedResultsController<Player>,
        didChange object: Player,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        count += 1
    }
}

let nativeWay = makeNativeWay("chordata", openForTask)
let mainActorWay = makeNativeWay("main actor", openForMainActor)

private func makeNativeWay(_ name: String, _ open: @escaping (String) throws -> ManagedObjectContext) -> Way {
    Way(
        name: name,
        insert: { path, count in
            let context = try open(path)
            return {
                insertPlayers(count, context)
                try context.save()
                return { try context.count(for: Player.fetchRequest()) }
            }
        },
        fetch: { path in
            let context = try open(path)
            return {
                let players = try context.fetch(Player.fetchRequest())
                var sum = 0
                for player in players { sum &+= Int(player.score) &+ player.name.utf8.count }
                return { withExtendedLifetime(players) { sum } }
            }
        },
        lookUp: { path in
            let context = try open(path)
            let ids = try context.fetch(Player.fetchRequest().objectIDs)
            return {
                var sum = 0
                for id in ids {
                    guard let player = try context.existingObject(with: id) as? Player else { continue }
                    sum &+= Int(player.score)
                }
                return { sum }
            }
        },
        change: { path in
            let context = try open(path)
            let players = try context.fetch(Player.fetchRequest())
            return {
                for player in players { player.score += 1 }
                try context.save()
                return { players.reduce(0) { $0 &+ Int($1.score) } }
            }
        },
        delete: { path in
            let context = try open(path)
            let players = try context.fetch(Player.fetchRequest())
            return {
                for player in players { context.delete(player) }
                try context.save()
                return { try withExtendedLifetime(players) { try context.count(for: Player.fetchRequest()) } }
            }
        },
        traverse: { path in
            let context = try open(path)
            return {
                let players = try context.fetch(Player.fetchRequest().prefetching(\.team))
                var sum = 0
                for player in players { sum &+= player.team?.name.utf8.count ?? 0 }
                return { withExtendedLifetime(players) { sum } }
            }
        },
        filter: { path in
            let context = try open(path)
            return {
                var sum = 0
                for number in 0..<1_000 {
                    let request = try Player.fetchRequest().where(format: "score == %ld AND age > %ld", number, 30)
                    sum += try context.count(for: request)
                }
                return { sum }
            }
        },
        follow: { path in
            let context = try open(path)
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().where(\.score < 100).sorted(by: \.name),
                managedObjectContext: context
            )
            let follower = Follower()
            controller.delegate = follower
            try controller.performFetch()
            let players = Array((controller.fetchedObjects ?? []).prefix(100))
            return {
                for player in players {
                    player.name += "!"
                    context.processPendingChanges()
                }
                return { withExtendedLifetime((controller, context)) { follower.count } }
            }
        },
        saveOne: { path in
            let context = try open(path)
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name).limit(1_000))
            return {
                for player in players {
                    player.score += 1
                    try context.save()
                }
                return { players.reduce(0) { $0 &+ Int($1.score) } }
            }
        },
        updateInBatch: { path in
            let context = try open(path)
            return {
                let result = try context.execute(
                    BatchUpdateRequest<Player>().where(\.active == true).setting(\.score, to: 7)
                )
                return { result.updatedObjectsCount }
            }
        }
    )
}
