import CSQLite
import Chordata
import Contest
import Foundation

/// Searches all rows of a store by text, compared with SQLite's LIKE: 100,000 names of 8 to 30 bytes.
func benchmarkSearch(rounds: Int) throws {
    let rowCount = 100_000
    let folder = FileManager.default.temporaryDirectory.appending(path: "search-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "search.sqlite").path
    let container = try SquadModel.container(at: path)
    let context = container.newContext()
    let words = ["Ada", "Grace", "Anne", "Linus", "Barbara", "Edsger", "Donald", "Margaret", "Tim", "Katherine"]
    for index in 0..<rowCount {
        _ = Player(context: context, name: "\(words[index % 10]) \(words[index / 10 % 10]) \(index)")
    }
    try context.save()
    var database: OpaquePointer?
    guard sqlite3_open(path, &database) == SQLITE_OK else { fatalError("the store cannot be opened") }
    defer { sqlite3_close(database) }

    func count(_ sql: String) -> Int {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { fatalError(String(cString: sqlite3_errmsg(database))) }
        defer { sqlite3_finalize(statement) }
        return Int(sqlite3_column_int64(statement, 0))
    }

    for (format, like) in [
        ("name CONTAINS[c] 'BARA g'", "%BARA g%"), ("name BEGINSWITH[c] 'DON'", "DON%"),
        ("name LIKE[c] '*marg*5?'", "%marg%5_"), ("name CONTAINS[cd] 'bara g'", "%bara g%"),
    ] {
        let request = Player.fetchRequest().where(try FetchPredicate(format: format))
        try Contest(
            title: format,
            unit: "rows",
            count: rowCount,
            contestants: [
                .init(name: "SQLite's LIKE") { count("SELECT count(*) FROM Player WHERE name LIKE '\(like)'") },
                .init(name: "Chordata") { try context.count(for: request) },
            ]
        ).run(rounds: rounds)
    }
}
