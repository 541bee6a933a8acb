/// The operations of a service on its store.
///
/// Each returns a number that depends on what it has read or written, and that is the same for all contestants.
protocol ProductService: Sendable {
    /// Reads one product.
    func product(_ key: Int64) async throws -> Int
    /// Reads products in the order of their names, and counts all.
    func page(offset: Int, limit: Int) async throws -> Int
    /// Reads the first products, in the order of their names, whose names contain a word in upper or lower case.
    func search(_ word: String, limit: Int) async throws -> Int
    /// Inserts one product and saves it.
    func insert(_ sample: ProductSample) async throws -> Int
    /// Reads one product, adds a number to its stock and saves it, so that no change of another client is lost.
    func changeStock(_ key: Int64, by change: Int64) async throws -> Int
    /// Inserts products one after the other, and saves them in one transaction.
    func insertAll(_ samples: [ProductSample]) async throws
    /// Closes the store, if it is not closed when the service is released.
    func close() throws
}

/// The error that is thrown when a product is not in the store.
struct MissingProductError: Error {
    /// The row key of the product.
    let key: Int64
}

/// A number that depends on products and on their order.
struct Answer {
    private(set) var value: Int

    /// Creates a number to which products are added.
    init(_ value: Int = 0) { self.value = value }

    /// Adds a product; its stock is not included, because it depends on the order in which clients have changed it.
    mutating func add(key: Int64, name: String) {
        value = value &* 31 &+ Int(truncatingIfNeeded: key) &+ name.utf8.count
    }
}
