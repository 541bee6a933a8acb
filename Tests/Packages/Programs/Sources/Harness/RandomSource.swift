/// Numbers that only depend on a seed (SplitMix64).
public struct RandomSource: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates the numbers of a seed; different streams of a seed are independent of each other.
    public init(seed: UInt64, stream: UInt64 = 0) {
        state = mix(seed) ^ mix(stream &+ 0xA076_1D64_78BD_642F)
    }

    /// Returns the next number.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return mix(state)
    }

    /// Returns `true` once in a number of calls, on average.
    public mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}

/// A hash of a number.
public func mix(_ value: UInt64) -> UInt64 {
    var value = value
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
}

/// A hash of bytes that is the same in every process.
public func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var result = mix(UInt64(bytes.count))
    var offset = 0
    while offset + 8 <= bytes.count {
        result = (result ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0x9FB2_1C65_1E98_DF25
        result ^= result >> 29
        offset += 8
    }
    while offset < bytes.count {
        result = (result ^ UInt64(bytes[offset])) &* 0x9FB2_1C65_1E98_DF25
        result ^= result >> 29
        offset += 1
    }
    return mix(result)
}

/// A hash of a text that is the same in every process.
public func hash(_ text: String) -> UInt64 {
    var text = text
    return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
}
