import Contest

/// The same work by Chordata and by one or more bare programs, of which the fastest counts, timed alternately.
struct Comparison {
    let workload: Workload
    /// The number of rows or saves.
    let count: Int
    let bare: [Contest.Contestant]
    let chordata: Contest.Contestant

    /// Runs all contestants, once more than the number of rounds, because the first run warms up.
    /// - Throws: ``DisagreementError`` if the contestants do not give the same answer.
    func run(rounds: Int) throws -> ComparisonResult {
        let contestants = (bare + [chordata]).filter { onlyContestant == nil || $0.name == onlyContestant }
        var times = contestants.map { _ in [Double]() }
        var processorTimes = times
        try contestants.runAlternately(rounds: rounds) { round, runs in
            guard Set(runs.map(\.answer)).count <= 1 else {
                let named = zip(contestants, runs).map { "\($0.name): \($1.answer)" }
                throw DisagreementError(workload: workload, answers: named)
            }
            guard round > 0 else { return }
            for (index, run) in runs.enumerated() {
                times[index].append(run.time / .seconds(1))
                processorTimes[index].append(run.processorTime)
            }
        }
        let figures = contestants.indices.map {
            Figure(
                name: contestants[$0].name,
                time: median(times[$0]) / Double(count) * 1e6,
                processorTime: median(processorTimes[$0]) / Double(count) * 1e6
            )
        }
        return ComparisonResult(
            workload: workload,
            count: count,
            bare: figures.filter { $0.name != chordata.name }.min { $0.time < $1.time },
            chordata: figures.first { $0.name == chordata.name }
        )
    }
}

/// The error that is thrown if contestants give different answers.
struct DisagreementError: Error, CustomStringConvertible {
    let workload: Workload
    let answers: [String]

    /// The message.
    var description: String {
        "the contestants disagree about '\(workload.rawValue)': \(answers.joined(separator: ", "))"
    }
}
