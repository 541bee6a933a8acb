internal import ChordataModel
internal import ChordataSQL

/// A version of the model during the migration of a store of this version; its objects use the migrating connection.
final class MigratingVersion {
    let schema: StoreSchema
    let context: ManagedObjectContext
    let versionName: String
    let connection: SQLiteConnection

    /// - Parameter isReadOnly: `true` if the objects of the version can only be read.
    init(
        _ model: ManagedObjectModel,
        _ versionName: String,
        _ metadata: StoreMetadata,
        _ connection: SQLiteConnection,
        isReadOnly: Bool = false
    ) throws(StoreError) {
        self.versionName = versionName
        self.connection = connection
        schema = StoreSchema(
            model: model,
            mapping: makeSchemaMapping(of: model),
            classes: [],
            storeUUID: metadata.storeUUID,
            nonStrictTables: []
        )
        let store = PersistentStore(
            identifier: metadata.storeUUID,
            sqlite: SQLiteStore(migrating: connection, schema.mapping, isReadOnly: isReadOnly),
            schema: schema
        )
        let definition = ModelDefinition(name: metadata.modelName, versionName: versionName, model: model)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: definition, store: store)
        context = ManagedObjectContext(isolation: nil)
        context.persistentStoreCoordinator = coordinator
    }

    /// Detaches the objects that the stage may have kept.
    func end() { context.store.sqlite.end() }

    /// - Throws: ``StoreError`` when the stage uses objects after its end.
    func requireNotEnded() throws(StoreError) { try context.store.sqlite.requireOpen() }

    func error(_ message: String) -> StoreError { StoreError(.migrationFailed, message, path: connection.path) }

    /// Returns the object ID of a row of any entity; `nil` if the row was deleted.
    func objectID(ofRow key: Int64) throws(StoreError) -> ManagedObjectID? {
        for table in schema.mapping.tables {
            guard case .entity = table.kind else { continue }
            let types = schema.runtimeEntities.filter { $0.mapping.tableName == table.name }
            guard let root = types.first else { continue }
            let entity = root.mapping.isInHierarchy ? "\"_entity\"" : sqlLiteral(text: root.entity.name)
            let statement = try connection.statement(
                "SELECT \(entity) FROM \(quoteIdentifier(table.name)) WHERE \"_id\" = ?"
            )
            defer { statement.reset() }
            statement.bind(key, at: 1)
            guard try statement.step(), let name = statement.text(at: 0),
                let type = types.first(where: { $0.entity.name == name })
            else { continue }
            return ManagedObjectID(runtimeEntity: type, key: key)
        }
        return nil
    }

    /// Returns the columns of a temporary table; the set is empty if there is no such table.
    func temporaryColumns(of table: String) throws(StoreError) -> Set<String> {
        let statement = try connection.prepare("SELECT \"name\" FROM pragma_table_info(?, 'temp')")
        statement.bind(table, at: 1)
        var names: Set<String> = []
        while try statement.step() { if let name = statement.text(at: 0) { names.insert(name) } }
        return names
    }
}
