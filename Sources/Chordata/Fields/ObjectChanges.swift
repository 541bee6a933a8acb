/// The data that an object has in addition to its values.
final class ObjectChanges {
    /// The properties that were set since the last save.
    @exclusivity(unchecked) var changed = PropertyMask()
    /// The required attributes that were never set.
    @exclusivity(unchecked) var unset = PropertyMask()
    /// The attributes of ``unset`` for which the row has no value, while other changes are pending.
    @exclusivity(unchecked) var committedUnset = PropertyMask()
    /// The changes of unread to-many relationships; seldom more than one or two.
    @exclusivity(unchecked) private var pendingToManyChanges: [(field: Int, members: PendingToManyChanges)] = []
    /// The keys of the rows that are read together with the row of a fault, on the first access to one of the objects.
    var batchKeys: [Int64]?

    private let runtimeEntity: RuntimeEntity
    /// The values before the first change, in the layout of a ``RowStorage``: only those of fields that were changed.
    @exclusivity(unchecked) private var committed: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var committedFields = PropertyMask()
    /// The memory for a single value, the most frequent case, in which no other memory has to be accessed.
    @exclusivity(unchecked) private var room: (UInt64, UInt64) = (0, 0)
    /// The field whose value is in ``room``; -1 for none.
    @exclusivity(unchecked) private var fieldInRoom = -1

    init(of object: ManagedObject) { runtimeEntity = object.runtimeEntity }

    deinit {
        guard !committedFields.isEmpty else { return }
        committedFields.forEach { index in
            let field = runtimeEntity.fields[index]
            guard field.kind.base != .toOne else { return }
            destroyField(field.kind, at: committedAddress(of: index))
        }
        committed?.deallocate()
    }

    /// Records that a property was set.
    @inline(__always)
    func recordChange(of field: Int) {
        changed.insert(field)
        unset.remove(field)
    }

    // MARK: Values before the first change

    /// Keeps the current value of a field, unless a value is kept already.
    func keepCommittedValue(of index: Int, in object: ManagedObject) {
        guard !committedFields.contains(index), runtimeEntity.blockOffsets[index] >= 0 else { return }
        let target = makePlace(for: index)
        let field = runtimeEntity.fields[index]
        let source = UnsafeRawPointer(object.fieldBase + field.offset)
        if field.kind.base == .toOne {
            let key = source.assumingMemoryBound(to: ToOneSlot.self).pointee.key
            target.initializeMemory(as: Int64.self, to: key)
        } else {
            copyField(field.kind, from: source, to: target, isInitialized: false)
        }
    }

    /// Keeps the value of a row, for a field of which no value is kept.
    func keepCommittedValue(of index: Int, from values: RowStorage) {
        let field = runtimeEntity.fields[index]
        let target = makePlace(for: index)
        if field.kind.base == .toOne {
            target.initializeMemory(as: Int64.self, to: values.key(of: field))
        } else {
            copyField(field.kind, from: values.address(of: field), to: target, isInitialized: false)
        }
    }

    /// Returns uninitialized memory for the committed value of a field.
    @inline(__always)
    private func makePlace(for index: Int) -> UnsafeMutableRawPointer {
        let isFirst = committedFields.isEmpty
        committedFields.insert(index)
        if isFirst, runtimeEntity.smallFields.contains(index) {
            fieldInRoom = index
            return roomAddress
        }
        return makePlaceInBlock(for: index)
    }

    @inline(never)
    private func makePlaceInBlock(for index: Int) -> UnsafeMutableRawPointer {
        let memory = committed ?? .allocate(byteCount: max(runtimeEntity.blockSize, 1), alignment: 16)
        committed = memory
        if fieldInRoom >= 0 {
            // All values can be moved by copying their bytes.
            let size = runtimeEntity.fields[fieldInRoom].blockKind.layout.size
            (memory + runtimeEntity.blockOffsets[fieldInRoom]).copyMemory(from: roomAddress, byteCount: size)
            fieldInRoom = -1
        }
        return memory + runtimeEntity.blockOffsets[index]
    }

    /// Returns a Boolean value that indicates whether a value fits into the memory for a single value.
    static func hasRoom(for kind: FieldKind) -> Bool {
        let layout = kind.layout
        return layout.size <= MemoryLayout<(UInt64, UInt64)>.size
            && layout.alignment <= MemoryLayout<(UInt64, UInt64)>.alignment
    }

    /// The address of the memory for a single value, which is the same during the lifetime of the object.
    @inline(__always)
    private var roomAddress: UnsafeMutableRawPointer {
        withUnsafeMutablePointer(to: &room) { UnsafeMutableRawPointer($0) }
    }

    /// Returns the address of a field's kept value.
    private func committedAddress(of index: Int) -> UnsafeMutableRawPointer {
        guard fieldInRoom != index else { return roomAddress }
        guard let committed else { preconditionFailure("field \(index) has no committed value") }
        return committed + runtimeEntity.blockOffsets[index]
    }

    /// Returns the address of the value that an attribute had before it was changed, valid until another attribute
    /// changes; `nil` when it was not changed.
    func committedValue(of field: Field) -> UnsafeRawPointer? {
        committedFields.contains(field.index) ? UnsafeRawPointer(committedAddress(of: field.index)) : nil
    }

    /// Updates the committed value of a to-one relationship to the new key of an object.
    /// - Parameter newKeys: The new keys, by old key.
    func changeCommittedKey(of index: Int, by newKeys: [Int64: Int64]) {
        guard committedFields.contains(index) else { return }
        let target = committedAddress(of: index).assumingMemoryBound(to: Int64.self)
        if let new = newKeys[target.pointee] { target.pointee = new }
    }

    /// Replaces the values before the changes with the values of a newer row.
    func setCommittedValues(_ values: RowStorage) {
        committedUnset = values.unset
        for field in runtimeEntity.columnFields where committedFields.contains(field.index) {
            let target = committedAddress(of: field.index)
            if field.kind.base == .toOne {
                target.assumingMemoryBound(to: Int64.self).pointee = values.key(of: field)
            } else {
                copyField(field.kind, from: values.address(of: field), to: target, isInitialized: true)
            }
        }
    }

    // MARK: To-many relationships that were not read

    private func indexOfPendingToMany(_ field: Int) -> Int? {
        // The loop uses indexes, because copies of the elements would be retained.
        for index in pendingToManyChanges.indices where pendingToManyChanges[index].field == field { return index }
        return nil
    }

    func pendingToManyChanges(of field: Int) -> PendingToManyChanges? {
        indexOfPendingToMany(field).map { pendingToManyChanges[$0].members }
    }

    /// Changes the pending changes of a relationship that was not read.
    func changePendingToMany(of field: Int, _ change: (inout PendingToManyChanges) -> Void) {
        let index = indexOfPendingToMany(field) ?? pendingToManyChanges.count
        if index == pendingToManyChanges.count { pendingToManyChanges.append((field, PendingToManyChanges())) }
        change(&pendingToManyChanges[index].members)
    }

    /// Copies the pending changes of relationships that were not read.
    func takePendingToMany(of other: ObjectChanges) { pendingToManyChanges = other.pendingToManyChanges }

    /// Removes deleted objects from the recorded changes of unread relationships.
    func removePendingMembers(_ deletedRows: Set<ManagedObject>) {
        for index in pendingToManyChanges.indices { pendingToManyChanges[index].members.forget(deletedRows) }
    }

    /// Removes and returns the pending changes of a relationship that was read.
    func takePendingToMany(of field: Int) -> PendingToManyChanges? {
        guard let index = indexOfPendingToMany(field) else { return nil }
        return pendingToManyChanges.remove(at: index).members
    }
}
