// The stores of new objects, if the coordinator has several.

extension ContextSaver {
    /// Assigns inserted objects to a store; see ``ManagedObjectContext/assign(_:to:)``.
    func assign(_ objects: [ManagedObject], to destination: PersistentStore) throws {
        let elsewhere = try objects.filter { try isElsewhere($0, than: destination) }
        guard !elsewhere.isEmpty else { return }
        replaceKeys(of: elsewhere, with: try destination.permanentKeys(elsewhere.count))
        executor.scheduleProcessing()
    }

    /// Returns a Boolean value that indicates whether an object belongs to a store other than the destination.
    private func isElsewhere(_ object: ManagedObject, than destination: PersistentStore) throws -> Bool {
        let type = object.runtimeEntity
        guard parent == nil else { throw StoreAssignmentError.childContext }
        guard object.isInserted, graph.registered(key: object.key, rootIndex: type.rootIndex) === object else {
            throw StoreAssignmentError.notInserted(entityName: type.entity.name)
        }
        guard let partition = store.partition else {
            if destination === store { return false }
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
        return current != place
    }
}
