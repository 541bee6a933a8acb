import Chordata
import ChordataTestStores
import ChordataTestSupport
import Observation
import Synchronization
import Testing

/// Tracking code that reads properties is notified before these change.
struct ObservationTests {
    private let container: PersistentContainer
    private let context: ManagedObjectContext
    private let reds: Team
    private let ann: Player
    private let tracker = Tracker()

    init() throws { (container, context, reds, ann) = try makeObservedLeague() }

    // MARK: Local changes

    @Test func settersNotifyOnceBeforeTheChange() {
        let seen = Mutex<[String]>([])
        nonisolated(unsafe) let ann = ann
        withObservationTracking {
            _ = ann.name
            _ = ann.age
        } onChange: {
            seen.withLock { $0.append(ann.name) }
        }
        ann.name = "Anna"
        ann.name = "Hannah"
        ann.age = 30
        expectEqual(seen.withLock { $0 }, ["Ann"])
    }

    @Test func onlyReadPropertiesAreTracked() {
        tracker.track("name") { ann.name }
        ann.age = 30
        reds.name = "Blues"
        #expect(tracker.take().isEmpty)
        ann.name = "Anna"
        expectEqual(tracker.take(), ["name"])
    }

    @Test func readsOutsideOfTrackingAreIgnored() {
        _ = ann.name
        tracker.track("nothing") {}
        ann.name = "Anna"
        #expect(tracker.take().isEmpty)
    }

    @Test func severalTrackTheSame() {
        tracker.track("first") { ann.name }
        tracker.track("second") { (ann.name, reds.name) }
        ann.name = "Anna"
        expectEqual(Set(tracker.take()), ["first", "second"])
        tracker.track("third") { ann.name }
        ann.name = "Hannah"
        expectEqual(tracker.take(), ["third"])
    }

    @Test func theOtherEndsOfARelationship() {
        let blues = Team(context: context, name: "Blues")
        tracker.track("team") { ann.team }
        tracker.track("from") { reds.players }
        tracker.track("to") { blues.players }
        tracker.track("name") { (reds.name, blues.name, ann.name) }
        ann.team = blues
        expectEqual(tracker.take(), ["team", "from", "to"])
        tracker.track("team") { ann.team }
        tracker.track("from") { blues.players }
        blues.removeFromPlayers(ann)
        expectEqual(Set(tracker.take()), ["team", "from"])
        tracker.track("team") { ann.team }
        tracker.track("players") { reds.players }
        reds.players = [ann]
        expectEqual(Set(tracker.take()), ["team", "players"])
    }

    @Test func everyToManyAccessorIsTracked() {
        let blues = Team(context: context, name: "Blues")
        let ways: [(String, () -> Void)] = [
            ("property", { _ = reds.players }),
            ("count(of:)", { _ = reds.count(of: \.players) }),
            ("value(forKey:)", { _ = reds.value(forKey: "players") }),
            ("mutableSetValue count", { _ = reds.mutableSetValue(forKey: "players").count }),
            ("mutableSetValue all", { _ = reds.mutableSetValue(forKey: "players").allObjects }),
            ("mutableSetValue contains", { _ = reds.mutableSetValue(forKey: "players").contains(ann) }),
            ("objectIDs", { _ = reds.objectIDs(forRelationshipNamed: "players") }),
        ]
        for (name, read) in ways {
            tracker.track(name, read)
            ann.team = ann.team === reds ? blues : reds
            expectEqual(tracker.take(), [name])
        }
        tracker.track("changing") { reds.mutableSetValue(forKey: "players").add(ann) }
        reds.mutableSetValue(forKey: "players").remove(ann)
        #expect(tracker.take().isEmpty, "adding reads nothing")
    }

    @Test func valuesByKey() {
        tracker.track("key") { ann.value(forKey: "age") }
        tracker.track("path") { ann.value(forKeyPath: "team.name") }
        tracker.track("ids") { ann.objectIDs(forRelationshipNamed: "team") }
        ann.setValue(7, forKey: "age")
        expectEqual(tracker.take(), ["key"])
        reds.setValue("Blues", forKey: "name")
        expectEqual(tracker.take(), ["path"])
        ann.setValue(nil, forKey: "team")
        expectEqual(tracker.take(), ["ids"])
    }

    @Test func primitiveValuesAreNotObserved() {
        tracker.track("primitive") { ann.primitiveValue(forKey: "name") }
        ann.name = "Anna"
        #expect(tracker.take().isEmpty)
        tracker.track("name") { ann.name }
        ann.setPrimitiveValue("Hannah", forKey: "name")
        #expect(tracker.take().isEmpty)
        ann.willChangeValue(forKey: "name")
        expectEqual(tracker.take(), ["name"])
    }

    @Test func elementsOfACompositeAreObservedTogether() throws {
        let container = try EverythingModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        context.isObservationEnabled = true
        let author = Author(
            context: context,
            birthplace: EverythingModel.Place(city: "Ulm", latitude: 48, longitude: 10),
            name: "Ann"
        )
        tracker.track("struct") { author.birthplace }
        tracker.track("dictionary") { author.value(forKey: "birthplace") }
        tracker.track("element") { author.value(forKey: "birthplace.city") }
        tracker.track("address") { author.address }
        author.setValue(48.4, forKey: "birthplace.latitude")
        expectEqual(Set(tracker.take()), ["struct", "dictionary", "element"])
        author.setValue("Ulm", forKey: "address.place.city")
        expectEqual(tracker.take(), ["address"])
        withExtendedLifetime(container) {}
    }

    @Test func runtimeFieldsAreNotTracked() throws {
        let container = try EverythingModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        context.isObservationEnabled = true
        let author = Author(context: context)
        tracker.track("others") {
            (author.value(forKey: "birthplace"), author.committedValues(forKeys: ["name"]), author.changedValues())
        }
        author.address = nil
        #expect(tracker.take().isEmpty)
        withExtendedLifetime(container) {}
    }

    // MARK: Enabling and disabling

    @Test func objectsRegisteredBeforeObservationIsEnabled() throws {
        context.isObservationEnabled = false
        #expect(!context.isObservationEnabled)
        tracker.track("off") { ann.name }
        ann.name = "Anna"
        #expect(tracker.take().isEmpty)
        let bob = Player(context: context, name: "Bob")
        context.isObservationEnabled = true
        tracker.track("ann") { ann.name }
        tracker.track("bob") { bob.name }
        ann.name = "Hannah"
        bob.name = "Bobby"
        expectEqual(tracker.take(), ["ann", "bob"])
        tracker.track("on") { ann.name }
        context.isObservationEnabled = false
        ann.name = "Ann"
        context.isObservationEnabled = true
        ann.name = "Anna"
        #expect(tracker.take().isEmpty)
        tracker.track("again") { ann.name }
        ann.name = "Ann"
        expectEqual(tracker.take(), ["again"])
    }

    @Test func faultsAndUnattachedObjects() throws {
        context.refreshAllObjects()
        #expect(ann.isFault)
        tracker.track("fault") { ann.name }
        #expect(!ann.isFault && tracker.take().isEmpty, "to be read is no change")
        ann.name = "Anna"
        expectEqual(tracker.take(), ["fault"])
        let entity = try #require(container.persistentStoreCoordinator.managedObjectModel.entity(named: "Player"))
        let bob = try #require(Player(entity: entity, insertInto: nil) as Player?)
        tracker.track("unattached") { bob.name }
        bob.name = "Bob"
        #expect(tracker.take().isEmpty)
        context.insert(bob)
        tracker.track("inserted") { bob.name }
        bob.name = "Bobby"
        expectEqual(tracker.take(), ["inserted"])
    }

    // MARK: Actions of observers

    @Test func observersMayTrackAndChangeObjects() throws {
        nonisolated(unsafe) let (context, ann, reds) = (context, ann, reds)
        let tracker = tracker
        withObservationTracking {
            _ = ann.name
        } onChange: {
            tracker.track("within") { ann.name }
            reds.name = "Blues"
            context.delete(reds)
        }
        ann.name = "Anna"
        #expect(tracker.take().isEmpty, "who begins to read now comes too late")
        #expect(ann.name == "Anna" && reds.isDeleted && ann.team == nil)
        ann.name = "Hannah"
        expectEqual(tracker.take(), ["within"])
        try context.save()
        expectEqual(try context.fetch(Player.fetchRequest()).map(\.name), ["Hannah"])
    }

    @Test func savesNotifyNoObservers() throws {
        ann.name = "Anna"
        tracker.track("ann") { (ann.name, ann.team, reds.players) }
        try context.save()
        #expect(tracker.take().isEmpty)
    }
}
