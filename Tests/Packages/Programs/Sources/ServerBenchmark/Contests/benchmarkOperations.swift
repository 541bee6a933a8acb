/// Measures each operation with each durability and number of clients, and prints a table for each of the first two.
/// - Returns: The rows for programs.
func benchmarkOperations(_ options: Options, _ stores: Stores) async throws -> [ResultRow] {
    var rows: [ResultRow] = []
    for operation in options.operationKinds {
        for synchronous in operation.synchronousLevels where options.synchronousLevels.contains(synchronous) {
            rows += try await benchmark(operation, synchronous, options, stores)
        }
    }
    return rows
}

private func benchmark(
    _ operation: ServerOperation,
    _ synchronous: Synchronous,
    _ options: Options,
    _ stores: Stores
) async throws -> [ResultRow] {
    let contestants = options.contestants
    let names = contestants.map(\.rawValue)
    let isComparison = contestants.count > 1
    let table = Table(
        corner: "clients",
        groups: [
            .init(title: "CPU µs/operation", columns: isComparison ? names + ["ratio"] : names),
            .init(title: "operations/s", columns: names), .init(title: "p50 µs", columns: names),
            .init(title: "p99 µs", columns: names), .init(title: "longest gap ms", columns: names),
        ]
    )
    let count = operation.count(of: options.operations, synchronous)
    table.printHeader(
        "\(operation.title), synchronous=\(synchronous.rawValue), \(count) operations per client, "
            + "median of \(options.rounds)"
    )
    var rows: [ResultRow] = []
    for clients in options.clients {
        let trial = Trial(operation: operation, synchronous: synchronous, clients: clients, count: count)
        let figures = try await trial.run(options, stores)
        let grdb = figures[.grdb]?.processorTime
        func columns(_ value: (Figures) -> Double) -> [Double?] { contestants.map { figures[$0].map(value) } }
        var cells = columns(\.processorTime)
        if isComparison { cells.append(ratio(figures[.chordata]?.processorTime, grdb)) }
        cells += columns(\.throughput) + columns(\.latencies.p50) + columns(\.latencies.p99) + columns(\.longestGap)
        table.printRow("\(clients)", cells)
        rows += contestants.compactMap { contestant in
            figures[contestant].map {
                ResultRow(
                    "\(options.usesHTTP ? "http" : "server")-\(operation.rawValue)",
                    contestant,
                    trial,
                    $0,
                    grdbProcessorTime: grdb
                )
            }
        }
    }
    return rows
}
