import ChordataModel
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// The persistent history of stores on the server.
struct HistoryTests {
    private func container(_ schema: String) throws -> PersistentContainer {
        try feedContainer(schema: schema) { $0.tracksPersistentHistory = true }
    }

    @Test func transactions() throws {
        let schema = newSchemaName()
        let container = try container(schema)
        let context = container.newContext()
        context.transactionAuthor = "author"
        let start = try container.store.currentPersistentHistoryToken()
        let writer = context.insert("Writer", ["name": "Bob"])
        let person = context.insert("Person", ["name": "Ada"])
        let tag = context.insert("Tag")
        let books = (0..<2).map { context.insert("Book", ["title": "\($0)"]) }
        books[0].setValue(writer, forKey: "author")
        books[1].setValue(person, forKey: "author")
        books[0].setValue([tag] as Set<ManagedObject>, forKey: "tags")
        try context.save()
        let inserted = try #require(try context.execute(.fetchHistory(after: start)).first)
        #expect(inserted.author == "author" && !inserted.isRemote && inserted.changes.count == 5)
        #expect(inserted.objectIDChanges.inserted.count == 5)
        // A many-to-many relationship is recorded at both ends, whose rows are not written.
        books[1].setValue([tag] as Set<ManagedObject>, forKey: "tags")
        try context.save()
        let related = try #require(try context.execute(.fetchHistory(after: inserted)).first)
        #expect(Set(related.changes.map(\.changedObjectID)) == [books[1].objectID, tag.objectID])
        #expect(related.changes.flatMap(\.updatedProperties).sorted() == ["books", "tags"])
        // Another container, which has read neither the books nor their tags, deletes the objects that they reference.
        let other = try self.container(schema)
        let deleter = other.newContext()
        for id in [writer.objectID, tag.objectID] {
            deleter.delete(try deleter.existingObject(with: try #require(other.id(id))))
        }
        try deleter.save()
        let deleted = try #require(try context.execute(.fetchHistory(after: related)).first)
        #expect(deleted.isRemote && deleted.objectIDChanges.deleted == [writer.objectID, tag.objectID])
        let updates = Dictionary(
            uniqueKeysWithValues: deleted.changes.filter { $0.changeType == .update }
                .map { ($0.changedObjectID, $0.updatedProperties.sorted()) }
        )
        #expect(updates == [books[0].objectID: ["author", "tags"], books[1].objectID: ["tags"]])
        #expect(try other.newContext().execute(.fetchHistory(after: nil)).map(\.isRemote) == [true, true, false])
    }

    @Test func tokens() throws {
        let schema = newSchemaName()
        let untracked = try feedContainer(schema: schema)
        #expect(throws: PersistentHistoryError.self) { try untracked.newContext().execute(.fetchHistory(after: nil)) }
        let container = try container(schema)
        let context = container.newContext()
        var tokens = [try container.store.currentPersistentHistoryToken()]
        for index in 0..<4 {
            context.transactionAuthor = index.isMultiple(of: 2) ? "even" : nil
            _ = context.insert("Tag", ["name": "\(index)"])
            try context.save()
            tokens.append(try container.store.currentPersistentHistoryToken())
        }
        for (index, token) in tokens.enumerated() {
            let numbers = try context.execute(.fetchHistory(after: token)).map(\.transactionNumber)
            #expect(numbers == tokens[(index + 1)...].map(\.transactionNumber))
        }
        let filtered = PersistentHistoryChangeRequest.fetchHistory(after: nil)
            .where(try FetchPredicate(format: "author == 'even' AND transactionNumber > 0"))
        #expect(try context.execute(filtered).count == 2)
        // Records of a history do not expire.
        #expect(try untracked.feed().deleteOldRecords(before: .distantFuture) == 0)
        #expect(try context.execute(.deleteHistory(before: tokens[3])) == 2)
        #expect(try context.execute(.fetchHistory(after: tokens[2])).count == 2)
        #expect(throws: PersistentHistoryError.tokenExpired(tokens[1])) {
            try context.execute(.fetchHistory(after: tokens[1]))
        }
        #expect(try context.execute(.deleteHistory(before: Date.distantFuture)) == 2)
        #expect(try context.execute(.fetchHistory(after: tokens[4])).isEmpty)
        try container.store.stopTrackingHistory()
        #expect(throws: PersistentHistoryError.self) { try context.execute(.fetchHistory(after: nil)) }
        let again = try self.container(schema)
        #expect(throws: PersistentHistoryError.tokenExpired(tokens[4])) {
            try again.newContext().execute(.fetchHistory(after: tokens[4]))
        }
    }

    @Test func batchOperations() throws {
        let container = try container(newSchemaName())
        let context = container.newContext()
        let person = context.insert("Person", ["name": "Ada"])
        let book = context.insert("Book", ["title": "A", "year": 1])
        book.setValue(person, forKey: "author")
        try context.save()
        // Transactions of other tests delay the token.
        try container.reportAll()
        let start = try container.store.currentPersistentHistoryToken()
        let update = BatchUpdateRequest<ManagedObject>(entityName: "Book").setting("year", to: 2)
        #expect(try context.execute(update).updatedObjectsCount == 1)
        let request = FetchRequest<ManagedObject>(entityName: "Person")
        try context.execute(BatchDeleteRequest(fetchRequest: request))
        let transactions = try context.execute(.fetchHistory(after: start))
        #expect(transactions.map { $0.changes.map(\.changeType) } == [[.update], [.update, .delete]])
        #expect(transactions.map { $0.changes[0].updatedProperties } == [["year"], ["author"]])
    }

    /// The rows whose derived attributes a save has changed are part of its recorded changes.
    @Test func derivedAttributes() throws {
        let schema = newSchemaName()
        let container = try feedContainer(schema: schema, model: TestModels.derived) {
            $0.tracksPersistentHistory = true
        }
        let other = try feedContainer(schema: schema, model: TestModels.derived)
        let context = container.newContext()
        let person = context.insert("Person", ["name": "Ada"])
        try context.save()
        // The context of the other container has not read the book.
        let reader = other.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let shown = try reader.existingObject(with: try #require(other.id(person.objectID)))
        #expect(shown.value(forKey: "bookCount") as? Int64 == 0)
        // Transactions of other tests delay the token.
        try container.reportAll()
        let start = try container.store.currentPersistentHistoryToken()
        let writer = container.newContext()
        let book = writer.insert("Book")
        book.setValue(try writer.existingObject(with: person.objectID), forKey: "author")
        try writer.save()
        let transaction = try #require(try context.execute(.fetchHistory(after: start)).first)
        #expect(transaction.objectIDChanges.inserted == [book.objectID])
        let updates = transaction.changes.filter { $0.changeType == .update }
        #expect(updates.map(\.changedObjectID) == [person.objectID])
        #expect(updates.first?.updatedProperties.contains("bookCount") == true)
        // Without the row in the recorded changes, the other context would keep the value.
        reader.reader.endReading()
        try other.reportAll()
        reader.processPendingChanges()
        #expect(shown.value(forKey: "bookCount") as? Int64 == 1)
    }
}
