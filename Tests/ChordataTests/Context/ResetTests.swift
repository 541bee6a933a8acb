import ChordataTestStores
import Foundation
import Testing

@testable import Chordata

/// After a reset, a context knows as much as a new one.
struct ResetTests {
    @Test func noStateSurvives() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        context.undoManager = ContextUndoManager()
        let teams = ["Reds", "Blues"].map { Team(context: context, name: $0) }
        let players = (0..<6).map { Player(context: context, name: "P\($0)") }
        for player in players { player.team = teams[0] }
        try context.save()

        // Unsaved changes of all kinds.
        players[0].age = 40
        players[1].team = teams[1]
        context.delete(players[2])
        let inserted = Player(context: context, name: "New")
        inserted.team = teams[1]
        context.delete(Player(context: context, name: "Undone"))
        context.delete(teams[0])
        players[3].team = teams[0]
        // Changes of others that collide with them.
        let copies = try other.fetch(Player.fetchRequest().sorted(by: \.name))
        other.delete(copies[0])
        copies[1].age = 50
        copies[2].age = 60
        try other.save()
        context.automaticallyMergesChangesFromParent = true
        context.processPendingChanges()
        context.automaticallyMergesChangesFromParent = false
        players[4].age = 20
        let graph = context.graph
        #expect(!graph.remote.deferredDeletions.isEmpty && !graph.remote.changedObjects.isEmpty)
        #expect(graph.remote.hasMerged && graph.unsaved.mayReferenceDeletedObjects && !graph.event.isEmpty)

        try context.performAndWait {
            _ = try context.count(for: Player.fetchRequest())
            context.reader.error = MissingObjectError(objectID: teams[0].objectID)
            let before = Self.state(of: context)
            context.reset()
            let after = Self.state(of: context)
            let new = container.newContext()
            new.undoManager = ContextUndoManager()
            _ = new.store
            #expect(after == Self.state(of: new))
            let changed = Set(before.filter { $0.value != after[$0.key] }.keys)
            #expect(
                changed.isSuperset(of: [
                    "objects", "error", "unsaved.list", "unsaved.mayReferenceDeletedObjects",
                    "remote.deferredDeletions", "remote.changedObjects", "remote.hasMerged",
                ]),
                "\(changed.sorted())"
            )
        }
        #expect(context.notifier.resetCount == 1)
        #expect(players.allSatisfy { $0.managedObjectContext == nil })
    }

    /// The state of a context's components, except for the number that only grows.
    private static func state(of context: ManagedObjectContext) -> [String: String] {
        var state = [
            "objects": "\(context.graph.registry.count)", "canUndo": "\(context.undoManager?.canUndo == true)",
        ]
        let graph = context.graph
        for (name, value) in [("unsaved", graph.unsaved as Any), ("event", graph.event), ("remote", graph.remote)] {
            for child in Mirror(reflecting: value).children where child.label != "generation" {
                state["\(name).\(child.label ?? "")"] = String(describing: child.value)
            }
        }
        let reader = context.reader
        state["reader"] = "\(reader.isReading) \(reader.awakening) \(reader.toleratesUnreadableValues)"
        state["error"] = "\(String(describing: reader.error)) \(reader.refetch == nil)"
        state["save"] = String(describing: context.editor.saveTransaction)
        return state
    }
}
