/// What an object is made with; only the runtime can make one.
public struct ObjectInitialization {
    /// Whoever makes an object holds its entity type meanwhile.
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

/// What a generated class tells the runtime about itself.
@_spi(Generated) public struct ClassLayout {
    struct Level {
        var offset: Int
        var size: Int
    }

    private(set) var levels: [Level] = []

    init() {}

    /// Records where an object keeps the properties of one level; superclasses come first.
    public mutating func addLevel<Storage>(_ storage: inout Storage, of object: ManagedObject) {
        // The stored property of a final or private declaration is accessed in place, so its address minus the object's
        // is the offset; the size is compared with the field table before either is used.
        let offset = withUnsafeMutablePointer(to: &storage) {
            UnsafeRawPointer($0) - UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque())
        }
        levels.append(Level(offset: offset, size: MemoryLayout<Storage>.size))
    }
}
