import Chordata
import Contest
import Foundation

// W8: a sorted list in sections that is kept right while rows change, one in each save. What a list costs is what a
// change takes longer than the bare save; that it depends on what changed and not on how long the list is, runs with
// other numbers of rows show.

/// How many changes are timed together.
let listChangeCount = 500

/// Counts its notifications.
private final class EventCounter: FetchedResultsControllerDelegate {
    private(set) var count = 0

    func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
        count += 1
    }
}

/// One change after the other, each of another row, which goes to another place of its section.
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
                // What was read is near in the memory of both.
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

/// W8: by numbers.
func benchmarkLists(_ stores: Stores) throws {
    try contest(
        "W8",
        "change a row of a sorted list in sections, and save",
        stores,
        Player.fetchRequest().sorted(by: \.age).sorted(by: \.salary),
        sectionNameKeyPath: "age"
    ) { player, number in player.salary = Double(number * 104_729 % 100_000) }
}

/// W8: by text as people sort it.
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
