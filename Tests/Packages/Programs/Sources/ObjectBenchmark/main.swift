import Contest
import Foundation
import GRDBSQLite

// Compares Chordata's objects and values with a handwritten loop over SQLite's C interface and with GRDB: the same
// tables, settings and rows. `Scripts/benchmark [--rows N] [W1 W2 …]` runs the named workloads, or all of them without
// names. N is the number of players, 100,000 by default.

let workloads: [(name: String, run: (Stores) throws -> Void)] = [
    ("W1", benchmarkInserting),
    ("W2", benchmarkFetching),
    ("W2-registered", benchmarkFetchingRegistered),
    ("W3", benchmarkLookups),
    ("W3-outside", benchmarkLookupsOutside),
    ("W3-registered", benchmarkLookupsRegistered),
    ("W4", benchmarkUpdating),
    ("W5", benchmarkDeleting),
    ("W6", benchmarkGraph),
    ("W7", benchmarkFiltering),
    ("W7-search", benchmarkSearching),
    ("W8", benchmarkLists),
    ("W8-localized", benchmarkLocalizedLists),
    ("W8-grdb", benchmarkObservedQueries),
    ("W8-first", benchmarkFirstLists),
    ("W9", measureMemory),
    ("W10", benchmarkOpening),
    ("W11", benchmarkSmallSaves),
    ("W12", benchmarkMerging),
    ("W13-read", benchmarkObservedReading),
    ("W13-view", benchmarkObservedView),
    ("W13-set", benchmarkObservedSetting),
    ("W14", benchmarkBatches),
    ("W14-computed", benchmarkComputedBatches),
    ("W15-column", benchmarkAddingColumns),
    ("W15-default", benchmarkAddingDefaults),
    ("W15-rebuild", benchmarkRebuilding),
]

var wanted: [String] = []
var rows = 100_000
var arguments = CommandLine.arguments.dropFirst()
while let argument = arguments.popFirst() {
    if argument == "--rows" {
        guard let number = arguments.popFirst().flatMap({ Int($0) }), number > 0 else {
            print("--rows needs a number above 0")
            exit(64)
        }
        rows = number
    } else if workloads.contains(where: { $0.name == argument }) {
        wanted.append(argument)
    } else {
        print("there is no workload '\(argument)'; there are \(workloads.map(\.name).joined(separator: ", "))")
        exit(64)
    }
}

runBenchmarks {
    print("SQLite \(String(cString: sqlite3_libversion())), \(rows) players, WAL, synchronous=NORMAL")
    let stores = try Stores(playerCount: rows)
    for workload in workloads where wanted.isEmpty || wanted.contains(workload.name) { try workload.run(stores) }
}
