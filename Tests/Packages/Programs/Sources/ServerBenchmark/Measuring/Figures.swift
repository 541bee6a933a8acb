import Contest

/// The figures of one contestant in one row.
struct Figures: Sendable {
    /// The CPU time of the whole process, in microseconds per operation.
    var processorTime: Double
    /// The number of operations per second.
    var throughput: Double
    /// The latencies of operations.
    var latencies: Percentiles
    /// The longest time between two steps of the timer, in milliseconds.
    var longestGap: Double
}

/// Two percentiles of latencies, in microseconds.
struct Percentiles: Sendable {
    var p50: Double
    var p99: Double

    /// Creates given percentiles.
    init(p50: Double, p99: Double) {
        self.p50 = p50
        self.p99 = p99
    }

    /// Computes the percentiles by nearest rank: 99 percent of the latencies are not above `p99`.
    /// - Parameter latencies: At least one latency.
    init(_ latencies: [Duration]) {
        let sorted = latencies.sorted()
        func percentile(_ percent: Int) -> Double {
            let rank = (sorted.count * percent + 99) / 100
            return sorted[max(rank, 1) - 1] / .microseconds(1)
        }
        self.init(p50: percentile(50), p99: percentile(99))
    }
}

extension [Figures] {
    /// The median of each figure.
    var medians: Figures {
        Figures(
            processorTime: median(map(\.processorTime)),
            throughput: median(map(\.throughput)),
            latencies: map(\.latencies).medians,
            longestGap: median(map(\.longestGap))
        )
    }
}

extension [Percentiles] {
    /// The median of each percentile.
    var medians: Percentiles { Percentiles(p50: median(map(\.p50)), p99: median(map(\.p99))) }
}
