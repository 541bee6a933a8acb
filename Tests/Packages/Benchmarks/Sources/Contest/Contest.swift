import Foundation

/// Several ways to do one thing, timed by turns, so that what else the machine does hits all of them alike.
public struct Contest {
    /// One of the ways.
    public struct Contestant {
        /// What the row is called; in parentheses when it does something else than the others.
        public var name: String
        /// Does the work once and gives something that depends on all of it.
        public var work: () throws -> Int

        /// Creates a contestant.
        public init(name: String, work: @escaping () throws -> Int) {
            self.name = name
            self.work = work
        }
    }

    /// What is done.
    public var title: String
    /// What one run of the work handles, for the rate: `"objects"`, `"bytes"`.
    public var unit: String
    /// How many of these.
    public var count: Int
    /// The first one is what the others are compared with.
    public var contestants: [Contestant]

    /// Creates a contest.
    public init(title: String, unit: String, count: Int, contestants: [Contestant]) {
        self.title = title
        self.unit = unit
        self.count = count
        self.contestants = contestants
    }

    /// Runs all of them and prints a row for each: median time, rate, and ratio to the first.
    public func run(rounds: Int) throws {
        var times = Array(repeating: [Duration](), count: contestants.count)
        var answers = Array(repeating: 0, count: contestants.count)
        let clock = ContinuousClock()
        for round in 0..<(rounds + 1) {
            for index in contestants.indices {
                let time = try clock.measure { answers[index] = try contestants[index].work() }
                // The first round warms up.
                if round > 0 { times[index].append(time) }
            }
        }
        print("\n\(title), \(count) \(unit), median of \(rounds)")
        let medians = times.map { $0.sorted()[$0.count / 2].seconds }
        for (index, contestant) in contestants.enumerated() {
            let median = medians[index]
            let rate = Double(count) / median / 1e6
            print(
                "  " + padded(contestant.name, to: 34)
                    + padded(formatted(median * 1e3), to: 12, right: true) + " ms"
                    + padded(formatted(rate), to: 10, right: true) + " M \(unit)/s"
                    + padded(formatted(median / medians[0]), to: 9, right: true) + " x"
            )
        }
        for (index, answer) in answers.enumerated() where answer != answers[0] && contestants[index].name.first != "(" {
            throw Disagreement(title: title, name: contestants[index].name, answers: [answers[0], answer])
        }
    }
}

/// Two contestants did not do the same.
public struct Disagreement: Error {
    /// The title of the contest.
    public var title: String
    /// The one who differs from the first.
    public var name: String
    /// What the first and this one have given.
    public var answers: [Int]
}

extension Duration {
    fileprivate var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}

private func formatted(_ number: Double) -> String {
    let digits = number >= 100 ? 1 : number >= 10 ? 2 : 3
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let text = "\((number * scale).rounded() / scale)"
    let fraction = text.split(separator: ".").last?.count ?? 0
    return text + String(repeating: "0", count: max(0, digits - fraction))
}

private func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let space = String(repeating: " ", count: max(0, width - text.count))
    return right ? space + text : text + space
}

/// How often the contestants run: `CHORDATA_BENCHMARK_ROUNDS`, or 15 times.
public let rounds = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ROUNDS"].flatMap { Int($0) } ?? 15
