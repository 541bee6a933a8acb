import CMallocStatistics
import Contest
import Foundation

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
        // A profiler must see no other contestant.
        let only = ProcessInfo.processInfo.environment["CHORDATA_BENCHMARK_ONLY"]
        let contestants = (bare + [chordata]).filter { only == nil || $0.name == only }
        var times = contestants.map { _ in [Double]() }
        var processorTimes = times
        var answers = contestants.map { _ in 0 }
        for round in 0...rounds {
            for turn in contestants.indices {
                // Each round begins with another contestant, so that no contestant always follows the same one.
                let index = (round + turn) % contestants.count
                let work = try contestants[index].prepare()
                // Otherwise a contestant would pay for memory that another one has freed.
                release_free_memory()
                let processorStart = processorTime()
                let start = ContinuousClock.now
                let answer = try work()
                let time = (ContinuousClock.now - start) / .seconds(1)
                let processor = processorTime() - processorStart
                answers[index] = try answer()
                guard round > 0 else { continue }
                times[index].append(time)
                processorTimes[index].append(processor)
            }
            guard Set(answers).count <= 1 else {
                let named = zip(contestants.map(\.name), answers).map { "\($0): \($1)" }
                throw DisagreementError(workload: workload, answers: named)
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

private func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }
