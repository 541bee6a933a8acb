import Foundation
import Synchronization

/// What one row has.
struct Row: Hashable, Sendable {
    var age: Int16
    var team: String?
}

/// What a save that succeeded has changed.
struct SavedChanges: Sendable {
    /// By name; `nil` for a row that was deleted.
    ///
    /// Rows belong to one worker, so the order of its saves is their order.
    var rows: [String: Row?] = [:]
    /// The counters, which all share, with what each was before and is now.
    var counters: [(counter: Int, old: Int16, new: Int16)] = []
}

/// All saves that succeeded, and how often one had to be tried again.
final class Journal: Sendable {
    // A lock that ThreadSanitizer knows.
    private let lock = NSLock()
    nonisolated(unsafe) private var saves: [SavedChanges] = []
    private let conflicts = Atomic(0)

    func note(_ changes: SavedChanges) { lock.withLock { saves.append(changes) } }
    func noteConflict() { conflicts.add(1, ordering: .relaxed) }

    var conflictCount: Int { conflicts.load(ordering: .relaxed) }
    var saveCount: Int { lock.withLock { saves.count } }

    /// What must be in the store: the saves, one after the other, on a plain dictionary.
    /// - Throws: ``Finding`` when a counter does not go up from save to save: somebody's change was overwritten.
    func replay(counterCount: Int) throws(Finding) -> [String: Row] {
        let saves = lock.withLock { self.saves }
        var rows: [String: Row] = [:]
        for save in saves {
            for (name, row) in save.rows { rows[name] = row }
        }
        for counter in 0..<counterCount {
            var value: Int16 = 0
            for step in saves.flatMap(\.counters).filter({ $0.counter == counter }).sorted(by: { $0.new < $1.new }) {
                guard step.old == value else {
                    throw Finding("counter \(counter) went from \(step.old) to \(step.new) while it was \(value)")
                }
                value = step.new
            }
            rows[counterName(counter)] = Row(age: value, team: nil)
        }
        return rows
    }
}

func counterName(_ counter: Int) -> String { "counter \(counter)" }

/// Something that must not be.
struct Finding: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
