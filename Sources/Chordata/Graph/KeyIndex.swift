/// The positions of keys in a list: a dictionary for keys that are not chosen by an attacker.
///
/// The hash table uses open addressing and linear probing. The high bits of a multiplicative hash select the slot, as
/// in ``IdentityMap``.
struct KeyIndex {
    private var slots: [(key: Int64, position: Int)]
    private let mask: Int
    private let shift: UInt64
    /// The keys, in the order in which they were added.
    private(set) var keys: [Int64] = []

    /// Creates an index for at most that many keys.
    init(capacity: Int) {
        var size = 4
        while size < capacity * 2 { size *= 2 }
        slots = Array(repeating: (0, -1), count: size)
        mask = size - 1
        shift = 64 - UInt64(size.trailingZeroBitCount)
        keys.reserveCapacity(capacity)
    }

    @inline(__always)
    private func place(of key: Int64) -> Int {
        var place = Int((UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[place].position >= 0, slots[place].key != key { place = (place + 1) & mask }
        return place
    }

    /// The position of a key; `nil` when it was not added.
    @inline(__always)
    subscript(key: Int64) -> Int? {
        let position = slots[place(of: key)].position
        return position < 0 ? nil : position
    }

    /// Adds a key at the next position; returns `false` if the key was already added.
    mutating func append(_ key: Int64) -> Bool {
        let place = place(of: key)
        guard slots[place].position < 0 else { return false }
        precondition(
            keys.count * 2 < slots.count,
            "the hash table of row keys is full; create it with a larger capacity"
        )
        slots[place] = (key, keys.count)
        keys.append(key)
        return true
    }
}
