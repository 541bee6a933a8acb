// New objects.

extension ObjectEditor {
    func insertNewObject(of type: RuntimeEntity) -> ManagedObject {
        let object = graph.makeObject(of: type)
        insertNew(object)
        return object
    }

    func insertNew(_ object: ManagedObject) {
        object.runtimeEntity.checkConcrete()
        object.setDefaults()
        registerInserted(object)
    }

    /// Makes an object with the values of a new object an inserted object of this context.
    func registerInserted(_ object: ManagedObject) {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        insert(object, key: reader.store.nextKey(for: object, isProvisional: graph.executor.givesTemporaryIDs))
        if graph.callsHooks { object.runtimeEntity.hooks.awakeFromInsert?(object) }
    }

    /// Inserts an object whose row key is known, without calling the hook.
    func insert(_ object: ManagedObject, key: Int64) {
        object.key = key
        if key > PersistentStore.firstProvisionalKey { graph.unsaved.hasProvisionalKeys = true }
        object.state = .inserted
        graph.register(object)
        graph.unsaved.insert(object)
        graph.trackChange(of: object)
        object.isNewInEvent = true
        if graph.recordsUndo { undoManager?.record(.insertion(object)) }
    }
}
