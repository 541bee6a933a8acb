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

    /// One new object is inserted with parameters, and several with a virtual table.
    @Test(arguments: [1, 2]) func newObjectsWithATextThatIsTooLong(count: Int) throws {
        try withStorePath { path in
            let container = try DoneModel.container(at: path)
            try limitLength(of: #require(container.persistentStoreCoordinator.persistentStores.first), to: 4_000)
            let context = container.newContext()
            let items = (0..<count).map { TodoItem(context: context, name: "\($0)", createdAt: .now) }
            items[0].details = String(repeating: "x", count: 5_000)
            let error = #expect(throws: StoreError.self) { try context.save() }
            #expect(error?.sqliteCode == SQLITE_TOOBIG && error?.message == "string or blob too big")
            let reader = container.newContext()
            expectEqual(try reader.count(for: TodoItem.fetchRequest()), 0)
            items[0].details = String(repeating: "x", count: 3_000)
            try context.save()
            let saved: [TodoItem.Values] = try reader.fetchValues(TodoItem.fetchRequest().sorted(by: \.name))
            expectEqual(saved.map { $0.details?.count }, [3_000] + Array(repeating: nil, count: count - 1))
        }
    }

    @Test func oneValueThatIsTooLong() throws {
        try withStorePath { path in
            let container = try DoneModel.container(at: path)
            try limitLength(of: #require(container.persistentStoreCoordinator.persistentStores.first), to: 4_000)
            let context = container.newContext()
            let item = TodoItem(context: container.newContext(), name: "a", createdAt: .now)
            item.details = String(repeating: "x", count: 5_000)
            let error = #expect(throws: StoreError.self) { try context.insertValues([item.values]) }
            #expect(error?.sqliteCode == SQLITE_TOOBIG)
            expectEqual(try context.count(for: TodoItem.fetchRequest()), 0)
        }
    }
}
