import Chordata
import Foundation
import Harness

@main
struct Stress {
    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        let loops = environment["CHORDATA_STRESS_LOOPS"].flatMap(Int.init) ?? 2
        let operations = environment["CHORDATA_STRESS_OPERATIONS"].flatMap(Int.init) ?? 300
        let firstSeed = environment["CHORDATA_STRESS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)
        Monitor.observeAll()
        for loop in 0..<loops {
            let seed = firstSeed + UInt64(loop)
            let clock = ContinuousClock.now
            do {
                let journal = try await run(seed: seed, operations: operations)
                let seconds = (ContinuousClock.now - clock).formatted(
                    .units(allowed: [.seconds], fractionalPart: .show(length: 1))
                )
                let counts = [
                    "\(journal.saveCount) saves", "\(journal.conflictCount) conflicts",
                    "\(journal.foreignDeletionCount) rows deleted by others than made them",
                ]
                print("seed \(seed): 8 × \(operations) operations, \(counts.joined(separator: ", ")), \(seconds)")
                // A file of the output shows the progress of a long run.
                fflush(nil)
            } catch {
                print("seed \(seed): \(error)")
                exit(1)
            }
        }
    }

    /// Runs eight workers at the same time.
    ///
    /// At the end, the store and each context must have the contents that result from the saves, one after the other.
    static func run(seed: UInt64, operations: Int) async throws -> Journal {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-stress-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
                print("cannot remove \(folder.path): \(error)")
            }
        }
        func open(_ name: String) throws -> PersistentContainer {
            try PersistentContainer(
                model: LeagueModel.definition,
                path: folder.appending(path: name).path,
                options: StoreOptions(synchronous: .normal)
            )
        }
        let container = try open("store.sqlite")
        let told = Monitor.rows(of: container)
        let shared = try await container.performBackgroundTask { context in
            let teams = ["Blues", "Greens", "Reds"].map { Team(context: context, name: $0) }
            let players = ["counter", "stamp"].map { kind in
                (0..<2).map { Player(context: context, name: "\(kind) \($0)") }
            }
            try context.save()
            return SharedObjects(
                teams: teams.map { SharedObject(name: $0.name, id: $0.objectID) },
                counters: players[0].map { SharedObject(name: $0.name, id: $0.objectID) },
                stamps: players[1].map { SharedObject(name: $0.name, id: $0.objectID) },
                journal: Journal(),
                pool: Pool()
            )
        }
        let other = try open("other.sqlite")
        let saves = try await work(seed: seed, operations, container, shared, beside: other)

        // The sequences of the contexts end with the contexts.
        var inserted: Set<ManagedObjectID> = []
        for task in saves { inserted.formUnion(await task.value) }
        let rows = try await container.performBackgroundTask { context in
            context.name = Monitor.lastContextName
            let last = Team(context: context, name: "Last")
            try context.save()
            let players = try context.fetch(Player.fetchRequest()).map(\.objectID)
            return Set(players + (try context.fetch(Team.fetchRequest())).filter { $0 != last }.map(\.objectID))
        }
        let toldRows = await told.value.filter { $0.entityName == "Player" || rows.contains($0) }
        guard toldRows == rows else {
            throw Finding("saves reported \(toldRows.count) rows, and there are \(rows.count)")
        }
        guard Monitor.objectCount.load(ordering: .relaxed) > 0, Monitor.changeCount.load(ordering: .relaxed) > 0,
            Monitor.valueCount.load(ordering: .relaxed) > 0, !inserted.isEmpty
        else { throw Finding("nothing was reported") }
        return shared.journal
    }

    /// - Returns: The objects that the contexts of actors have inserted, each set after the deallocation of its
    ///   context.
    private static func work(
        seed: UInt64,
        _ operations: Int,
        _ container: PersistentContainer,
        _ shared: SharedObjects,
        beside other: PersistentContainer
    ) async throws -> [Task<Set<ManagedObjectID>, Never>] {
        func state(_ number: Int, _ share: WorkerState.Share) -> WorkerState {
            WorkerState(number: number, share: share, random: RandomSource(seed: seed, stream: UInt64(number)))
        }
        let offices = [
            try await Office(state(0, .nothing), container, shared, .byItself, isObserved: true),
            try await Office(state(1, .nothing), container, shared, .byNotifications),
            try await Office(state(2, .counters), container, shared, .never, isObserved: true),
            try await Office(state(3, .stamps), container, shared, .never),
        ]
        let screen = try await Screen(state(4, .nothing), container, shared)
        try await withThrowingTaskGroup { group in
            for office in offices { group.addTask { try await office.work(operations) } }
            group.addTask { try await screen.work(operations) }
            for state in [state(5, .counters), state(6, .stamps)] {
                group.addTask { try await workInTheBackground(state, container, shared, operations) }
            }
            let last = state(7, seed.isMultiple(of: 2) ? .stamps : .counters)
            group.addTask { try await workInATask(last, container, shared, operations) }
            group.addTask { try await releaseElsewhere(other) }
            try await group.waitForAll()
        }

        let expected = try shared.journal.replay(shared)
        func check(_ place: String, _ look: () async throws -> Outcome) async throws {
            do { try compare(try await look(), with: expected) } catch { throw Finding("\(place): \(error)") }
        }
        try await check("the store") {
            try await container.performBackgroundTask { context in try look(at: context, nil) }
        }
        try await check("the view context") { try await screen.outcome() }
        for (number, office) in offices.enumerated() {
            try await check("the context of actor \(number)") { try await office.outcome() }
        }
        return offices.map { $0.saves }
    }

    private static func compare(_ outcome: Outcome, with expected: [String: Row]) throws(Finding) {
        for name in Set(outcome.rows.keys).union(expected.keys).sorted() where outcome.rows[name] != expected[name] {
            let (found, wanted) = (outcome.rows[name], expected[name])
            throw Finding(
                "there is \(found.map { "\($0)" } ?? "no row") for '\(name)', and not \(wanted.map { "\($0)" } ?? "none")"
            )
        }
        guard let listed = outcome.listed, listed != expected.keys.sorted() else { return }
        let missing = Set(expected.keys).subtracting(listed).sorted()
        let extra = Set(listed).subtracting(expected.keys).sorted()
        throw Finding("the list lacks \(missing), has \(extra) too, or is in another order: \(listed)")
    }
}
