/// The result of one run of one contestant.
struct Outcome<Value: Sendable>: Sendable {
    /// The measured values.
    var value: Value
    /// A number that must be the same for all contestants of a round.
    var answer: Int
}

/// The error that is thrown when contestants give different answers.
struct DisagreementError: Error, CustomStringConvertible {
    let title: String
    let answers: [Contestant: Int]

    /// The message.
    var description: String {
        let list = answers.map { "\($0.key.rawValue): \($0.value)" }.sorted().joined(separator: ", ")
        return "the contestants disagree about '\(title)': \(list)"
    }
}

/// Runs all contestants in each round, and begins each round with another contestant.
/// - Parameters:
///   - title: The title for messages.
///   - run: Runs a contestant with the seed of the round.
/// - Returns: The values of all rounds.
/// - Throws: ``DisagreementError`` when the contestants give different answers, and the errors of the closure.
func runRounds<Value: Sendable>(
    _ options: Options,
    title: String,
    _ run: (Contestant, UInt64) async throws -> Outcome<Value>
) async throws -> [Contestant: [Value]] {
    var values: [Contestant: [Value]] = [:]
    for round in 0..<options.rounds {
        var answers: [Contestant: Int] = [:]
        for turn in options.contestants.indices {
            let contestant = options.contestants[(round + turn) % options.contestants.count]
            let outcome = try await run(contestant, options.seed &+ UInt64(round))
            values[contestant, default: []].append(outcome.value)
            answers[contestant] = outcome.answer
        }
        guard Set(answers.values).count == 1 else { throw DisagreementError(title: title, answers: answers) }
    }
    return values
}
