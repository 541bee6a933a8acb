import CChordataSQLite
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// A value that is too long for SQLite causes an error; it is not omitted.
@Suite(.onlySQLite(.engine))
struct TooLongValueTests {
    @Test func aTextThatIsTooLong() throws {
        try withStorePath { path in
            let container = try DoneModel.container(at: path)
            try limitLength(of: #require(container.persistentStoreCoordinator.persistentStores.first), to: 4_000)
            let context = container.newContext()
            let item = TodoItem(context: context, name: "short", createdAt: .now)
            try context.save()
            item.details = String(repeating: "x", count: 5_000)
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.sqliteCode == SQLITE_TOOBIG && error?.message == "string or blob too big")
            #expect(item.details?.count == 5_000 && item.isUpdated)
            let reader = container.newContext()
            expectEqual(try reader.fetch(TodoItem.fetchRequest()).map(\.details), [nil])
            item.name = "longer"
            item.details = String(repeating: "x", count: 3_000)
            try context.save()
            let saved: [TodoItem.Values] = try reader.fetchValues(TodoItem.fetchRequest())
            expectEqual(saved.map { "\($0.name) \($0.details?.count ?? 0)" }, ["longer 3000"])
        }
    }
}
