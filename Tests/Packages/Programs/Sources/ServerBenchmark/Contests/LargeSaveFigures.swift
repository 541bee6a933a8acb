import Contest
import Synchronization

/// The figures of one contestant whose clients read during a large save.
struct LargeSaveFigures: Sendable {
    /// The time of the insertions and the save, in seconds.
    var saveTime: Double
    /// The number of reads per second.
    var throughput: Double
    /// The latencies of reads.
    var latencies: Percentiles
    /// The longest time between two steps of the timer, in milliseconds.
    var longestGap: Double
}

extension [LargeSaveFigures] {
    /// The median of each figure.
    var medians: LargeSaveFigures {
        LargeSaveFigures(
            saveTime: median(map(\.saveTime)),
            throughput: median(map(\.throughput)),
            latencies: map(\.latencies).medians,
            longestGap: median(map(\.longestGap))
        )
    }
}

/// The state of a save that other tasks observe.
final class SaveProgress: Sendable {
    private let finished = Mutex<Duration?>(nil)

    /// The duration of the save; `nil` while it runs.
    var duration: Duration? { finished.withLock { $0 } }

    /// Ends the save.
    func finish(after duration: Duration) { finished.withLock { $0 = duration } }
}
