import ChordataTestStores
import ChordataTestSupport
import Dispatch
import Foundation
import Testing

@testable import Chordata

/// The rules of lists, one by one, from Core Data's header and from Core Data tutorials (F1–F37, S24–S37, S55).
struct FetchedResultsRulesTests {
    private static let byName = Player.fetchRequest().sorted(by: \.name)

    /// A context with saved players.
    private static func league(_ names: String...) throws -> (ManagedObjectContext, [Player]) {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let players = names.map { Player(context: context, name: $0) }
        try context.save()
        return (context, players)
    }

    /// A list that was fetched, and the table that shows it.
    private static func list<Object: ManagedObject>(
        _ request: FetchRequest<Object>,
        _ context: ManagedObjectContext,
        sections: String? = nil
    ) throws -> (FetchedResultsController<Object>, ResultsTable<Object>) {
        let controller = FetchedResultsController(
            fetchRequest: request,
            managedObjectContext: context,
            sectionNameKeyPath: sections
        )
        let table = ResultsTable<Object>()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        return (controller, table)
    }

    /// S24, S26: the four arguments; a section key path may include a relationship.
    @Test func fourArguments() throws {
        let (context, players) = try Self.league("Ann", "Bob")
        players[1].team = Team(context: context, name: "Reds")
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.team?.name),
            managedObjectContext: context,
            sectionNameKeyPath: "team.name",
            cacheName: "Players"
        )
        #expect(controller.managedObjectContext === context && controller.fetchRequest.sortKeys.count == 1)
        #expect(controller.sectionNameKeyPath == "team.name" && controller.cacheName == "Players")
        try controller.performFetch()
        expectEqual(controller.sections?.map { [$0.name] + $0.objects.map(\.name) }, [["", "Ann"], ["Reds", "Bob"]])
    }

    /// F1, S25, S29: sections require a sort key, a list without sections does not, and a predicate is never required;
    /// an error leaves the list unchanged.
    @Test func missingSortKey() throws {
        let (context, players) = try Self.league("Bob", "Ann")
        expectEqual(try Self.list(Player.fetchRequest(), context).0.fetchedObjects, players)
        let missing = FetchError.missingSortKey(entityName: "Player")
        #expect(missing.description.contains("needs a sorted fetch request for 'Player'"))
        #expect(throws: missing) { try Self.list(Player.fetchRequest(), context, sections: "name") }
        let (controller, _) = try Self.list(Self.byName, context, sections: "name")
        controller.fetchRequest = Player.fetchRequest()
        #expect(throws: missing) { try controller.performFetch() }
        expectEqual(controller.sections?.map(\.name), ["Ann", "Bob"])
        controller.fetchRequest = Player.fetchRequest().sorted(by: \.name, .descending)
        try controller.performFetch()
        expectEqual(controller.sections?.map(\.name), ["Bob", "Ann"])
    }

    /// Section key paths that are not properties of the model: the error suggests a similar name, or `sectionedBy:`.
    @Test(arguments: [
        ("nme", "did you mean 'name'?"), ("team.nme", "did you mean 'name'?"), ("initial", "'sectionedBy:'"),
        ("team.players", "crosses a to-many relationship"), ("", "'sectionedBy:'"),
    ]) func unknownSectionKeyPaths(_ row: (keyPath: String, words: String)) throws {
        let (context, _) = try Self.league("Ann")
        let error = #expect(throws: FetchError.self) { try Self.list(Self.byName, context, sections: row.keyPath) }
        #expect(error?.description.contains(row.words) == true, "\(String(describing: error))")
        #expect(error?.description.contains("'\(row.keyPath)' of 'Player'") == true)
    }

    /// F2: sections are in the order of the fetch; an error names the section key and the sort key that was used.
    @Test func sectionsOutOfOrder() throws {
        let (context, players) = try Self.league("Ann", "Bob", "Cid")
        for (player, age) in zip(players, [2, 10, 2] as [Int16]) { player.age = age }
        let descending = Player.fetchRequest().sorted(by: \.age, .descending)
        expectEqual(try Self.list(descending, context, sections: "age").0.sections?.map(\.name), ["10", "2"])
        let error = #expect(throws: FetchError.self) { try Self.list(Self.byName, context, sections: "age") }
        expectEqual(error, .outOfOrderSection(name: "2", sectionKeyPath: "age", sortKeyPath: "name"))
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("'2'") && text.contains("'age'") && text.contains("'name'") && text.contains("(134060)"))
    }

    /// F2: a comparison that treats names of different sections as equal, and a second sort key that separates them.
    @Test func sectionsThatCompareAsEqual() throws {
        let (context, _) = try Self.league("HOME", "home", "HOME")
        let request = Player.fetchRequest().sorted(by: SortKey("name", comparison: .caseInsensitive))
        let error = #expect(throws: FetchError.self) { try Self.list(request, context, sections: "name") }
        #expect(error?.description.contains("add a second sort key 'name' with the comparison literal") == true)
        let (controller, _) = try Self.list(request.sorted(by: \.name), context, sections: "name")
        expectEqual(controller.sections?.map(\.numberOfObjects), [2, 1])
    }

    /// F4, S30: a list is empty before the fetch; afterwards, it has one section without a key path, or one section for
    /// each name with a key path.
    @Test(arguments: [nil, "age"]) func contentsBeforeAndAfterTheFetch(sections: String?) throws {
        let (context, _) = try Self.league()
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.age).sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: sections
        )
        #expect(controller.fetchedObjects == nil && controller.sections == nil && controller.sectionIndexTitles == [])
        try controller.performFetch()
        let counts = sections == nil ? [0] : []
        #expect(controller.fetchedObjects == [] && controller.sections?.map(\.numberOfObjects) == counts)
        let players = ["Ann", "Bob"].map { Player(context: context, name: $0) }
        try controller.performFetch()
        #expect(controller.fetchedObjects == players && controller.sections?.map(\.objects) == [players])
    }

    /// F5: another fetch reads again, and notifies no delegate, regardless of its result.
    @Test func anotherFetchIsSilent() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        let (controller, table) = try Self.list(Self.byName, context)
        _ = Player(context: other, name: "Ann")
        try other.save()
        try controller.performFetch()
        expectEqual(controller.fetchedObjects?.map(\.name), ["Ann"])
        controller.fetchRequest = try Self.byName.where(format: "name == 'Bob'")
        try controller.performFetch()
        #expect(controller.fetchedObjects == [] && table.willCount == 0 && table.didCount == 0)
    }

    /// F8: a list retains its context and not its delegate, and no other object retains the list.
    @Test func controllersRetainOnlyTheirContext() throws {
        weak var context: ManagedObjectContext?
        weak var known: FetchedResultsController<Player>?
        do {
            let controller: FetchedResultsController<Player>
            do {
                let made = try Self.league("Ann").0
                let (list, table) = try Self.list(Self.byName, made)
                (controller, context, known) = (list, made, list)
                #expect(controller.delegate === table)
            }
            #expect(controller.delegate == nil && controller.fetchedObjects?.map(\.name) == ["Ann"])
        }
        #expect(context == nil && known == nil)
    }

    /// F9, F17, S37: saves of other contexts are reported in the context's isolation, even to a delegate that has only
    /// the last method.
    @Test @MainActor func callbacksOnTheContextsActor() async throws {
        final class Listener: FetchedResultsControllerDelegate {
            let key = DispatchSpecificKey<Bool>()
            private(set) var wasThere: [Bool?] = []
            func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
                wasThere.append(DispatchQueue.getSpecific(key: key))
            }
        }
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (controller, _) = try Self.list(Self.byName, container.viewContext)
        let listener = Listener()
        DispatchQueue.main.setSpecific(key: listener.key, value: true)
        controller.delegate = listener
        var changes = controller.changes.makeAsyncIterator()
        for name in ["Ann", "Bob"] {
            try await container.performBackgroundTask { context in
                _ = Player(context: context, name: name)
                try context.save()
            }
            expectEqual(await changes.next()?.rows.map(\.type), [.insert])
        }
        expectEqual(listener.wasThere, [true, true])
    }

    /// F10: a section is named by its value as text; a missing value and an empty string both give an empty name.
    @Test func namesOfSections() throws {
        let store = try ConflictStore(path: ":memory:")
        for (id, number) in [(1, 10), (2, -2), (3, 0), (4, nil), (5, nil)] as [(Int64, Int64?)] {
            store.insert("Item", ["id": id], into: store.here).setValue(number, forKey: "a")
        }
        let items = FetchRequest<ManagedObject>(entityName: "Item").sorted(by: "a")
        let numbers = try Self.list(items, store.here, sections: "a").0.sections
        #expect(numbers?.map(\.name) == ["", "-2", "0", "10"] && numbers?.map(\.numberOfObjects) == [2, 1, 1, 1])
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for city in [nil, "", "ulm", "Jena"] { Team(context: context, name: "T").city = city }
        let (controller, _) = try Self.list(Team.fetchRequest().sorted(by: \.city), context, sections: "city")
        let cities = controller.sections?.map { [$0.name, $0.indexTitle] + $0.objects.map { $0.city ?? "none" } }
        expectEqual(cities, [["", "", "none", ""], ["Jena", "J", "Jena"], ["ulm", "U", "ulm"]])
    }

    /// F12: a title belongs to the section at its own index, even if another section has the same title.
    @Test func sectionsOfTitles() throws {
        let (context, players) = try Self.league("Amy", "Ann", "Bob")
        let (controller, _) = try Self.list(Self.byName, context, sections: "name")
        #expect(controller.fetchedObjects == players && controller.sectionIndexTitles == ["A", "A", "B"])
        for index in 0..<3 {
            let title = controller.sectionIndexTitles[index]
            expectEqual(controller.section(forSectionIndexTitle: title, at: index), index)
        }
    }

    /// F13, S30, S31: rows count from 0 in each section; objects and index paths map to each other, and an object
    /// outside of the list has no index path.
    @Test func placesAndObjects() throws {
        let (context, players) = try Self.league("Ann", "Bob", "Cid", "Dan")
        (players[2].age, players[3].age) = (3, 8)
        let request = try Player.fetchRequest().where(format: "age < 5").sorted(by: \.age).sorted(by: \.name)
        let (controller, table) = try Self.list(request, context, sections: "age")
        let paths = [IndexPath(row: 0, section: 0), IndexPath(row: 1, section: 0), IndexPath(row: 0, section: 1)]
        expectEqual(paths.map { [$0.section, $0.row] }, [[0, 0], [0, 1], [1, 0]])
        expectEqual(paths.map(controller.object(at:)), Array(players[..<3]))
        expectEqual(players.map(controller.indexPath(forObject:)), paths + [nil])
        context.delete(players[0])
        context.processPendingChanges()
        expectEqual(players.map(controller.indexPath(forObject:)), [nil, paths[0], paths[2], nil])
        expectEqual(table.rows, [[players[1].objectID], [players[2].objectID]])
        let (other, strangers) = try Self.league("Ann", "Bob")
        #expect(withExtendedLifetime(other) { controller.indexPath(forObject: strangers[1]) } == nil)
    }

    /// F13: an index path without an object traps with a message.
    @Test func noPlace() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (context, _) = try FetchedResultsRulesTests.league("Ann")
            let (controller, _) = try FetchedResultsRulesTests.list(FetchedResultsRulesTests.byName, context)
            _ = controller.object(at: IndexPath(row: 1, section: 0))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("index path [0, 1] is out of range; the list has 1 sections"), "\(text)")
    }

    /// F16, decided differently: Swift cannot determine what a delegate implements, so a list is updated even for a
    /// delegate that does nothing.
    @Test func anyDelegateIsFollowedFor() throws {
        final class Silent: FetchedResultsControllerDelegate { typealias Object = Player }
        let (context, _) = try Self.league("Ann")
        let (controller, _) = try Self.list(Self.byName, context)
        let silent = Silent()
        for (delegate, count) in [(nil, 1), (silent, 3)] as [(Silent?, Int)] {
            controller.delegate = delegate
            _ = Player(context: context, name: "Bob")
            context.processPendingChanges()
            expectEqual(controller.fetchedObjects?.count, count)
        }
    }

    /// F20: an object that was refreshed alone is reported by its state in the store: a new value, or a deletion.
    @Test(arguments: [true, false]) func refreshedObjects(mergesChanges: Bool) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        let players = ["Ann", "Bob", "Cid"].map { Player(context: other, name: $0) }
        try other.save()
        let (controller, table) = try Self.list(Self.byName, context)
        let copies = controller.fetchedObjects ?? []
        players[0].name = "Zoe"
        other.delete(players[1])
        try other.save()
        for (number, type) in [(0, .move), (1, .delete), (2, .update)] as [(Int, FetchedResultsChangeType)] {
            // An object without a row keeps its values if changes are merged.
            context.refresh(copies[number], mergeChanges: mergesChanges && type != .delete)
            context.processPendingChanges()
            expectEqual(table.changes.map(\.type), [type])
        }
        expectEqual(controller.fetchedObjects?.map(\.name), ["Cid", "Zoe"])
    }

    /// F24: the raw values of Core Data.
    @Test func numbersOfTypes() {
        #expect((0...5).map(FetchedResultsChangeType.init) == [nil, .insert, .delete, .move, .update, nil])
    }

    /// F28, F29, F35: a pending object is inserted, updated, excluded, included again and deleted like a saved one.
    ///
    /// Core Data does not report a changed pending object until it is saved; a list that shows its values has to.
    @Test func pendingObjects() throws {
        let (context, _) = try Self.league("Ann")
        let (controller, table) = try Self.list(try Self.byName.where(format: "age < 5"), context)
        func types(_ change: () -> Void) -> [FetchedResultsChangeType] {
            change()
            context.processPendingChanges()
            expectEqual(table.rows, [controller.fetchedObjects?.map(\.objectID) ?? []])
            return table.changes.map(\.type)
        }
        let bob = Player(context: context, name: "Bob")
        #expect(types {} == [.insert] && types { bob.age = 1 } == [.update] && types { bob.name = "Abe" } == [.move])
        #expect(types { bob.age = 9 } == [.delete] && types { bob.age = 2 } == [.insert])
        #expect(types { context.delete(bob) } == [.delete] && controller.fetchedObjects?.count == 1)
    }

    /// F33, F37: an event with each kind of change, row by row; an updated row is reported with its new index.
    @Test func mixedEvent() async throws {
        let (context, players) = try Self.league("A", "C", "E", "G", "I")
        let (controller, table) = try Self.list(Self.byName, context)
        var changes = controller.changes.makeAsyncIterator()
        context.delete(players[0])
        (players[1].age, players[3].age, players[2].name) = (1, 2, "Z")
        let new = ["B", "X"].map { Player(context: context, name: $0) }
        context.processPendingChanges()
        expectEqual(controller.fetchedObjects, [new[0], players[1], players[3], players[4], new[1], players[2]])
        #expect(table.willCount == 1 && table.didCount == 1 && table.changes.count == 6)
        let rows = try #require(await changes.next()).rows
        let told = rows.map { "\($0.type) \($0.indexPath?.row ?? -1) \($0.newIndexPath?.row ?? -1)" }.sorted()
        expectEqual(told, ["delete 0 -1", "insert -1 0", "insert -1 4", "move 2 5", "update 1 1", "update 3 2"])
        expectEqual(table.rows, [controller.fetchedObjects?.map(\.objectID) ?? []])
    }

    /// F36: no change depends on another change, so the order of the changes has no meaning: each old index path refers
    /// to the list before the event, and each new index path refers to the list after it.
    @Test func changesOfOneKindHaveNoOrder() async throws {
        let (context, players) = try Self.league("A", "C", "E", "G", "I", "K")
        let (controller, _) = try Self.list(Self.byName, context)
        var changes = controller.changes.makeAsyncIterator()
        let before = controller.fetchedObjects?.map(\.objectID) ?? []
        for player in [players[0], players[1], players[4]] { context.delete(player) }
        (players[2].name, players[3].name) = ("Z", "Y")
        for name in ["B", "D", "X"] { _ = Player(context: context, name: name) }
        context.processPendingChanges()
        let after = controller.fetchedObjects?.map(\.objectID) ?? []
        let rows = try #require(await changes.next()).rows
        for type in [FetchedResultsChangeType.insert, .delete, .move] {
            #expect(rows.filter { $0.type == type }.count >= 2)
        }
        for row in rows {
            if let indexPath = row.indexPath { expectEqual(before[indexPath.row], row.objectID) }
            if let newIndexPath = row.newIndexPath { expectEqual(after[newIndexPath.row], row.objectID) }
        }
        // Together, the changes are complete.
        let (old, new) = (rows.compactMap(\.indexPath?.row), rows.compactMap(\.newIndexPath?.row))
        #expect(Set(old).count == old.count && Set(new).count == new.count)
        let kept = before.indices.filter { !old.contains($0) }.map { before[$0] }
        expectEqual(kept, after.indices.filter { !new.contains($0) }.map { after[$0] })
    }

    /// S55: the request of the example, whose predicate the store also evaluates for saved objects.
    @Test @MainActor func objectsThatDoNotMatchAPattern() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        for name in ["sent 1", "new"] { _ = Player(context: context, name: name) }
        try await context.save()
        let request = try Player.fetchRequest().where(format: "NOT (name MATCHES %@)", "sent( [0-9]+)?")
        let controller = FetchedObjectsController(fetchRequest: request, managedObjectContext: container.viewContext)
        try controller.loadObjects()
        expectEqual(controller.fetchedObjects?.map(\.name), ["new"])
        for name in ["sent", "unsent", "sent 12"] { _ = Player(context: context, name: name) }
        try await context.save()
        for _ in 0..<20 { await Task.yield() }
        expectEqual(controller.fetchedObjects?.map(\.name).sorted(), ["new", "unsent"])
    }
}
