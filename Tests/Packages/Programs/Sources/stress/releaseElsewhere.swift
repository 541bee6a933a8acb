import Chordata

/// The objects that a screen holds.
///
/// Any thread may release the holder and its objects.
@MainActor private final class Holder {
    let teams: [Team]
    init(_ teams: [Team]) { self.teams = teams }
}

/// Releases objects of a view context on other threads while the context fetches them.
@MainActor func releaseElsewhere(_ container: PersistentContainer) async throws {
    let context = container.viewContext
    for index in 0..<200 { _ = Team(context: context, name: "Team \(index)") }
    try await context.save()
    for loop in 0..<20 {
        context.refreshAllObjects()
        var holder: Holder? = Holder(try context.fetch(Team.fetchRequest()))
        let last = Task.detached { [holder] in holder.map { ObjectIdentifier($0) } }
        holder = nil
        for _ in 0..<5 {
            let teams = try context.fetch(Team.fetchRequest().sorted(by: \.name))
            guard teams.count == 200 + loop, Set(teams).count == teams.count else {
                throw Finding("\(teams.count) objects were fetched, and not \(200 + loop)")
            }
            await Task.yield()
        }
        _ = await last.value
        _ = Team(context: context, name: "New \(loop)")
        try await context.save()
    }
}
