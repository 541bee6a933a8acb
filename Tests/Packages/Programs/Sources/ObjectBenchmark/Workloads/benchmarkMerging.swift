import Chordata
import Contest

/// W12: merges a save of a thousand changed players into a context in which a tenth of all players is registered, and
/// into one in which all are registered.
func benchmarkMerging(_ stores: Stores) throws {
    let changeCount = min(1_000, max(1, stores.playerKeys.count / 10))
    let path = try stores.copy(.all)
    let container = try openChordata(path)
    let editor = container.newContext()
    let edited = try editor.fetch(Player.fetchRequest().sorted(by: \.score)).prefix(changeCount)
    let players = edited.map { ObjectID($0) }

    func contestant(registeredCount: Int) throws -> Contest.Contestant {
        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let changed = try players.map { try context.existingObject(with: $0) }
        let others = try context.fetch(Player.fetchRequest().limit(registeredCount))
        return .init(name: "\(registeredCount) registered") {
            context.processPendingChanges()
            for player in edited { player.score += 1 }
            try editor.save()
            return {
                context.processPendingChanges()
                return {
                    withExtendedLifetime(others) {
                        zip(edited, changed).reduce(0) { $0 + ($1.0.score == $1.1.score ? 1 : 0) }
                    }
                }
            }
        }
    }

    try Contest(
        "W12",
        title: "merge a save into another context",
        unit: "objects",
        count: changeCount,
        contestants: [
            contestant(registeredCount: max(1, stores.playerKeys.count / 10)),
            contestant(registeredCount: stores.playerKeys.count),
        ]
    ).run(rounds: rounds)
    _ = try stores.finish(path)
}
