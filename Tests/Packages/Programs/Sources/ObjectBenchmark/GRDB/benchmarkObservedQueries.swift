import Contest
import Foundation
import GRDB

/// Runs scheduled actions immediately, on the current thread.
private struct ImmediateScheduler: ValueObservationScheduler {
    func immediateInitialValue() -> Bool { true }
    func schedule(_ action: @escaping @Sendable () -> Void) { action() }
}

/// W8: GRDB's observation of the same query, which only fetches keys, and computes their difference.
func benchmarkObservedQueries(_ stores: Stores) throws {
    // Each change fetches all keys.
    let count = max(5, min(listChangeCount, 500_000 / stores.playerKeys.count))
    let update = "UPDATE Player SET salary = ? WHERE _id = ?"
    func change(_ queue: DatabaseQueue) throws {
        for number in 0..<count {
            let key = stores.playerKeys[number * 7919 % stores.playerKeys.count]
            try queue.write { try $0.execute(sql: update, arguments: [Double(number * 104_729 % 100_000), key]) }
        }
    }
    try Contest(
        "W8-grdb",
        title: "the same by GRDB: observe the keys of a query, and difference",
        unit: "changes",
        count: count,
        contestants: [
            .init(name: "bare commit") {
                let path = try stores.copy(.all)
                let queue = try openGRDB(path)
                return {
                    try change(queue)
                    return { try withExtendedLifetime(queue) { try stores.finish(path) } }
                }
            },
            .init(name: "ValueObservation") {
                let path = try stores.copy(.all)
                let queue = try openGRDB(path)
                let select = "SELECT _id FROM Player ORDER BY age, salary"
                let observation = ValueObservation.tracking { try Int64.fetchAll($0, sql: select) }
                let shown = Shown()
                let cancellable = observation.start(in: queue, scheduling: ImmediateScheduler()) { error in
                    preconditionFailure("\(error)")
                } onChange: { keys in
                    shown.show(keys)
                }
                return {
                    try change(queue)
                    // The observation reports the last change after its commit.
                    let isCurrent = shown.wait(for: try queue.read { try Int64.fetchAll($0, sql: select) })
                    return {
                        guard isCurrent else { return 0 }
                        return try withExtendedLifetime((cancellable, queue)) { try stores.finish(path) }
                    }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// The state of an observer of keys.
private final class Shown: @unchecked Sendable {  // Guarded by the condition.
    private let condition = NSCondition()
    private var keys: [Int64] = []
    private var differenceCount = 0

    func show(_ new: [Int64]) {
        condition.lock()
        defer { condition.unlock() }
        if !keys.isEmpty { differenceCount += new.difference(from: keys).count }
        keys = new
        condition.broadcast()
    }

    /// Waits until the observer has the expected keys, for at most a minute.
    /// - Returns: A Boolean value that indicates whether it has them.
    func wait(for expected: [Int64]) -> Bool {
        let end = Date(timeIntervalSinceNow: 60)
        condition.lock()
        defer { condition.unlock() }
        while keys != expected { guard condition.wait(until: end) else { return keys == expected } }
        return true
    }
}
