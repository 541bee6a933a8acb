import GRDB

/// Returns a number that depends on the number of products in a store and on the sum of their stocks.
///
/// A lost insert or update changes it, but not the order in which clients have inserted and updated.
func checksum(ofStoreAt path: String) throws -> Int {
    let queue = try DatabaseQueue(path: path)
    let sum = try queue.read { database in
        try Int.fetchOne(database, sql: "SELECT count(*) * 1000003 + sum(stock) FROM Product")
    }
    try queue.close()
    return sum ?? 0
}
