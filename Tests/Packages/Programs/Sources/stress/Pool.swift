import Chordata
import Foundation

/// A saved row that its worker has given away.
struct GivenRow: Sendable {
    var name: String
    var id: ManagedObjectID
    var row: Row
}

/// Rows that wait for another worker, which may change or delete them: they are recorded by their owner.
final class Pool: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var rows: [GivenRow] = []

    /// More than that would never be taken, and make all fetches slow.
    private static let limit = 12

    var hasRoom: Bool { lock.withLock { rows.count < Self.limit } }
    func give(_ row: GivenRow) { lock.withLock { rows.append(row) } }
    func take() -> GivenRow? { lock.withLock { rows.isEmpty ? nil : rows.removeFirst() } }
}
