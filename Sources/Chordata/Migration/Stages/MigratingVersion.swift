internal import ChordataModel
internal import ChordataSQL

/// A version of the model during the migration of a store of this version; its objects use the migrating connection.
final class MigratingVersion {
    let schema: StoreSchema
    let context: ManagedObjectContext
    let versionName: String
    let store: any StageStore
    private let engine: any StageEngine

    /// - Parameter isReadOnly: `true` if the objects of the version can only be read.
    init(
        _ model: ManagedObjectModel,
        _ versionName: String,
        _ metadata: StoreMetadata,
        _ store: any StageStore,
        isReadOnly: Bool = false
    ) {
        self.versionName = versionName
        self.store = store
        schema = StoreSchema(
            model: model,
            mapping: store.mapping(of: model),
            classes: [],
            storeUUID: metadata.storeUUID,
            nonStrictTables: [],
            dialect: store.dialect
        )
        let objects = store.makeStore(schema, metadata.storeUUID, isReadOnly: isReadOnly)
        engine = objects.engine
        let definition = ModelDefinition(name: metadata.modelName, versionName: versionName, model: model)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: definition, store: objects.store)
        context = ManagedObjectContext(isolation: nil)
        context.persistentStoreCoordinator = coordinator
    }

    /// Detaches the objects that the stage may have kept.
    func end() { engine.end() }

    /// - Throws: ``StoreError`` when the stage uses objects after its end.
    func requireNotEnded() throws(StoreError) { try engine.requireOpen() }

    /// Returns the object ID of a row of any entity; `nil` if the row was deleted.
    func objectID(ofRow key: Int64) throws -> ManagedObjectID? {
        for table in schema.mapping.tables {
            guard case .entity = table.kind else { continue }
            let types = schema.runtimeEntities.filter { $0.mapping.tableName == table.name }
            guard let root = types.first else { continue }
            let entity = root.mapping.isInHierarchy ? "\"_entity\"" : sqlLiteral(text: root.entity.name)
            let sql = "SELECT \(entity) FROM \(quoteIdentifier(table.name)) WHERE \"_id\" = \(store.parameter)"
            let name = try store.reader.readRow(of: StoreQuery(sql, .key(key))) { $0.text(at: 0) } ?? nil
            guard let type = types.first(where: { $0.entity.name == name }) else { continue }
            return ManagedObjectID(runtimeEntity: type, key: key)
        }
        return nil
    }
}
