internal import ChordataModel
internal import OrderedCollections

/// An object of a context: the superclass of all generated classes.
///
/// An object belongs to one context and is used where that context is used; it is not Sendable. What crosses isolation is
/// its ``objectID`` or its `Values`.
open class ManagedObject {
    /// Why an object's getter may not simply return the stored value.
    @usableFromInline struct SlowPath: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8
        @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The row has not been read.
        @usableFromInline static let fault = SlowPath(rawValue: 1)
    }

    enum State: UInt8 {
        case clean, inserted, updated, deleted
        /// The deletion was saved, or an insertion was undone: the object has no row and no context.
        case gone
    }

    @usableFromInline final var slowPath: SlowPath = []
    final var state: State = .clean
    /// Whether the context has the object among the changes of the current event.
    final var isInEvent = false
    /// Whether the context has the object among those with changes.
    final var isListed = false
    /// Whether a hook runs in which setting properties is no change.
    final var isAwakening = false
    /// Whether the object is about to be marked as deleted.
    final var isPreparingForDeletion = false
    final let entityType: EntityType
    final var key: Int64 = 0
    /// The row's `_version` when it was read; 0 for a row that is not saved yet.
    final var version: Int64 = 0
    // The context clears it in its deinit, so it never dangles.
    final var contextReference: Unmanaged<ManagedObjectContext>?
    /// What is not saved yet, or for a fault the others it is read with; `nil` while there is nothing.
    final var changes: ObjectChanges?

    /// For the runtime, which makes objects of rows.
    public required init(_ initialization: ObjectInitialization) {
        // A probe never gets near a context; any entity type serves.
        entityType = initialization.entityType ?? .probe
    }

    /// Creates an object of the class's entity and inserts it into a context.
    ///
    /// Required attributes have their default or the type's zero value; one without a default that is never set makes
    /// the save fail.
    public convenience init(context: ManagedObjectContext) {
        self.init(ObjectInitialization(entityType: context.entityType(for: Self.self)))
        context.insertNew(self)
    }

    /// The entity's name in the model.
    ///
    /// Generated.
    open class var entityName: String {
        preconditionFailure("\(self) is not a generated class of a model's entity")
    }

    /// Tells where the class keeps its properties.
    ///
    /// Generated.
    @_spi(Generated) open class func describe(_ object: ManagedObject, in layout: inout ClassLayout) {}

    /// Tells the names of the class's properties.
    ///
    /// Generated.
    @_spi(Generated) open class func propertyKeyPaths() -> PropertyKeyPaths { PropertyKeyPaths() }

    /// An empty to-many relationship to objects of this class.
    class func makeToManyStorage(isOrdered: Bool) -> ToManyStorage {
        isOrdered ? OrderedToMany<Self>() : UnorderedToMany<Self>()
    }

    // MARK: State

    /// The context the object lives in; `nil` when that is gone or the object's deletion was saved.
    public final var managedObjectContext: ManagedObjectContext? { contextReference?.takeUnretainedValue() }
    /// The object's identity.
    public final var objectID: ManagedObjectID { ManagedObjectID(entityType: entityType, key: key) }
    /// Whether the object's row has not been read yet.
    public final var isFault: Bool { slowPath.contains(.fault) }
    /// Whether the object was inserted and not saved.
    public final var isInserted: Bool { state == .inserted }
    /// Whether the object has changes that are not saved.
    public final var isUpdated: Bool { state == .updated }
    /// Whether the object is to be deleted at the next save.
    public final var isDeleted: Bool { state == .deleted }
    /// Whether saving the context would write something for the object.
    public final var hasChanges: Bool { state == .inserted || state == .updated || state == .deleted }

    // MARK: Access, called by generated accessors

    /// Reads the row if that has not happened.
    @_spi(Generated) @inlinable @inline(__always)
    public final func willAccess(_ field: Int) {
        if !slowPath.isEmpty { accessSlowly(field) }
    }

    @usableFromInline @inline(never)
    final func accessSlowly(_ field: Int) {
        if slowPath.contains(.fault) { context(for: "read").fulfillFault(self) }
    }

    /// Notes that a property is about to get another value.
    @_spi(Generated)
    public final func willChange(_ field: Int) {
        context(for: "changed").recordChange(of: self, field: field)
    }

    /// Notes that the leaves of a composite are about to get other values.
    @_spi(Generated)
    public final func willChange(_ fields: Range<Int>) {
        for field in fields { willChange(field) }
    }

    /// The context, or the end: an object without one has neither row nor owner.
    final func context(for verb: String) -> ManagedObjectContext {
        guard let context = contextReference?.takeUnretainedValue() else {
            preconditionFailure(
                "an object of '\(entityType.entity.name)' was \(verb) after its context was released or its deletion saved"
            )
        }
        return context
    }

    /// Where the offsets of fields count from: the object, or the memory that an object without a class of its own has beside it.
    @inline(__always)
    final var fieldBase: UnsafeMutableRawPointer {
        entityType.isDynamic
            ? unsafeDowncast(self, to: DynamicManagedObject.self).storage : Unmanaged.passUnretained(self).toOpaque()
    }

    /// The address of a field in this object.
    final func address(of field: Field) -> UnsafeMutableRawPointer { fieldBase + field.offset }
}

@available(*, unavailable, message: "objects belong to their context; pass objectID or Values instead")
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
    /// Whether both are the same object; within a context there is one object per row.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
    /// Hashes the object's identity in memory.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// What an object holds beside its row.
final class ObjectChanges {
    /// The properties that were set since the last save.
    var changed = PropertyMask()
    /// The required attributes that never got a value.
    var unset = PropertyMask()
    /// The values before the first change; `nil` for an inserted object.
    var committed: FieldBlock?
    /// What changed in to-many relationships that were not read, by field.
    var unreadMembers: [Int: UnreadMembers] = [:]
    /// The rows that are read with that of a fault.
    var batch: FaultBatch?

    init(committed: FieldBlock?) { self.committed = committed }
}

/// The members that came to and went from a to-many relationship that was not read.
struct UnreadMembers {
    var added: OrderedSet<ManagedObject> = []
    var removed: Set<ManagedObject> = []

    mutating func add(_ object: ManagedObject) {
        removed.remove(object)
        added.append(object)
    }

    mutating func remove(_ object: ManagedObject) {
        added.remove(object)
        removed.insert(object)
    }
}
