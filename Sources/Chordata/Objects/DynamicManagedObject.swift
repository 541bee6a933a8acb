/// An object of an entity that has no class of its own; its fields are in separate memory.
final class DynamicManagedObject: ManagedObject {
    let storage: UnsafeMutableRawPointer

    required init(_ initialization: ObjectInitialization) {
        let type = initialization.runtimeEntity.takeUnretainedValue()
        storage = .allocate(byteCount: max(type.dynamicSize, 1), alignment: 16)
        for field in type.fields { initializeEmptyField(field.kind, at: storage + field.offset) }
        super.init(initialization)
    }

    deinit {
        for field in runtimeEntity.fields { destroyField(field.kind, at: storage + field.offset) }
        storage.deallocate()
    }

    override class func collection(of storage: ToManyStorage) -> Any { storage.collection(of: ManagedObject.self) }

    override class var entityName: String {
        preconditionFailure(
            "ManagedObject itself has no entity; create the request with FetchRequest(entityName:)"
        )
    }
}
