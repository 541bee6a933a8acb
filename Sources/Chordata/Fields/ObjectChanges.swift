/// The data of an object beside its row.
final class ObjectChanges {
    /// The properties that were set since the last save.
    @exclusivity(unchecked) var changed = PropertyMask()
    /// The required attributes that never got a value.
    @exclusivity(unchecked) var unset = PropertyMask()
    /// The attributes of ``unset`` for which the row has no value, while other changes are pending.
    @exclusivity(unchecked) var committedUnset = PropertyMask()
    /// The changes of unread to-many relationships; seldom more than one or two.
    @exclusivity(unchecked) private var pendingToManyChanges: [(field: Int, members: PendingToManyChanges)] = []
    /// The keys of the rows that are read together with that of a fault, on the first access to one of their objects.
    var batchKeys: [Int64]?

    private let runtimeEntity: RuntimeEntity
    /// The values before the first change, in the layout of a ``RowStorage``: only those of fields that were changed.
    @exclusivity(unchecked) private var committed: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var committedFields = PropertyMask()
    /// The place of a single value, the most frequent case: no other memory has to be fetched for it.
    @exclusivity(unchecked) private var room: (UInt64, UInt64) = (0, 0)
    /// The field of that value; -1 for none.
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

    /// Notes that a property was set.
    @inline(__always)
    func recordChange(of field: Int) {
        changed.insert(field)
        unset.remove(field)
    }

    // MARK: Values before the first change

    /// Keeps the value that a field has, unless one is kept already.
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

    /// Keeps the value that a row has, for a field of which none is kept.
    func keepCommittedValue(of index: Int, from values: RowStorage) {
        let field = runtimeEntity.fields[index]
        let target = makePlace(for: index)
        if field.kind.base == .toOne {
            target.initializeMemory(as: Int64.self, to: values.key(of: field))
        } else {
            copyField(field.kind, from: values.address(of: field), to: target, isInitialized: false)
        }
    }

    /// Memory without a value for the one that a field had.
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
            // A value may move anywhere, bit by bit.
            let size = runtimeEntity.fields[fieldInRoom].blockKind.layout.size
            (memory + runtimeEntity.blockOffsets[fieldInRoom]).copyMemory(from: roomAddress, byteCount: size)
            fieldInRoom = -1
        }
        return memory + runtimeEntity.blockOffsets[index]
    }

    /// Returns a Boolean value that indicates whether a value fits into the room for a single one.
    static func hasRoom(for kind: FieldKind) -> Bool {
        let layout = kind.layout
        return layout.size <= MemoryLayout<(UInt64, UInt64)>.size
            && layout.alignment <= MemoryLayout<(UInt64, UInt64)>.alignment
    }

    /// The room stays where it is as long as the object lives.
    @inline(__always)
    private var roomAddress: UnsafeMutableRawPointer {
        withUnsafeMutablePointer(to: &room) { UnsafeMutableRawPointer($0) }
    }

    /// The place of a field's kept value.
    private func committedAddress(of index: Int) -> UnsafeMutableRawPointer {
        guard fieldInRoom != index else { return roomAddress }
        guard let committed else { preconditionFailure("field \(index) has no committed value") }
        return committed + runtimeEntity.blockOffsets[index]
    }

    /// The address of the value that an attribute had before it was changed, good until another one changes; `nil` when
    /// it was not changed.
    func committedValue(of field: Field) -> UnsafeRawPointer? {
        committedFields.contains(field.index) ? UnsafeRawPointer(committedAddress(of: field.index)) : nil
    }

    /// Updates the committed value of a to-one to the new key of an object.
    /// - Parameter newKeys: By the old ones.
    func changeCommittedKey(of index: Int, by newKeys: [Int64: Int64]) {
        guard committedFields.contains(index) else { return }
        let target = committedAddress(of: index).assumingMemoryBound(to: Int64.self)
        if let new = newKeys[target.pointee] { target.pointee = new }
    }

    /// Takes the values of a newer row for those that were before the changes.
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
        // Without copies of the elements, which would be counted.
        for index in pendingToManyChanges.indices where pendingToManyChanges[index].field == field { return index }
        return nil
    }

    func pendingToManyChanges(of field: Int) -> PendingToManyChanges? {
        indexOfPendingToMany(field).map { pendingToManyChanges[$0].members }
    }

    /// Changes what is known of a relationship that was not read.
    func changePendingToMany(of field: Int, _ change: (inout PendingToManyChanges) -> Void) {
        let index = indexOfPendingToMany(field) ?? pendingToManyChanges.count
        if index == pendingToManyChanges.count { pendingToManyChanges.append((field, PendingToManyChanges())) }
        change(&pendingToManyChanges[index].members)
    }

    /// Takes over what other changes know of relationships that were not read.
    func takePendingToMany(of other: ObjectChanges) { pendingToManyChanges = other.pendingToManyChanges }

    /// Removes deleted objects from the recorded changes of unread relationships.
    func removePendingMembers(_ deletedRows: Set<ManagedObject>) {
        for index in pendingToManyChanges.indices { pendingToManyChanges[index].members.forget(deletedRows) }
    }

    /// Forgets what was known before a relationship was read.
    func takePendingToMany(of field: Int) -> PendingToManyChanges? {
        guard let index = indexOfPendingToMany(field) else { return nil }
        return pendingToManyChanges.remove(at: index).members
    }
}
