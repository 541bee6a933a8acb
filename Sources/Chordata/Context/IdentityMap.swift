/// The objects of one table by key: open addressing, linear probing.
///
/// It holds its objects strongly. Keys come in runs, so the slot is taken from the high bits of a multiplicative hash: the
/// low bits would put a run into one long cluster.
struct IdentityMap {
    private var keys: [Int64]
    private var objects: [ManagedObject?]
    private var shift: UInt64
    private(set) var count = 0

    init() {
        keys = Array(repeating: 0, count: 16)
        objects = Array(repeating: nil, count: 16)
        shift = 60
    }

    @inline(__always)
    private func slot(of key: Int64) -> Int {
        Int((UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// The object of a key.
    /// - Complexity: O(1) on average.
    func object(forKey key: Int64) -> ManagedObject? {
        place(of: key).flatMap { objects[$0] }
    }

    @inline(__always)
    private func place(of key: Int64) -> Int? {
        let mask = keys.count - 1
        var slot = slot(of: key)
        while keys[slot] != 0 {
            if keys[slot] == key { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// How many slots are looked at to find a key, or to find that it is not there; for tests.
    func probeLength(ofKey key: Int64) -> Int {
        let mask = keys.count - 1
        var slot = slot(of: key)
        var length = 1
        while keys[slot] != 0, keys[slot] != key {
            slot = (slot + 1) & mask
            length += 1
        }
        return length
    }

    /// Adds an object whose key is not in the map.
    /// - Complexity: O(1) on average.
    mutating func insert(_ object: ManagedObject) {
        assert(object.key != 0)
        if (count + 1) * 4 > keys.count * 3 { rebuild(capacity: keys.count * 2) }
        place(object)
        count += 1
    }

    private mutating func place(_ object: ManagedObject) {
        let mask = keys.count - 1
        var slot = slot(of: object.key)
        while keys[slot] != 0 { slot = (slot + 1) & mask }
        keys[slot] = object.key
        objects[slot] = object
    }

    /// Whether there is an object of a key that nobody else holds.
    /// - Complexity: O(1) on average.
    mutating func isUnheld(_ key: Int64) -> Bool {
        guard let slot = place(of: key) else { return false }
        return isKnownUniquelyReferenced(&objects[slot])
    }

    /// Lets go of the object of a key if nobody else holds it.
    /// - Complexity: O(1) on average.
    mutating func releaseObject(forKey key: Int64) {
        if isUnheld(key) { removeObject(forKey: key) }
    }

    /// Removes the object of a key, if there is one.
    /// - Complexity: O(1) on average.
    mutating func removeObject(forKey key: Int64) {
        let mask = keys.count - 1
        var hole = slot(of: key)
        while keys[hole] != key {
            if keys[hole] == 0 { return }
            hole = (hole + 1) & mask
        }
        // Closes the hole by moving back what probed past it, so that no tombstones pile up.
        var next = (hole + 1) & mask
        while keys[next] != 0 {
            let home = slot(of: keys[next])
            if (next - home) & mask >= (next - hole) & mask {
                keys[hole] = keys[next]
                objects[hole] = objects[next]
                hole = next
            }
            next = (next + 1) & mask
        }
        keys[hole] = 0
        objects[hole] = nil
        count -= 1
    }

    /// Lets go of the objects that nobody else holds.
    /// - Complexity: O(n) in the size of the map.
    mutating func sweep() {
        var survivors: [ManagedObject] = []
        for slot in objects.indices where objects[slot] != nil {
            if isKnownUniquelyReferenced(&objects[slot]) {
                objects[slot] = nil
            } else if let object = objects[slot] {
                survivors.append(object)
            }
        }
        var capacity = 16
        while survivors.count * 2 > capacity { capacity *= 2 }
        keys = Array(repeating: 0, count: capacity)
        objects = Array(repeating: nil, count: capacity)
        shift = 64 - UInt64(capacity.trailingZeroBitCount)
        count = survivors.count
        for object in survivors { place(object) }
    }

    /// The objects that nobody else holds, of those that a closure picks.
    /// - Complexity: O(n) in the size of the map.
    mutating func unheldObjects(where isPicked: (ManagedObject) -> Bool) -> [ManagedObject] {
        var unheld: [ManagedObject] = []
        for slot in objects.indices where objects[slot] != nil && isKnownUniquelyReferenced(&objects[slot]) {
            if let object = objects[slot], isPicked(object) { unheld.append(object) }
        }
        return unheld
    }

    private mutating func rebuild(capacity: Int) {
        let old = objects
        keys = Array(repeating: 0, count: capacity)
        objects = Array(repeating: nil, count: capacity)
        shift = 64 - UInt64(capacity.trailingZeroBitCount)
        for case let object? in old { place(object) }
    }

    /// Calls the body with every object, in no particular order.
    func forEach(_ body: (ManagedObject) -> Void) {
        for case let object? in objects { body(object) }
    }
}
