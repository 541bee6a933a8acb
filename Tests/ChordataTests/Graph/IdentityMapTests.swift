import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

struct IdentityMapTests {
    /// Sequential, strided and random keys: the map agrees with a dictionary through insertions and removals.
    @Test(arguments: [1, 2, 1_024, 4_096, 0])
    func agreesWithADictionary(stride: Int) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let type = try #require(
            container.persistentStoreCoordinator.persistentStores.first?.schema.runtimeEntity(named: "Team")
        )
        var random = SeededGenerator(seed: 7)
        var map = IdentityMap()
        var reference: [Int64: ManagedObject] = [:]
        for step in 1...3_000 {
            let key = stride == 0 ? Int64(random.next() >> 1) | 1 : Int64(step * stride)
            if reference[key] == nil {
                let object = Team(ObjectInitialization(type, in: nil))
                object.key = key
                map.insert(object)
                reference[key] = object
            }
            if step % 3 == 0, let victim = reference.keys.randomElement(using: &random) {
                map.removeObject(forKey: victim)
                reference[victim] = nil
            }
            expectEqual(map.count, reference.count)
        }
        for (key, object) in reference { #expect(map.object(forKey: key) === object) }
        #expect(map.object(forKey: -5) == nil)
        // A sweep keeps only the objects that have other references.
        let kept = reference.keys.sorted().prefix(10).compactMap { reference[$0] }
        reference = [:]
        map.sweep { _ in false }
        expectEqual(map.count, kept.count)
        for object in kept { #expect(map.object(forKey: object.key) === object) }
    }

    /// Objects are found only by their current row keys.
    @Test(arguments: [0, 1, 12, 1_000])
    func updatesKeys(count: Int) throws {
        let container = try LeagueModel.container(at: ":memory:")
        let type = try #require(
            container.persistentStoreCoordinator.persistentStores.first?.schema.runtimeEntity(named: "Team")
        )
        var map = IdentityMap()
        let objects = (0..<count).map { number in
            let object = Team(ObjectInitialization(type, in: nil))
            object.key = Int64(10_000 + number)
            map.insert(object)
            return object
        }
        let copy = map
        // The first object keeps its key; the other objects get new keys, some of which were keys of other objects.
        for (number, object) in objects.enumerated() where number > 0 { object.key = Int64(10_500 + number) }
        map.updateKeys()
        expectEqual(map.count, count)
        for object in objects { #expect(map.object(forKey: object.key) === object) }
        let keys = Set(objects.map(\.key))
        for key in Int64(9_900)..<Int64(11_600) where !keys.contains(key) { #expect(map.object(forKey: key) == nil) }
        for (number, object) in objects.enumerated() { #expect(copy.object(forKey: Int64(10_000 + number)) === object) }
    }

    /// Objects that are registered in one step are found like objects that are registered one by one, even in the same
    /// map; a copy of the map has none of them.
    @Test(arguments: [0, 1, 12, 13, 1_000])
    func insertsObjectsTogether(count: Int) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let type = try #require(
            container.persistentStoreCoordinator.persistentStores.first?.schema.runtimeEntity(named: "Team")
        )
        func team(_ key: Int) -> ManagedObject {
            let object = Team(ObjectInitialization(type, in: nil))
            object.key = Int64(key)
            return object
        }
        var map = IdentityMap()
        let single = team(1_000_000)
        map.insert(single)
        let copy = map
        let many = (1...(count + 1)).dropLast().map { team($0) }
        map.insert(contentsOf: many)
        expectEqual(map.count, count + 1)
        expectEqual(copy.count, 1)
        for object in many {
            #expect(map.object(forKey: object.key) === object)
            #expect(copy.object(forKey: object.key) == nil)
        }
        #expect(map.object(forKey: single.key) === single && copy.object(forKey: single.key) === single)
    }

    /// Keys in sequences or strides do not cause long probes: existing and missing keys are found within a few slots.
    @Test(arguments: [1, 2, 8, 64, 1_000, 1_024, 65_536, 1 << 32, 0])
    func probesAreShort(stride: Int) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let type = try #require(
            container.persistentStoreCoordinator.persistentStores.first?.schema.runtimeEntity(named: "Team")
        )
        var random = SeededGenerator(seed: 11)
        var map = IdentityMap()
        var keys: [Int64] = []
        for step in 1...20_000 {
            let key = stride == 0 ? Int64(random.next() >> 1) | 1 : Int64(step * stride)
            guard map.object(forKey: key) == nil else { continue }
            let object = Team(ObjectInitialization(type, in: nil))
            object.key = key
            map.insert(object)
            keys.append(key)
        }
        func check(_ keys: [Int64], _ what: Comment) {
            let lengths = keys.map { map.probeLength(ofKey: $0) }
            #expect(lengths.reduce(0, +) <= 10 * lengths.count, what)
            #expect(lengths.max() ?? 0 <= 400, what)
        }
        check(keys, "what is there")
        let last = keys.max() ?? 0
        check(keys.map { stride == 0 ? $0 ^ 2 : last + $0 }, "what follows")
        check(keys.map { $0 + 1 }, "neighbours")
        // Removed keys leave no entries that searches have to skip.
        for key in keys.dropLast(100) { map.removeObject(forKey: key) }
        expectEqual(map.count, 100)
        #expect(keys.dropLast(100).map { map.probeLength(ofKey: $0) }.max() ?? 0 <= 100)
    }
}
