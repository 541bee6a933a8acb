import Foundation
import GRDBSQLite

/// A player as in a program without any library.
final class RawPlayer {
    static let columns = "_id, name, age, salary, joined, active, uuid, note, team, score"
    static let selectAll = "SELECT \(columns) FROM Player ORDER BY _id"
    static let selectOne = "SELECT \(columns) FROM Player WHERE _id = ?"
    /// Returns the statement that selects the best players of some teams.
    static func selectBest(teamCount: Int) -> String {
        let marks = Array(repeating: "?", count: teamCount).joined(separator: ", ")
        return """
            SELECT \(columns) FROM Player WHERE team IN (\(marks)) AND active = 1 ORDER BY score DESC, _id LIMIT 50
            """
    }
    /// Selects the best paid players above an age whose names contain a text.
    static let selectOlder =
        "SELECT \(columns) FROM Player WHERE age > ? AND name LIKE ? ORDER BY salary DESC, _id LIMIT 50"
    static let insert = "INSERT INTO Player (\(columns), _version) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"

    let id: Int64
    var name: String
    var age: Int64
    var salary: Double
    var joined: Date
    var active: Bool
    var uuid: UUID
    var note: String?
    /// 0 for no team.
    var team: Int64
    var score: Int64

    init(id: Int64, team: Int64, _ sample: Sample.Player) {
        self.id = id
        self.team = team
        name = sample.name
        age = sample.age
        salary = sample.salary
        joined = sample.joined
        active = sample.active
        uuid = sample.uuid
        note = sample.note
        score = sample.score
    }

    @inline(__always)
    init(_ row: OpaquePointer) {
        id = sqlite3_column_int64(row, 0)
        name = text(row, 1) ?? ""
        age = sqlite3_column_int64(row, 2)
        salary = sqlite3_column_double(row, 3)
        joined = Date(timeIntervalSinceReferenceDate: sqlite3_column_double(row, 4))
        active = sqlite3_column_int64(row, 5) != 0
        if let bytes = sqlite3_column_blob(row, 6), sqlite3_column_bytes(row, 6) == 16 {
            uuid = UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))
        } else {
            uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        note = text(row, 7)
        team = sqlite3_column_int64(row, 8)
        score = sqlite3_column_int64(row, 9)
    }

    /// Runs the INSERT statement.
    @inline(__always)
    func insert(_ statement: OpaquePointer) throws {
        sqlite3_bind_int64(statement, 1, id)
        bind(name, to: statement, 2)
        sqlite3_bind_int64(statement, 3, age)
        sqlite3_bind_double(statement, 4, salary)
        sqlite3_bind_double(statement, 5, joined.timeIntervalSinceReferenceDate)
        sqlite3_bind_int64(statement, 6, active ? 1 : 0)
        bind(uuid, to: statement, 7)
        if let note { bind(note, to: statement, 8) } else { sqlite3_bind_null(statement, 8) }
        if team == 0 { sqlite3_bind_null(statement, 9) } else { sqlite3_bind_int64(statement, 9, team) }
        sqlite3_bind_int64(statement, 10, score)
        let result = sqlite3_step(statement)
        guard result == SQLITE_DONE else { throw RawError(code: result, message: "insert") }
        sqlite3_reset(statement)
    }

    /// All players of the statement.
    static func fetch(_ statement: OpaquePointer) -> [RawPlayer] {
        var players: [RawPlayer] = []
        while sqlite3_step(statement) == SQLITE_ROW { players.append(RawPlayer(statement)) }
        sqlite3_reset(statement)
        return players
    }
}

/// A team with its players.
final class RawTeam {
    static let selectAll = "SELECT _id, name, city FROM Team ORDER BY _id"

    let id: Int64
    var name: String
    var city: String
    var players: [RawPlayer] = []

    init(_ row: OpaquePointer) {
        id = sqlite3_column_int64(row, 0)
        name = text(row, 1) ?? ""
        city = text(row, 2) ?? ""
    }
}
