import CMallocStatistics

private let insertedCount = 200_000
private let readerCount = 4

/// Measures reads of clients while one background task inserts and saves many objects.
/// - Returns: The rows for programs.
func benchmarkLargeSave(_ options: Options, _ stores: Stores) async throws -> [ResultRow] {
    let title = "GET by ID beside a save of \(insertedCount) new objects"
    let table = Table(
        corner: "",
        groups: [
            .init(title: "save", columns: ["s"]), .init(title: "reads", columns: ["per s", "p50 µs", "p99 µs"]),
            .init(title: "longest gap", columns: ["ms"]),
        ]
    )
    table.printHeader("\(title), synchronous=NORMAL, \(readerCount) clients, median of \(options.rounds)")
    var random = RequestSource(client: 0, seed: options.seed, keys: stores.keys)
    let samples = (0..<insertedCount).map { _ in random.product() }
    let medians = try await runRounds(options, title: title) { contestant, seed in
        try await run(contestant, seed: seed, samples, stores)
    }.mapValues(\.medians)
    var rows: [ResultRow] = []
    for contestant in options.contestants {
        guard let figures = medians[contestant] else { continue }
        table.printRow(
            contestant.rawValue,
            [figures.saveTime, figures.throughput, figures.latencies.p50, figures.latencies.p99, figures.longestGap]
        )
        rows.append(ResultRow("server-large-save", contestant, readerCount, figures))
    }
    return rows
}

private func run(
    _ contestant: Contestant,
    seed: UInt64,
    _ samples: [ProductSample],
    _ stores: Stores
) async throws -> Outcome<LargeSaveFigures> {
    let path = try stores.copy()
    let service = try contestant.open(path, .normal)
    release_free_memory()
    let progress = SaveProgress()
    let (clients, longestGap) = try await measureLongestGap {
        try await read(beside: samples, progress, service, seed: seed, stores.keys)
    }
    try service.close()
    let answer = try checksum(ofStoreAt: path)
    try stores.remove(path)
    let latencies = clients.flatMap(\.latencies)
    let seconds = (progress.duration ?? .zero) / .seconds(1)
    let figures = LargeSaveFigures(
        saveTime: seconds,
        throughput: Double(latencies.count) / seconds,
        latencies: Percentiles(latencies),
        longestGap: longestGap / .milliseconds(1)
    )
    return Outcome(value: figures, answer: answer)
}

/// Reads with all clients until products are saved.
private func read(
    beside samples: [ProductSample],
    _ progress: SaveProgress,
    _ service: any ProductService,
    seed: UInt64,
    _ keys: [Int64]
) async throws -> [Client] {
    try await withThrowingTaskGroup(of: Client?.self) { group in
        group.addTask {
            let start = ContinuousClock.now
            try await service.insertAll(samples)
            progress.finish(after: ContinuousClock.now - start)
            return nil
        }
        for number in 0..<readerCount {
            group.addTask {
                var client = Client(number, seed: seed, keys: keys)
                repeat {
                    try await client.perform(.get, on: service)
                } while progress.duration == nil && !Task.isCancelled
                return client
            }
        }
        var clients: [Client] = []
        for try await client in group {
            if let client { clients.append(client) }
        }
        return clients
    }
}
