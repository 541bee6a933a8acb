/// What some rounds in a row cost.
struct Block: CustomStringConvertible {
    /// The first round and the last one.
    let rounds: ClosedRange<Int>
    /// The CPU seconds of a round, the median.
    let time: Double
    /// The bytes that are allocated after the last round.
    let liveBytes: Int
    /// The bytes that the stack of the main thread has taken so far; 0 where the system does not report it.
    let stackBytes: Int

    var description: String {
        "rounds \(rounds.lowerBound) to \(rounds.upperBound): \(Int((time * 1_000_000).rounded())) µs each, "
            + "\(liveBytes) bytes allocated, \(stackBytes) bytes of stack"
    }
}
