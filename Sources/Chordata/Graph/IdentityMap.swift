/// The objects of one table by key: a hash table with open addressing and linear probing.
///
/// The map retains its objects. Keys are often consecutive, so four consecutive keys share a cache line, and the high
/// bits of a multiplicative hash select the line: the low bits would put consecutive keys into one long cluster.
package struct IdentityMap {
    /// The key of an object in a context: the index of its map, and its row key.
    package struct Key: Hashable {
        let rootIndex: Int
        let key: Int64

        init(rootIndex: Int, key: Int64) {
            self.rootIndex = rootIndex
            self.key = key
        }

        init(of object: ManagedObject) {
            rootIndex = object.withRuntimeEntity(\.rootIndex)
            key = object.key
        }
    }

    private struct Slot {
        /// The key of the object; 0 for an empty slot.
        var key: Int64 = 0
        var object: ManagedObject?
    }

    /// Owns the slots; a map also has their address, which saves an indirection.
    private final class Owner {
        let slots: UnsafeMutablePointer<Slot>
        let capacity: Int
        /// A Boolean value that indicates whether the contents of the slots were moved to other memory.
        var isMoved = false

        init(capacity: Int) {
            self.capacity = capacity
            let bytes = UnsafeMutableRawPointer.allocate(
                byteCount: capacity * MemoryLayout<Slot>.stride,
                alignment: 64
            )
            slots = bytes.bindMemory(to: Slot.self, capacity: capacity)
            slots.initialize(repeating: Slot(), count: capacity)
        }

        deinit {
            if !isMoved { slots.deinitialize(count: capacity) }
            slots.deallocate()
        }
    }

    private var owner: Owner
    private var slots: UnsafeMutablePointer<Slot>
    private var mask: Int
    private var shift: UInt64
    private(set) var count = 0

    init() { self.init(capacity: 16) }

    private init(capacity: Int) {
        owner = Owner(capacity: capacity)
        slots = owner.slots
        mask = capacity - 1
        // The hash selects the line; the key selects the slot in the line.
        shift = 64 - UInt64(capacity.trailingZeroBitCount - 2)
    }

    @inline(__always)
    private func slot(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let line = ((bits >> 2) &* 0x9E37_79B9_7F4A_7C15) >> shift
        return Int(line << 2 | bits & 3)
    }

    /// Returns the object with a key; `nil` if there is none.
    /// - Complexity: O(1) on average.
    @inline(__always)
    func object(forKey key: Int64) -> ManagedObject? {
        guard let slot = place(of: key) else { return nil }
        return slots[slot].object
    }

    @inline(__always)
    private func place(of key: Int64) -> Int? {
        var slot = slot(of: key)
        while slots[slot].key != 0 {
            if slots[slot].key == key { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// The number of slots that are examined to find a key, or to find that it is missing; for tests.
    func probeLength(ofKey key: Int64) -> Int {
        var slot = slot(of: key)
        var length = 1
        while slots[slot].key != 0, slots[slot].key != key {
            slot = (slot + 1) & mask
            length += 1
        }
        return length
    }

    /// Adds an object whose key is not in the map.
    /// - Complexity: O(1) on average.
    mutating func insert(_ object: ManagedObject) {
        makeRoom(for: 1)
        add(object)
    }

    /// Adds objects whose keys are not in the map.
    mutating func insert(contentsOf objects: [ManagedObject]) {
        makeRoom(for: objects.count)
        for object in objects { add(object) }
    }

    /// Ensures that no copy of the map shares its slots, and that the slots have the capacity for additional objects.
    @inline(__always)
    mutating func makeRoom(for additional: Int) {
        var capacity = mask + 1
        while (count + additional) * 4 > capacity * 3 { capacity *= 2 }
        if capacity > mask + 1 { moveAll(toCapacity: capacity) } else { makeUnique() }
    }

    @inline(__always)
    private mutating func add(_ object: ManagedObject) {
        let key = object.key
        assert(key != 0)
        (slots + emptyPlace(for: key)).initialize(to: Slot(key: key, object: object))
        count += 1
    }

    /// The slot for a key that is not in the map.
    @inline(__always)
    private func emptyPlace(for key: Int64) -> Int {
        var slot = slot(of: key)
        while slots[slot].key != 0 { slot = (slot + 1) & mask }
        return slot
    }

    /// Ensures that no copy of the map shares its slots.
    @inline(__always)
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&owner) { copySlots() }
    }

    private mutating func copySlots() {
        let copy = Owner(capacity: owner.capacity)
        copy.slots.update(from: slots, count: owner.capacity)
        owner = copy
        slots = copy.slots
    }

    /// Changes the capacity without accessing the objects.
    private mutating func moveAll(toCapacity capacity: Int) {
        makeUnique()
        let old = owner
        let all = count
        self = IdentityMap(capacity: capacity)
        count = all
        old.isMoved = true
        // An empty slot owns nothing, so it can be overwritten.
        for slot in 0..<old.capacity where old.slots[slot].key != 0 {
            (slots + emptyPlace(for: old.slots[slot].key)).moveInitialize(from: old.slots + slot, count: 1)
        }
    }

    /// Moves all objects to the slots for their current keys, after many keys have changed.
    /// - Complexity: O(n) in the size of the map.
    mutating func updateKeys() {
        makeUnique()
        for slot in 0...mask {
            if let object = slots[slot].object { slots[slot].key = object.key }
        }
        moveAll(toCapacity: mask + 1)
    }

    /// Returns a Boolean value that indicates whether the object with a key is referenced only by this map.
    /// - Complexity: O(1) on average.
    mutating func isUnheld(_ key: Int64) -> Bool {
        makeUnique()
        guard let slot = place(of: key) else { return false }
        return isKnownUniquelyReferenced(&slots[slot].object)
    }

    /// Releases the object with a key if it is referenced only by this map.
    /// - Complexity: O(1) on average.
    mutating func releaseObject(forKey key: Int64) {
        makeUnique()
        if let slot = place(of: key), isKnownUniquelyReferenced(&slots[slot].object) { clear(slot) }
    }

    /// Removes the object with a key, if there is one.
    /// - Complexity: O(1) on average.
    mutating func removeObject(forKey key: Int64) {
        makeUnique()
        if let slot = place(of: key) { clear(slot) }
    }

    private mutating func clear(_ slot: Int) {
        // The objects that this object retains are released when the map is consistent again.
        let object = (slots + slot).move().object
        var hole = slot
        // Fills the hole by moving back entries that were placed behind it, so that no tombstones accumulate.
        var next = (hole + 1) & mask
        while slots[next].key != 0 {
            let home = self.slot(of: slots[next].key)
            if (next - home) & mask >= (next - hole) & mask {
                (slots + hole).moveInitialize(from: slots + next, count: 1)
                hole = next
            }
            next = (next + 1) & mask
        }
        (slots + hole).initialize(to: Slot())
        count -= 1
        withExtendedLifetime(object) {}
    }

    /// Releases the objects that are referenced only by this map, except for those that a closure selects.
    /// - Complexity: O(n) in the size of the map.
    mutating func sweep(keeping isKept: (ManagedObject) -> Bool) {
        makeUnique()
        // The objects are released when the map is consistent again, because their deinit is user code.
        var released: [ManagedObject?] = []
        for slot in 0...mask where slots[slot].key != 0 && isKnownUniquelyReferenced(&slots[slot].object) {
            if slots[slot].object.map(isKept) == true { continue }
            released.append(slots[slot].object.take())
            slots[slot].key = 0
            count -= 1
        }
        guard !released.isEmpty else { return }
        var capacity = 16
        while count * 2 > capacity { capacity *= 2 }
        // The clusters have holes, so all entries are inserted again.
        moveAll(toCapacity: capacity)
        withExtendedLifetime(released) {}
    }

    /// Returns the objects that are referenced only by this map and that a closure selects.
    /// - Complexity: O(n) in the size of the map.
    mutating func unheldObjects(where isPicked: (ManagedObject) -> Bool) -> [ManagedObject] {
        makeUnique()
        var unheld: [ManagedObject] = []
        for slot in 0...mask where slots[slot].key != 0 && isKnownUniquelyReferenced(&slots[slot].object) {
            if let object = slots[slot].object, isPicked(object) { unheld.append(object) }
        }
        return unheld
    }

    /// Calls the body with every object, in no particular order.
    func forEach(_ body: (ManagedObject) -> Void) {
        for slot in 0...mask {
            if let object = slots[slot].object { body(object) }
        }
    }
}
