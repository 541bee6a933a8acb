import Chordata
import Foundation

@main
struct Stress {
    static let counterCount = 4

    static func main() async {
        let environment = ProcessInfo.processInfo.environment
        let loops = environment["CHORDATA_STRESS_LOOPS"].flatMap(Int.init) ?? 2
        let operations = environment["CHORDATA_STRESS_OPERATIONS"].flatMap(Int.init) ?? 300
        let firstSeed = environment["CHORDATA_STRESS_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0..<1_000_000)
        for loop in 0..<loops {
            let seed = firstSeed + UInt64(loop)
            let clock = ContinuousClock.now
            do {
                let journal = try await run(seed: seed, operations: operations)
                let seconds = (ContinuousClock.now - clock).formatted(
                    .units(allowed: [.seconds], fractionalPart: .show(length: 1))
                )
                print(
                    "seed \(seed): 8 × \(operations) operations, \(journal.saveCount) saves, \(journal.conflictCount) conflicts, \(seconds)"
                )
                // Whoever looks at a file of the output sees where a long run is.
                fflush(nil)
            } catch {
                print("seed \(seed): \(error)")
                exit(1)
            }
        }
    }

    /// Eight workers at the same time; what the store, and each context, has at the end is what their saves make one after the other.
    static func run(seed: UInt64, operations: Int) async throws -> Journal {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-stress-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            do { try FileManager.default.removeItem(at: folder) } catch {
                print("cannot remove \(folder.path): \(error)")
            }
        }
        let container = try PersistentContainer(
            model: LeagueModel.definition,
            path: folder.appending(path: "store.sqlite").path,
            options: StoreOptions(synchronous: .normal)
        )
        let shared = try await container.performBackgroundTask { context in
            let teams = ["Blues", "Greens", "Reds"].map { Team(context: context, name: $0) }
            let counters = (0..<counterCount).map { Player(context: context, name: counterName($0)) }
            try context.save()
            return SharedObjects(teams: teams.map { ($0.name, $0.objectID) }, counters: counters.map(\.objectID))
        }
        let journal = Journal()
        func state(_ number: Int, counts: Bool) -> WorkerState {
            WorkerState(number: number, counts: counts, random: RandomSource(seed: seed, stream: UInt64(number)))
        }
        // Where the newest is merged under unsaved changes, a counter would be saved as it was read: local changes win (N4).
        let offices = [
            try await Office(state(0, counts: false), container, shared, journal, merges: true),
            try await Office(state(1, counts: false), container, shared, journal, merges: true),
            try await Office(state(2, counts: true), container, shared, journal, merges: false),
            try await Office(state(3, counts: true), container, shared, journal, merges: false),
        ]
        let screen = try await Screen(state(4, counts: false), container, shared, journal)
        try await withThrowingTaskGroup { group in
            for office in offices { group.addTask { try await office.work(operations) } }
            group.addTask { try await screen.work(operations) }
            for number in 5...6 {
                let state = state(number, counts: true)
                group.addTask { try await workInTheBackground(state, container, shared, journal, operations) }
            }
            let last = state(7, counts: true)
            group.addTask { try await workInATask(last, container, shared, journal, operations) }
            try await group.waitForAll()
        }

        let expected = try journal.replay(counterCount: counterCount)
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
        return journal
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
