internal import Synchronization

/// Counts the results of saves.
///
/// Each count is a separate number, to which a save adds without waiting for other threads.
package final class StoreCounters: Sendable {
    private let saves = Atomic(0)
    private let saveTransactions = Atomic(0)
    private let conflicts = Atomic(0)
    private let uniquenessConflicts = Atomic(0)
    private let cancelledSaves = Atomic(0)
    private let failedSaves = Atomic(0)
    private let repeatedWrites = Atomic(0)

    package init() {}

    /// Counts saves that were committed in one transaction.
    @inline(__always)
    package func countTransaction(of saveCount: Int) {
        saves.add(saveCount, ordering: .relaxed)
        saveTransactions.add(1, ordering: .releasing)
    }

    /// Counts a save that was not committed.
    func count(_ outcome: SaveLogger.Record.Outcome) {
        switch outcome {
        case .committed: break  // Counted with its transaction.
        case .conflict: conflicts.add(1, ordering: .relaxed)
        case .uniquenessConflict: uniquenessConflicts.add(1, ordering: .relaxed)
        case .cancelled: cancelledSaves.add(1, ordering: .relaxed)
        case .failed: failedSaves.add(1, ordering: .relaxed)
        }
    }

    /// Counts a further attempt of a write.
    func countRepeatedWrite() { repeatedWrites.add(1, ordering: .relaxed) }

    /// The statistics with these counts; all other parts are empty.
    var statistics: StoreStatistics {
        var statistics = StoreStatistics()
        // When they are read in this order, there are never fewer saves than transactions.
        statistics.saveTransactionCount = saveTransactions.load(ordering: .acquiring)
        statistics.saveCount = saves.load(ordering: .relaxed)
        statistics.conflictCount = conflicts.load(ordering: .relaxed)
        statistics.uniquenessConflictCount = uniquenessConflicts.load(ordering: .relaxed)
        statistics.cancelledSaveCount = cancelledSaves.load(ordering: .relaxed)
        statistics.failedSaveCount = failedSaves.load(ordering: .relaxed)
        statistics.repeatedWriteCount = repeatedWrites.load(ordering: .relaxed)
        return statistics
    }
}
