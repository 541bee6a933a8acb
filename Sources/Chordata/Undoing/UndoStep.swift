/// One change as it is undone.
enum UndoStep {
    /// A property of an object, which it holds.
    struct Property: Hashable {
        let object: ManagedObject
        let field: Int
    }

    /// The value that an attribute had.
    case attribute(Property, FieldCopy, wasUnset: Bool)
    /// What a to-one led to.
    case toOne(Property, ManagedObject?)
    /// What a to-many led to, in its order; not of one that is made of the to-ones at the other end.
    case toMany(Property, [ManagedObject])
    case insertion(ManagedObject)
    case deletion(DeletedObject)
}

/// What an object led to when it was deleted; its attributes it keeps.
struct DeletedObject {
    let object: ManagedObject
    let toOnes: [(field: Int, target: ManagedObject)]
    let toManys: [(field: Int, members: [ManagedObject])]
    /// The required attributes that never got a value.
    let unset: PropertyMask
}

/// The value of an attribute's field, outside of its object.
final class FieldCopy {
    private let kind: FieldKind
    private let memory: UnsafeMutableRawPointer

    init(_ field: Field, of object: ManagedObject) {
        kind = field.kind
        let layout = kind.layout
        memory = .allocate(byteCount: layout.size, alignment: layout.alignment)
        initializeEmptyField(kind, at: memory)
        copyAttribute(kind, from: object.address(of: field), to: memory)
    }

    deinit {
        destroyField(kind, at: memory)
        memory.deallocate()
    }

    func restore(to field: Field, of object: ManagedObject) {
        copyAttribute(kind, from: memory, to: object.address(of: field))
    }
}
