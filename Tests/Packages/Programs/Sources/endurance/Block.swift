/// The costs of consecutive rounds.
struct Block: CustomStringConvertible {
    /// The first round and the last one.
    let rounds: ClosedRange<Int>
    /// The median CPU time of a round, in seconds.
    let time: Double
    /// The bytes that are allocated after the last round.
    let liveBytes: Int
    /// The bytes that the stack of the main thread has used so far; 0 if the system does not report them.
    let stackBytes: Int

    var description: String {
        "rounds \(rounds.lowerBound) to \(rounds.upperBound): \(Int((time * 1_000_000).rounded())) µs each, "
            + "\(liveBytes) bytes allocated, \(stackBytes) bytes of stack"
    }
}
