/// A copy of an object's stored attributes and to-one keys: the values of a row, or the values that were just saved.
///
/// It is immutable after its initialization, so it can be passed between isolations.
package final class RowStorage: @unchecked Sendable {  // No lock: never written after init.
    let runtimeEntity: RuntimeEntity
    /// The required attributes that have no value.
    let unset: PropertyMask
    private let memory: UnsafeMutableRawPointer

    /// Copies an object's fields.
    /// - Parameter withExternalData: A Boolean value that indicates whether bytes of side tables are included, if they
    ///   were read.
    init(of object: ManagedObject, withExternalData: Bool = true) {
        runtimeEntity = object.runtimeEntity
        unset = object.changes?.unset ?? PropertyMask()
        memory = .allocate(byteCount: max(runtimeEntity.blockSize, 1), alignment: 16)
        let base = UnsafeRawPointer(object.fieldBase)
        for field in runtimeEntity.columns {
            let source = base + field.offset
            let target = memory + field.blockOffset
            if field.kind.base == .toOne {
                target.initializeMemory(as: Int64.self, to: source.assumingMemoryBound(to: ToOneSlot.self).pointee.key)
            } else {
                copyField(field.kind, from: source, to: target, isInitialized: false)
            }
        }
        if withExternalData { return }
        for external in runtimeEntity.externalFields {
            external.unload(at: memory + runtimeEntity.blockOffsets[external.field.index])
        }
    }

    /// Copies the values that an object's row had when it was last read or saved.
    init(committedOf object: ManagedObject) {
        runtimeEntity = object.runtimeEntity
        unset = object.changes?.committedUnset ?? PropertyMask()
        memory = .allocate(byteCount: max(runtimeEntity.blockSize, 1), alignment: 16)
        for field in runtimeEntity.columnFields {
            let committed = object.changes?.committedValue(of: field)
            let target = memory + runtimeEntity.blockOffsets[field.index]
            if field.kind.base == .toOne {
                let key = committed?.assumingMemoryBound(to: Int64.self).pointee
                target.initializeMemory(as: Int64.self, to: key ?? object.toOneReference(field).pointee.key)
            } else {
                let source = committed ?? UnsafeRawPointer(object.address(of: field))
                copyField(field.kind, from: source, to: target, isInitialized: false)
            }
        }
    }

    /// Reads the fields from a row.
    init<Row: RowValues>(_ member: Projection.Member, from values: Row) {
        runtimeEntity = member.type
        memory = .allocate(byteCount: max(runtimeEntity.blockSize, 1), alignment: 16)
        var unset = PropertyMask()
        for row in member.fields {
            let (field, column) = (row.field, row.column)
            let target = memory + field.blockOffset
            if member.checksTypes, let type = field.kind.storageType, values.isMistyped(column, as: type) {
                values.recordUnreadable(column)
                if field.kind.base == .toOne {
                    target.initializeMemory(as: Int64.self, to: 0)
                } else {
                    initializeEmptyField(field.kind, at: target)
                    if field.isRequired { unset.insert(field.index) }
                }
            } else if field.kind.base == .toOne {
                target.initializeMemory(as: Int64.self, to: values.integer(at: column))
            } else if initializeField(field.kind, at: target, from: values, column), field.isRequired {
                unset.insert(field.index)
            }
        }
        self.unset = unset
    }

    deinit {
        for field in runtimeEntity.columns where field.kind.base != .toOne {
            destroyField(field.kind, at: memory + field.blockOffset)
        }
        memory.deallocate()
    }

    /// The address of an attribute's value.
    func address(of field: Field) -> UnsafeRawPointer {
        UnsafeRawPointer(memory + runtimeEntity.blockOffsets[field.index])
    }

    /// The key of a to-one relationship; 0 if it is empty.
    func key(of field: Field) -> Int64 {
        (memory + runtimeEntity.blockOffsets[field.index]).assumingMemoryBound(to: Int64.self).pointee
    }
}
