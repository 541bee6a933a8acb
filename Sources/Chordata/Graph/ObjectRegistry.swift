/// The registered objects of a context: one for each row, by table.
struct ObjectRegistry {
    /// The maps, one for each root entity.
    private var maps: [IdentityMap]
    private var registrationsSinceSweep = 0
    private var survivorsOfSweep = 0

    /// The result of the last look-up by class: objects of a class are mostly inserted one after another.
    var lastRuntimeEntity: RuntimeEntity?

    init(rootCount: Int) { maps = Array(repeating: IdentityMap(), count: rootCount) }

    /// The number of registered objects.
    var count: Int { maps.reduce(0) { $0 + $1.count } }

    /// The number of registered objects of a table.
    func count(rootIndex: Int) -> Int { maps[rootIndex].count }

    /// The registered object of a row.
    @inline(__always)
    func object(forKey key: Int64, rootIndex: Int) -> ManagedObject? { maps[rootIndex].object(forKey: key) }

    func forEach(_ body: (ManagedObject) -> Void) {
        for map in maps { map.forEach(body) }
    }

    // MARK: Registering

    @inline(__always)
    mutating func insert(_ object: ManagedObject, rootIndex: Int) {
        maps[rootIndex].insert(object)
        registrationsSinceSweep += 1
    }

    /// Registers objects of one table, none of which is registered yet.
    mutating func insert(contentsOf objects: [ManagedObject], rootIndex: Int) {
        maps[rootIndex].insert(contentsOf: objects)
        registrationsSinceSweep += objects.count
    }

    /// Reserves capacity for more objects of a table.
    mutating func makeRoom(for count: Int, rootIndex: Int) { maps[rootIndex].makeRoom(for: count) }

    mutating func removeObject(forKey key: Int64, rootIndex: Int) { maps[rootIndex].removeObject(forKey: key) }

    /// Changes the key of an object.
    mutating func changeKey(of object: ManagedObject, to key: Int64, rootIndex: Int) {
        maps[rootIndex].removeObject(forKey: object.key)
        object.key = key
        maps[rootIndex].insert(object)
    }

    /// Moves all objects to the slots for their current keys, after many keys have changed.
    mutating func updateKeys() {
        for index in maps.indices { maps[index].updateKeys() }
    }

    // MARK: Releasing

    /// A Boolean value that indicates whether more objects were registered since the last sweep than remained after it,
    /// and more than 1,000.
    var isSweepDue: Bool { registrationsSinceSweep > max(survivorsOfSweep, 1_000) }

    /// Makes a sweep due at the next opportunity.
    mutating func requestSweep() { (survivorsOfSweep, registrationsSinceSweep) = (0, .max / 2) }

    /// Releases the objects that only the registry retains and that have no unsaved changes, except for those that a
    /// closure selects.
    /// - Returns: The number of remaining objects.
    @discardableResult
    mutating func sweep(keeping isKept: (ManagedObject) -> Bool) -> Int {
        for index in maps.indices { maps[index].sweep(keeping: isKept) }
        registrationsSinceSweep = 0
        survivorsOfSweep = count
        return survivorsOfSweep
    }

    /// Returns a Boolean value that indicates whether an object is registered that only the registry retains.
    mutating func isUnheld(_ key: IdentityMap.Key) -> Bool { maps[key.rootIndex].isUnheld(key.key) }

    /// Returns the objects that only the registry retains and that a closure selects.
    mutating func unheldObjects(where isSelected: (ManagedObject) -> Bool) -> [ManagedObject] {
        maps.indices.flatMap { maps[$0].unheldObjects(where: isSelected) }
    }

    /// Releases the object of a row if only the registry retains it.
    mutating func releaseObject(of key: IdentityMap.Key) { maps[key.rootIndex].releaseObject(forKey: key.key) }
}
