public import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Foundation

extension PersistentContainer {
    /// Opens a store of Core Data for reading.
    ///
    /// ```swift
    /// let container = try PersistentContainer(model: ShopModel.definition, appleStore: "Default.sqlite")
    /// ```
    ///
    /// Generated classes, fetch requests and results controllers work as with a store of Chordata. The file and its
    /// write-ahead log are not changed. Saving changes throws `StoreError` with the code `readOnly`. A fetch of
    /// an entity with a superentity or subentities reads all rows of the hierarchy's table, unless an index can be used
    /// for its predicate.
    /// - Parameters:
    ///   - model: The definition of the model, whose current version must be that of the store.
    ///   - path: The path of the store of Core Data.
    ///   - options: The options with which the store is opened; it is always read-only.
    /// - Throws: ``CoreDataStoreError`` if the file cannot be read, is not a store of Core Data or has another version;
    ///   `StoreError` if the classes do not match the model.
    public convenience init(model: ModelDefinition, appleStore path: String, options: StoreOptions = StoreOptions())
        throws
    {
        try self.init(coordinator: openCoreDataStore(at: path, model: model, options: options))
    }
}

/// Opens a store of Core Data with a model whose version must be that of the store.
private func openCoreDataStore(at path: String, model definition: ModelDefinition, options: StoreOptions) throws
    -> PersistentStoreCoordinator
{
    let store = try CoreDataStore(at: path)
    let model = definition.model
    let identified = try identifyModel(of: store, among: [NamedModel(name: definition.versionName, model: model)])
    let schema = CoreDataSchema(of: model, tableNames: Set(store.tables.keys))
    let differences = schema.differences(from: store)
    guard identified.model.versionHash == model.versionHash, differences.isEmpty else {
        throw CoreDataStoreError(
            .incompatibleModel,
            "does not have version '\(definition.versionName)' of model '\(definition.name)'; import it with importStore(at:to:model:), "
                + "which migrates stores of older versions",
            path: path
        )
    }
    let views = StoreViews(schema, makeSchemaMapping(of: model))
    let externalFolder = store.externalFolder
    let hashes = store.metadata.versionHashes
    let versionHash = model.versionHash
    let uuid = store.metadata.storeUUID
    let layout = ViewLayout(
        refusal:
            "is a store of Core Data, which is opened for reading only; import it with importStore(at:to:model:), and "
            + "write the changes back with exportStore(at:into:)"
    ) { busyTimeout throws(StoreError) in
        let connection = try openReadOnly(path, busyTimeout: busyTimeout)
        // Another setting would delete the views.
        try connection.set("temp_store", to: 2)
        try addImportFunctions(to: connection, externalFolder: externalFolder)
        try connection.addFunction(named: StoreViews.Function.versionHash) { argument in
            guard case .blob(let bytes) = argument else { return .null }
            let metadata = Result { try CoreDataMetadata(storeUUID: uuid, propertyList: Array(bytes)) }
            guard case .success(let metadata) = metadata, metadata.versionHashes == hashes else {
                return .text("another")
            }
            return .text(versionHash)
        }
        for statement in views.statements { try connection.execute(statement) }
        return connection
    }
    return try openForeignStore(of: definition, path: path, storeUUID: uuid, layout: layout, options: options)
}
