// New objects.

extension ManagedObjectContext {
    func insertNewObject(of type: EntityType) -> ManagedObject {
        let object = type.objectClass.init(ObjectInitialization(type, in: self))
        insertNew(object)
        return object
    }

    func insertNew(_ object: ManagedObject) {
        object.entityType.checkConcrete()
        object.setDefaults()
        attach(object)
    }

    /// Makes an object with the values of a new one an inserted object of this context.
    func attach(_ object: ManagedObject) {
        let access = beginAccess()
        defer { access.end() }
        object.key = store.nextKey()
        if object.key > PersistentStore.provisionalKeys { hasProvisionalKeys = true }
        object.state = .inserted
        register(object)
        list(object)
        note(object)
        object.isNewInEvent = true
        if notesUndo { undoManager?.note(.insertion(object)) }
        if callsHooks { object.entityType.hooks.awakeFromInsert?(object) }
    }
}
