import Foundation

/// The measurements of one contestant.
struct Figure {
    var workload: String
    var contestant: String
    /// In ascending order.
    private let milliseconds: [Double]

    init(workload: String, contestant: String, milliseconds: [Double]) {
        self.workload = workload
        self.contestant = contestant
        self.milliseconds = milliseconds.sorted()
    }

    var median: Double { milliseconds[milliseconds.count / 2] }
    var minimum: Double { milliseconds[0] }
    var maximum: Double { milliseconds[milliseconds.count - 1] }

    func row(comparedWith first: Figure, count: Int, unit: String) -> String {
        "  " + padded(contestant, to: 34)
            + padded(formatted(median), to: 11, right: true) + " ms"
            + padded(formatted(minimum), to: 11, right: true) + " min"
            + padded(formatted(maximum), to: 11, right: true) + " max"
            + padded(formatted(median * 1e6 / Double(count)), to: 11, right: true) + " ns/\(unit.dropLast())"
            + padded(formatted(median / first.median), to: 9, right: true) + " x"
    }
}

extension [Figure] {
    /// Adds the figures to the file that `CHORDATA_BENCHMARK_JSON` names; does nothing if the variable is not set.
    /// - Parameter count: The number of units of a run's work.
    func record(comparedWith first: Figure, count: Int) throws {
        try recordRows(
            map { figure in
                [
                    "units": count, "workload": figure.workload, "contestant": figure.contestant,
                    "median_ms": rounded(figure.median), "min_ms": rounded(figure.minimum),
                    "max_ms": rounded(figure.maximum), "ratio": rounded(figure.median / first.median),
                ]
            }
        )
    }
}
