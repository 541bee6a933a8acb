// The stores of new objects, if the coordinator has several.

extension ContextSaver {
    /// Assigns an inserted object to a store; see ``ManagedObjectContext/assign(_:to:)``.
    func assign(_ object: ManagedObject, to destination: PersistentStore) throws {
        let type = object.entityType
        guard parent == nil else { throw StoreAssignmentError.childContext }
        guard object.isInserted, graph.registered(key: object.key, rootIndex: type.rootIndex) === object else {
            throw StoreAssignmentError.notInserted(entityName: type.entity.name)
        }
        guard let partition = store.partition else {
            if destination === store { return }
            throw StoreAssignmentError.unknownStore(path: destination.path)
        }
        guard let place = partition.stores.firstIndex(where: { $0 === destination }) else {
            throw StoreAssignmentError.unknownStore(path: destination.path)
        }
        guard partition.holds(type.entity.name, at: place) else {
            throw StoreAssignmentError.entityNotInConfiguration(
                entityName: type.entity.name,
                configurationName: destination.configurationName ?? ""
            )
        }
        let isProvisional = object.key > PersistentStore.firstProvisionalKey
        let current = isProvisional ? nil : partition.place(of: type, key: object.key)
        guard current != place else { return }
        replaceKeys([(object, try destination.permanentKeys(1)[0])])
        executor.scheduleProcessing()
    }
}
