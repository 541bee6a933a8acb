/// A client, which performs operations one after the other and records the latency of each.
struct Client: Sendable {
    /// The latencies of its operations, in their order.
    private(set) var latencies: [Duration] = []
    /// The sum of the answers of its operations.
    private(set) var answer = 0
    private var requests: RequestSource

    /// Creates a client.
    /// - Parameter keys: The row keys of the products.
    init(_ number: Int, seed: UInt64, keys: [Int64]) {
        requests = RequestSource(client: number, seed: seed, keys: keys)
    }

    /// Performs an operation.
    mutating func perform(_ operation: ServerOperation, on service: any ProductService) async throws {
        let start = ContinuousClock.now
        let answer = try await operation.perform(on: service, &requests)
        latencies.append(ContinuousClock.now - start)
        self.answer &+= answer
    }
}
