import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Saves are reported in the order in which they were written, regardless of which thread continued first.
struct SaveOrderTests {
    private func receiver(_ container: PersistentContainer) -> ManagedObjectContext {
        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        return context
    }

    /// While the first save calls its hooks, a second save is written and merged.
    @Test(arguments: [true, false])
    func rowsDeletedDuringASaveAreNotReinserted(deletes: Bool) throws {
        try withStorePath { path in
            try HookLog.withLog { log in
                let container = try DiaryModel.definition.testContainer(at: path)
                let (here, there, screen) = (container.newContext(), receiver(container), receiver(container))
                let note = Note(context: here)
                log.then = { object, line in
                    guard object === note, line.hasPrefix("Note didSave") else { return }
                    let copy = try #require(try there.existingObject(with: note.objectID) as? Note)
                    if deletes { there.delete(copy) } else { copy.saves = 7 }
                    try there.save()
                    screen.processPendingChanges()
                }
                try here.save()
                #expect(log.errors.isEmpty)
                log.then = nil
                for context in [there, screen] { context.processPendingChanges() }
                if deletes {
                    #expect(there.registeredObjects.isEmpty && screen.registeredObjects.isEmpty)
                } else {
                    #expect((screen.registeredObject(for: note.objectID) as? Note)?.saves == 7)
                }
            }
        }
    }

    /// The context's own saves are newer than changes of other contexts that it had not merged before.
    @Test func earlierReportsOfOwnDeletionsAreIgnored() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let (there, here) = (container.newContext(), container.newContext())
            expectEqual(try here.count(for: Team.fetchRequest()), 0)
            let teams = ["Blues", "Reds"].map { Team(context: there, name: $0) }
            try there.save()
            let ids = teams.map(\.objectID)
            #expect(!here.inbox.isEmpty)
            do {
                let found = try here.fetch(Team.fetchRequest()).sorted { $0.name < $1.name }
                here.delete(found[0])
                found[1].city = "Ulm"
                try here.save()
            }
            here.graph.sweep()
            here.automaticallyMergesChangesFromParent = true
            here.processPendingChanges()
            #expect(ids.allSatisfy { here.registeredObject(for: $0) == nil })
            expectEqual(try here.fetch(Team.fetchRequest()).map(\.city), ["Ulm"])
        }
    }

    /// The order includes only the current members of the object.
    @Test func reassignedMembersKeepTheirNewPosition() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let items = try (0..<3).map { try store.save("Item", ["id": $0]) }
            let owners = try (0..<2).map { try store.save("Owner", ["id": $0]) }
            func object(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws -> ManagedObject {
                try context.existingObject(with: id)
            }
            let first = try object(owners[0], store.here)
            try first.setValue([object(items[0], store.here), object(items[1], store.here)], forKey: "line")
            try object(owners[1], store.here).setValue([object(items[2], store.here)], forKey: "line")
            try store.here.save()
            // Now the other owner has the members [0, 2].
            let moved = try object(owners[1], store.there)
            try moved.setValue([object(items[0], store.there), object(items[2], store.there)], forKey: "line")
            try store.there.save()
            try first.setValue([object(items[1], store.here), object(items[0], store.here)], forKey: "line")
            try store.here.save()
            let lines = try owners.map { try store.stored($0, "line") }
            expectEqual(lines, [.keys([items[1].key]), .keys([items[0].key, items[2].key])])
            // On a server, a save writes the positions of all members.
            let places = try places(ofMembersOf: owners[1], store)
            expectEqual(places, TestStore.isOnServer ? [0, 1] : [-1, 0])
        }
    }

    private func places(ofMembersOf owner: ManagedObjectID, _ store: ConflictStore) throws -> [Int64] {
        let sql = """
            SELECT CAST("_order_place" AS text) FROM "Item" WHERE "place" = \(owner.key) ORDER BY "Item"."_order_place"
            """
        return try store.container.store.texts(sql, columnCount: 1).compactMap { Int64($0[0]) }
    }

    /// A context that saves while an earlier save of another context is being delivered must record its own rows,
    /// because the rows of the earlier save may not be in its inbox yet.
    @Test func deliveriesAreUnderWayUntilAllContextsHaveThem() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let inboxes = container.persistentStoreCoordinator.persistentStores[0].inboxes
        let (writer, reader) = (container.newContext(), container.newContext())
        expectEqual(try reader.count(for: Team.fetchRequest()), 0)
        nonisolated(unsafe) var isDelivering: [Bool] = []
        reader.inbox.setNotification { isDelivering.append(inboxes.isDelivering) }
        _ = Team(context: writer, name: "Reds")
        try writer.save()
        expectEqual(isDelivering, [true])
        #expect(!inboxes.isDelivering)
    }
}
