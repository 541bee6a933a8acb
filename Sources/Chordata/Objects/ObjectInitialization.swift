/// The argument of ``ManagedObject``'s required initializer; only the runtime can create it.
public struct ObjectInitialization {
    /// The entity, which the caller retains during the initialization.
    let runtimeEntity: Unmanaged<RuntimeEntity>
    let context: Unmanaged<ManagedObjectContext>?

    /// - Parameter context: The context that registers the object; `nil` if the object is not in a context yet.
    init(_ runtimeEntity: RuntimeEntity, in context: Unmanaged<ManagedObjectContext>?) {
        self.runtimeEntity = .passUnretained(runtimeEntity)
        self.context = context
    }

    /// The argument for the one object of each class that is created to find the location of its storage; the entity
    /// does not matter.
    static var probe: ObjectInitialization { ObjectInitialization(.probe, in: nil) }
}

/// A description of the memory layout of a generated class, for the runtime.
@_spi(Generated) public struct ClassLayout {
    struct Level {
        var offset: Int
        var size: Int
        /// The entity from which the level was generated; `nil` for a class that was written by hand.
        var origin: Origin?
    }

    /// An entity in the model from which its class was generated.
    struct Origin {
        var entityName: String
        var definition: ModelDefinition
    }

    private(set) var levels: [Level] = []

    init() {}

    /// Records the storage of the properties that one class of the hierarchy declares.
    ///
    /// Generated code calls this method in its override of `describe(_:in:)`, after the implementation of the
    /// superclass.
    /// - Parameters:
    ///   - entityName: The entity that declares the properties.
    ///   - definition: The model from which the class was generated. It can differ from the model of the store.
    public mutating func addLevel<Storage>(
        _ storage: inout Storage,
        of object: ManagedObject,
        entityName: String,
        in definition: ModelDefinition
    ) {
        addLevel(&storage, of: object)
        levels[levels.count - 1].origin = Origin(entityName: entityName, definition: definition)
    }

    /// Records the storage of the properties that a class written by hand declares.
    ///
    /// Unlike `addLevel(_:of:entityName:in:)`, the method does not record the entity from whose model the class was
    /// generated.
    ///
    /// The author of such a class calls this method in an override of `describe(_:in:)`, after the implementation of
    /// the superclass. Generated code calls `addLevel(_:of:entityName:in:)` instead.
    public mutating func addLevel<Storage>(_ storage: inout Storage, of object: ManagedObject) {
        // The stored property of a final or private declaration is accessed in place, so its address minus the object's
        // address is the offset; the size is compared with the field table before the offset or the size is used.
        let offset = withUnsafeMutablePointer(to: &storage) {
            UnsafeRawPointer($0) - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }
        levels.append(Level(offset: offset, size: MemoryLayout<Storage>.size, origin: nil))
    }
}
