/// A set of an object's properties by their places; no allocation for the first 64.
struct PropertyMask: Hashable, Sendable {
    private var low: UInt64 = 0
    private var high: [UInt64] = []

    init() {}

    var isEmpty: Bool { low == 0 && high.allSatisfy { $0 == 0 } }

    func contains(_ index: Int) -> Bool {
        if index < 64 { return low & (1 << UInt64(index)) != 0 }
        let word = index / 64 - 1
        return word < high.count && high[word] & (1 << UInt64(index % 64)) != 0
    }

    mutating func insert(_ index: Int) {
        if index < 64 {
            low |= 1 << UInt64(index)
        } else {
            let word = index / 64 - 1
            while high.count <= word { high.append(0) }
            high[word] |= 1 << UInt64(index % 64)
        }
    }

    mutating func remove(_ index: Int) {
        if index < 64 {
            low &= ~(1 << UInt64(index))
        } else if index / 64 - 1 < high.count {
            high[index / 64 - 1] &= ~(1 << UInt64(index % 64))
        }
    }

    mutating func formUnion(_ other: PropertyMask) {
        low |= other.low
        for (word, bits) in other.high.enumerated() {
            if word < high.count { high[word] |= bits } else { high.append(bits) }
        }
    }
}
