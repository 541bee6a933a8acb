import Chordata
import Foundation

/// A saved row that its worker has released.
struct GivenRow: Sendable {
    var name: String
    var id: ManagedObjectID
    var row: Row
}

/// Rows that wait for another worker, which may change or delete them.
///
/// Each row is recorded by its owner.
final class Pool: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var rows: [GivenRow] = []

    /// Further rows would never be taken, and would make all fetches slow.
    private static let limit = 12

    var hasRoom: Bool { lock.withLock { rows.count < Self.limit } }
    func give(_ row: GivenRow) { lock.withLock { rows.append(row) } }
    func take() -> GivenRow? { lock.withLock { rows.isEmpty ? nil : rows.removeFirst() } }
}
