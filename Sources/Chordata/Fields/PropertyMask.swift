/// A set of an object's properties, by index; the first 64 properties need no allocation.
package struct PropertyMask: Hashable, Sendable {
    private var low: UInt64 = 0
    /// The bits of the other properties; `nil` until one of them is inserted, so that there is no reference to count.
    private var high: [UInt64]?

    package init() {}

    /// Creates a mask with one field.
    init(_ index: Int) { insert(index) }

    var isEmpty: Bool { low == 0 && high?.allSatisfy { $0 == 0 } != false }

    @inline(__always)
    package func contains(_ index: Int) -> Bool {
        index < 64 ? low & (1 &<< UInt64(truncatingIfNeeded: index)) != 0 : containsHigh(index)
    }

    @inline(__always)
    package mutating func insert(_ index: Int) {
        if index < 64 { low |= 1 &<< UInt64(truncatingIfNeeded: index) } else { insertHigh(index) }
    }

    @inline(__always)
    mutating func remove(_ index: Int) {
        if index < 64 { low &= ~(1 &<< UInt64(truncatingIfNeeded: index)) } else { removeHigh(index) }
    }

    /// Returns a Boolean value that indicates whether two masks have an index in common.
    @inline(__always)
    func intersects(_ other: PropertyMask) -> Bool {
        low & other.low != 0 || intersectsHigh(other)
    }

    /// Calls a closure for each index, in ascending order.
    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        Self.forEach(in: low, from: 0, body)
        guard let high else { return }
        for (word, bits) in high.enumerated() { Self.forEach(in: bits, from: (word + 1) * 64, body) }
    }

    @inline(__always)
    private static func forEach(in bits: UInt64, from first: Int, _ body: (Int) -> Void) {
        var bits = bits
        while bits != 0 {
            body(first + bits.trailingZeroBitCount)
            bits &= bits - 1
        }
    }

    /// Adds the indexes of another mask.
    mutating func formUnion(_ other: PropertyMask) {
        low |= other.low
        guard other.high != nil else { return }
        other.forEach { insert($0) }
    }

    /// Returns a mask with the indexes that are in both masks.
    @inline(__always)
    func intersection(_ other: PropertyMask) -> PropertyMask {
        var common = PropertyMask()
        common.low = low & other.low
        if high != nil { common.high = highIntersection(other) }
        return common
    }

    @inline(never)
    private func highIntersection(_ other: PropertyMask) -> [UInt64]? {
        guard let high, let others = other.high else { return nil }
        let words = zip(high, others).map { $0 & $1 }
        return words.allSatisfy { $0 == 0 } ? nil : words
    }

    @inline(__always)
    private func intersectsHigh(_ other: PropertyMask) -> Bool {
        guard let high, let others = other.high else { return false }
        return zip(high, others).contains { $0 & $1 != 0 }
    }

    @inline(never)
    private func containsHigh(_ index: Int) -> Bool {
        let word = index / 64 - 1
        guard let high, word < high.count else { return false }
        return high[word] & (1 << UInt64(index % 64)) != 0
    }

    @inline(never)
    private mutating func insertHigh(_ index: Int) {
        let word = index / 64 - 1
        var words = high ?? []
        high = nil
        while words.count <= word { words.append(0) }
        words[word] |= 1 << UInt64(index % 64)
        high = words
    }

    @inline(never)
    private mutating func removeHigh(_ index: Int) {
        let word = index / 64 - 1
        guard let count = high?.count, word < count else { return }
        high?[word] &= ~(1 << UInt64(index % 64))
    }
}
