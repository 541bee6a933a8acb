import ChordataTestSupport
import Testing

@testable import Chordata

/// The wait of a save for others that share its flush.
struct SaveGatheringTests {
    @Test func oneWriterNeverWaits() {
        var gathering = SaveGathering()
        for _ in 0..<3 {
            expectEqual(gathering.expectedCount, 1)
            gathering.didExecute(1, waitingCount: 0, in: .milliseconds(1))
        }
    }

    /// Saves are expected that took part in both of the last transactions.
    @Test func expectedCount() {
        var gathering = SaveGathering()
        // Eight writers, one of which was the first.
        gathering.didExecute(1, waitingCount: 7, in: .microseconds(300))
        expectEqual(gathering.expectedCount, 1)
        gathering.didExecute(7, waitingCount: 1, in: .microseconds(300))
        expectEqual(gathering.expectedCount, 8)
        gathering.didExecute(8, waitingCount: 0, in: .microseconds(300))
        expectEqual(gathering.expectedCount, 8)
        // Five writers have ended.
        gathering.didExecute(3, waitingCount: 0, in: .microseconds(300))
        expectEqual(gathering.expectedCount, 3)
        gathering.didExecute(1, waitingCount: 0, in: .microseconds(300))
        expectEqual(gathering.expectedCount, 1)
    }

    /// A wait is at most half as long as the last transaction, and short after a transaction that wrote much.
    @Test func waits() {
        var gathering = SaveGathering()
        gathering.didExecute(2, waitingCount: 0, in: .microseconds(300))
        expectEqual(gathering.wait, .microseconds(150))
        gathering.didExecute(1, waitingCount: 4, in: .seconds(2))
        expectEqual(gathering.wait, .milliseconds(1))
    }
}
