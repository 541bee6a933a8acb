import Chordata

/// What a worker takes from one context to the next.
struct WorkerState: Sendable {
    let number: Int
    /// Whether the worker changes the counters, which others change too.
    let counts: Bool
    var random: RandomSource
    var nextName = 0
    /// Its rows, as the store has them.
    var saved: [String: Row] = [:]
    var ids: [String: ManagedObjectID] = [:]
}

/// The objects that all workers share.
struct SharedObjects: Sendable {
    var teams: [(name: String, id: ManagedObjectID)]
    var counters: [ManagedObjectID]
}

/// Does random things with one context, and knows what must come of them.
///
/// It is used where its context is.
final class Worker {
    private(set) var state: WorkerState
    let context: ManagedObjectContext
    private let list: FetchedResultsController<Player>?
    private let shared: SharedObjects
    private let journal: Journal
    /// Its rows, as the context has them.
    private var pending: [String: Row]
    private var inserted: [String: Player] = [:]
    private var increments: [Int16]

    static let rowLimit = 30

    init(
        _ state: WorkerState,
        _ context: ManagedObjectContext,
        _ list: FetchedResultsController<Player>?,
        _ shared: SharedObjects,
        _ journal: Journal
    ) {
        self.list = list
        self.state = state
        self.context = context
        self.shared = shared
        self.journal = journal
        pending = state.saved
        increments = Array(repeating: 0, count: shared.counters.count)
    }

    private func object<Object: ManagedObject>(_ id: ManagedObjectID?) throws(Finding) -> Object {
        guard let id, let object = context.object(with: id) as? Object else {
            throw Finding(
                "worker \(state.number): there is no \(Object.self) with the identity \(id.map { "\($0)" } ?? "nil")"
            )
        }
        return object
    }

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
        case ..<20: pending.count < Self.rowLimit ? try insert() : try delete()
        case ..<45: try edit()
        case ..<60: try relate()
        case ..<68: try delete()
        case ..<76: state.counts ? try count() : try look()
        case ..<86: try save()
        case ..<90: context.processPendingChanges()
        case ..<94: try refresh()
        case ..<96: context.refreshAllObjects()
        case ..<98: try look()
        case 98:
            context.rollback()
            forget()
        default:
            context.reset()
            forget()
            // F20: what a controller lists it cannot know any more.
            try list?.performFetch()
        }
    }

    private func insert() throws {
        let name = "\(state.number)-\(state.nextName)"
        state.nextName += 1
        let player = Player(context: context, name: name)
        player.age = Int16.random(in: 0..<100, using: &state.random)
        inserted[name] = player
        pending[name] = Row(age: player.age, team: nil)
    }

    private func edit() throws {
        guard let name = randomName(of: pending) else { return }
        let player = try player(name)
        guard player.age == pending[name]?.age else {
            throw Finding(
                "worker \(state.number): '\(name)' has \(player.age), not \(pending[name].map { "\($0.age)" } ?? "nothing")"
            )
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

    private func count() throws {
        let counter = Int.random(in: 0..<increments.count, using: &state.random)
        (try object(shared.counters[counter]) as Player).age += 1
        increments[counter] += 1
    }

    private func refresh() throws {
        guard let name = randomName(of: pending) else { return }
        let keeps = Bool.random(using: &state.random)
        context.refresh(try player(name), mergeChanges: keeps)
        if !keeps, let row = state.saved[name] { pending[name] = row }
    }

    /// Reads what others change meanwhile; of its own rows it knows what must be found.
    private func look() throws {
        let team: Team = try object(shared.teams.randomElement(using: &state.random)?.id)
        let age = team.players.first?.age ?? 0
        let found = try context.fetch(Player.fetchRequest().where(\.age > age)).map(\.name)
        let own = found.filter { $0.hasPrefix("\(state.number)-") }
        let expected = pending.filter { $0.value.age > age }
        guard own.sorted() == expected.keys.sorted() else {
            throw Finding("worker \(state.number): a fetch gave \(own.sorted()) and not \(expected.keys.sorted())")
        }
    }

    private func forget() {
        pending = state.saved
        inserted = [:]
        for index in increments.indices { increments[index] = 0 }
    }

    // MARK: Saving

    func save() throws {
        while true {
            // Before the save, which lets go of them: they would be read again, with what others have counted since.
            var counters: [(counter: Int, old: Int16, new: Int16)] = []
            for (counter, increment) in increments.enumerated() where increment > 0 {
                let value = (try object(shared.counters[counter]) as Player).age
                counters.append((counter, value - increment, value))
            }
            do {
                try context.save()
                return noteSave(counters)
            } catch let conflict as SaveConflictError {
                guard conflict.conflicts.allSatisfy({ shared.counters.contains($0.objectID) }) else {
                    throw Finding("worker \(state.number): \(conflict), and nobody else changes that")
                }
                journal.noteConflict()
                for (counter, increment) in increments.enumerated() where increment > 0 {
                    let object: Player = try object(shared.counters[counter])
                    context.refresh(object, mergeChanges: false)
                    object.age += increment
                }
            }
        }
    }

    private func noteSave(_ counters: [(counter: Int, old: Int16, new: Int16)]) {
        var changes = SavedChanges(counters: counters)
        for name in Set(pending.keys).union(state.saved.keys) where pending[name] != state.saved[name] {
            changes.rows.updateValue(pending[name], forKey: name)
        }
        journal.note(changes)
        for (name, player) in inserted { state.ids[name] = player.objectID }
        state.saved = pending
        forget()
    }
}
