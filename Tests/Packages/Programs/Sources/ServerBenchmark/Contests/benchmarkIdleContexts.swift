import Chordata
import Contest
import Foundation

/// Measures a save of many objects alone, and with idle contexts, each of which merges the changes of the save.
func benchmarkIdleContexts(_ options: Options, _ stores: Stores) async throws {
    guard options.contestants.contains(.chordata) else { return }
    let count = 400_000
    let contextCounts = [0, 4]
    var random = RequestSource(client: 0, seed: options.seed, keys: stores.keys)
    let samples = (0..<count).map { _ in random.product() }
    var times: [[Double]] = contextCounts.map { _ in [] }
    for round in 0..<options.rounds {
        for turn in contextCounts.indices {
            let index = (round + turn) % contextCounts.count
            times[index].append(try save(samples, beside: contextCounts[index], stores))
        }
    }
    let table = Table(
        corner: "idle contexts",
        groups: [.init(title: "save", columns: ["s", "ratio"])]
    )
    table.printHeader("Save of \(count) new objects, synchronous=NORMAL, median of \(options.rounds)")
    let medians = times.map(median)
    for (contexts, time) in zip(contextCounts, medians) {
        table.printRow("\(contexts)", [time, ratio(time, medians[0])])
    }
}

private func save(_ samples: [ProductSample], beside contextCount: Int, _ stores: Stores) throws -> Double {
    let path = try stores.copy()
    defer { do { try stores.remove(path) } catch { print("cannot remove \(path): \(error)") } }
    let container = try CatalogModel.container(at: path, options: StoreOptions(synchronous: .normal))
    let contexts = (0..<contextCount).map { _ in container.newContext() }
    for context in contexts { _ = try context.count(for: Product.fetchRequest()) }
    let context = container.newContext()
    for sample in samples { _ = Product(context: context, sample) }
    let start = ContinuousClock.now
    try context.save()
    let time = (ContinuousClock.now - start) / .seconds(1)
    withExtendedLifetime(contexts) {}
    return time
}
