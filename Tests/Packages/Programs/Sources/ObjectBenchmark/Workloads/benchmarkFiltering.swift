import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W7: fetches the fifty best active players of twenty teams, a hundred times.
func benchmarkFiltering(_ stores: Stores) throws {
    let teams = try openChordata(stores.full).newContext().fetch(Team.fetchRequest())
    let groups = (0..<100).map { group in (0..<20).map { teams[(group * 20 + $0) % teams.count] } }
    try benchmark(
        "W7",
        title: "filtered and sorted, 50 at most",
        stores,
        sql: RawPlayer.selectBest(teamCount: 20),
        arguments: groups.map { $0.map { .integer($0.objectID.key) } }
    ) { index in
        try Player.fetchRequest().where(format: "team IN %@ AND active == YES", groups[index])
            .sorted(by: \.score, .descending).limit(50)
    }
}

/// W7-search: for each of twenty ages, fetches the fifty best paid players above the age whose names contain a text.
func benchmarkSearching(_ stores: Stores) throws {
    let ages = (0..<20).map { Int64(20 + $0) }
    try benchmark(
        "W7-search",
        title: "searched and sorted, 50 at most",
        stores,
        sql: RawPlayer.selectOlder,
        arguments: ages.map { [.integer($0), .text("%der Berg%")] }
    ) { index in
        try Player.fetchRequest().where(format: "age > %ld AND name LIKE %@", ages[index], "*der Berg*")
            .sorted(by: \.salary, .descending).limit(50)
    }
}

/// An argument of a statement.
private enum Argument {
    case integer(Int64)
    case text(String)

    func bind(to statement: OpaquePointer, at position: Int32) {
        switch self {
        case .integer(let number): sqlite3_bind_int64(statement, position, number)
        case .text(let text):
            sqlite3_bind_text(statement, position, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }

    var databaseValue: DatabaseValue {
        switch self {
        case .integer(let number): number.databaseValue
        case .text(let text): text.databaseValue
        }
    }
}

/// Runs fetches with a condition, an order and a limit, which return a few of many rows each.
/// - Parameter sql: The statement of the contestants with handwritten SQL.
/// - Parameter arguments: The arguments of the statement, for each request.
/// - Parameter makeRequest: Makes the request at an index from a format string.
private func benchmark(
    _ workload: String,
    title: String,
    _ stores: Stores,
    sql: String,
    arguments: [[Argument]],
    makeRequest: @escaping (Int) throws -> Chordata.FetchRequest<Player>
) throws {
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    let statement = try connection.prepare(sql)
    let requests = try arguments.indices.map { try makeRequest($0) }
    let values = arguments.map { StatementArguments($0.map(\.databaseValue)) }
    /// Runs the fetch of each request, and adds up the scores of the results.
    func work<Found>(
        _ fetch: @escaping (Int) throws -> [Found],
        _ score: @escaping (Found) -> Int64
    ) -> Contest.Contestant.Work {
        {
            var results: [[Found]] = []
            var checksum = Checksum()
            for index in arguments.indices {
                let players = try fetch(index)
                for player in players { checksum.add(score(player)) }
                results.append(players)
            }
            return { withExtendedLifetime((results, connection, queue)) { checksum.value } }
        }
    }
    try Contest(
        workload,
        title: title,
        unit: "requests",
        count: requests.count,
        contestants: [
            .init(name: "raw") {
                work({ index in
                    for (position, argument) in arguments[index].enumerated() {
                        argument.bind(to: statement, at: Int32(position + 1))
                    }
                    return RawPlayer.fetch(statement)
                }) { (player: RawPlayer) in player.score }
            },
            .init(name: "chordata") {
                let context = container.newContext()
                return work({ try context.fetch(requests[$0]) }) { (player: Player) in player.score }
            },
            .init(name: "chordata, format parsed each time") {
                let context = container.newContext()
                return work({ try context.fetch(try makeRequest($0)) }) { (player: Player) in player.score }
            },
            .init(name: "values") {
                let context = container.newContext()
                return work({ try context.fetchValues(requests[$0]) }) { (player: Player.Values) in player.score }
            },
            .init(name: "grdb") {
                work({ index in
                    try queue.read { database in
                        try GRDBPlayer.fetchAll(try database.cachedStatement(sql: sql), arguments: values[index])
                    }
                }) { (player: GRDBPlayer) in player.score }
            },
        ]
    ).run(rounds: rounds)
}
