/// An operation of the service, or a mix of two.
enum ServerOperation: String, CaseIterable, Sendable {
    case get, page, search, post, patch, mix

    private static let pageSize = 20

    /// The title of the operation's table.
    var title: String {
        switch self {
        case .get: "GET by ID"
        case .page: "GET a page of \(Self.pageSize), sorted by name, with the total count"
        case .search: "GET the first \(Self.pageSize) products, sorted by name, whose name contains a word"
        case .post: "POST: insert one product"
        case .patch: "PATCH: read one product and change its stock"
        case .mix: "80 % GET by ID and 20 % PATCH"
        }
    }

    /// The durabilities with which the operation is measured; one if it only reads.
    var synchronousLevels: [Synchronous] {
        switch self {
        case .get, .page, .search: [.normal]
        case .post, .patch, .mix: [.normal, .full]
        }
    }

    /// Returns the number of operations of a client.
    ///
    /// It is a quarter of the given number for operations that read many rows, and a tenth for operations that wait for
    /// the disk, so that the rows of all tables take a similar time.
    func count(of operations: Int, _ synchronous: Synchronous) -> Int {
        let divisor =
            switch (self, synchronous) {
            case (.page, _), (.search, _): 4
            case (_, .full): 10
            case (_, .normal): 1
            }
        return max(operations / divisor, 1)
    }

    /// Performs the operation with values of a client's choice.
    func perform(on service: any ProductService, _ requests: inout RequestSource) async throws -> Int {
        switch self {
        case .get: return try await service.product(requests.key())
        case .page:
            let offset = requests.offset(pageSize: Self.pageSize)
            return try await service.page(offset: offset, limit: Self.pageSize)
        case .search: return try await service.search(requests.word(), limit: Self.pageSize)
        case .post: return try await service.insert(requests.product())
        case .patch: return try await service.changeStock(requests.key(), by: 1)
        case .mix:
            let operation: ServerOperation = requests.isOne(in: 5) ? .patch : .get
            return try await operation.perform(on: service, &requests)
        }
    }
}
