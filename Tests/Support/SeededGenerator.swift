/// Random numbers that are the same for the same seed.
package struct SeededGenerator: RandomNumberGenerator {
    private var numbers: SplitMix64

    package init(seed: UInt64) { numbers = SplitMix64(seed: seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678) }

    package mutating func next() -> UInt64 { numbers.next() }

    package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    /// Returns `true` once in a number of calls, on average.
    package mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
    package mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }
}
