import Foundation
import Workload

// durable-writer FOLDER SEED SAVES [--halves] [--normal] [--migrates [--stages]]
//
// Opens or creates a store, goes on where its content is in the plan of the seed, and after each save prints their
// number: from then on they are acknowledged. Or creates one of the version before, saves all of it together, and
// migrates it, perhaps with stages, which counts as a second save.

let arguments = CommandLine.arguments
guard arguments.count >= 4, let seed = UInt64(arguments[2]), let count = Int(arguments[3]) else {
    let usage = "usage: durable-writer FOLDER SEED SAVES [--halves] [--normal] [--migrates [--stages]]\n"
    FileHandle.standardError.write(Data(usage.utf8))
    exit(64)
}

/// Acknowledges the saves so far; with the system call itself, because nothing may wait in a buffer.
func acknowledge(_ saves: Int, of identifier: UUID) {
    let line = Array("\(saves) \(identifier)\n".utf8)
    guard write(STDOUT_FILENO, line, line.count) == line.count else { exit(74) }
}

let waitsForDisk = !arguments.contains("--normal")
if arguments.contains("--migrates") {
    do {
        let old = try OldAlbumStore(folder: arguments[1])
        try old.save(Plan(seed: seed, merging: count))
        acknowledge(1, of: old.identifier)
    }
    if arguments.contains("--stages") {
        try AlbumStore.migrateWithStages(in: arguments[1], waitsForDisk: waitsForDisk)
    }
    let store = try AlbumStore(folder: arguments[1], waitsForDisk: waitsForDisk)
    acknowledge(2, of: store.identifier)
    // Closing it would wait for the disk.
    withExtendedLifetime(store) {}
    exit(0)
}
let plan = Plan(seed: seed, count: count)
let store = try AlbumStore(folder: arguments[1], waitsForDisk: waitsForDisk)
guard let first = plan.saveCount(of: try store.digest().value) else {
    FileHandle.standardError.write(Data("the content of the store is not one of the plan\n".utf8))
    exit(65)
}

acknowledge(first, of: store.identifier)
for number in first..<plan.count {
    try store.perform(plan, number + 1, inHalves: arguments.contains("--halves"))
    acknowledge(number + 1, of: store.identifier)
}
