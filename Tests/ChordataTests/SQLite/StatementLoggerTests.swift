import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The statements that are reported to a logger.
@Suite(.onlySQLite(.engine))
struct StatementLoggerTests {
    @Test(arguments: [false, true])
    func statementsRowsAndValues(_ includesValues: Bool) throws {
        try withStorePath { path in
            let log = StatementLog()
            let logger = StatementLogger(includesValues: includesValues) { log.add($0) }
            let container = try PersistentContainer(
                model: LeagueModel.definition,
                path: path,
                options: StoreOptions(statementLogger: logger)
            )
            #expect(log.take().contains { $0.sql.hasPrefix("CREATE TABLE \"Team\"") })
            let context = container.newContext()
            for name in ["Reds", "Blues", "Greens"] { _ = Team(context: context, name: name) }
            try context.save()
            let saved = log.take()
            #expect(saved.contains { $0.sql.hasPrefix("INSERT INTO \"Team\"") && $0.rowCount == 3 })
            #expect(saved.contains { $0.sql == "BEGIN IMMEDIATE" })
            let reader = container.newContext()
            _ = try reader.fetch(Team.fetchRequest())
            let all = log.take()
            expectEqual(all.map(\.rowCount).max(), 3, "\(all)")
            let request = try Team.fetchRequest().where(format: "name > %@", "C")
            expectEqual(try reader.fetch(request).count, 2)
            let record = try #require(log.take().last { $0.sql.contains("\"name\" >") })
            #expect(record.sql.contains("\"name\" > \(includesValues ? "'C'" : "?")"))
            expectEqual(record.sql.contains("'C'"), includesValues)
            expectEqual(record.rowCount, 2)
            #expect(record.duration > .zero)
            #expect(record.description.hasSuffix("ms, 2 rows: \(record.sql)"))
        }
    }
}
