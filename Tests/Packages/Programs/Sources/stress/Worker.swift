import Chordata
import Harness
import Observation

/// The state that a worker keeps from one context to the next.
struct WorkerState: Sendable {
    /// The objects that a worker changes and that other workers change too.
    enum Share: Sendable {
        /// No shared objects. If newer values were merged below unsaved changes, these would win (N4), and it would be
        /// unknown which values they overwrite.
        case nothing
        /// The counters, which the worker increments. No increment may be lost.
        case counters
        /// The stamps, which the worker sets. The policy determines the result.
        case stamps
    }

    let number: Int
    let share: Share
    var random: RandomSource
    var nextName = 0
    var nextStamp: Int16 = 0
    /// The worker's rows, as they are in the store.
    var saved: [String: Row] = [:]
    var ids: [String: ManagedObjectID] = [:]
    /// The rows that no other worker owns, including deleted rows.
    var owned: Set<String> = []
}

/// An object that all workers share, and its name.
struct SharedObject: Sendable {
    let name: String
    let id: ManagedObjectID
}

/// The state that all workers share.
struct SharedObjects: Sendable {
    var teams: [SharedObject]
    var counters: [SharedObject]
    var stamps: [SharedObject]
    let journal: Journal
    let pool: Pool
}

/// Performs random operations with one context, and knows their expected results.
///
/// A worker is used in the isolation of its context.
final class Worker {
    var state: WorkerState
    let context: ManagedObjectContext
    let shared: SharedObjects
    private let list: FetchedResultsController<Player>?
    private let mailbox: Mailbox?
    /// The worker's rows, as they are in the context.
    var pending: [String: Row]
    var inserted: [String: Player] = [:]
    var increments: [Int16]
    var stamps: [Int: Int16] = [:]

    static let rowLimit = 30

    /// - Parameter mailbox: The saves that the worker itself must merge into the context.
    init(
        _ state: WorkerState,
        _ context: ManagedObjectContext,
        _ shared: SharedObjects,
        list: FetchedResultsController<Player>? = nil,
        mailbox: Mailbox? = nil
    ) {
        self.list = list
        self.mailbox = mailbox
        self.state = state
        self.context = context
        self.shared = shared
        pending = state.saved
        increments = Array(repeating: 0, count: shared.counters.count)
    }

    func object<Object: ManagedObject>(_ id: ManagedObjectID?) throws(Finding) -> Object {
        guard let id, let object = context.object(with: id) as? Object else {
            throw finding("there is no \(Object.self) with the identity \(id.map { "\($0)" } ?? "nil")")
        }
        return object
    }

    func finding(_ text: String) -> Finding { Finding("worker \(state.number): \(text)") }

    private func player(_ name: String) throws(Finding) -> Player {
        if let player = inserted[name] { return player }
        return try object(state.ids[name])
    }

    private func randomName(of rows: [String: Row]) -> String? {
        rows.keys.sorted().randomElement(using: &state.random)
    }

    // MARK: Operations

    func step() throws {
        switch Int.random(in: 0..<100, using: &state.random) {
        case ..<12: pending.count < Self.rowLimit ? try insert() : try delete()
        case ..<18: try take()
        case ..<40: try edit()
        case ..<54: try relate()
        case ..<62: try delete()
        case ..<76: try changeShared()
        case ..<86: try save()
        case ..<90: mailbox == nil ? context.processPendingChanges() : merge()
        case ..<94: try refresh()
        case ..<96: context.refreshAllObjects()
        case ..<98: try look()
        case 98:
            context.rollback()
            forget()
        default:
            context.reset()
            forget()
            // F20: after a reset, the listed objects of a controller are invalid.
            try list?.performFetch()
        }
    }

    private func insert() throws {
        let name = "\(state.number)-\(state.nextName)"
        state.nextName += 1
        state.owned.insert(name)
        let player = Player(context: context, name: name)
        player.age = Int16.random(in: 0..<100, using: &state.random)
        inserted[name] = player
        pending[name] = Row(age: player.age, team: nil)
    }

    private func edit() throws {
        guard let name = randomName(of: pending) else { return }
        let player = try player(name)
        guard player.age == pending[name]?.age else {
            throw finding("'\(name)' has \(player.age), not \(pending[name].map { "\($0.age)" } ?? "nothing")")
        }
        player.age = Int16.random(in: 0..<100, using: &state.random)
        pending[name]?.age = player.age
    }

    private func relate() throws {
        guard let name = randomName(of: pending) else { return }
        let place = Int.random(in: 0...shared.teams.count, using: &state.random)
        let player = try player(name)
        if place == shared.teams.count {
            player.team = nil
            pending[name]?.team = nil
        } else {
            player.team = try object(shared.teams[place].id)
            pending[name]?.team = shared.teams[place].name
        }
    }

    private func delete() throws {
        guard let name = randomName(of: pending) else { return }
        context.delete(try player(name))
        inserted[name] = nil
        pending[name] = nil
    }

    private func changeShared() throws {
        switch state.share {
        case .nothing: try look()
        case .counters:
            let counter = Int.random(in: 0..<increments.count, using: &state.random)
            (try object(shared.counters[counter].id) as Player).age += 1
            increments[counter] += 1
        case .stamps:
            let stamp = Int.random(in: 0..<shared.stamps.count, using: &state.random)
            // This value differs from those of other workers and from the worker's previous values.
            state.nextStamp += 1
            let value = Int16(state.number) * 4_096 + state.nextStamp
            (try object(shared.stamps[stamp].id) as Player).age = value
            stamps[stamp] = value
        }
    }

    private func refresh() throws {
        guard let name = randomName(of: pending) else { return }
        let keeps = Bool.random(using: &state.random)
        context.refresh(try player(name), mergeChanges: keeps)
        if !keeps, let row = state.saved[name] { pending[name] = row }
    }

    /// Reads changes of other workers.
    ///
    /// For its own rows, the worker knows the expected result.
    private func look() throws {
        let team: Team = try object(shared.teams.randomElement(using: &state.random)?.id)
        let age = withObservationTracking {
            team.players.first?.age ?? 0
        } onChange: {
            Monitor.changeCount.add(1, ordering: .relaxed)
        }
        let found = try context.fetch(Player.fetchRequest().where(\.age > age)).map(\.name)
        let own = found.filter(state.owned.contains)
        let expected = pending.filter { $0.value.age > age }
        guard own.sorted() == expected.keys.sorted() else {
            throw finding("a fetch gave \(own.sorted()) and not \(expected.keys.sorted())")
        }
    }

    func forget() {
        pending = state.saved
        inserted = [:]
        stamps = [:]
        for index in increments.indices { increments[index] = 0 }
    }

    // MARK: Changes of other workers

    /// Takes a row that another worker has released.
    ///
    /// From now on, this worker owns the row.
    private func take() throws {
        guard pending.count < Self.rowLimit, let given = shared.pool.take() else { return try insert() }
        state.owned.insert(given.name)
        state.ids[given.name] = given.id
        state.saved[given.name] = given.row
        pending[given.name] = given.row
        // The row may have been read here before other workers changed it.
        context.refresh(try object(given.id) as Player, mergeChanges: false)
    }

    /// Merges the changes of notifications.
    func merge() {
        for changes in mailbox?.take() ?? [] { context.mergeChanges(changes) }
    }
}
