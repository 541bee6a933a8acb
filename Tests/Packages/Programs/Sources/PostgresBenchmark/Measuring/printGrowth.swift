import Contest
import Foundation

/// Prints the exponents of the growth between two numbers of players: 1 if the time is proportional to the number.
/// - Parameters:
///   - results: The results of each size.
///   - sizes: The numbers of players.
func printGrowth(_ results: [[ComparisonResult]], _ sizes: [Int]) {
    print("\nexponents of growth between \(sizes[0]) and \(sizes[1]) players")
    print(padded("workload", to: 34) + ["bare", "chordata"].map { padded($0, to: 10, right: true) }.joined())
    for (first, last) in zip(results[0], results[1]) {
        func exponent(_ figure: (ComparisonResult) -> Figure?) -> Double? {
            guard let before = figure(first), let after = figure(last) else { return nil }
            let times = after.time * Double(last.count) / (before.time * Double(first.count))
            return log(times) / log(Double(sizes[1]) / Double(sizes[0]))
        }
        let exponents = [exponent(\.bare), exponent(\.chordata)]
        let cells = exponents.map { padded(formatted($0), to: 10, right: true) }
        print(padded(last.workload.rawValue, to: 34) + cells.joined())
    }
}
