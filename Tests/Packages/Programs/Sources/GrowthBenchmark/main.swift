import Chordata
import Contest
import Foundation

// How the cost of some work grows with what there is: the time at several sizes, and the exponent between the first and
// the last: 1 where twice as much takes twice the time, 0 where it takes the same. `Scripts/benchmark growth [--rows
// N]`: 1,000 rows and their tenfolds up to N, 100,000 unless said. The program ends with 1 where an exponent is too
// high.

var rows = 100_000
if let place = CommandLine.arguments.firstIndex(of: "--rows"), place + 1 < CommandLine.arguments.count,
    let number = Int(CommandLine.arguments[place + 1]), number >= 1_000
{
    rows = number
}
let sizes = Array(sequence(first: 1_000) { $0 * 10 <= rows ? $0 * 10 : nil })

let growthRows: [GrowthRow] = [
    GrowthRow("G1", "upserts of all rows by a unique key", greatestExponent: 1.2, measureUpserts),
    GrowthRow("G2", "100 insertions at the front of an ordered relationship", greatestExponent: 1.1, measureInsertions),
    GrowthRow("G3", "an event of one row in a list with a to-many condition", greatestExponent: 0.5, measureEvents),
    GrowthRow("G4", "a condition over a to-one and then a to-many", greatestExponent: 1.2, measureConditions),
    GrowthRow("G8", "the same condition on unsaved objects", greatestExponent: 1.2, measureConditionsInMemory),
    GrowthRow("G5", "a save of one member of a loaded to-many, by its to-one", greatestExponent: 0.5, measureMembers),
    GrowthRow("G6", "a save of one pair of a loaded to-many", greatestExponent: 0.5, measurePairs),
    GrowthRow("G7", "a save of one member added to an ordered relationship", greatestExponent: 0.5, measureOrder),
]
runBenchmarks {
    var isFine = true
    for row in growthRows where try !row.run(sizes) { isFine = false }
    if !isFine { exit(1) }
}
