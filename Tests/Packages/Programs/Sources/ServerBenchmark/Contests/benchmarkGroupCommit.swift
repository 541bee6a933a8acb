/// Measures inserts of one object per save with one writer and with eight, whose saves can share a flush of the disk.
/// - Returns: The rows for programs.
func benchmarkGroupCommit(_ options: Options, _ stores: Stores) async throws -> [ResultRow] {
    let writers = (one: 1, many: 8)
    // This is enough so that the first saves, before all writers have begun, do not determine the result.
    let count = max(options.operations / 2, 1)
    let table = Table(
        corner: "",
        groups: [.init(title: "operations/s", columns: ["\(writers.one) writer", "\(writers.many) writers", "ratio"])]
    )
    table.printHeader(
        "Group commit: one insert per save, synchronous=FULL, \(count) operations per writer, median of "
            + "\(options.rounds)"
    )
    let trials = [writers.one, writers.many].map {
        Trial(operation: .post, synchronous: .full, clients: $0, count: count)
    }
    let one = try await trials[0].run(options, stores)
    let many = try await trials[1].run(options, stores)
    for contestant in options.contestants {
        let throughputs = (one: one[contestant]?.throughput, many: many[contestant]?.throughput)
        table.printRow(
            contestant.rawValue,
            [throughputs.one, throughputs.many, ratio(throughputs.many, throughputs.one)]
        )
    }
    var rows: [ResultRow] = []
    for (trial, figures) in zip(trials, [one, many]) {
        let grdb = figures[.grdb]?.processorTime
        rows += options.contestants.compactMap { contestant in
            figures[contestant].map {
                ResultRow("server-group-commit", contestant, trial, $0, grdbProcessorTime: grdb)
            }
        }
    }
    return rows
}
