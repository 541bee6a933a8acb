import Chordata

/// The contents that a context must have at the end.
struct Outcome: Sendable {
    var rows: [String: Row]
    /// The names of the listed objects, in the order of the list.
    var listed: [String]?
}

/// Returns the contents of the context, including the objects that it has merged.
func look(at context: ManagedObjectContext, _ list: FetchedResultsController<Player>?) throws -> Outcome {
    context.processPendingChanges()
    if let error = list?.changeError { throw error }
    var rows: [String: Row] = [:]
    for player in try context.fetch(Player.fetchRequest()) {
        rows[player.name] = Row(age: player.age, team: player.team?.name)
    }
    for team in try context.fetch(Team.fetchRequest()) {
        let members = rows.filter { $0.value.team == team.name }.keys.sorted()
        let players = team.players.map(\.name).sorted()
        guard players == members else {
            throw Finding("'\(team.name)' has the players \(players), and in it are \(members)")
        }
    }
    return Outcome(rows: rows, listed: list?.fetchedObjects?.map(\.name))
}

func makeList(_ context: ManagedObjectContext) throws -> FetchedResultsController<Player> {
    let list = FetchedResultsController(
        fetchRequest: Player.fetchRequest().sorted(by: \.name),
        managedObjectContext: context
    )
    try list.performFetch()
    return list
}

/// Counts all events, so that the controllers have an observer.
final class Listener: FetchedResultsControllerDelegate {
    private(set) var eventCount = 0
    func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) { eventCount += 1 }
}

/// The ways in which a context gets the saves of other contexts.
enum Merging: Sendable {
    case byItself, byNotifications, never
}

/// A worker on an actor.
actor Office {
    private let worker: Worker
    private let list: FetchedResultsController<Player>?
    private let listener = Listener()
    private let merging: Merging
    let saves: Task<Set<ManagedObjectID>, Never>

    init(
        _ state: WorkerState,
        _ container: PersistentContainer,
        _ shared: SharedObjects,
        _ merging: Merging,
        isObserved: Bool = false
    ) async throws {
        let context = container.newContext()
        self.merging = merging
        context.isObservationEnabled = isObserved
        saves = Monitor.saves(of: context)
        let mailbox = merging == .byNotifications ? Mailbox(for: context) : nil
        list = merging == .never ? nil : try makeList(context)
        worker = Worker(state, context, shared, list: list, mailbox: mailbox)
        context.attach(to: self)
        context.automaticallyMergesChangesFromParent = merging == .byItself
        list?.delegate = listener
    }

    func work(_ count: Int) async throws {
        for index in 0..<count {
            try worker.step()
            // A turn consists of a few operations.
            if index % 3 == 0 { await Task.yield() }
        }
        try worker.save()
    }

    func outcome() throws -> Outcome {
        switch merging {
        case .byItself: break
        case .byNotifications: worker.merge()
        case .never: worker.context.reset()
        }
        return try look(at: worker.context, list)
    }
}

/// The worker of the view context.
@MainActor final class Screen {
    private let worker: Worker
    private let list: FetchedResultsController<Player>
    private let listener = Listener()

    init(_ state: WorkerState, _ container: PersistentContainer, _ shared: SharedObjects) throws {
        container.viewContext.isObservationEnabled = true
        list = try makeList(container.viewContext)
        worker = Worker(state, container.viewContext, shared, list: list)
        list.delegate = listener
    }

    func work(_ count: Int) async throws {
        for index in 0..<count {
            try worker.step()
            if index % 3 == 0 { await Task.yield() }
        }
        try worker.save()
    }

    func outcome() throws -> Outcome { try look(at: worker.context, list) }
}

/// Runs a worker with a new context every few operations.
func workInTheBackground(
    _ state: WorkerState,
    _ container: PersistentContainer,
    _ shared: SharedObjects,
    _ count: Int
) async throws {
    var state = state
    for start in stride(from: 0, to: count, by: 20) {
        state = try await container.performBackgroundTask { [state] context in
            let worker = Worker(state, context, shared)
            for _ in start..<min(start + 20, count) { try worker.step() }
            try worker.save()
            return worker.state
        }
    }
}

/// Runs a worker whose context moves from thread to thread with its task.
@concurrent func workInATask(
    _ state: WorkerState,
    _ container: PersistentContainer,
    _ shared: SharedObjects,
    _ count: Int
) async throws {
    let worker = Worker(state, container.newContext(isolation: nil), shared)
    for index in 0..<count {
        if index % 2 == 0 { try worker.step() } else { try await worker.context.perform { try worker.step() } }
        if index % 3 == 0 { await Task.yield() }
    }
    try worker.save()
}
