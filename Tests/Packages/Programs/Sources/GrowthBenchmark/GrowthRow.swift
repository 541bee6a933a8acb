import Contest
import Foundation

/// Work that is measured at several sizes.
struct GrowthRow {
    let name: String
    let title: String
    /// The exponent above which the growth of the work is a regression.
    let greatestExponent: Double
    /// The seconds that the work takes at a size.
    let measure: (Int) throws -> Double

    init(_ name: String, _ title: String, greatestExponent: Double, _ measure: @escaping (Int) throws -> Double) {
        (self.name, self.title, self.greatestExponent, self.measure) = (name, title, greatestExponent, measure)
    }

    /// Prints a row: the median time at each size, and the exponent.
    ///
    /// A row with an exponent that is too high is measured a second time, because another program can slow down only
    /// the greatest size.
    /// - Returns: A Boolean value that indicates whether the exponent is low enough.
    func run(_ sizes: [Int]) throws -> Bool {
        for _ in 0..<2 {
            let times = try sizes.map { size in try (0..<3).map { _ in try measure(size) }.sorted()[1] }
            let columns = zip(sizes, times).map { "\($0): \(String(format: "%.3f", $1 * 1_000)) ms" }
            let text = "\(name) \(title)  |  \(columns.joined(separator: ", "))"
            guard sizes.count > 1 else {
                print(text)
                return true
            }
            let last = sizes.count - 1
            let exponent = log(times[last] / times[0]) / log(Double(sizes[last]) / Double(sizes[0]))
            let isFine = exponent <= greatestExponent
            let found = String(format: "%.2f", exponent)
            print("\(text), exponent \(found) (at most \(greatestExponent))\(isFine ? "" : " TOO HIGH")")
            if isFine { return true }
        }
        return false
    }
}
