public import Chordata

extension PersistentContainer {
    /// Opens a store on a PostgreSQL server.
    ///
    /// Creates its schema and its tables if they do not exist, and migrates a store of an older version.
    ///
    /// ```swift
    /// let configuration = PostgresConfiguration("postgresql://app@db1/shop", schema: "done")
    /// let container = try PersistentContainer(model: DoneModel.definition, postgres: configuration)
    /// ```
    ///
    /// - Parameters:
    ///   - model: The definition of the model, from generated code or created with a `ManagedObjectModel`.
    ///   - configuration: The location of the store, and the limits of its connections.
    ///   - saveLogger: A logger that is called for each save; `nil` for none.
    /// - Throws: `StoreError` when the server cannot be reached or does not meet the requirements, or when the schema
    ///   has tables of another program or the store of another model, or a store of another version that cannot be
    ///   migrated or must not be (``PostgresConfiguration/shouldMigrateStoreAutomatically``), and when a stage of a
    ///   migration is missing (``PostgresConfiguration/migrationStages``).
    public convenience init(
        model: ModelDefinition,
        postgres configuration: PostgresConfiguration,
        saveLogger: SaveLogger? = nil
    ) throws(StoreError) {
        var options = ServerOptions()
        options.recordsChanges = configuration.recordsChanges
        options.reportsRemoteChanges = configuration.reportsRemoteChanges
        options.tracksPersistentHistory = configuration.tracksPersistentHistory
        options.changeRetention = configuration.changeRetention
        options.shouldMigrateStoreAutomatically = configuration.shouldMigrateStoreAutomatically
        options.migrationStages = configuration.migrationStages
        options.requiresAllStages = configuration.requiresAllStages
        options.copiedRowCount = configuration.copiedRowCount
        options.saveLogger = saveLogger
        try self.init(
            model: model,
            database: PostgresPool(configuration),
            schemaName: configuration.schema,
            options: options
        )
    }
}
