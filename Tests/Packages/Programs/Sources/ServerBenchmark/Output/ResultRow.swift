import Contest

/// The figures of one contestant in one row, for programs.
struct ResultRow: Sendable {
    private let names: [String: String]
    private let clients: Int
    private var numbers: [String: Double]

    /// Creates a row of a trial; without the CPU time of GRDB, it has no ratio.
    init(
        _ workload: String,
        _ contestant: Contestant,
        _ trial: Trial,
        _ figures: Figures,
        grdbProcessorTime: Double?
    ) {
        names = Self.names(workload, contestant, trial.synchronous)
        clients = trial.clients
        numbers = Self.numbers(figures.throughput, figures.latencies, longestGap: figures.longestGap)
        numbers["cpu_us"] = figures.processorTime
        numbers["cpu_ratio"] = ratio(figures.processorTime, grdbProcessorTime)
    }

    /// Creates a row of reads during a large save.
    init(_ workload: String, _ contestant: Contestant, _ clients: Int, _ figures: LargeSaveFigures) {
        names = Self.names(workload, contestant, .normal)
        self.clients = clients
        numbers = Self.numbers(figures.throughput, figures.latencies, longestGap: figures.longestGap)
        numbers["save_s"] = figures.saveTime
    }

    private static func names(
        _ workload: String,
        _ contestant: Contestant,
        _ synchronous: Synchronous
    ) -> [String: String] {
        ["workload": workload, "contestant": contestant.rawValue, "synchronous": synchronous.rawValue]
    }

    private static func numbers(
        _ throughput: Double,
        _ latencies: Percentiles,
        longestGap: Double
    ) -> [String: Double] {
        [
            "operations_per_second": throughput, "p50_us": latencies.p50, "p99_us": latencies.p99,
            "longest_gap_ms": longestGap,
        ]
    }

    /// The row as a JSON object, with rounded numbers.
    var object: [String: Any] {
        var object: [String: Any] = ["clients": clients]
        for (key, name) in names { object[key] = name }
        for (key, number) in numbers { object[key] = rounded(number) }
        return object
    }
}
