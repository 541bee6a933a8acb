/// The argument of an object's initializer; only the runtime can create one.
public struct ObjectInitialization {
    /// The caller retains the entity type during the initialization.
    let entityType: Unmanaged<EntityType>
    let context: Unmanaged<ManagedObjectContext>?

    /// - Parameter context: Where the object is to be registered; `nil` for one that is in no context yet.
    init(_ entityType: EntityType, in context: ManagedObjectContext?) {
        self.entityType = .passUnretained(entityType)
        self.context = context.map { .passUnretained($0) }
    }

    /// For the one object per class that is only looked at to find out where its storage is: any entity type serves.
    static var probe: ObjectInitialization { ObjectInitialization(.probe, in: nil) }
}

/// The description of a generated class for the runtime.
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

    /// Records where an object keeps the properties of one level; superclasses come first.
    /// - Parameters:
    ///   - entityName: The entity that declares the properties.
    ///   - definition: The model from which the class was generated, which need not be that of the store.
    public mutating func addLevel<Storage>(
        _ storage: inout Storage,
        of object: ManagedObject,
        entityName: String,
        in definition: ModelDefinition
    ) {
        addLevel(&storage, of: object)
        levels[levels.count - 1].origin = Origin(entityName: entityName, definition: definition)
    }

    /// Records a level of a class that was written by hand.
    public mutating func addLevel<Storage>(_ storage: inout Storage, of object: ManagedObject) {
        // The stored property of a final or private declaration is accessed in place, so its address minus the object's
        // is the offset; the size is compared with the field table before either is used.
        let offset = withUnsafeMutablePointer(to: &storage) {
            UnsafeRawPointer($0) - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }
        levels.append(Level(offset: offset, size: MemoryLayout<Storage>.size, origin: nil))
    }
}
