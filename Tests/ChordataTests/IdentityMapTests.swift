import Testing

@testable import Chordata

struct IdentityMapTests {
    /// Sequential, strided and random keys: the map agrees with a dictionary through insertions and removals.
    @Test(arguments: [1, 2, 1_024, 4_096, 0])
    func agreesWithADictionary(stride: Int) throws {
        let container = try LeagueModel.container(at: ":memory:")
        let type = try #require(
            container.persistentStoreCoordinator.persistentStores.first?.schema.entityType(named: "Team")
        )
        var random = SeededGenerator(seed: 7)
        var map = IdentityMap()
        var reference: [Int64: ManagedObject] = [:]
        for step in 1...3_000 {
            let key = stride == 0 ? Int64(random.next() >> 1) | 1 : Int64(step * stride)
            if reference[key] == nil {
                let object = Team(ObjectInitialization(entityType: type))
                object.key = key
                map.insert(object)
                reference[key] = object
            }
            if step % 3 == 0, let victim = reference.keys.randomElement(using: &random) {
                map.removeObject(forKey: victim)
                reference[victim] = nil
            }
            #expect(map.count == reference.count)
        }
        for (key, object) in reference { #expect(map.object(forKey: key) === object) }
        #expect(map.object(forKey: -5) == nil)
        // Sweeping keeps what is held elsewhere, and only that.
        let kept = reference.keys.sorted().prefix(10).compactMap { reference[$0] }
        reference = [:]
        map.sweep()
        #expect(map.count == kept.count)
        for object in kept { #expect(map.object(forKey: object.key) === object) }
    }
}
