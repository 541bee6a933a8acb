/// One recorded change, with the data to undo it.
enum UndoStep {
    /// A property of an object, which is retained.
    struct Property: Hashable {
        let object: ManagedObject
        let field: Int
    }

    /// The value that an attribute had.
    case attribute(Property, FieldCopy, wasUnset: Bool)
    /// The former destination of a to-one relationship.
    case toOne(Property, ManagedObject?)
    /// A member that was added to a to-many relationship, or removed from it. A to-many relationship with a to-one
    /// inverse has no such steps: its members are recorded as the values of their to-one relationships.
    case member(Property, ManagedObject, wasAdded: Bool)
    /// The former order of the members of a to-many relationship. The step does not determine which objects are
    /// members.
    case order(Property, [ManagedObject])
    case insertion(ManagedObject)
    case deletion(DeletedObject)
    /// A closure that the program registered.
    case action(UndoAction)
}

/// A closure that undoes a change that the program made outside of the context's objects.
struct UndoAction {
    /// The target, which is not retained.
    weak var target: AnyObject?
    /// Calls the closure with the target, if the target still exists.
    let perform: () -> Void
}

/// The relationships that an object had when it was deleted; the object keeps its attributes.
struct DeletedObject {
    /// The members of a to-many relationship.
    struct Members {
        let field: Int
        let objects: [ManagedObject]
        /// The pairs that the store had.
        ///
        /// The undo of an unsaved deletion does not add them: other contexts may have changed them.
        let storedKeys: Set<Int64>
    }

    let object: ManagedObject
    let toOnes: [(field: Int, target: ManagedObject)]
    let toManys: [Members]
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
