import Contest

/// A row of the table.
struct ComparisonResult {
    let workload: Workload
    /// The number of rows or saves.
    let count: Int
    /// The fastest bare program; `nil` if only Chordata was measured.
    let bare: Figure?
    /// The figures of Chordata; `nil` if only a bare program was measured.
    let chordata: Figure?

    var ratio: Double? { quotient(\.time) }
    var processorRatio: Double? { quotient(\.processorTime) }

    private func quotient(_ value: (Figure) -> Double) -> Double? {
        guard let bare, let chordata, value(bare) > 0 else { return nil }
        return value(chordata) / value(bare)
    }

    /// The names of the columns.
    static let header =
        padded("", to: 44) + padded("  wall time, µs/unit", to: 36) + "  CPU time, µs/unit\n"
        + line("workload", "units", ["bare", "chordata", "ratio", "target", "", "bare", "chordata", "ratio"])

    /// The row of the table; `!` marks a ratio above the target.
    var row: String {
        Self.line(
            "\(workload.rawValue)\(bare.map { " (\($0.name))" } ?? "")",
            "\(count)",
            [
                formatted(bare?.time), formatted(chordata?.time), formatted(ratio), "<= \(formatted(workload.target))",
                (ratio ?? 0) > workload.target ? "!" : "", formatted(bare?.processorTime),
                formatted(chordata?.processorTime), formatted(processorRatio),
            ]
        )
    }

    private static func line(_ name: String, _ units: String, _ cells: [String]) -> String {
        let widths = [10, 10, 7, 9, 2, 9, 10, 7]
        return padded(name, to: 34) + padded(units, to: 10, right: true)
            + zip(cells, widths).map { padded($0, to: $1, right: true) }.joined()
    }

    /// The row for programs, with numbers rounded to four decimal places; smaller differences are noise.
    var object: [String: Any] {
        var object: [String: Any] = [
            "workload": "postgres-\(workload.rawValue)", "count": count, "target": rounded(workload.target),
        ]
        object["bare"] = bare?.name
        object["bare_us"] = bare.map { rounded($0.time) }
        object["chordata_us"] = chordata.map { rounded($0.time) }
        object["ratio"] = ratio.map(rounded)
        object["bare_processor_us"] = bare.map { rounded($0.processorTime) }
        object["chordata_processor_us"] = chordata.map { rounded($0.processorTime) }
        object["processor_ratio"] = processorRatio.map(rounded)
        return object
    }
}
