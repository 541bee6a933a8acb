/// The data of a running save for the save logger.
///
/// It is used by the thread that saves and, while this thread is blocked, by the thread that executes the save.
package final class SaveReport {
    private let start = ContinuousClock.now
    private let logger: SaveLogger
    private let contextName: String?
    private(set) var waitingTime = Duration.zero
    /// The number of saves in the transaction; 0 if the save is not committed.
    private(set) var groupSize = 0
    /// The numbers of objects, once they have been counted.
    var counts: (inserted: Int, updated: Int, deleted: Int)?

    init(_ logger: SaveLogger, contextName: String?) {
        self.logger = logger
        self.contextName = contextName
    }

    /// Adds a period of time for which the save waited.
    func addWaiting(_ time: Duration) { waitingTime += time }

    /// Records that a task has waited from the beginning of the save until now.
    func endWaiting() { waitingTime = .now - start }

    /// Records that the save was committed, together with other saves.
    package func didCommit(groupSize: Int) { self.groupSize = groupSize }

    /// Calls the logger.
    func send(_ outcome: SaveLogger.Record.Outcome) {
        let counts = counts ?? (0, 0, 0)
        logger.handler(
            SaveLogger.Record(
                outcome: outcome,
                insertedCount: counts.inserted,
                updatedCount: counts.updated,
                deletedCount: counts.deleted,
                waitingTime: waitingTime,
                duration: .now - start,
                groupSize: outcome == .committed ? groupSize : 0,
                contextName: contextName
            )
        )
    }
}
