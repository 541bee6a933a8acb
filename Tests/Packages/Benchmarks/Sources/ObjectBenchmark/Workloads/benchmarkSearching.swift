import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W7-search: the fifty best paid players above an age whose name has some text in it, for each of twenty ages.
func benchmarkSearching(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    let ages = (0..<20).map { Int64(20 + $0) }
    let select = RawPlayer.selectOlder
    let older = try connection.prepare(select)
    let format = "age > %ld AND name LIKE %@"
    func request(_ age: Int64) throws -> Chordata.FetchRequest<Player> {
        try Player.fetchRequest().where(format: format, age, "*der Berg*").sorted(by: \.salary, .descending).limit(50)
    }
    let requests = try ages.map { try request($0) }
    try Contest(
        "W7-search",
        title: "searched and sorted, 50 at most",
        unit: "requests",
        count: requests.count,
        contestants: [
            .init(name: "raw") {
                {
                    var results: [[RawPlayer]] = []
                    var checksum = Checksum()
                    for age in ages {
                        sqlite3_bind_int64(older, 1, age)
                        sqlite3_bind_text(older, 2, "%der Berg%", -1, nil)
                        let players = RawPlayer.fetch(older)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, connection)) { checksum.value } }
                }
            },
            .init(name: "chordata") {
                let context = container.newContext()
                return {
                    var results: [[Player]] = []
                    var checksum = Checksum()
                    for request in requests {
                        let players = try context.fetch(request)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "chordata, format parsed each time") {
                let context = container.newContext()
                return {
                    var results: [[Player]] = []
                    var checksum = Checksum()
                    for age in ages {
                        let players = try context.fetch(try request(age))
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "values") {
                let context = container.newContext()
                return {
                    var results: [[Player.Values]] = []
                    var checksum = Checksum()
                    for request in requests {
                        let players: [Player.Values] = try context.fetchValues(request)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "grdb") {
                {
                    var results: [[GRDBPlayer]] = []
                    var checksum = Checksum()
                    try queue.read { database in
                        let statement = try database.cachedStatement(sql: select)
                        for age in ages {
                            let players = try GRDBPlayer.fetchAll(statement, arguments: [age, "%der Berg%"])
                            for player in players { checksum.add(player.score) }
                            results.append(players)
                        }
                    }
                    return { withExtendedLifetime((results, queue)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}
