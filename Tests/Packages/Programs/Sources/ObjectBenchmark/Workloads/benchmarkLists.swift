import Chordata
import Contest
import Foundation

// W8: a sorted list in sections that is kept up to date while rows change, one in each save. The cost of a list is the
// difference between the time of a change and the time of the bare save. Runs with other numbers of rows show that this
// cost depends on what changed, and not on the length of the list.

/// The number of changes that are timed together.
let listChangeCount = 500

/// Counts notifications.
private final class EventCounter: FetchedResultsControllerDelegate {
    private(set) var count = 0

    func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
        count += 1
    }
}

/// Makes one change after the other, each of a different row, which moves to another position in its section.
private func change(_ players: [Player], _ context: ManagedObjectContext, _ change: (Player, Int) -> Void) throws {
    for number in 0..<listChangeCount {
        change(players[number * 7919 % players.count], number)
        try context.save()
    }
}

private func contest(
    _ workload: String,
    _ title: String,
    _ stores: Stores,
    _ request: FetchRequest<Player>,
    sectionNameKeyPath: String?,
    _ edit: @escaping (Player, Int) -> Void
) throws {
    try Contest(
        workload,
        title: title,
        unit: "changes",
        count: listChangeCount,
        contestants: [
            .init(name: "bare save") {
                let path = try stores.copy(.all)
                let context = try openChordata(path).newContext()
                let players = try context.fetch(Player.fetchRequest())
                // For both contestants, the fetched rows are close to each other in memory.
                let shown = try context.fetch(request)
                return {
                    try change(players, context, edit)
                    return { try withExtendedLifetime((players, shown, context)) { try stores.finish(path) } }
                }
            },
            .init(name: "controller") {
                let path = try stores.copy(.all)
                let context = try openChordata(path).newContext()
                let players = try context.fetch(Player.fetchRequest())
                let controller = FetchedResultsController(
                    fetchRequest: request,
                    managedObjectContext: context,
                    sectionNameKeyPath: sectionNameKeyPath
                )
                let counter = EventCounter()
                controller.delegate = counter
                try controller.performFetch()
                return {
                    try change(players, context, edit)
                    return {
                        guard counter.count == listChangeCount, controller.changeError == nil else { return 0 }
                        return try withExtendedLifetime((players, controller)) { try stores.finish(path) }
                    }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W8: sorted by numbers.
func benchmarkLists(_ stores: Stores) throws {
    try contest(
        "W8",
        "change a row of a sorted list in sections, and save",
        stores,
        Player.fetchRequest().sorted(by: \.age).sorted(by: \.salary),
        sectionNameKeyPath: "age"
    ) { player, number in player.salary = Double(number * 104_729 % 100_000) }
}

/// W8: sorted by text, in a localized order.
func benchmarkLocalizedLists(_ stores: Stores) throws {
    try contest(
        "W8-localized",
        "change a row of a list sorted as people sort, and save",
        stores,
        Player.fetchRequest().sorted(by: \.name, comparing: .localizedStandard),
        sectionNameKeyPath: nil
    ) { player, number in player.name = "Player \(number * 104_729 % 100_000)" }
}

/// W8: the first fetch, into an array and into a list.
func benchmarkFirstLists(_ stores: Stores) throws {
    let request = Player.fetchRequest().sorted(by: \.age).sorted(by: \.salary)
    try Contest(
        "W8-first",
        title: "fetch sorted rows into an array, and into a list in sections",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            .init(name: "fetch") {
                let context = try openChordata(stores.full).newContext()
                return {
                    let players = try context.fetch(request)
                    return { withExtendedLifetime(context) { players.count } }
                }
            },
            .init(name: "controller") {
                let context = try openChordata(stores.full).newContext()
                return {
                    let controller = FetchedResultsController(
                        fetchRequest: request,
                        managedObjectContext: context,
                        sectionNameKeyPath: "age"
                    )
                    try controller.performFetch()
                    return { controller.fetchedObjects?.count ?? 0 }
                }
            },
        ]
    ).run(rounds: rounds)
}
