/// Decides how long a save waits for the saves of other threads before it begins, so that they share its flush of the
/// disk.
///
/// Programs that save again after each save, such as the clients of a server, all wait for the same commit and then
/// save at almost the same time. The first of these saves would find the queue empty and be executed alone, and all
/// others would have to wait for its flush. So it waits until as many saves have arrived as took part in the last two
/// transactions, each time including those that were waiting at its end.
///
/// A shared flush saves more time than the wait takes: the wait is at most half as long as the last flush. After an
/// unsuccessful wait, the next save does not wait, and with each further unsuccessful wait, the number of such saves
/// doubles. A program with one writer never waits.
struct SaveGathering {
    /// The maximum number of transactions without a wait after an unsuccessful wait.
    private static let longestPause = 64

    /// The longest wait, for disks that are slow at times.
    private let longestWait: Duration
    /// The number of saves that will probably be executed together; 1 if nothing is known.
    private(set) var expectedCount = 1
    /// The longest time to wait for these saves.
    private(set) var wait = Duration.zero
    /// The number of saves that took part in the last transaction.
    private var lastCount = 1
    /// The number of transactions without a wait after the last unsuccessful wait, and how many of them remain.
    private var pause = (length: 0, rest: 0)

    init(longestWait: Duration = .milliseconds(1)) { self.longestWait = longestWait }

    /// Records a wait.
    /// - Parameters:
    ///   - arrivedCount: The number of saves that have arrived.
    ///   - neededCount: The number of saves that were expected.
    mutating func didWait(arrivedCount: Int, neededCount: Int) {
        if arrivedCount * 2 >= neededCount {
            pause = (0, 0)
        } else {
            let length = min(max(pause.length * 2, 1), Self.longestPause)
            pause = (length, length)
        }
    }

    /// Records a transaction.
    /// - Parameters:
    ///   - count: The number of its saves.
    ///   - waitingCount: The number of saves that waited when it ended.
    ///   - flushTime: The time of its flush of the disk; 0 if the transaction failed.
    mutating func didExecute(_ count: Int, waitingCount: Int, flushTime: Duration) {
        let count = count + waitingCount
        expectedCount = pause.rest > 0 ? 1 : min(lastCount, count)
        pause.rest = max(pause.rest - 1, 0)
        lastCount = count
        wait = min(flushTime / 2, longestWait)
    }
}
