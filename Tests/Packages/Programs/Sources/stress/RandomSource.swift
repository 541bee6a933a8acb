/// Numbers that only depend on a seed (SplitMix64).
struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the numbers of a seed; different streams of a seed are independent of each other.
    init(seed: UInt64, stream: UInt64) { state = mix(seed) ^ mix(stream &+ 0xA076_1D64_78BD_642F) }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mix(state)
    }
}

private func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
}
