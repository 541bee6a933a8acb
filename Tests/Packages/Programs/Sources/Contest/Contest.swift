/// Several implementations of the same work, timed alternately, so that other work of the machine affects all of them
/// equally.
public struct Contest {
    /// One of the implementations.
    public struct Contestant {
        /// The timed work of one run; the returned closure is called after the clock has stopped.
        public typealias Work = () throws -> Answer
        /// Returns a number that depends on all of the work.
        ///
        /// The closure holds the objects that the work has created, so that none of them is freed while the clock runs.
        public typealias Answer = () throws -> Int

        /// The name of the row; in parentheses if its work differs from that of the others.
        public var name: String
        /// Prepares one run before the clock starts.
        public var prepare: () throws -> Work

        /// Creates a contestant without preparation.
        public init(name: String, work: @escaping () throws -> Int) {
            self.init(name: name) {
                {
                    let answer = try work()
                    return { answer }
                }
            }
        }

        /// Creates a contestant.
        public init(name: String, prepare: @escaping () throws -> Work) {
            self.name = name
            self.prepare = prepare
        }
    }

    /// The name of the contest in machine-readable figures.
    public var workload: String
    /// The work.
    public var title: String
    /// The unit of one run's work: `"objects"`, `"bytes"`.
    public var unit: String
    /// The number of units.
    public var count: Int
    /// The contestants; the others are compared with the first one.
    public var contestants: [Contestant]

    /// Creates a contest.
    ///
    /// Without a workload name, the title is used.
    public init(
        _ workload: String? = nil,
        title: String,
        unit: String,
        count: Int,
        contestants: [Contestant]
    ) {
        self.workload = workload ?? title
        self.title = title
        self.unit = unit
        self.count = count
        self.contestants = contestants.filter { onlyContestant == nil || $0.name == onlyContestant }
    }

    /// Runs all contestants, and prints and records a row for each: median, minimum, maximum, time per unit, and ratio
    /// to the first.
    /// - Throws: ``Disagreement`` if a contestant does not give the answer of the first.
    public func run(rounds: Int) throws {
        guard !contestants.isEmpty else { return }
        var times = contestants.map { _ in [Double]() }
        var answers: [Int] = []
        try contestants.runAlternately(rounds: rounds) { round, runs in
            answers = runs.map(\.answer)
            guard round > 0 else { return }
            for (index, run) in runs.enumerated() { times[index].append(run.time.milliseconds) }
        }
        print("\n\(workload == title ? "" : workload + " ")\(title), \(count) \(unit), median of \(rounds)")
        let figures = zip(contestants, times).map { Figure(workload: workload, contestant: $0.name, milliseconds: $1) }
        for figure in figures { print(figure.row(comparedWith: figures[0], count: count, unit: unit)) }
        try figures.record(comparedWith: figures[0], count: count)
        for (index, answer) in answers.enumerated() where answer != answers[0] && contestants[index].name.first != "(" {
            throw Disagreement(title: title, name: contestants[index].name, answers: [answers[0], answer])
        }
    }
}

/// The error that is thrown if two contestants give different answers.
public struct Disagreement: Error {
    /// The title of the contest.
    public var title: String
    /// The name of the contestant that differs from the first.
    public var name: String
    /// The answers of the first contestant and of this one.
    public var answers: [Int]
}

extension Duration {
    fileprivate var milliseconds: Double {
        Double(components.seconds) * 1e3 + Double(components.attoseconds) * 1e-15
    }
}
