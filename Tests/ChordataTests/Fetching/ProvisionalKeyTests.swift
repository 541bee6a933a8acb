import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Requests and object IDs that were created while an object had a provisional key find the object after its save.
struct ProvisionalKeyTests {
    @Test(arguments: [false, true]) func requestsFollowTheObjectsOfTheirPredicates(isChild: Bool) throws {
        if skipsCase(if: isChild, .childContexts) { return }
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let parent = container.newContext()
            // A child context that is not used has no object IDs that could become permanent.
            let child = ManagedObjectContext(isolation: nil)
            child.parent = parent
            let context = isChild ? child : parent
            let (team, player) = try withConcurrentWriter(container.store) {
                let team = Team(context: context, name: "Reds")
                let player = Player(context: context, name: "Ann")
                player.team = team
                return (team, player)
            }
            #expect(team.objectID.key > PersistentStore.firstProvisionalKey)
            let (teamID, typedID) = (team.objectID, ObjectID(team))
            let (other, _) = (Team(context: context, name: "Blues"), Player(context: context, name: "Bob"))
            let byID = #Predicate<Player> { $0.team?.objectID == teamID }
            let requests = [
                try Player.fetchRequest().where(format: "team == %@", team),
                try Player.fetchRequest().where(format: "team == %@", teamID),
                try Player.fetchRequest().where(format: "team IN %@", [team, other]),
                try Player.fetchRequest().where(format: "SELF == %@", player),
                Player.fetchRequest().where(\.team == team),
                try Player.fetchRequest().where(byID),
            ]
            let lists = requests.map {
                FetchedResultsController(fetchRequest: $0.sorted(by: \.name), managedObjectContext: context)
            }
            for list in lists { try list.performFetch() }
            let streams = lists.map(\.changes)
            defer { withExtendedLifetime(streams) {} }
            func check(_ comment: Comment) throws {
                for (index, request) in requests.enumerated() {
                    expectEqual(try context.count(for: request), 1, "\(comment), request \(index)")
                    expectEqual(try context.fetch(request), [player], "\(comment), request \(index)")
                    expectEqual(lists[index].fetchedObjects, [player], "\(comment), list \(index)")
                }
            }
            try check("unsaved")
            try context.save()
            if isChild { try parent.save() }
            #expect(team.objectID.key < PersistentStore.firstProvisionalKey)
            try check("saved")
            for list in lists { try list.performFetch() }
            try check("fetched again")
            player.name = "Anna"
            context.processPendingChanges()
            try check("changed")

            #expect(context.registeredObject(for: teamID) === team)
            #expect(context.object(with: teamID) === team && context.object(with: typedID) === team)
            let fresh = container.newContext()
            expectEqual(try fresh.existingObject(with: teamID).objectID, team.objectID)
            expectEqual(try fresh.existingObject(with: typedID).name, "Reds")
            for request in requests { expectEqual(try fresh.count(for: request), 1) }
        }
    }

    /// The keys are found as in a dictionary, in any order.
    @Test(arguments: UInt64(1)...20) func keysAreFound(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let keys = ProvisionalKeys()
        var expected: [Int64: Int64] = [:]
        var permanent: Int64 = 1
        let first = PersistentStore.firstProvisionalKey + 1
        for _ in 0..<60 {
            var key = first + Int64.random(in: 0..<300, using: &random)
            var (new, permanentKeys): ([Int64], [Int64]) = ([7], [8])
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                if expected[key] == nil {
                    expected[key] = permanent
                    new.append(key)
                    permanentKeys.append(permanent)
                }
                key += 1
                permanent += Int64.random(in: 1...2, using: &random)
            }
            keys.replace(new, with: permanentKeys)
        }
        var snapshot = keys.snapshot()
        for key in Array(first..<first + 310).shuffled(using: &random) {
            let found = keys.permanentKey(for: key)
            #expect(found == expected[key] ?? key, "seed \(seed)")
            expectEqual(snapshot.permanentKey(for: key), found, "seed \(seed)")
        }
        #expect(keys.permanentKey(for: 7) == 7 && snapshot.permanentKey(for: 7) == 7)
        var empty = ProvisionalKeys().snapshot()
        expectEqual(empty.permanentKey(for: first), first)
    }
}
