import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Observers are notified of changes from the store, and of released objects; they retain nothing.
struct ObservedStoreTests {
    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let reds: Team
    private let ann: Player
    private let tracker = Tracker()

    init() throws { (container, context, reds, ann) = try makeObservedLeague() }

    /// Saves changes of another context, and merges them.
    private func change(_ body: (ManagedObjectContext, _ reds: Team, _ ann: Player) throws -> Void) throws {
        let other = container.newContext()
        try body(other, other.existingObject(with: ObjectID(reds)), other.existingObject(with: ObjectID(ann)))
        try other.save()
        context.processPendingChanges()
    }

    // MARK: Merging

    @Test func mergesNotifyOfChangedProperties() throws {
        tracker.track("age") { ann.age }
        tracker.track("name") { ann.name }
        tracker.track("team") { ann.team }
        tracker.track("players") { reds.players }
        try change { _, _, ann in ann.age = 30 }
        // The to-many that includes the row is read again, regardless of which property of the row changed.
        expectEqual(Set(tracker.take()), ["age", "players"])
        expectEqual(ann.age, 30)
        tracker.track("players") { reds.players }
        try change { context, _, ann in ann.team = Team(context: context, name: "Blues") }
        expectEqual(Set(tracker.take()), ["team", "players"])
        #expect(ann.team?.name == "Blues" && reds.players.isEmpty)
        try change { _, _, ann in ann.name = "Anna" }
        expectEqual(tracker.take(), ["name"])
    }

    @Test func localEditsHideMergedValues() throws {
        ann.age = 20
        tracker.track("age") { ann.age }
        tracker.track("name") { ann.name }
        try change { _, _, ann in
            ann.age = 30
            ann.name = "Anna"
        }
        expectEqual(tracker.take(), ["name"])
        expectEqual(ann.age, 20)
    }

    @Test func membersThatAreNotRegistered() throws {
        tracker.track("count") { reds.count(of: \.players) }
        try change { context, reds, _ in Player(context: context, name: "Bob").team = reds }
        expectEqual(tracker.take(), ["count"])
        tracker.track("count") { reds.count(of: \.players) }
        try change { context, reds, _ in
            for player in reds.players where player.name == "Bob" { context.delete(player) }
        }
        expectEqual(tracker.take(), ["count"])
        context.refresh(reds, mergeChanges: false)
        tracker.track("count of a fault") { reds.count(of: \.players) }
        try change { _, reds, ann in reds.removeFromPlayers(ann) }
        expectEqual(tracker.take(), ["count of a fault"])
        expectEqual(reds.count(of: \.players), 0)
    }

    /// After a primitive setter, which does not update the other end, a row is saved without the row of its owner.
    @Test func rowsMergedWithoutTheirOwners() throws {
        let blues = Team(context: context, name: "Blues")
        try context.save()
        func track() {
            tracker.track("reds") { reds.count(of: \.players) }
            tracker.track("blues") { blues.count(of: \.players) }
        }
        func move(_ player: Player, to team: Team?) {
            player.willChangeValue(forKey: "team")
            player.setPrimitiveValue(team, forKey: "team")
        }
        track()
        try change { other, _, ann in move(ann, to: try other.existingObject(with: ObjectID(blues))) }
        expectEqual(Set(tracker.take()), ["reds", "blues"])
        #expect(reds.players.isEmpty && blues.players == [ann])
        track()
        try change { other, reds, _ in move(Player(context: other, name: "Bob"), to: reds) }
        expectEqual(tracker.take(), ["reds"])
        expectEqual(reds.players.map(\.name), ["Bob"])
        context.refresh(reds, mergeChanges: false)
        context.graph.sweep()
        expectEqual(context.registeredObjects.count, 3, "Bob is not known here any more")
        track()
        try change { other, _, _ in
            for player in try other.fetch(Player.fetchRequest().where(format: "name == 'Bob'")) {
                move(player, to: try other.existingObject(with: ObjectID(blues)))
            }
        }
        #expect(tracker.take().contains("blues"), "of an unregistered row only the new owner can be notified")
        expectEqual(blues.players.count, 2)
    }

    @Test func aRowThatIsDeletedWithoutARule() throws {
        let definition = ModelDefinition(
            name: "Loose",
            versionName: "1",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Owner",
                    relationships: [
                        RelationshipDescription(
                            name: "members",
                            destinationEntityName: "Member",
                            inverseName: "owner",
                            isToMany: true
                        )
                    ]
                ),
                EntityDescription(
                    name: "Member",
                    relationships: [
                        RelationshipDescription(
                            name: "owner",
                            destinationEntityName: "Owner",
                            inverseName: "members",
                            deleteRule: .noAction
                        )
                    ]
                ),
            ])
        )
        let container = try definition.testContainer(at: ":memory:")
        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        context.isObservationEnabled = true
        let owner = EntityDescription.insertNewObject(forEntityName: "Owner", into: context)
        let member = EntityDescription.insertNewObject(forEntityName: "Member", into: context)
        member.setValue(owner, forKey: "owner")
        try context.save()
        tracker.track("members") { owner.value(forKey: "members") }
        let other = container.newContext()
        other.delete(try other.existingObject(with: member.objectID))
        try other.save()
        context.processPendingChanges()
        expectEqual(tracker.take(), ["members"])
        #expect((owner.value(forKey: "members") as? Set<ManagedObject>)?.isEmpty == true)
    }

    @Test func valuesThatAreInsertedWithoutObjects() throws {
        tracker.track("here") { reds.players }
        try context.insertValues([Player.Values(objectID: ObjectID(), name: "Bob", age: 1, team: ObjectID(reds))])
        expectEqual(tracker.take(), ["here"])
        tracker.track("there") { reds.players }
        let team = ObjectID(reds)
        try container.newContext().insertValues([Player.Values(objectID: ObjectID(), name: "C", age: 1, team: team)])
        context.processPendingChanges()
        expectEqual(tracker.take(), ["there"])
        expectEqual(reds.players.count, 3)
    }

    @Test func aMergeWithoutValues() throws {
        tracker.track("name") { ann.name }
        tracker.track("players") { reds.players }
        try change { context, reds, ann in
            for index in 0..<10_000 { _ = Team(context: context, name: "T\(index)") }
            ann.name = "Anna"
            Player(context: context, name: "Bob").team = reds
        }
        expectEqual(Set(tracker.take()), ["name", "players"])
        #expect(ann.name == "Anna" && reds.players.count == 2)
    }

    @Test func aDeletionByAnotherContext() throws {
        tracker.track("ann") { ann.name }
        tracker.track("players") { reds.players }
        tracker.track("reds") { reds.name }
        try change { context, _, ann in context.delete(ann) }
        expectEqual(Set(tracker.take()), ["ann", "players"])
        #expect(ann.managedObjectContext == nil && reds.players.isEmpty)
        expectEqual(ann.name, "Ann", "what was read stays")
    }

    // MARK: Faults, deletions and release

    @Test func refreshing() throws {
        tracker.track("ann") { ann.name }
        context.refresh(ann, mergeChanges: true)
        #expect(tracker.take().isEmpty, "nothing has changed")
        context.refresh(ann, mergeChanges: false)
        expectEqual(tracker.take(), ["ann"])
        tracker.track("ann") { ann.name }
        tracker.track("reds") { reds.name }
        context.refreshAllObjects()
        expectEqual(Set(tracker.take()), ["ann", "reds"])
        context.automaticallyMergesChangesFromParent = false
        tracker.track("ann") { ann.name }
        tracker.track("age") { ann.age }
        tracker.track("players") { reds.players }
        try change { context, reds, ann in
            ann.name = "Anna"
            Player(context: context, name: "Bob").team = reds
        }
        #expect(tracker.take().isEmpty)
        context.refresh(ann, mergeChanges: true)
        expectEqual(tracker.take(), ["ann"])
        context.refresh(reds, mergeChanges: true)
        expectEqual(tracker.take(), ["players"])
        expectEqual(reds.players.count, 2)
    }

    @Test func deleting() throws {
        tracker.track("ann") { ann.name }
        tracker.track("players") { reds.players }
        context.delete(ann)
        expectEqual(tracker.take(), ["ann", "players"])
        tracker.track("deleted") { ann.name }
        try context.save()
        expectEqual(tracker.take(), ["deleted"], "it leaves the context")
        tracker.track("gone") { ann.name }
        let bob = Player(context: context, name: "Bob")
        tracker.track("bob") { bob.name }
        context.delete(bob)
        expectEqual(tracker.take(), ["bob"], "an insertion that is undone")
    }

    @Test func rollingBack() throws {
        ann.name = "Anna"
        ann.team = nil
        let bob = Player(context: context, name: "Bob")
        tracker.track("name") { ann.name }
        tracker.track("age") { ann.age }
        tracker.track("team") { ann.team }
        tracker.track("players") { reds.players }
        tracker.track("bob") { bob.name }
        context.rollback()
        expectEqual(Set(tracker.take()), ["name", "team", "players", "bob"])
        #expect(ann.name == "Ann" && reds.players == [ann])
        context.delete(ann)
        tracker.track("deleted") { ann.name }
        context.rollback()
        expectEqual(tracker.take(), ["age", "deleted"])
    }

    /// A to-many that was read during the deletion of a member includes it again, although its owner has no changes.
    @Test func rollingBackADeletionOfAOneWayMember() throws {
        let container = try RelationshipGraphTests.definition().testContainer(at: ":memory:")
        let context = container.newContext()
        context.isObservationEnabled = true
        let owner = EntityDescription.insertNewObject(forEntityName: "A", into: context)
        let member = EntityDescription.insertNewObject(forEntityName: "B", into: context)
        owner.setValue([member], forKey: "oneWayToMany")
        for object in [owner, member] { object.setValue(1, forKey: "number") }
        try context.save()
        context.refresh(owner, mergeChanges: false)
        context.delete(member)
        let members = tracker.track("members") { owner.value(forKey: "oneWayToMany") as? Set<ManagedObject> }
        #expect(members?.isEmpty == true)
        context.rollback()
        expectEqual(tracker.take(), ["members"])
        #expect(owner.value(forKey: "oneWayToMany") as? Set<ManagedObject> == [member])
    }

    @Test func resetting() {
        tracker.track("ann") { ann.name }
        tracker.track("reds") { reds.name }
        context.reset()
        expectEqual(Set(tracker.take()), ["ann", "reds"])
        #expect(context.graph.observation?.isEmpty == true)
        tracker.track("gone") { ann.name }
        #expect(ann.name == "Ann" && tracker.take().isEmpty)
    }

    @Test func objectsThatOutliveTheirContext() throws {
        func makePlayer() throws -> Player {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            context.isObservationEnabled = true
            let player = Player(context: context, name: "Bob")
            tracker.track("bob") { player.name }
            return player
        }
        let player = try makePlayer()
        #expect(player.managedObjectContext == nil)
        tracker.track("without a context") { player.name }
        #expect(player.name == "Bob" && tracker.take().isEmpty)
    }

    // MARK: The side table

    @Test func onlyTrackedObjectsHaveARegistrar() throws {
        let bob = Player(context: context, name: "Bob")
        _ = (ann.name, bob.name, reds.players)
        expectEqual(context.graph.observation?.count, 0)
        tracker.track("ann") { ann.name }
        expectEqual(context.graph.observation?.count, 1)
        tracker.track("ann") { (ann.name, ann.age) }
        expectEqual(context.graph.observation?.count, 1)
        context.delete(ann)
        try context.save()
        expectEqual(context.graph.observation?.count, 0)
        let cid = Player(context: context, name: "Cid")
        tracker.track("cid") { cid.name }
        context.delete(cid)
        context.processPendingChanges()
        expectEqual(context.graph.observation?.count, 0)
    }

    @Test func observationRetainsNoObjects() throws {
        weak var held: Player?
        func insert() {
            let player = Player(context: context, name: "Bob")
            held = player
            tracker.track("inserted") { player.name }
            player.name = "Bobby"
        }
        insert()
        #expect(held != nil && context.graph.observation?.count == 1)
        try context.save()
        #expect(held == nil && context.graph.observation?.count == 0, "the save lets go of it")
        var players = try context.fetch(Player.fetchRequest())
        tracker.track("fetched") { players.map(\.name) }
        held = players.first { $0.name == "Bobby" }
        players = []
        expectEqual(context.graph.observation?.count, 2)
        context.graph.sweep()
        #expect(held == nil && context.graph.observation?.count == 1, "Ann is held here")
        tracker.track("Ann") { ann.name }
        ann.name = "Anna"
        #expect(tracker.take().contains("Ann"))
    }

    @Test func aContextEndsWhileItIsObserved() throws {
        weak var weakContext: ManagedObjectContext?
        func observe() throws {
            let context = container.newContext()
            weakContext = context
            context.isObservationEnabled = true
            let player = try context.existingObject(with: ObjectID(ann))
            tracker.track("player") { (player.name, player.team?.players) }
            player.name = "Anna"
        }
        try observe()
        #expect(weakContext == nil)
        expectEqual(tracker.take(), ["player"])
    }

    @Test func aNumberThatTheSaveReplaces() throws {
        let bob = Player(context: context, name: "Bob")
        tracker.track("bob") { bob.name }
        context.graph.changeKey(of: bob, to: bob.key + 1_000_000)
        bob.name = "Bobby"
        expectEqual(tracker.take(), ["bob"])
        tracker.track("bob") { bob.name }
        expectEqual(context.graph.observation?.count, 1)
    }
}
