import Chordata
import Contest
import Foundation

// The groups run in the order of the arguments, or all of them if there are no arguments: `Scripts/benchmark
// predicates`.

let groups: [(name: String, run: (Int) throws -> Void)] = [
    ("parsing", benchmarkParsing),
    ("predicates", benchmarkPredicates),
    ("search", benchmarkSearch),
]
let wanted = CommandLine.arguments.dropFirst()
for name in wanted where !groups.contains(where: { $0.name == name }) {
    print("there is no benchmark '\(name)'; there are \(groups.map(\.name).joined(separator: ", "))")
    exit(64)
}
runBenchmarks {
    for group in groups where wanted.isEmpty || wanted.contains(group.name) { try group.run(rounds) }
}
