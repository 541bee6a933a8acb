/// The objects of one table by key: open addressing, linear probing.
///
/// It holds its objects strongly. Keys come in runs, so four neighbours share a cache line, and the line is taken from
/// the high bits of a multiplicative hash: the low bits would put a run into one long cluster.
struct IdentityMap {
    /// The place of an object: its map in a context, and its key.
    struct Key: Hashable {
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
        /// 0 for none.
        var key: Int64 = 0
        var object: ManagedObject?
    }

    /// Owns the slots; its maps know them too, which saves a step on the way.
    private final class Owner {
        let slots: UnsafeMutablePointer<Slot>
        let capacity: Int
        /// A Boolean value that indicates whether what was in the slots has moved elsewhere, bit by bit.
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
        // The hash selects the line; the key selects the place in it.
        shift = 64 - UInt64(capacity.trailingZeroBitCount - 2)
    }

    @inline(__always)
    private func slot(of key: Int64) -> Int {
        let bits = UInt64(bitPattern: key)
        let line = ((bits >> 2) &* 0x9E37_79B9_7F4A_7C15) >> shift
        return Int(line << 2 | bits & 3)
    }

    /// The object of a key.
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

    /// Sees to it that no copy shares the slots, and that so many objects more find room in them.
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

    /// Sees to it that no copy of the map shares its slots.
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

    /// Makes room, or gives it back, without touching the objects.
    private mutating func moveAll(toCapacity capacity: Int) {
        makeUnique()
        let old = owner
        let all = count
        self = IdentityMap(capacity: capacity)
        count = all
        old.isMoved = true
        // An empty slot owns nothing, so it is written over.
        for slot in 0..<old.capacity where old.slots[slot].key != 0 {
            (slots + emptyPlace(for: old.slots[slot].key)).moveInitialize(from: old.slots + slot, count: 1)
        }
    }

    /// Places all objects by their current keys, of which many were changed.
    /// - Complexity: O(n) in the size of the map.
    mutating func updateKeys() {
        makeUnique()
        for slot in 0...mask {
            if let object = slots[slot].object { slots[slot].key = object.key }
        }
        moveAll(toCapacity: mask + 1)
    }

    /// Returns a Boolean value that indicates whether there is an object of a key that is referenced only here.
    /// - Complexity: O(1) on average.
    mutating func isUnheld(_ key: Int64) -> Bool {
        makeUnique()
        guard let slot = place(of: key) else { return false }
        return isKnownUniquelyReferenced(&slots[slot].object)
    }

    /// Releases the object of a key if it is referenced only here.
    /// - Complexity: O(1) on average.
    mutating func releaseObject(forKey key: Int64) {
        makeUnique()
        if let slot = place(of: key), isKnownUniquelyReferenced(&slots[slot].object) { clear(slot) }
    }

    /// Removes the object of a key, if there is one.
    /// - Complexity: O(1) on average.
    mutating func removeObject(forKey key: Int64) {
        makeUnique()
        if let slot = place(of: key) { clear(slot) }
    }

    private mutating func clear(_ slot: Int) {
        // The objects that this object retains are released when the map is consistent again.
        let object = (slots + slot).move().object
        var hole = slot
        // Closes the hole by moving back what probed past it, so that no tombstones pile up.
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

    /// Releases the objects that are referenced only here, except for those that a closure selects.
    /// - Complexity: O(n) in the size of the map.
    mutating func sweep(keeping isKept: (ManagedObject) -> Bool) {
        makeUnique()
        // The objects are released when the map is consistent again, because their deinit is code of the user.
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
        // The clusters have holes, so all entries are placed again.
        moveAll(toCapacity: capacity)
        withExtendedLifetime(released) {}
    }

    /// The objects that are referenced only here, of those that a closure selects.
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
