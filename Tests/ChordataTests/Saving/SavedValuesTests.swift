import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// After a save, an object has the values that the store has computed, without being read again.
@Suite(.onlySQLite(.statements))
struct SavedValuesTests {
    private func withLog(_ body: (PersistentContainer, StatementLog) throws -> Void) throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            try body(try EverythingModel.definition.testContainer(at: path, options: options), log)
        }
    }

    /// The statements that read rows of entities.
    private func reads(_ log: StatementLog) -> [String] {
        log.take().map(\.sql).filter { $0.hasPrefix("SELECT") && !$0.contains("\"_metadata\"") }
    }

    @Test func derivedAttributesAreInTheValuesAfterTheSave() throws {
        try withLog { container, log in
            let context = container.newContext()
            _ = log.take()
            let book = Book(context: context, createdAt: .now, title: "Café")
            for (title, expected) in [("Café", "cafe"), ("Übung", "ubung")] {
                book.title = title
                try context.save()
                let values = book.values
                expectEqual(values.searchTitle, expected)
                expectEqual(book.searchTitle, expected)
                expectEqual(reads(log), [])
                let stored: [Book.Values] = try container.newContext().fetchValues(Book.fetchRequest())
                expectEqual(stored, [values])
                _ = log.take()
            }
        }
    }

    /// The same holds for objects of which the save changes only derived attributes.
    @Test func derivedAttributesOfOtherObjectsAreKnownAfterTheSave() throws {
        try withStorePath { path in
            let log = StatementLog()
            let container = try LedgerModel.definition().testContainer(
                at: path,
                options: StoreOptions(statementLogger: StatementLogger { log.add($0) })
            )
            let context = container.newContext()
            func insert(_ name: String, _ values: [String: Any]) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                for (key, value) in values { object.setValue(value, forKey: key) }
                return object
            }
            let account = insert("Account", ["title": "Main"])
            let entry = insert("Entry", ["amount": 3, "account": account])
            try context.save()
            entry.setValue(10, forKey: "amount")
            try context.save()
            _ = log.take()
            #expect(account.value(forKey: "total") as? Int64 == 10)
            expectEqual(reads(log), [])
            // The row version is also known, so another save causes no conflict.
            account.setValue("Other", forKey: "title")
            try context.save()
        }
    }
}
