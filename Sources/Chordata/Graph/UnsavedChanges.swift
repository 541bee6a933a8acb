/// The unsaved changes of a context: the objects that have unsaved changes, and other data that the next save needs.
struct UnsavedChanges {
    /// The objects with unsaved changes, each once, in the order of their first change, and stale entries for objects
    /// that no longer have unsaved changes.
    private var list: [ManagedObject] = []
    private var hasStaleEntries = false
    /// A number that increases whenever the unsaved changes may have changed, for child contexts that read them.
    private(set) var generation: Int
    /// A Boolean value that indicates whether inserted objects may have provisional keys.
    var hasProvisionalKeys = false
    /// A Boolean value that indicates whether a relationship was set to an object that is to be deleted.
    var mayReferenceDeletedObjects = false
    /// The objects whose insertion was undone in the current event.
    var undoneInsertions: [ManagedObject] = []
    /// The objects that hooks of a save have changed; `nil` while no hooks are called.
    var changedByHooks: [ManagedObject]?
    /// The provisional keys by which observers know inserted objects that have permanent keys now.
    ///
    /// They are kept until a save succeeds.
    var formerKeys = FormerKeys()

    init(generation: Int = 0) { self.generation = generation }

    /// The objects with unsaved changes, each once, in the order of their first change.
    var objects: [ManagedObject] {
        mutating get {
            if hasStaleEntries {
                for object in list where !object.hasChanges { object.isTracked = false }
                list.removeAll { !$0.isTracked }
                hasStaleEntries = false
            }
            return list
        }
    }

    /// Adds an object, unless it is in the list.
    @inline(__always)
    mutating func insert(_ object: ManagedObject) {
        guard !object.isTracked else { return }
        object.isTracked = true
        list.append(object)
    }

    /// Marks the list, so that its next use removes the objects that no longer have changes.
    mutating func removeStaleEntriesLater() { hasStaleEntries = true }

    /// Empties the list.
    /// - Returns: The objects that were in the list.
    mutating func takeObjects() -> [ManagedObject] {
        recordChange()
        let objects = objects
        objects.forEachUnretained { $0.isTracked = false }
        list = []
        return objects
    }

    /// Records that the unsaved changes may have changed.
    @inline(__always)
    mutating func recordChange() { generation &+= 1 }
}

/// The keys that objects had before they were replaced with other keys.
///
/// Each save of new objects adds keys, but only a conflict reads them.
struct FormerKeys {
    private var added: [(former: Int64, key: Int64)] = []
    private var formerKeys: [Int64: Int64] = [:]

    /// Records the keys of objects, except new objects that observers do not know yet, before they get other keys.
    mutating func append(_ objects: [ManagedObject], before keys: [Int64]) {
        if added.isEmpty { added.reserveCapacity(objects.count) }
        var index = 0
        objects.forEachUnretained { object in
            if !object.isNewInEvent { added.append((object.key, keys[index])) }
            index += 1
        }
    }

    /// Returns the key that an object had before; `nil` if it had no other key.
    mutating func key(before key: Int64) -> Int64? {
        for (former, key) in added { formerKeys[key] = former }
        added = []
        return formerKeys[key]
    }
}
