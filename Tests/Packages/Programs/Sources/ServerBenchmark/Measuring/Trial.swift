import CMallocStatistics
import Contest

/// The work of one row: clients that perform an operation at the same time.
struct Trial: Sendable {
    var operation: ServerOperation
    var synchronous: Synchronous
    var clients: Int
    /// The number of operations of each client.
    var count: Int

    /// Runs the trial with all contestants.
    /// - Returns: The medians of the rounds.
    func run(_ options: Options, _ stores: Stores) async throws -> [Contestant: Figures] {
        try await runRounds(options, title: operation.title) { contestant, seed in
            try await run(contestant, seed: seed, stores, usesHTTP: options.usesHTTP)
        }.mapValues(\.medians)
    }

    private func run(_ contestant: Contestant, seed: UInt64, _ stores: Stores, usesHTTP: Bool) async throws
        -> Outcome<Figures>
    {
        let path = try stores.copy()
        var service = try contestant.open(path, synchronous)
        if usesHTTP { service = try await overHTTP(service) }
        // Opens connections and prepares statements.
        _ = try await perform(max(count / 10, 1), on: service, seed: ~seed, stores.keys)
        // Otherwise a contestant would pay for memory that another one has freed, and would get this memory in pieces.
        release_free_memory()
        let measured = try await measureLongestGap {
            let processorStart = processorTime()
            let start = ContinuousClock.now
            let clients = try await perform(count, on: service, seed: seed, stores.keys)
            return (clients, elapsed: ContinuousClock.now - start, processor: processorTime() - processorStart)
        }
        let (clients, elapsed, processor) = measured.result
        try service.close()
        let answer = try clients.reduce(checksum(ofStoreAt: path)) { $0 &+ $1.answer }
        try stores.remove(path)
        let operations = Double(clients.count * count)
        let figures = Figures(
            processorTime: processor * 1e6 / operations,
            throughput: operations / (elapsed / .seconds(1)),
            latencies: Percentiles(clients.flatMap(\.latencies)),
            longestGap: measured.longestGap / .milliseconds(1)
        )
        return Outcome(value: figures, answer: answer)
    }

    private func overHTTP(_ service: any ProductService) async throws -> any ProductService {
        #if HTTP
            return try await HTTPService(service)
        #else
            throw UsageError("--http needs a build with CHORDATA_HTTP=1, as 'Scripts/benchmark http' makes")
        #endif
    }

    private func perform(
        _ count: Int,
        on service: any ProductService,
        seed: UInt64,
        _ keys: [Int64]
    ) async throws -> [Client] {
        try await withThrowingTaskGroup(of: Client.self) { group in
            for number in 0..<clients {
                group.addTask {
                    var client = Client(number, seed: seed, keys: keys)
                    for _ in 0..<count { try await client.perform(operation, on: service) }
                    return client
                }
            }
            var done: [Client] = []
            for try await client in group { done.append(client) }
            return done
        }
    }
}
