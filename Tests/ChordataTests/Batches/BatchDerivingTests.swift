import Foundation
import Testing

@testable import Chordata

/// Derived attributes follow batch updates: of the rows themselves, and of others.
struct BatchDerivingTests {
    private struct Bookkeeping {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let accounts: [ManagedObject]

        init(_ place: String) throws {
            container = try PersistentContainer(model: try LedgerModel.definition(), path: place)
            context = container.newContext()
            let bank = EntityDescription.insertNewObject(forEntityName: "Bank", into: context)
            bank.setValue("Ulm", forKey: "name")
            var accounts: [ManagedObject] = []
            for title in ["A", "B"] {
                let account = EntityDescription.insertNewObject(forEntityName: "Account", into: context)
                account.setValue(title, forKey: "title")
                account.setValue(title == "A" ? bank : nil, forKey: "bank")
                for amount in [1, 2] {
                    let entry = EntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                    entry.setValue(amount, forKey: "amount")
                    entry.setValue(account, forKey: "account")
                }
                accounts.append(account)
            }
            try context.save()
            self.accounts = accounts
        }

        func execute(_ request: BatchUpdateRequest<ManagedObject>) throws -> BatchUpdateResult {
            let result = try context.execute(request)
            context.mergeChanges(result.changes)
            return result
        }
    }

    @Test(arguments: [":memory:", "file"]) func ofTheRowsThemselves(_ place: String) throws {
        try withStorePath { path in
            let books = try Bookkeeping(place == "file" ? path : place)
            let before = books.accounts.map { $0.value(forKey: "changedAt") as? Date }
            let start = Date.now
            let result = try books.execute(
                BatchUpdateRequest(entityName: "Account").where(format: "title == 'A'").setting("title", to: "Ägypten")
            )
            #expect(result.updatedObjectIDs == [books.accounts[0].objectID])
            #expect(books.accounts.map { $0.value(forKey: "searchTitle") as? String } == ["agypten", "b"])
            let changedAt = try #require(books.accounts[0].value(forKey: "changedAt") as? Date)
            #expect(changedAt >= start && changedAt <= .now)
            #expect(books.accounts[1].value(forKey: "changedAt") as? Date == before[1])
        }
    }

    @Test func ofOthers() throws {
        let books = try Bookkeeping(":memory:")
        let before = books.accounts.map { $0.value(forKey: "changedAt") as? Date }
        let amounts = try books.execute(
            BatchUpdateRequest(entityName: "Entry").where(format: "account.title == 'B'")
                .setting("amount", to: try FetchExpression(format: "amount * 10"))
        )
        #expect(amounts.updatedObjectsCount == 2)
        #expect(amounts.updatedObjectIDs.map(\.entityName) == ["Account", "Entry", "Entry"])
        #expect(books.accounts.map { $0.value(forKey: "total") as? Int64 } == [3, 30])
        #expect(books.accounts[0].value(forKey: "changedAt") as? Date == before[0])
        #expect(books.accounts[1].value(forKey: "changedAt") as? Date != before[1])
        // A relationship that they go along leads elsewhere.
        _ = try books.execute(
            BatchUpdateRequest(entityName: "Entry").where(format: "amount == 2").setting(
                "account",
                to: books.accounts[1]
            )
        )
        #expect(books.accounts.map { $0.value(forKey: "total") as? Int64 } == [1, 32])
        #expect(books.accounts.map { $0.value(forKey: "entryCount") as? Int16 } == [1, 3])
        // Over two relationships, of which one has no inverse.
        let bank = try books.execute(BatchUpdateRequest(entityName: "Bank").setting("name", to: "Jena"))
        #expect(bank.updatedObjectIDs.map(\.entityName) == ["Account", "Entry", "Bank"])
        #expect(books.accounts.map { $0.value(forKey: "bankName") as? String } == ["Jena", nil])
        let entries = try books.context.fetch(
            FetchRequest<ManagedObject>(entityName: "Entry").sorted(by: "amount").dictionaries
        )
        #expect(entries.map { $0["bankTitle"] as? String } == ["JENA", nil, nil, nil])
    }

    /// Nothing is updated where what follows does not fit.
    @Test func whatFollowsMustFit() throws {
        let books = try Bookkeeping(":memory:")
        let most = BatchUpdateRequest<ManagedObject>(entityName: "Entry").setting("amount", to: Int64.max)
        let error = #expect(throws: BatchUpdateError.self) { try books.execute(most) }
        guard case .unfittingValue("total", "Account", _, _?) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            try books.context.count(for: FetchRequest<ManagedObject>(entityName: "Entry").where(format: "amount < 3"))
                == 4
        )
    }
}
