/// Random numbers that are the same for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    /// Returns `true` once in a number of calls, on average.
    package mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
    package mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
