/// What an object is made with; only the runtime can make one.
public struct ObjectInitialization: Sendable {
    /// Whoever makes an object holds its entity type meanwhile.
    let entityType: Unmanaged<EntityType>

    init(_ entityType: EntityType) { self.entityType = .passUnretained(entityType) }

    /// For the one object per class that is only looked at to find out where its storage is: any entity type serves.
    static let probe = ObjectInitialization(.probe)
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
