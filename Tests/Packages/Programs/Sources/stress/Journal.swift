import Foundation
import Synchronization

/// The values of one row.
struct Row: Hashable, Sendable {
    var age: Int16
    var team: String?
}

/// A change of a shared row by a save.
struct Step: Sendable {
    var name: String
    /// The values in the store before and after the save.
    var old, new: Int16
}

/// The changes of a successful save.
struct SavedChanges: Sendable {
    /// The rows by name; `nil` for a row that was deleted.
    ///
    /// A row belongs to one worker at a time, so the order of the worker's saves is the order of its changes.
    var rows: [String: Row?] = [:]
    /// The changes of shared rows.
    var steps: [Step] = []
}

/// All successful saves, and how often a save was repeated or resolved conflicts.
final class Journal: Sendable {
    // A lock that ThreadSanitizer supports.
    private let lock = NSLock()
    nonisolated(unsafe) private var saves: [SavedChanges] = []
    private let conflicts = Atomic(0)

    func note(_ changes: SavedChanges) { lock.withLock { saves.append(changes) } }
    private let foreignDeletions = Atomic(0)

    func noteConflict() { conflicts.add(1, ordering: .relaxed) }
    /// Records the deletion of a row that another worker has created.
    func noteForeignDeletion() { foreignDeletions.add(1, ordering: .relaxed) }

    var foreignDeletionCount: Int { foreignDeletions.load(ordering: .relaxed) }
    var conflictCount: Int { conflicts.load(ordering: .relaxed) }
    var saveCount: Int { lock.withLock { saves.count } }

    /// Returns the required contents of the store: the result of the saves, one after the other, on a plain dictionary.
    ///
    /// No two saves give a shared row the same value, so its steps have only one order, in which each step begins with
    /// the value of the previous step.
    /// - Throws: ``Finding`` if there is no such order, because a change was silently overwritten.
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

/// A result that must not occur.
struct Finding: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
