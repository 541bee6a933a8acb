import CBarePostgres
import Foundation

/// A player as in a program without any library.
struct BarePlayer: PlayerRow {
    static let columns = [
        "_id", "_version", "name", "age", "salary", "joined", "active", "uuid", "note", "score", "team",
    ].map { "\"\($0)\"" }.joined(separator: ", ")

    let rowKey: Int64
    let version: Int64
    let name: String
    let age: Int64
    let salary: Double
    let joined: Date
    let active: Bool
    let uuid: UUID
    let note: String?
    let score: Int64
    /// 0 for no team.
    let teamKey: Int64

    @inline(__always)
    init(_ cells: UnsafePointer<bare_cell>) {
        rowKey = cells[0].integer
        version = cells[1].integer
        name = cells[2].text ?? ""
        age = cells[3].integer
        salary = cells[4].real
        joined = Date(timeIntervalSinceReferenceDate: cells[5].real)
        active = cells[6].flag
        uuid = cells[7].uuid
        note = cells[8].text
        score = cells[9].integer
        teamKey = cells[10].integer
    }
}

extension bare_cell {
    /// The integer; 0 for NULL.
    @inline(__always)
    var integer: Int64 {
        start.map { Int64(bigEndian: UnsafeRawPointer($0).loadUnaligned(as: Int64.self)) } ?? 0
    }

    @inline(__always)
    var real: Double { Double(bitPattern: UInt64(bitPattern: integer)) }

    @inline(__always)
    var flag: Bool { start?.pointee == 1 }

    @inline(__always)
    var text: String? {
        start.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
    }

    @inline(__always)
    var uuid: UUID {
        guard let start else { return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
        return UUID(uuid: UnsafeRawPointer(start).loadUnaligned(as: uuid_t.self))
    }
}
