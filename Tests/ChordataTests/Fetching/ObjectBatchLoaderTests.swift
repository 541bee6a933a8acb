import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// The batches of a list, and the objects that a loader retains.
struct ObjectBatchLoaderTests {
    @Test func batchesCoverTheList() {
        for (count, size) in [(1, 1), (9, 3), (10, 3), (2, 5), (3, .max)] {
            var covered: [Int] = []
            for index in 0..<count {
                let range = ObjectBatchLoader.range(containing: index, of: count, batchSize: size)
                #expect(range.contains(index) && range.lowerBound % size == 0)
                #expect(range.count == size || range.upperBound == count)
                if range.lowerBound == index { covered += range }
            }
            expectEqual(covered, Array(0..<count))
        }
    }

    /// The batch that was accessed first is released first, unless it was accessed again.
    @Test func theNewestBatchesAreRetained() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let writer = container.newContext()
            for number in 0..<8 { _ = Team(context: writer, name: "T\(number)") }
            try writer.save()
            let context = container.newContext()
            let ids = try context.fetch(Team.fetchRequest().sorted(by: \.name).objectIDs)
            let loader = ObjectBatchLoader(batchSize: 2, in: context)
            func name(_ object: ManagedObject?) -> String? { (object as? Team)?.name }
            func load(_ start: Int) -> [String?] { loader.load(Array(ids[start..<start + 2]), at: start).map(name) }

            #expect(loader.retainedObject(at: 0) == nil)
            #expect(load(0) == ["T0", "T1"] && load(2) == ["T2", "T3"])
            expectEqual(name(loader.retainedObject(at: 1)), "T1")
            expectEqual(load(4), ["T4", "T5"])
            #expect(loader.retainedObject(at: 2) == nil && loader.retainedObject(at: 3) == nil)
            #expect(name(loader.retainedObject(at: 0)) == "T0" && name(loader.retainedObject(at: 5)) == "T5")
            context.graph.sweep()
            expectEqual(context.registeredObjects.count, 4)
            // A batch without an index is retained, but not found by an index.
            _ = loader.load([ids[6]])
            #expect(loader.retainedObject(at: 6) == nil && loader.retainedObject(at: 0) == nil)
            context.graph.sweep()
            expectEqual(context.registeredObjects.count, 3)
        }
    }
}
