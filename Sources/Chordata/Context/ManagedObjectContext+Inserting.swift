// New objects.

extension ManagedObjectContext {
    func insertNewObject(of type: RuntimeEntity) -> ManagedObject {
        let object = type.objectClass.init(ObjectInitialization(type, in: self))
        insertNew(object)
        return object
    }

    func insertNew(_ object: ManagedObject) {
        object.entityType.checkConcrete()
        object.setDefaults()
        registerInserted(object)
    }

    /// Makes an object with the values of a new one an inserted object of this context.
    func registerInserted(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        insert(object, key: store.nextKey())
        if callsHooks { object.entityType.hooks.awakeFromInsert?(object) }
    }

    /// The same with a number that is known, and without the hook.
    func insert(_ object: ManagedObject, key: Int64) {
        object.key = key
        if key > PersistentStore.firstProvisionalKey { hasProvisionalKeys = true }
        object.state = .inserted
        register(object)
        list(object)
        trackChange(of: object)
        object.isNewInEvent = true
        if recordsUndo { undoManager?.record(.insertion(object)) }
    }
}
