internal import ChordataModel

/// The base class of all model objects and the superclass of all generated classes.
///
/// An object belongs to one context and is used in the isolation of that context; it is not Sendable. To pass an object
/// to another isolation, use its ``objectID`` or its generated `Values`.
open class ManagedObject {
    /// The reasons why an object's getter cannot simply return the stored value.
    @usableFromInline struct SlowPath: OptionSet, Sendable {
        @usableFromInline let rawValue: UInt8
        @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The row has not been read.
        @usableFromInline static let fault = SlowPath(rawValue: 1)
        /// The context's objects can be observed.
        static let observable = SlowPath(rawValue: 2)
        /// The context has a registrar for the object.
        static let tracked = SlowPath(rawValue: 4)
        /// The values were read from the store, but the program has not accessed them; only in contexts of the module
        /// `CoreData`.
        static let unread = SlowPath(rawValue: 8)
        static let observing: SlowPath = [.observable, .tracked]
    }

    enum State: UInt8 {
        case clean, inserted, updated, deleted
        /// The deletion was saved, or an insertion was undone: the object has no row and no context.
        case detached
    }

    enum DetachmentReason: UInt8 {
        /// The insertion was discarded, or the context was reset.
        case discarded
        /// The object's context saved the deletion.
        case savedDeletion
        /// Another context or process deleted the row, or the object was deleted before it was saved.
        case deletion
        /// The object was created without a context and has not been inserted into one.
        case neverInserted
    }

    // Each access to these properties ends before any other code runs, so checks at run time would cost time without
    // any benefit.
    @exclusivity(unchecked) @usableFromInline final var slowPath: SlowPath = []
    @exclusivity(unchecked) final var state: State = .clean
    /// A Boolean value that indicates whether the context has the object among the changes of the current event.
    @exclusivity(unchecked) final var isInEvent = false
    /// A Boolean value that indicates whether the object was inserted in the current event.
    @exclusivity(unchecked) final var isNewInEvent = false
    /// A Boolean value that indicates whether the context has the object in its list of objects with changes.
    @exclusivity(unchecked) final var isTracked = false
    /// A Boolean value that indicates whether a hook is running in which setting a property does not count as a change.
    @exclusivity(unchecked) final var isAwakening = false
    /// A Boolean value that indicates whether the object is about to be marked as deleted.
    @exclusivity(unchecked) final var isPreparingForDeletion = false
    /// The reason that an object without a context has none.
    @exclusivity(unchecked) final var detachmentReason: DetachmentReason = .discarded
    // The properties above are eight bytes: with one more, each object would be eight bytes larger.
    // The object owns the targets of these two references. While the object is in a context, however, the context owns
    // its entity. The references are not strong, because each read would count references, which would be half of the
    // work per row.
    @exclusivity(unchecked) @usableFromInline final var typeReference: Unmanaged<RuntimeEntity>
    @exclusivity(unchecked) private final var changesReference: Unmanaged<ObjectChanges>?
    @exclusivity(unchecked) @usableFromInline package final var key: Int64 = 0
    /// The row's `_version` when it was read; 0 for a row that is not saved yet.
    @exclusivity(unchecked) package final var version: Int64 = 0
    // The context clears this reference in its deinit, so the reference never dangles.
    @exclusivity(unchecked) private(set) final var contextReference: Unmanaged<ManagedObjectContext>?

    /// Creates an object; only the runtime calls this initializer.
    public required init(_ initialization: ObjectInitialization) {
        typeReference = initialization.runtimeEntity
        contextReference = initialization.context
        if contextReference == nil { _ = typeReference.retain() }
        if withRuntimeEntity(\.hasTransientDefaults) { resetTransientValues() }
    }

    deinit {
        changesReference?.release()
        if contextReference == nil { typeReference.release() }
    }

    /// Creates an object of the class's entity and inserts it into a context.
    ///
    /// Required attributes have their default value or the zero value of their type. If a required attribute without a
    /// default is never set, the save fails.
    public convenience init(context: ManagedObjectContext) {
        self.init(ObjectInitialization(context.runtimeEntity(for: Self.self), in: .passUnretained(context)))
        context.editor.insertNew(self)
    }

    /// The name of the class's entity in the model.
    ///
    /// Generated code overrides this member.
    open class var entityName: String {
        preconditionFailure("\(self) is not a generated class of a model's entity")
    }

    /// A Boolean value that indicates whether subclasses written by hand may override the properties, so that
    /// ``value(forKey:)`` calls their getters.
    ///
    /// Generated code overrides this member.
    @_spi(Generated) open class var hasOverridableProperties: Bool { false }

    /// Describes the memory layout of the class's properties for the runtime.
    ///
    /// Generated code overrides this member.
    /// - Parameters:
    ///   - object: An object of the class.
    ///   - layout: The description, to which the class adds the layout of its own properties.
    @_spi(Generated) open class func describe(_ object: ManagedObject, in layout: inout ClassLayout) {}

    /// Returns the key paths and names of the class's properties.
    ///
    /// Generated code overrides this member.
    /// - Returns: The key paths, with which predicates and sort keys look up the names.
    @_spi(Generated) open class func propertyKeyPaths() -> PropertyKeyPaths { PropertyKeyPaths() }

    /// Returns the objects of a to-many relationship whose destination is this class, in the type that the
    /// relationship's getter returns.
    class func collection(of storage: ToManyStorage) -> Any { storage.collection(of: Self.self) }

    // MARK: State

    /// The context of the object; `nil` for a [detached](doc:Glossary#Objects) object and for an object that was never
    /// inserted.
    ///
    /// An object is detached when its deletion is saved or merged, when its unsaved insertion is discarded, and when
    /// the context is reset or released. A detached object keeps its attribute values. If its row was never read,
    /// required attributes have the model's default or zero, and optional properties are `nil`. Its relationships are
    /// empty. Setting a property changes only this object.
    public final var managedObjectContext: ManagedObjectContext? { contextReference?.takeUnretainedValue() }
    /// The object ID of the object.
    ///
    /// Before the object is inserted into a context, the ID only distinguishes it from other objects that are not
    /// inserted.
    @inlinable
    public final var objectID: ManagedObjectID {
        ManagedObjectID(runtimeEntity: typeReference.takeUnretainedValue(), key: key)
    }
    /// A Boolean value that indicates whether the object is a fault: the values of its row are not in memory.
    public final var isFault: Bool { slowPath.contains(.fault) }
    /// A Boolean value that indicates whether the object was inserted and has not been saved yet.
    public final var isInserted: Bool { state == .inserted }
    /// A Boolean value that indicates whether the object is a saved object with unsaved changes.
    public final var isUpdated: Bool { state == .updated }
    /// A Boolean value that indicates whether the object is deleted.
    ///
    /// It is `true` until the object's context has saved the deletion and ``DidSaveHook/didSave()`` has been called. It
    /// stays `true` for an object whose deletion was merged from another context or process, and for an object that was
    /// deleted before its first save.
    public final var isDeleted: Bool { state == .deleted || state == .detached && detachmentReason == .deletion }
    /// A Boolean value that indicates whether the object was created without a context and has not been inserted into
    /// one.
    final var isUnattached: Bool { detachmentReason == .neverInserted }
    /// A Boolean value that indicates whether the object is inserted, updated or deleted and not saved.
    public final var hasChanges: Bool { state == .inserted || state == .updated || state == .deleted }

    // MARK: Owned references

    final var runtimeEntity: RuntimeEntity { typeReference.takeUnretainedValue() }

    /// Moves an object that was created without a context into a context, and sets its entity to the entity in that
    /// context.
    final func enter(_ context: Unmanaged<ManagedObjectContext>, as type: RuntimeEntity) {
        typeReference.release()
        typeReference = .passUnretained(type)
        contextReference = context
        detachmentReason = .discarded
    }

    /// Removes the reference to the context, which no longer has the object.
    @inline(__always)
    final func leaveContext() {
        guard contextReference != nil else { return }
        _ = typeReference.retain()
        contextReference = nil
        slowPath.subtract(.observing)
    }

    /// The unsaved changes or, for a fault, its batch; `nil` if the object has neither.
    final var changes: ObjectChanges? {
        get { changesReference?.takeUnretainedValue() }
        set {
            let old = changesReference
            changesReference = newValue.map { .passRetained($0) }
            old?.release()
        }
    }

    /// Calls a closure with the entity without counting a reference; the closure must not replace the object's entity.
    @inline(__always)
    final func withRuntimeEntity<Result>(_ body: (RuntimeEntity) throws -> Result) rethrows -> Result {
        try typeReference._withUnsafeGuaranteedRef(body)
    }

    /// Calls a closure with the changes, if there are any, without counting a reference; the closure must not remove or
    /// replace the changes.
    @inline(__always)
    final func withChanges<Result>(_ body: (ObjectChanges) throws -> Result) rethrows -> Result? {
        try changesReference?._withUnsafeGuaranteedRef(body)
    }

    // MARK: Validating

    /// Checks whether the object can be inserted: the validation rules of the model, then ``ValidatePropertyHook`` for
    /// valid properties, then ``ValidateInsertHook`` if all properties are valid.
    ///
    /// A save calls this method for inserted objects. The method reads the row of a fault; the rules of an unchanged
    /// to-many relationship of a saved object are checked only if it is already loaded.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures.
    public func validateForInsert() throws { try validate(self, .insertion) }

    /// Checks whether the object's changes can be saved: the validation rules of the model for all properties, changed
    /// or not, then ``ValidatePropertyHook`` for valid properties, then ``ValidateUpdateHook`` if all properties are
    /// valid.
    ///
    /// A save calls this method for updated objects. The method reads the row of a fault; the rules of an unchanged
    /// to-many relationship are checked only if it is already loaded.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures.
    public func validateForUpdate() throws { try validate(self, .update) }

    /// Checks whether the object can be deleted.
    ///
    /// The method first checks that no relationship with the delete rule Deny references an object that is not deleted.
    /// If no relationship does, it calls the object's ``ValidateDeleteHook``.
    ///
    /// A save calls this method for deleted objects. The method reads the relationships with the delete rule Deny.
    /// - Throws: The error that a hook threw, if it is the only failure; otherwise ``ValidationError`` with all
    ///   failures.
    public func validateForDelete() throws { try validate(self, .deletion) }

    // MARK: Access, called by generated accessors

    /// Reads the row of a fault, and registers the access with Swift's Observation.
    @_spi(Generated) @inlinable @inline(__always)
    public final func willAccess(_ field: Int) {
        if !slowPath.isEmpty { accessSlowly(field) }
    }

    @usableFromInline @inline(never)
    final func accessSlowly(_ field: Int) {
        readRowOfFault()
        recordAccess(field)
    }

    /// Records that the value of a property is about to change.
    @_spi(Generated)
    public final func willChange(_ field: Int) {
        if let contextReference {
            contextReference._withUnsafeGuaranteedRef { $0.editor.recordChange(of: self, field: field) }
        } else if isUnattached {
            withChanges { $0.recordChange(of: field) }
        } else {
            readRowOfFault()
        }
    }

    /// Sets the attributes to the values of a new object.
    final func setDefaults() {
        let changes = ObjectChanges(of: self)
        changes.unset = runtimeEntity.initiallyUnset
        self.changes = changes
        for (field, value) in runtimeEntity.defaults {
            _ = setAttributeValue(value, field.kind, at: address(of: field))
        }
    }

    /// Sets the transient properties to the values of a new object.
    @inline(never)
    final func resetTransientValues() {
        withRuntimeEntity { type in
            for field in type.transientFields {
                switch field.kind.base {
                case .toOne: toOneReference(field).pointee = ToOneSlot()
                case .toMany: toManyReference(field).pointee.storage = nil
                case .any: address(of: field).assumingMemoryBound(to: Any?.self).pointee = nil
                case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal,
                    .encoded,
                    .external, .objectID:
                    emptyField(field.kind, at: address(of: field))
                }
            }
            for (field, value) in type.defaults where field.attribute?.isTransient == true {
                _ = setAttributeValue(value, field.kind, at: address(of: field))
            }
        }
    }

    /// Records that the elements of a composite attribute are about to change.
    @_spi(Generated)
    public final func willChange(_ fields: Range<Int>) {
        for field in fields { willChange(field) }
    }

    /// Returns the context for a change of a relationship; `nil` for a detached object.
    ///
    /// Traps for an object that was never inserted into a context.
    final func contextForChange() -> ManagedObjectContext? {
        precondition(
            !isUnattached,
            "a relationship of an object of '\(runtimeEntity.entity.name)' was changed before the object was inserted into a context; "
                + "call insert(_:) first"
        )
        if contextReference == nil { readRowOfFault() }
        return managedObjectContext
    }

    /// The base address of fields: the object, or the separate memory of an object without a class of its own.
    @inline(__always)
    package final var fieldBase: UnsafeMutableRawPointer {
        withRuntimeEntity(\.isDynamic)
            ? unsafeDowncast(self, to: DynamicManagedObject.self).storage : Unmanaged.passUnretained(self).toOpaque()
    }

    /// Calls the body with the context without retaining it; returns `nil` for an object without a context.
    @inline(__always)
    final func withContext<Result>(_ body: (ManagedObjectContext) -> Result?) -> Result? {
        guard let contextReference else { return nil }
        return contextReference._withUnsafeGuaranteedRef(body)
    }

    /// The address of a field in this object.
    final func address(of field: Field) -> UnsafeMutableRawPointer { fieldBase + field.offset }
}

@available(*, unavailable, message: "objects belong to their context; pass objectID or Values instead")
extension ManagedObject: Sendable {}

extension ManagedObject: Hashable {
    /// Returns a Boolean value that indicates whether two references are to the same object.
    ///
    /// A context has one object for each row.
    public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
    /// Hashes the object's address in memory.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Returns the hash for sets and dictionaries.
    ///
    /// An attacker cannot choose addresses, so it is sufficient that nearby addresses have different hashes.
    /// - Parameter seed: The seed of the collection.
    /// - Returns: The hash of the object's address.
    public func _rawHashValue(seed: Int) -> Int {
        let address = UInt(bitPattern: ObjectIdentifier(self)) ^ UInt(bitPattern: seed)
        let product = address.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return Int(bitPattern: product.high ^ product.low)
    }
}
