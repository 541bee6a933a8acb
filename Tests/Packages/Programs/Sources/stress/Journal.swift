import Foundation
import Synchronization

/// What one row has.
struct Row: Hashable, Sendable {
    var age: Int16
    var team: String?
}

/// What a save has made of a row that all share.
struct Step: Sendable {
    var name: String
    /// What was in the store, and what is.
    var old, new: Int16
}

/// What a save that succeeded has changed.
struct SavedChanges: Sendable {
    /// By name; `nil` for a row that was deleted.
    ///
    /// Rows belong to one worker at a time, so the order of its saves is their order.
    var rows: [String: Row?] = [:]
    /// The rows that all share.
    var steps: [Step] = []
}

/// All saves that succeeded, and how often one had to be tried again or resolved conflicts.
final class Journal: Sendable {
    // A lock that ThreadSanitizer knows.
    private let lock = NSLock()
    nonisolated(unsafe) private var saves: [SavedChanges] = []
    private let conflicts = Atomic(0)

    func note(_ changes: SavedChanges) { lock.withLock { saves.append(changes) } }
    private let foreignDeletions = Atomic(0)

    func noteConflict() { conflicts.add(1, ordering: .relaxed) }
    /// Records the deletion of a row that another worker has made.
    func noteForeignDeletion() { foreignDeletions.add(1, ordering: .relaxed) }

    var foreignDeletionCount: Int { foreignDeletions.load(ordering: .relaxed) }
    var conflictCount: Int { conflicts.load(ordering: .relaxed) }
    var saveCount: Int { lock.withLock { saves.count } }

    /// What must be in the store: the saves, one after the other, on a plain dictionary.
    ///
    /// No two saves give a shared row the same value, so its steps have one order only: each begins where another one
    /// ended.
    /// - Throws: ``Finding`` when they have none: a change was silently overwritten.
    func replay(_ shared: SharedObjects) throws(Finding) -> [String: Row] {
        let saves = lock.withLock { self.saves }
        var rows: [String: Row] = [:]
        for save in saves {
            for (name, row) in save.rows { rows[name] = row }
        }
        let steps = Dictionary(grouping: saves.flatMap(\.steps), by: \.name)
        for name in (shared.counters + shared.stamps).map(\.name) {
            var (value, rest): (Int16, [Int16: Int16]) = (0, [:])
            for step in steps[name] ?? [] {
                if let other = rest.updateValue(step.new, forKey: step.old) {
                    throw Finding("'\(name)' went from \(step.old) to \(step.new) and to \(other)")
                }
            }
            while let next = rest.removeValue(forKey: value) { value = next }
            guard rest.isEmpty else {
                throw Finding("'\(name)' was \(value) at the end, and no record explains \(rest)")
            }
            rows[name] = Row(age: value, team: nil)
        }
        return rows
    }
}

/// Something that must not be.
struct Finding: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
