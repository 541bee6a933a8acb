import Contest
import Foundation

// Compares the module CoreData with Chordata's own names: the same classes, stores and work, as a developer writes them
// with each. `Scripts/benchmark layer [--rows N]` uses N players, 100,000 by default. The program itself also accepts
// names of workloads, such as N8, so that a profiler sees no others.

var rows = 100_000
if let place = CommandLine.arguments.firstIndex(of: "--rows"), place + 1 < CommandLine.arguments.count,
    let number = Int(CommandLine.arguments[place + 1]), number > 0
{
    rows = number
}

let wanted = CommandLine.arguments.filter { $0.first == "N" }

/// The work with one of the two modules.
struct Way {
    var name: String
    var insert: (String, Int) throws -> Contest.Contestant.Work
    var fetch: (String) throws -> Contest.Contestant.Work
    var lookUp: (String) throws -> Contest.Contestant.Work
    var change: (String) throws -> Contest.Contestant.Work
    var delete: (String) throws -> Contest.Contestant.Work
    var traverse: (String) throws -> Contest.Contestant.Work
    var filter: (String) throws -> Contest.Contestant.Work
    var follow: (String) throws -> Contest.Contestant.Work
    var saveOne: (String) throws -> Contest.Contestant.Work
    var updateInBatch: (String) throws -> Contest.Contestant.Work
}

runBenchmarks {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("chordata-layer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let filled = folder.appendingPathComponent("filled.sqlite").path
    try fillStore(at: filled, playerCount: rows)
    var number = 0
    /// Returns the path of a new store for each run: empty, or with the players.
    func path(filled isFilled: Bool) throws -> String {
        number += 1
        let path = folder.appendingPathComponent("\(number).sqlite").path
        if isFilled { try FileManager.default.copyItem(atPath: filled, toPath: path) }
        return path
    }
    func run(
        _ workload: String,
        _ title: String,
        _ unit: String = "objects",
        count: Int = rows,
        isFilled: Bool = true,
        _ work: @escaping (Way, String) throws -> Contest.Contestant.Work
    ) throws {
        guard wanted.isEmpty || wanted.contains(workload) else { return }
        let ways = [nativeWay, mainActorWay, coreDataWay]
        try Contest(
            workload,
            title: title,
            unit: unit,
            count: count,
            contestants: ways.map { way in
                .init(name: way.name) { try work(way, path(filled: isFilled)) }
            }
        ).run(rounds: rounds)
    }
    try run("N1", "insert and save", isFilled: false) { try $0.insert($1, rows) }
    try run("N2", "fetch all and read two properties") { try $0.fetch($1) }
    try run("N3", "existing objects by their IDs") { try $0.lookUp($1) }
    try run("N4", "change one property and save") { try $0.change($1) }
    try run("N5", "delete and save") { try $0.delete($1) }
    try run("N6", "fetch with prefetched teams") { try $0.traverse($1) }
    try run("N7", "1,000 counts by a format", "counts", count: 1_000) { try $0.filter($1) }
    try run("N8", "100 changes of a list", "changes", count: 100) { try $0.follow($1) }
    try run("N11", "1,000 saves of one object", "saves", count: 1_000) { try $0.saveOne($1) }
    try run("N14", "batch update") { try $0.updateInBatch($1) }
}
