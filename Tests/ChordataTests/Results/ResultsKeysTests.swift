import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Lists whose objects get other row keys by a save: provisional keys are replaced, and objects with equal unique
/// values become one object.
struct ResultsKeysTests {
    /// Checks that the list, and the table to which the reports were applied, are equal to a new fetch.
    private func expectFresh<Object: ManagedObject>(
        _ controller: FetchedResultsController<Object>,
        _ table: ResultsTable<Object>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let fresh = try controller.managedObjectContext.fetch(controller.fetchRequest)
        #expect(controller.changeError == nil, sourceLocation: sourceLocation)
        #expect(controller.fetchedObjects == fresh, sourceLocation: sourceLocation)
        #expect(table.rows.flatMap { $0 } == fresh.map(\.objectID), sourceLocation: sourceLocation)
        for object in fresh {
            let path = try #require(controller.indexPath(forObject: object), sourceLocation: sourceLocation)
            #expect(controller.object(at: path) === object, sourceLocation: sourceLocation)
        }
    }

    /// F40: the rows of a list stay the same objects; sections that are named by object IDs get new names.
    @Test(arguments: [0, 2]) func numbersThatTheStoreGivesLater(batchSize: Int) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let byTeam = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: "team").batchSize(batchSize),
                managedObjectContext: context,
                sectionNameKeyPath: "team"
            )
            let byName = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.name).batchSize(batchSize),
                managedObjectContext: context
            )
            let (teams, names) = (ResultsTable<Player>(), ResultsTable<Player>())
            (byTeam.delegate, byName.delegate) = (teams, names)
            try byTeam.performFetch()
            try byName.performFetch()
            teams.show(byTeam)
            names.show(byName)
            let players = try withConcurrentWriter(container.store) {
                let reds = Team(context: context, name: "Reds")
                let players = (0..<3).map { _ in Player(context: context, name: "P") }
                for player in players.dropLast() { player.team = reds }
                context.processPendingChanges()
                return players
            }
            #expect(players[0].objectID.key > PersistentStore.firstProvisionalKey)
            expectEqual(names.rows, [players.map(\.objectID)])
            try context.save()
            #expect(players[0].objectID.key < PersistentStore.firstProvisionalKey)
            try expectFresh(byTeam, teams)
            try expectFresh(byName, names)
            let team = try #require(players[0].team)
            expectEqual(byTeam.sections?.map(\.name), ["", team.objectID.uriRepresentation])
            // No row moves because of this.
            #expect(names.willCount == 2 && names.changes.map(\.type) == [.update, .update, .update])
            players[0].name = "Q"
            players[2].team = players[0].team
            context.processPendingChanges()
            try expectFresh(byTeam, teams)
            try expectFresh(byName, names)
        }
    }

    /// An inserted object becomes the row that already has its unique value, whether the list includes this row or not.
    @Test(arguments: [(false, 0), (true, 0), (false, 2), (true, 2)], [false, true])
    func valuesThatMustBeUnique(list: (isTracked: Bool, batchSize: Int), isProvisional: Bool) throws {
        let isTracked = list.isTracked
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            // A container that has not reserved any row keys yet.
            let container = try ConflictModel.definition().testContainer(at: path)
            let context = container.newContext()
            context.mergePolicy = .overwrite
            if isTracked { _ = try store.save("Tag", ["word": "x"]) }
            _ = try store.save("Tag", ["word": "y"])
            let controller = FetchedResultsController(
                fetchRequest: FetchRequest<ManagedObject>(entityName: "Tag").sorted(by: "word").batchSize(
                    list.batchSize
                ),
                managedObjectContext: context
            )
            let table = ResultsTable<ManagedObject>()
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            if !isTracked { _ = try store.save("Tag", ["word": "x"]) }
            func insert() -> ManagedObject { store.insert("Tag", ["word": "x"], into: context) }
            let new = isProvisional ? try withConcurrentWriter(container.store, insert) : insert()
            context.processPendingChanges()
            #expect((new.objectID.key > PersistentStore.firstProvisionalKey) == isProvisional)
            #expect(controller.indexPath(forObject: new) != nil)
            try context.save()
            try expectFresh(controller, table)
            expectEqual(controller.fetchedObjects?.count, 2)
        }
    }
}
