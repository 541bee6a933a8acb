/// What an object holds beside its row.
final class ObjectChanges {
    /// The properties that were set since the last save.
    @exclusivity(unchecked) var changed = PropertyMask()
    /// The required attributes that never got a value.
    @exclusivity(unchecked) var unset = PropertyMask()
    /// Those of them that the row has no value for, while other changes are pending.
    @exclusivity(unchecked) var committedUnset = PropertyMask()
    /// What changed in to-many relationships that were not read; seldom more than one or two.
    @exclusivity(unchecked) private var unreadMembers: [(field: Int, members: UnreadMembers)] = []
    /// The rows that are read with that of a fault.
    var batch: FaultBatch?

    private let entityType: EntityType
    /// Where the values before the first change stand, in the layout of a ``FieldBlock``: only those of fields that were changed.
    @exclusivity(unchecked) private var committed: UnsafeMutableRawPointer?
    @exclusivity(unchecked) private var committedFields = PropertyMask()

    init(of object: ManagedObject) { entityType = object.entityType }

    deinit {
        guard let committed else { return }
        committedFields.forEach { index in
            let field = entityType.fields[index]
            guard field.kind.base != .toOne else { return }
            destroyField(field.kind, at: committed + entityType.blockOffsets[index])
        }
        committed.deallocate()
    }

    /// Notes that a property was set.
    @inline(__always)
    func noteChange(of field: Int) {
        changed.insert(field)
        unset.remove(field)
    }

    // MARK: Values before the first change

    /// Keeps the value that a field has, unless one is kept already.
    func keepCommittedValue(of index: Int, in object: ManagedObject) {
        guard !committedFields.contains(index) else { return }
        let offset = entityType.blockOffsets[index]
        guard offset >= 0 else { return }
        let memory = committed ?? .allocate(byteCount: max(entityType.blockSize, 1), alignment: 16)
        committed = memory
        committedFields.insert(index)
        let field = entityType.fields[index]
        let source = UnsafeRawPointer(object.fieldBase + field.offset)
        if field.kind.base == .toOne {
            let key = source.assumingMemoryBound(to: ToOne.self).pointee.key
            (memory + offset).initializeMemory(as: Int64.self, to: key)
        } else {
            copyField(field.kind, from: source, to: memory + offset, isInitialized: false)
        }
    }

    /// Keeps the value that a row has, for a field of which none is kept.
    func keepCommittedValue(of index: Int, from values: FieldBlock) {
        let field = entityType.fields[index]
        let memory = committed ?? .allocate(byteCount: max(entityType.blockSize, 1), alignment: 16)
        committed = memory
        committedFields.insert(index)
        let target = memory + entityType.blockOffsets[index]
        if field.kind.base == .toOne {
            target.initializeMemory(as: Int64.self, to: values.key(of: field))
        } else {
            copyField(field.kind, from: values.address(of: field), to: target, isInitialized: false)
        }
    }

    /// The address of the value that an attribute had before it was changed; `nil` when it was not changed.
    func committedValue(of field: Field) -> UnsafeRawPointer? {
        guard let committed, committedFields.contains(field.index) else { return nil }
        return UnsafeRawPointer(committed + entityType.blockOffsets[field.index])
    }

    /// Takes the values of a newer row for those that were before the changes.
    func setCommittedValues(_ values: FieldBlock) {
        committedUnset = values.unset
        guard let committed else { return }
        for field in entityType.columnFields where committedFields.contains(field.index) {
            let target = committed + entityType.blockOffsets[field.index]
            if field.kind.base == .toOne {
                target.assumingMemoryBound(to: Int64.self).pointee = values.key(of: field)
            } else {
                copyField(field.kind, from: values.address(of: field), to: target, isInitialized: true)
            }
        }
    }

    // MARK: To-many relationships that were not read

    private func indexOfUnreadMembers(_ field: Int) -> Int? {
        // Without copies of the elements, which would be counted.
        for index in unreadMembers.indices where unreadMembers[index].field == field { return index }
        return nil
    }

    func unreadMembers(of field: Int) -> UnreadMembers? {
        indexOfUnreadMembers(field).map { unreadMembers[$0].members }
    }

    /// Changes what is known of a relationship that was not read.
    func changeUnreadMembers(of field: Int, _ change: (inout UnreadMembers) -> Void) {
        let index = indexOfUnreadMembers(field) ?? unreadMembers.count
        if index == unreadMembers.count { unreadMembers.append((field, UnreadMembers())) }
        change(&unreadMembers[index].members)
    }

    /// Takes over what other changes know of relationships that were not read.
    func takeUnreadMembers(of other: ObjectChanges) { unreadMembers = other.unreadMembers }

    /// Takes objects that are gone out of what is known of relationships that were not read.
    func forgetUnreadMembers(_ gone: Set<ManagedObject>) {
        for index in unreadMembers.indices { unreadMembers[index].members.forget(gone) }
    }

    /// Forgets what was known before a relationship was read.
    func takeUnreadMembers(of field: Int) -> UnreadMembers? {
        guard let index = indexOfUnreadMembers(field) else { return nil }
        return unreadMembers.remove(at: index).members
    }
}
