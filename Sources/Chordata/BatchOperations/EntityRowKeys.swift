/// The keys of rows of one entity.
struct EntityRowKeys: Sendable {
    let type: RuntimeEntity
    /// The keys, in ascending order.
    let keys: [Int64]

    /// The object IDs of the rows.
    var objectIDs: [ManagedObjectID] { keys.map { ManagedObjectID(runtimeEntity: type, key: $0) } }
}

extension StoreSchema {
    /// The keys of rows by entity type, in the order of the model's entities.
    func rowKeys(_ rows: [Int: [Int64]]) -> [EntityRowKeys] {
        rows.orderedByKey.map { EntityRowKeys(type: runtimeEntities[$0.key], keys: $0.value) }
    }
}
