import CMallocStatistics
import Chordata
import Foundation

// Saves, merges, fetches, events, changes of a list, undo and child contexts are repeated, with a view context that has
// a list. The last rounds must cost as much as the first ones, in time, memory and stack. `endurance [--rounds N]` runs
// 100,000 rounds by default. Exits with 1 if a cost has grown.

var rounds = 100_000
if CommandLine.arguments.count > 1 {
    guard CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--rounds",
        let number = Int(CommandLine.arguments[2]), number >= 400
    else {
        print("usage: endurance [--rounds N], N at least 400")
        exit(64)
    }
    rounds = number
}

let path = FileManager.default.temporaryDirectory.appending(path: "endurance-\(UUID().uuidString).sqlite").path
var blocks: [Block] = []
do {
    blocks = try Endurance(path: path).run(rounds: rounds)
} catch {
    print("error: \(error)")
    exit(2)
}
// The store may have no log.
for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
guard let first = blocks.first, let last = blocks.last else { exit(2) }
for block in [first, last] { print(block) }

var faults: [String] = []
// On a busy machine the same work takes up to half as long again; a cost that grows takes many times as long.
if last.time > first.time * 1.6 { faults.append("a round takes \(last.time / first.time) times as long as at first") }
if last.liveBytes > first.liveBytes + 300_000 {
    faults.append("\(last.liveBytes - first.liveBytes) bytes more are allocated")
}
if last.stackBytes > first.stackBytes + 16_384 {
    faults.append("the stack is \(last.stackBytes - first.stackBytes) bytes larger")
}
for fault in faults { print("error: \(fault)") }
exit(faults.isEmpty ? 0 : 1)
