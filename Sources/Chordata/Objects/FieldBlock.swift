/// A copy of an object's stored attributes and to-one keys: what a row held, or what was just saved.
///
/// Immutable once made, so it may cross isolation.
final class FieldBlock: @unchecked Sendable {  // No lock: never written after init.
    let entityType: EntityType
    private let memory: UnsafeMutableRawPointer
    private let offsets: [Int]

    /// Copies an object's fields.
    init(of object: ManagedObject) {
        entityType = object.entityType
        offsets = entityType.blockOffsets
        memory = .allocate(byteCount: max(entityType.blockSize, 1), alignment: 16)
        for field in entityType.columnFields {
            let source = object.address(of: field)
            let target = memory + offsets[field.index]
            if field.kind.base == .toOne {
                target.initializeMemory(as: Int64.self, to: source.assumingMemoryBound(to: ToOne.self).pointee.key)
            } else {
                copyField(field.kind, from: source, to: target, isInitialized: false)
            }
        }
    }

    /// Takes the fields from the row that a statement stands on.
    init(_ member: Projection.Member, from statement: SQLiteStatement) {
        entityType = member.type
        offsets = entityType.blockOffsets
        memory = .allocate(byteCount: max(entityType.blockSize, 1), alignment: 16)
        for (field, column) in zip(entityType.columnFields, member.columns) {
            let target = memory + offsets[field.index]
            if field.kind.base == .toOne {
                target.initializeMemory(as: Int64.self, to: statement.integer(at: column))
            } else {
                initializeField(field.kind, at: target, from: statement, column)
            }
        }
    }

    deinit {
        for field in entityType.columnFields where field.kind.base != .toOne {
            destroyField(field.kind, at: memory + offsets[field.index])
        }
        memory.deallocate()
    }

    /// The address of an attribute's value.
    func address(of field: Field) -> UnsafeRawPointer { UnsafeRawPointer(memory + offsets[field.index]) }

    /// The key of a to-one; 0 for none.
    func key(of field: Field) -> Int64 { (memory + offsets[field.index]).assumingMemoryBound(to: Int64.self).pointee }
}
