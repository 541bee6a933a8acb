import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Required attributes without a value in their row: another program wrote it, or the model was less strict.
struct MissingValueTests {
    /// A player whose row has no name.
    private func withNamelessPlayer(_ body: (PersistentContainer, PersistentStore, ManagedObjectID) throws -> Void)
        throws
    {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let id = Player(context: context, name: "Ann").objectID
            try context.save()
            let store = container.store
            try store.execute("UPDATE \"Player\" SET \"name\" = NULL, \"_version\" = \"_version\" + 1")
            try body(container, store, id)
        }
    }

    private func player(_ id: ManagedObjectID, in context: ManagedObjectContext) throws -> Player {
        try #require(try context.existingObject(with: id) as? Player)
    }

    @Test func aRefreshBringsTheValue() throws {
        try withNamelessPlayer { container, store, id in
            let context = container.newContext()
            let player = try player(id, in: context)
            player.age = 30
            #expect(throws: ValidationError.self) { try context.save() }
            try store.execute("UPDATE \"Player\" SET \"name\" = 'Ann', \"_version\" = \"_version\" + 1")
            context.refresh(player, mergeChanges: true)
            #expect(player.value(forKey: "name") as? String == "Ann")
            try context.save()
            expectEqual(try self.player(id, in: container.newContext()).age, 30)
        }
    }

    @Test func aMergeBringsTheValue() throws {
        try withNamelessPlayer { container, _, id in
            let (context, other) = (container.newContext(), container.newContext())
            let player = try player(id, in: context)
            player.age = 30
            try self.player(id, in: other).name = "Ann"
            try other.save()
            context.automaticallyMergesChangesFromParent = true
            context.processPendingChanges()
            #expect(player.value(forKey: "name") as? String == "Ann")
            try context.save()
        }
    }

    @Test func aRefreshRemovesTheValue() throws {
        try withNamelessPlayer { container, store, id in
            try store.execute("UPDATE \"Player\" SET \"name\" = 'Ann', \"_version\" = \"_version\" + 1")
            let context = container.newContext()
            let player = try player(id, in: context)
            try store.execute("UPDATE \"Player\" SET \"name\" = NULL, \"_version\" = \"_version\" + 1")
            context.refresh(player, mergeChanges: true)
            #expect(player.value(forKey: "name") == nil && !player.isUpdated)
            player.age = 30
            let error = #expect(throws: ValidationError.self) { try context.save() }
            expectEqual(error?.failures.map(\.propertyName), ["name"])
            player.name = "Eve"
            try context.save()
        }
    }

    @Test func aRollbackKeepsTheValueMissing() throws {
        try withNamelessPlayer { container, _, id in
            let context = container.newContext()
            let player = try player(id, in: context)
            player.name = "Ann"
            #expect(player.committedValues(forKeys: ["name"])["name"] as? String == nil)
            context.rollback()
            #expect(player.value(forKey: "name") == nil)
            player.age = 30
            #expect(throws: ValidationError.self) { try context.save() }
        }
    }
}
