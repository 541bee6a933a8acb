import Foundation
import Workload

// durable-writer FOLDER SEED SAVES [--halves] [--normal] [--migrates [--stages]]
// durable-writer FOLDER SEED SAVES --writers COUNT [--early] [--normal]
//
// Opens or creates a store, continues at the position of its contents in the plan of the seed, and prints the number of
// saves after each save, which is then acknowledged. With '--migrates', creates a store of the previous version, saves
// all contents together, and migrates the store, with stages if requested; the migration counts as a second save. With
// '--writers', several writers save at the same time, each with a plan of its own; '--early' acknowledges saves before
// the commit of their group, which is a fault.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
    let usage = """
        usage: durable-writer FOLDER SEED SAVES [--halves] [--normal] [--migrates [--stages]]
               durable-writer FOLDER SEED SAVES --writers COUNT [--early] [--normal]

        """
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}

let folder = arguments[1]
let waitsForDisk = !arguments.contains("--normal")
if arguments.contains("--migrates") {
    do {
        let old = try OldAlbumStore(folder: folder)
        try old.save(Plan(seed: seed, merging: count))
        acknowledge("1 \(old.identifier)")
    }
    if arguments.contains("--stages") {
        try AlbumStore.migrateWithStages(in: folder, waitsForDisk: waitsForDisk)
    }
    let store = try AlbumStore(folder: folder, waitsForDisk: waitsForDisk)
    acknowledge("2 \(store.identifier)")
    // Closing the store would wait for the disk.
    withExtendedLifetime(store) {}
    exit(0)
}
if let option = arguments.firstIndex(of: "--writers") {
    let writers = arguments.dropFirst(option + 1).first.flatMap { Int($0) } ?? 1
    let plans = WriterPlans(seed: seed, writers: writers, count: count)
    try await saveTogether(
        plans,
        folder: folder,
        waitsForDisk: waitsForDisk,
        acknowledgesEarly: arguments.contains("--early")
    )
    exit(0)
}
let plan = Plan(seed: seed, count: count)
let store = try AlbumStore(folder: folder, waitsForDisk: waitsForDisk)
guard let first = plan.saveCount(of: try store.contents().digest(of: 0)) else { failBecauseOfContents() }

acknowledge("\(first) \(store.identifier)")
for number in first..<plan.count {
    try store.perform(plan, number + 1, inHalves: arguments.contains("--halves"))
    acknowledge("\(number + 1) \(store.identifier)")
}
