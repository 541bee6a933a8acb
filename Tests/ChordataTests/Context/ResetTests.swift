import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// After a reset, a context has the same state as a new one.
struct ResetTests {
    @Test func noStateSurvives() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        context.undoManager = ContextUndoManager()
        let teams = ["Reds", "Blues"].map { Team(context: context, name: $0) }
        let players = (0..<6).map { Player(context: context, name: "P\($0)") }
        for player in players { player.team = teams[0] }
        try context.save()

        // The context has unsaved changes of all kinds.
        players[0].age = 40
        players[1].team = teams[1]
        context.delete(players[2])
        let inserted = Player(context: context, name: "New")
        inserted.team = teams[1]
        context.delete(Player(context: context, name: "Undone"))
        context.delete(teams[0])
        players[3].team = teams[0]
        // Another context saves conflicting changes.
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
            context.reader.readOrRecord { throw MissingObjectError(objectID: teams[0].objectID) }
            let before = Self.state(of: context)
            context.reset()
            let after = Self.state(of: context)
            let new = container.newContext()
            new.undoManager = ContextUndoManager()
            _ = new.store
            expectEqual(after, Self.state(of: new))
            let changed = Set(before.filter { $0.value != after[$0.key] }.keys)
            #expect(
                changed.isSuperset(of: [
                    "registry.count", "reader.error", "graph.unsaved.list", "graph.unsaved.mayReferenceDeletedObjects",
                    "graph.remote.deferredDeletions", "graph.remote.changedObjects", "graph.remote.hasMerged",
                ]),
                "\(changed.sorted())"
            )
        }
        expectEqual(context.notifier.resetCount, 1)
        #expect(players.allSatisfy { $0.managedObjectContext == nil })
    }

    /// The stored properties of all components of a context as text, and the number of registered objects.
    ///
    /// The text of an object without a description is only its type.
    private static func state(of context: ManagedObjectContext) -> [String: String] {
        var state = [
            "registry.count": "\(context.graph.registry.count)", "canUndo": "\(context.undoManager?.canUndo == true)",
        ]
        let components = Mirror(reflecting: context).children.filter { isComponent($0.value) }
        expectEqual(components.count, 10)
        for component in components {
            for property in Mirror(reflecting: component.value).children {
                let name = "\(component.label ?? "").\(property.label ?? "")"
                if isComponent(property.value) || excluded.contains(name) { continue }
                if property.value is any ComponentState {
                    for value in Mirror(reflecting: property.value).children where value.label != "generation" {
                        state["\(name).\(value.label ?? "")"] = String(describing: value.value)
                    }
                } else {
                    state[name] = String(describing: property.value)
                }
            }
        }
        return state
    }

    private static func isComponent(_ value: Any) -> Bool {
        value is ContextExecutor || value is ContextNotifier || value is ObjectGraph || value is RowReader
            || value is ObjectEditor || value is ChangeMerger || value is EventProcessor || value is ObjectFetcher
            || value is ContextSaver || value is ValuesInserter
    }

    /// Properties that are not the state of objects: numbers that only grow, times, and references to the context.
    private static let excluded: Set = [
        "executor.accessor", "executor.eventBegan", "executor.eventScope", "notifier.resetCount", "graph.registry",
        "graph.owner",
    ]
}

private protocol ComponentState {}
extension UnsavedChanges: ComponentState {}
extension ContextEvent: ComponentState {}
extension RemoteState: ComponentState {}
