import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable @_spi(Generated) import Chordata

/// The reports of inserted values, which are the same whether rows are written directly or by temporary objects.
struct AnnouncedValuesTests {
    /// A container of the model 'League'; if an attribute is derived, values are inserted by temporary objects.
    private static func makeContainer(byObjects: Bool) throws -> PersistentContainer {
        let derivation = byObjects ? "\tderivation=uppercase:(name)" : ""
        let lines = [
            "M\t", "E\tPlayer\tclass=Player\tcodegen=class", "A\tname\tString",
            "A\tage\tInteger 16\tdefault=i0\tscalar=1", "R\tteam\tTeam\tinverse=players\toptional=1",
            "E\tTeam\tclass=Team\tcodegen=class", "A\tname\tString", "A\tcity\tString\toptional=1\(derivation)",
            "R\tplayers\tPlayer\tinverse=team\tmany=1\toptional=1",
        ]
        let definition = ModelDefinition(
            name: "League",
            versionName: "League",
            serializedModel: lines.joined(separator: "\n"),
            classes: [Player.self, Team.self],
            versionNames: [:],
            migrations: []
        )
        return try definition.testContainer(at: ":memory:")
    }

    private static func changes(_ stream: AsyncStream<ObjectIDChanges>) async -> [ObjectIDChanges] {
        var changes: [ObjectIDChanges] = []
        for await change in stream {
            if change.invalidatesAll { break }
            changes.append(change)
        }
        return changes
    }

    /// The saves until now; an empty save marks their end.
    private static func saves(_ stream: AsyncStream<ContextSave>, _ store: PersistentStore) async -> [ContextSave] {
        let last = ContextSave(contextName: "last", changes: ObjectIDChanges())
        store.saves.send(last)
        var saves: [ContextSave] = []
        for await save in stream {
            if save == last { break }
            saves.append(save)
        }
        return saves
    }

    @Test(arguments: [false, true], [false, true])
    func newRows(byObjects: Bool, mergesAutomatically: Bool) async throws {
        let container = try Self.makeContainer(byObjects: byObjects)
        let (here, there) = (container.newContext(), container.newContext())
        here.name = "import"
        here.automaticallyMergesChangesFromParent = mergesAutomatically
        there.automaticallyMergesChangesFromParent = true
        let teams = ["Reds", "Blues"].map { Team(context: here, name: $0) }
        try await here.save()
        #expect((teams[0].city == "REDS") == byObjects)
        for context in [here, there] { context.isObservationEnabled = true }
        let copies = try teams.map { try there.existingObject(with: ObjectID($0)) }
        there.processPendingChanges()
        let (told, merged, saved) = (here.changes, there.changes, container.saves)
        let (heard, heardThere) = (NotificationRecorder(here), NotificationRecorder(there))
        let tracker = Tracker()
        tracker.track("reds") { teams[0].players }
        tracker.track("name") { (teams[0].name, teams[0].city, copies[0].name, copies[0].city) }
        tracker.track("blues") { teams[1].players }
        tracker.track("reds there") { copies[0].players }
        let keys = try here.insertValues([
            Player.Values(objectID: ObjectID(), name: "Ann", age: 1, team: ObjectID(teams[0])),
            Player.Values(objectID: ObjectID(), name: "Bob", age: 1, team: nil),
        ])
        expectEqual(heard.take(), ["DidChangeObjects inserted:2"])
        expectEqual(tracker.take(), ["reds"])
        there.processPendingChanges()
        expectEqual(
            heardThere.take(),
            ["DidChangeObjects inserted:2", "DidMergeChangesObjectIDs inserted_objectIDs:2"]
        )
        expectEqual(tracker.take(), ["reds there"])
        here.processPendingChanges()
        #expect(heard.take().isEmpty)
        #expect(teams[0].players.map(\.name) == ["Ann"] && copies[0].players.map(\.name) == ["Ann"])
        let type = try #require(teams[0].players.first).objectID.runtimeEntity
        let inserted = ObjectIDChanges(inserted: Set(keys.map { ManagedObjectID(runtimeEntity: type, key: $0.key) }))
        let store = here.store
        here.reset()
        there.reset()
        expectEqual(await Self.changes(told), [inserted])
        expectEqual(await Self.changes(merged), [inserted])
        expectEqual(await Self.saves(saved, store), [ContextSave(contextName: "import", changes: inserted)])
    }

    /// A change of the other end of a relationship changes another row.
    @Test(arguments: [false, true])
    func rowsOfOtherEndsAreReported(mergesAutomatically: Bool) async throws {
        let container = try EverythingModel.definition.testContainer(at: ":memory:")
        let (here, there) = (container.newContext(), container.newContext())
        here.automaticallyMergesChangesFromParent = mergesAutomatically
        there.automaticallyMergesChangesFromParent = true
        here.isObservationEnabled = true
        let first = Book(context: here, createdAt: .init(), title: "First")
        try await here.save()
        let copy = try there.existingObject(with: ObjectID(first))
        there.processPendingChanges()
        let saved = container.saves
        let (heard, heardThere) = (NotificationRecorder(here), NotificationRecorder(there))
        let tracker = Tracker()
        tracker.track("sequel") { first.sequel }
        let keys = try here.insertValues([
            Book.Values(
                objectID: ObjectID(),
                createdAt: .init(),
                isDeleted_: false,
                title: "Second",
                cover: nil,
                _format: 2,
                isbn: nil,
                _keywords: nil,
                _mood: nil,
                _pageCount: nil,
                searchTitle: nil,
                subtitle: nil,
                shelf: nil,
                sequel: nil,
                prequel: ObjectID(first)
            )
        ])
        expectEqual(heard.take(), ["DidChangeObjects inserted:1 refreshed:1"])
        #expect(tracker.take() == ["sequel"] && first.sequel?.title == "Second")
        there.processPendingChanges()
        expectEqual(
            heardThere.take(),
            [
                "DidChangeObjects inserted:1 refreshed:1",
                "DidMergeChangesObjectIDs inserted_objectIDs:1 updated_objectIDs:1",
            ]
        )
        expectEqual(copy.sequel?.title, "Second")
        let id = ManagedObjectID(runtimeEntity: first.objectID.runtimeEntity, key: keys[0].key)
        let changes = ObjectIDChanges(inserted: [id], updated: [first.objectID])
        expectEqual(await Self.saves(saved, here.store), [ContextSave(contextName: nil, changes: changes)])
        // The object has the newest row version, so there is no conflict.
        first.title = "Prelude"
        try await here.save()
        #expect(!here.hasChanges)
    }

    /// A merge policy resolves duplicates of unique values by changing the existing row or by writing nothing.
    @Test(arguments: MergePolicyTests.resolving)
    func policiesDecideHowExistingRowsAreReported(type: MergePolicyType) async throws {
        let container = try VocabularyModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        func insert(_ texts: String...) throws -> [ManagedObjectID] {
            let type = context.runtimeEntity(for: Word.self)
            let values = texts.map {
                Word.Values(objectID: ObjectID(), count: 1, note: "new", text: $0, language: nil)
            }
            return try context.insertValues(values).map { ManagedObjectID(runtimeEntity: type, key: $0.key) }
        }
        let old = try insert("a", "b")
        let word = try context.existingObject(with: old[0])
        context.mergePolicy = MergePolicy(merge: type)
        word.setValue("old", forKey: "note")
        try await context.save()
        let saved = container.saves
        let heard = NotificationRecorder(context)
        let isWritten = UniquenessTests.objectWins.contains(type)
        let ids = try insert("c", "a")
        expectEqual(heard.take(), ["DidChangeObjects inserted:1\(isWritten ? " refreshed:1" : "")"])
        #expect(word.value(forKey: "note") as? String == (isWritten ? "new" : "old"))
        expectEqual(try insert("b"), [old[1]])
        // The last inserted values are equal to those of the row, so nothing is written.
        let expected = [ObjectIDChanges(inserted: [ids[0]], updated: isWritten ? [old[0]] : [])]
        expectEqual(await Self.saves(saved, context.store).map(\.changes), expected)
    }
}
