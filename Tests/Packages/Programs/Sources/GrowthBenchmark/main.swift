import Chordata
import Contest
import Foundation

// Measures how the cost of some work grows with the amount of data: the time at several sizes, and the exponent between
// the first and the last size. The exponent is 1 if twice the data takes twice the time, and 0 if it takes the same
// time. `Scripts/benchmark growth [--rows N]` measures 1,000 rows and their multiples by ten up to N, which is 100,000
// by default. The program exits with 1 if an exponent is too high.

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
