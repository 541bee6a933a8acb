import Contest
import Foundation

/// Work that is measured at several sizes.
struct GrowthRow {
    let name: String
    let title: String
    /// Above this exponent the work grows wrongly.
    let greatestExponent: Double
    /// The seconds that the work takes at a size.
    let measure: (Int) throws -> Double

    init(_ name: String, _ title: String, greatestExponent: Double, _ measure: @escaping (Int) throws -> Double) {
        (self.name, self.title, self.greatestExponent, self.measure) = (name, title, greatestExponent, measure)
    }

    /// Prints a row: the median time at each size, and the exponent.
    func run(_ sizes: [Int]) throws {
        var times: [Double] = []
        for size in sizes {
            let rounds = try (0..<3).map { _ in try measure(size) }.sorted()
            times.append(rounds[1])
        }
        let columns = zip(sizes, times).map { "\($0): \(String(format: "%.3f", $1 * 1_000)) ms" }
        var text = "\(name) \(title)  |  \(columns.joined(separator: ", "))"
        if let first = times.first, let last = times.last, sizes.count > 1, let least = sizes.first,
            let most = sizes.last
        {
            let exponent = log(last / first) / log(Double(most) / Double(least))
            text += ", exponent \(String(format: "%.2f", exponent)) (at most \(greatestExponent))"
            if exponent > greatestExponent { text += " TOO HIGH" }
        }
        print(text)
    }
}
