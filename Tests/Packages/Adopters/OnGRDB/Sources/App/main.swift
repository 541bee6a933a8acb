import Foundation
import GRDB

struct Team: Codable, FetchableRecord, MutablePersistableRecord {
    static let players = hasMany(Player.self)
    var id: Int64?
    var name: String
    var city: String?
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

struct Player: Codable, FetchableRecord, MutablePersistableRecord {
    static let team = belongsTo(Team.self)
    var id: Int64?
    var name: String
    var age: Int16 = 0
    var teamId: Int64?
    mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

let database = try DatabaseQueue(path: CommandLine.arguments[1])
var migrator = DatabaseMigrator()
migrator.registerMigration("League") { database in
    try database.create(table: "team") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("name", .text).notNull()
        table.column("city", .text)
    }
    try database.create(table: "player") { table in
        table.autoIncrementedPrimaryKey("id")
        table.column("name", .text).notNull()
        table.column("age", .integer).notNull()
        table.belongsTo("team", onDelete: .setNull)
    }
}
try migrator.migrate(database)
let players = try database.write { database in
    var reds = Team(name: "Reds")
    try reds.insert(database)
    for number in 0..<20 {
        var player = Player(name: "Player \(number)", teamId: reds.id)
        try player.insert(database)
    }
    return try Player.joining(required: Player.team.filter(Column("name") == "Reds")).order(Column("name"))
        .fetchAll(database)
}
print(players.map(\.name).joined(separator: ", "))
