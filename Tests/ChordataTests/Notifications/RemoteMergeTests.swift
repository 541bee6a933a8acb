import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// H2: merging changes of batch operations and other programs, given as object IDs or their URIs.
struct RemoteMergeTests {
    /// A store with two teams, which was changed without a notification of the contexts.
    private struct Changed {
        let container: PersistentContainer
        let contexts: [ManagedObjectContext]
        let copies: [Team]
        let updated: ManagedObjectID
        let deleted: ManagedObjectID
        let inserted: ManagedObjectID

        init(path: String) throws {
            container = try LeagueModel.definition.testContainer(at: path)
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            let (reds, blues) = (Team(context: other, name: "Reds"), Team(context: other, name: "Blues"))
            try other.save()
            contexts = [container.newContext(), container.newContext()]
            var copies: [Team] = []
            for context in contexts {
                for id in [reds.objectID, blues.objectID] {
                    copies.append(try #require(try context.existingObject(with: id) as? Team))
                }
            }
            self.copies = copies
            reds.city = "Ulm"
            other.delete(blues)
            let new = Team(context: other, name: "Greens")
            (updated, deleted) = (reds.objectID, blues.objectID)
            try other.save()
            inserted = new.objectID
        }

        func check() {
            for (index, context) in contexts.enumerated() {
                expectEqual(copies[index * 2].city, "Ulm")
                #expect(copies[index * 2 + 1].managedObjectContext == nil)
                #expect((context.registeredObject(for: inserted) as? Team)?.name == "Greens")
            }
        }
    }

    /// Only the store has the references to the row.
    @Test func relationshipsToRemotelyDeletedRowsAreNullified() throws {
        try withStorePath { path in
            let there = try LeagueModel.definition.testContainer(at: path).newContext()
            let reds = Team(context: there, name: "Reds")
            let ann = Player(context: there, name: "Ann")
            ann.team = reds
            try there.save()
            let here = try LeagueModel.definition.testContainer(at: path).newContext()
            let team = try here.existingObject(with: ObjectID<Team>(key: reds.objectID.key))
            let player = try here.existingObject(with: ObjectID<Player>(key: ann.objectID.key))
            #expect(player.team === team && team.players == [player])
            let id = team.objectID
            there.delete(reds)
            try there.save()
            here.mergeChanges(ObjectIDChanges(deleted: [id]))
            #expect(player.team == nil && !player.hasChanges && team.managedObjectContext == nil)
        }
    }

    @Test func identitiesInAnyCollection() throws {
        for (inserted, updated, deleted) in [
            ("inserted", "updated", "deleted"), ("inserted_objectIDs", "updated_objectIDs", "deleted_objectIDs"),
            ("inserted", "refreshed", "deleted_objectIDs"), ("inserted", "invalidated_objectIDs", "deleted"),
        ] {
            try withStorePath { path in
                let changed = try Changed(path: path)
                try ManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: [
                        inserted: [changed.inserted], updated: Set([changed.updated]),
                        deleted: [changed.deleted] as [Any],
                        "newQueryGeneration": 7,
                    ],
                    into: changed.contexts
                )
                changed.check()
            }
        }
    }

    @Test func urisOfIdentities() throws {
        try withStorePath { path in
            let changed = try Changed(path: path)
            try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [
                    ManagedObjectContext.NotificationKey.insertedObjects.rawValue: [changed.inserted.uriRepresentation],
                    "updated": [try #require(URL(string: changed.updated.uriRepresentation))],
                    "deleted": Set([changed.deleted.uriRepresentation]),
                ],
                into: changed.contexts
            )
            changed.check()
        }
    }

    @Test func missingRowsAreIgnored() throws {
        try withStorePath { path in
            let changed = try Changed(path: path)
            let context = changed.contexts[0]
            let nowhere = ManagedObjectID(runtimeEntity: changed.inserted.runtimeEntity, key: 999_999)
            let heard = NotificationRecorder(context, [ManagedObjectContext.didChangeObjectsNotification])
            try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: ["inserted": [nowhere], "updated": [nowhere, changed.deleted]],
                into: [context]
            )
            #expect(context.registeredObject(for: nowhere) == nil)
            #expect(heard.take().isEmpty)
            expectEqual(changed.copies[1].name, "Blues", "it is registered, and its deletion was not reported")
        }
    }

    /// An unchanged row is not reported; to-manys that were read are read again, and may differ.
    @Test func unchangedRowsAreNotReported() throws {
        try withStorePath { path in
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            let teams = (0..<5).map { Team(context: other, name: "\($0)") }
            try other.save()
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            let copies = try teams.map { try #require(try context.existingObject(with: $0.objectID) as? Team) }
            #expect(copies[1].players.isEmpty)
            let player = Player(context: context, name: "Ann")
            copies[2].addToPlayers(player)
            expectEqual(copies[2].players, [player])
            teams[0].city = "Ulm"
            other.delete(teams[4])
            try other.save()
            context.processPendingChanges()
            let heard = NotificationRecorder(context, [ManagedObjectContext.didChangeObjectsNotification])
            func merge() throws {
                try ManagedObjectContext.mergeChanges(
                    fromRemoteContextSave: ["updated": teams.map(\.objectID)],
                    into: [context]
                )
            }
            try merge()
            expectEqual(heard.notifications.first?.objects(.refreshedObjects), [copies[0], copies[1]])
            expectEqual(heard.take(), ["DidChangeObjects refreshed:2"])
            #expect(copies[0].city == "Ulm" && copies[2].players == [player])
            try merge()
            #expect(heard.take().isEmpty)
        }
    }

    @Test func otherStoresAreIgnored() throws {
        try withStorePath { path in
            let changed = try Changed(path: path)
            let stranger = Team(
                context: try LeagueModel.definition.testContainer(at: ":memory:").newContext(),
                name: "Reds"
            ).objectID
            let heard = NotificationRecorder(changed.contexts[0])
            try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: ["inserted": [stranger], "deleted": [stranger.uriRepresentation]],
                into: changed.contexts
            )
            #expect(heard.take().isEmpty)
        }
    }

    @Test func invalidObjectIDsThrowAndMergeNothing() throws {
        try withStorePath { path in
            let changed = try Changed(path: path)
            let store = changed.container.persistentStoreCoordinator.persistentStores[0].identifier.uuidString
            let notCollection =
                "the value of 'inserted' is not a collection of objects, object IDs or URIs of objects; pass an array or a set of these"
            let notIdentity =
                "the value of 'inserted' has an element that is neither an object, an object ID nor a URI of the form x-coredata://<store>/<Entity>/p<n>; pass only these"
            let cases: [(Any, String)] = [
                ("x-coredata://\(store)/Team/p1", notCollection), (7, notCollection), (changed.inserted, notCollection),
                ([7], notIdentity), ([""], notIdentity), (["x-coredata://\(store)/Team/p"], notIdentity),
                (["x-coredata://\(store)/Team/p-1"], notIdentity), (["x-coredata://\(store)/Team/p0"], notIdentity),
                (["x-coredata://\(store)/Team/p99999999999999999999"], notIdentity),
                (["x-coredata://\(store)/Team/1"], notIdentity), (["x-coredata://\(store)//p1"], notIdentity),
                (["x-coredata://here/Team/p1"], notIdentity), (["x-coredata://\(store)/Team/p1/p2"], notIdentity),
                ([URL(fileURLWithPath: "/tmp")], notIdentity),
                (
                    ["x-coredata://\(store)/Referee/p1"],
                    "an object of entity 'Referee' was reported as changed, but the model has no such entity; use the same model as the program that made the change, or leave the object out"
                ),
            ]
            for (value, text) in cases {
                let error = #expect(throws: RemoteChangesError.self, "\(value)") {
                    try ManagedObjectContext.mergeChanges(
                        fromRemoteContextSave: ["inserted": value, "deleted": [changed.deleted]],
                        into: changed.contexts
                    )
                }
                expectEqual(error?.localizedDescription, text, "\(value)")
            }
            #expect(changed.copies.allSatisfy { $0.managedObjectContext != nil })
        }
    }

    @Test func identitiesOfURIs() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let coordinator = container.persistentStoreCoordinator
        let id = Team(context: container.newContext(), name: "Reds").objectID
        expectEqual(coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation), id)
        let url = try #require(URL(string: id.uriRepresentation))
        expectEqual(coordinator.managedObjectID(forURIRepresentation: url), id)
        let other = try LeagueModel.definition.testContainer(at: ":memory:").persistentStoreCoordinator
        #expect(other.managedObjectID(forURIRepresentation: id.uriRepresentation) == nil)
        #expect(coordinator.managedObjectID(forURIRepresentation: "x-coredata://nothing") == nil)
    }

    /// F18: after a merge, a list includes rows that were inserted without contexts.
    @Test func aListFollows() throws {
        try withStorePath { path in
            let changed = try Changed(path: path)
            let controller = FetchedResultsController(
                fetchRequest: Team.fetchRequest().sorted(by: \.name),
                managedObjectContext: changed.contexts[0]
            )
            let screen = Screen()
            controller.delegate = screen
            try controller.performFetch()
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            let ids = try other.insertValues([Team.Values(objectID: ObjectID(), name: "Zebras", city: nil)])
            expectEqual(controller.fetchedObjects?.count, 2)
            let type = changed.inserted.runtimeEntity
            let inserted = ids.map { ManagedObjectID(runtimeEntity: type, key: $0.key) }
            try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: ["inserted": inserted],
                into: [changed.contexts[0]]
            )
            expectEqual(controller.fetchedObjects?.map(\.name), ["Greens", "Reds", "Zebras"])
        }
    }

    private final class Screen: FetchedResultsControllerDelegate { typealias Object = Team }
}
