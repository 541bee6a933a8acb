/// Decides how long a save waits for the saves of other threads before it begins, so that they share its flush of the
/// disk.
///
/// Programs that save again after each save, such as the clients of a server, all wait for the same commit and then
/// save at almost the same time. The first of these saves would find the queue empty and be executed alone, and all
/// others would have to wait for its flush. So it waits until as many saves have arrived as took part in the last two
/// transactions, each time including those that were waiting at its end.
///
/// One flush saves more time than the wait takes: the wait is at most half as long as the last transaction. A program
/// with one writer never waits.
struct SaveGathering {
    /// The longest wait, also after a transaction that took long because it wrote much.
    private static let longestWait = Duration.milliseconds(1)

    /// The number of saves that will probably be executed together; 1 if nothing is known.
    private(set) var expectedCount = 1
    /// The longest time to wait for these saves.
    private(set) var wait = Duration.zero
    /// The number of saves that took part in the last transaction.
    private var lastCount = 1

    /// Records a transaction.
    /// - Parameters:
    ///   - count: The number of its saves.
    ///   - waitingCount: The number of saves that waited when it ended.
    ///   - time: The time that it took, including the flush of the disk.
    mutating func didExecute(_ count: Int, waitingCount: Int, in time: Duration) {
        expectedCount = min(lastCount, count + waitingCount)
        lastCount = count + waitingCount
        wait = min(time / 2, Self.longestWait)
    }
}
