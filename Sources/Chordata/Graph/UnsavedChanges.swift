/// The unsaved changes of a context: which objects have some, and what the next save has to do besides writing them.
struct UnsavedChanges {
    /// The objects with unsaved changes, each once, in the order of their first change; and some that have none any
    /// more.
    private var list: [ManagedObject] = []
    private var hasStaleEntries = false
    /// A number that grows whenever unsaved changes may have become others, for children that read them.
    private(set) var generation: Int
    /// A Boolean value that indicates whether objects may have been inserted whose numbers are not of the store.
    var hasProvisionalKeys = false
    /// A Boolean value that indicates whether a relationship was set to an object that is to be deleted.
    var mayReferenceDeletedObjects = false
    /// The objects whose insertion was undone in the current event.
    var undoneInsertions: [ManagedObject] = []
    /// The objects that hooks of a save have changed; `nil` while no hooks are called.
    var changedByHooks: [ManagedObject]?
    /// The provisional keys by which observers know inserted objects that have keys of the store now.
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

    /// Adds an object, unless it is listed.
    @inline(__always)
    mutating func insert(_ object: ManagedObject) {
        guard !object.isTracked else { return }
        object.isTracked = true
        list.append(object)
    }

    /// Lets the next use of the list remove the objects that have no changes any more.
    mutating func removeStaleEntriesLater() { hasStaleEntries = true }

    /// Empties the list.
    /// - Returns: The objects that were listed.
    mutating func takeObjects() -> [ManagedObject] {
        recordChange()
        let objects = objects
        objects.forEachUnretained { $0.isTracked = false }
        list = []
        return objects
    }

    /// Records that unsaved changes may have become others.
    @inline(__always)
    mutating func recordChange() { generation &+= 1 }
}

/// The keys that objects had before they got others.
///
/// Each save of new objects adds keys, but only a conflict reads them.
struct FormerKeys {
    private var added: [(former: Int64, key: Int64)] = []
    private var formerKeys: [Int64: Int64] = [:]

    mutating func append(_ former: Int64, before key: Int64) { added.append((former, key)) }

    /// Returns the key that an object had before; `nil` if it had no other key.
    mutating func key(before key: Int64) -> Int64? {
        for (former, key) in added { formerKeys[key] = former }
        added = []
        return formerKeys[key]
    }
}
