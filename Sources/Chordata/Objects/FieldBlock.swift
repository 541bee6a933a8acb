/// A copy of an object's stored attributes and to-one keys: what a row held, or what was just saved.
///
/// Immutable once made, so it may cross isolation.
final class FieldBlock: @unchecked Sendable {  // No lock: never written after init.
    let entityType: EntityType
    private let memory: UnsafeMutableRawPointer

    /// Copies an object's fields.
    init(of object: ManagedObject) {
        entityType = object.entityType
        memory = .allocate(byteCount: max(entityType.blockSize, 1), alignment: 16)
        let base = UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        for field in entityType.columns {
            let source = base + field.offset
            let target = memory + field.blockOffset
            if field.kind.base == .toOne {
                target.initializeMemory(as: Int64.self, to: source.assumingMemoryBound(to: ToOne.self).pointee.key)
            } else {
                copyField(field.kind, from: source, to: target, isInitialized: false)
            }
        }
    }

    deinit {
        for field in entityType.columns where field.kind.base != .toOne {
            destroyField(field.kind, at: memory + field.blockOffset)
        }
        memory.deallocate()
    }

    /// The address of an attribute's value.
    func address(of field: Field) -> UnsafeRawPointer {
        UnsafeRawPointer(memory + entityType.blockOffsets[field.index])
    }

    /// The key of a to-one; 0 for none.
    func key(of field: Field) -> Int64 {
        (memory + entityType.blockOffsets[field.index]).assumingMemoryBound(to: Int64.self).pointee
    }
}
