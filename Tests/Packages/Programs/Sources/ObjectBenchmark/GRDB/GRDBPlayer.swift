import Foundation
import GRDB

/// A player that is decoded by index, which is the fastest way in GRDB.
struct GRDBPlayer: FetchableRecord, TableRecord {
    static let databaseTableName = "Player"

    var id: Int64
    var name: String
    var age: Int64
    var salary: Double
    var joined: Date
    var active: Bool
    var uuid: UUID
    var note: String?
    var team: Int64?
    var score: Int64

    init(row: Row) {
        id = row[0]
        name = row[1]
        age = row[2]
        salary = row[3]
        joined = Date(timeIntervalSinceReferenceDate: row[4])
        active = row[5]
        uuid = row[6]
        note = row[7]
        team = row[8]
        score = row[9]
    }

    init(id: Int64, team: Int64?, _ sample: Sample.Player) {
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

    var arguments: StatementArguments {
        [id, name, age, salary, joined.timeIntervalSinceReferenceDate, active, uuid, note, team, score]
    }
}

/// A team.
struct GRDBTeam: FetchableRecord {
    var id: Int64
    var name: String
    var city: String

    init(row: Row) {
        id = row[0]
        name = row[1]
        city = row[2]
    }
}

/// Opens a store with the settings that all contestants have in common; GRDB's own settings for WAL are the same.
func openGRDB(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.journalMode = .wal
    return try DatabaseQueue(path: path, configuration: configuration)
}
