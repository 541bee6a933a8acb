import CMallocStatistics

extension Contest {
    /// One run of a contestant.
    public struct Run {
        /// The time of the work.
        public let time: Duration
        /// The CPU time of the process during the work, in seconds.
        public let processorTime: Double
        /// The answer.
        public let answer: Int
    }
}

extension [Contest.Contestant] {
    /// Runs all contestants alternately, so that other work of the machine affects all of them equally.
    /// - Parameters:
    ///   - rounds: The number of rounds, after round 0, which warms up.
    ///   - onRound: A closure that is called after each round, with its number and the runs of all contestants in their
    ///     order.
    public func runAlternately(rounds: Int, _ onRound: (Int, [Contest.Run]) throws -> Void) throws {
        var runs: [Contest.Run?] = map { _ in nil }
        for round in 0...rounds {
            for turn in indices {
                // Each round begins with another contestant, so that no contestant always follows the same one.
                let index = (round + turn) % count
                let work = try self[index].prepare()
                // Otherwise a contestant would pay for memory that another one has freed, and would get this memory in
                // pieces.
                release_free_memory()
                let processorStart = processorTime()
                let (answer, time) = try measure(work)
                let processor = processorTime() - processorStart
                runs[index] = Contest.Run(time: time, processorTime: processor, answer: try answer())
            }
            try onRound(round, runs.compactMap(\.self))
        }
    }
}

/// Runs the measured work separately from everything else, so that a profiler can be limited to it.
@inline(never)
private func measure<Answer>(_ work: () throws -> Answer) rethrows -> (Answer, Duration) {
    let start = ContinuousClock.now
    let answer = try work()
    return (answer, .now - start)
}
