import Chordata
import Foundation
import Synchronization
import Workload

/// Acknowledges the saves of several writers, and counts their transactions.
///
/// A line contains the writer, the number of its saves and the store, and then the counts of this program: the number
/// of saves, the number of saves in groups, the number of groups, and the number of saves in the largest group. A group
/// is a transaction with several saves.
final class Acknowledger: SaveObserver {
    private struct State {
        var store = ""
        var saves = 0
        var savesInGroups = 0
        var groups = 0
        var largestGroup = 0
        /// The thread that executes a transaction; `nil` between transactions.
        var thread: pthread_t?
        var savesInTransaction = 0
        /// A Boolean value that indicates whether the current savepoint was rolled back.
        var wasRolledBack = false
        /// The saves that were requested, by writer.
        var requested: [Int: Int] = [:]
        /// The last save of each writer that was acknowledged before its commit.
        var early: [Int: Int] = [:]

        func report(_ number: Int, of writer: Int) {
            acknowledge("\(writer) \(number) \(store) \(saves) \(savesInGroups) \(groups) \(largestGroup)")
        }
    }

    private let isEarly: Bool
    private let state = Mutex(State())

    /// - Parameter isEarly: Whether saves are acknowledged when the first save of their group was executed, which is a
    ///   fault, because the transaction has not been committed.
    init(isEarly: Bool) { self.isEarly = isEarly }

    /// The logger that counts the transactions.
    var logger: StatementLogger { StatementLogger { [weak self] in self?.observe($0.sql) } }

    /// Acknowledges the saves that are stored when the program starts.
    func begin(_ store: UUID, _ counts: [Int]) {
        state.withLock { state in
            state.store = "\(store)"
            for (writer, count) in counts.enumerated() { state.report(count, of: writer) }
        }
    }

    func willSave(_ number: Int, of writer: Int) { state.withLock { $0.requested[writer] = number } }

    func didSave(_ number: Int, of writer: Int) {
        state.withLock { state in
            state.saves += 1
            state.requested[writer] = nil
            if state.early[writer] != number { state.report(number, of: writer) }
        }
    }

    /// Counts the savepoints of a transaction; only transactions with several saves have them.
    private func observe(_ sql: String) {
        guard ["BEGIN IMMEDIATE", "ROLLBACK TO \"save\"", "RELEASE \"save\"", "COMMIT"].contains(sql) else { return }
        state.withLock { state in
            if sql.hasPrefix("BEGIN") {
                state.thread = pthread_self()
                state.savesInTransaction = 0
            }
            // Transactions that only read may end at the same time.
            guard let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 else { return }
            switch sql.prefix(8) {
            case "ROLLBACK": state.wasRolledBack = true
            case "RELEASE ":
                if !state.wasRolledBack { state.savesInTransaction += 1 }
                state.wasRolledBack = false
                if isEarly { acknowledgeRequested(&state) }
            case "COMMIT":
                state.thread = nil
                guard state.savesInTransaction > 1 else { return }
                state.groups += 1
                state.savesInGroups += state.savesInTransaction
                state.largestGroup = max(state.largestGroup, state.savesInTransaction)
            default: break
            }
        }
    }

    private func acknowledgeRequested(_ state: inout State) {
        for (writer, number) in state.requested where state.early[writer] != number {
            state.early[writer] = number
            state.report(number, of: writer)
        }
    }
}
