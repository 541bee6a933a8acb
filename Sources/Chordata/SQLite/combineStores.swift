internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The maximum number of stores of a coordinator, because SQLite attaches at most ten databases to a connection.
private let maximumStoreCount = 11

/// Creates the store that the contexts of a coordinator with several stores use.
///
/// It reads with connections to the first store, to which the other stores are attached, and on which temporary views
/// have the names of the tables. It writes with the connections of the individual stores.
/// - Parameters:
///   - stores: The open stores.
///   - options: The options of the first store; its options for reading apply to all stores.
/// - Throws: ``StoreError`` if the stores cannot be used together.
func combineStores(
    _ stores: [PersistentStore],
    of definition: ModelDefinition,
    options: StoreOptions
) throws(StoreError) -> PersistentStore {
    let (model, path) = (definition.model, stores[0].path)
    let mapping = makeSchemaMapping(of: model)
    if stores.count > maximumStoreCount {
        throw StoreError(
            .unsupportedEnvironment,
            "is store \(stores.count) of its coordinator, and SQLite reads at most \(maximumStoreCount) together; "
                + "use several coordinators",
            path: stores[stores.count - 1].path
        )
    }
    if let index = mapping.fullTextIndexes.first {
        throw StoreError(
            .unsupportedEnvironment,
            "cannot be used with a configuration or beside another store, because '\(index.declaration.entityName)' has a "
                + "full-text index, which SQLite does not search in several files; use one store without a configuration",
            path: path
        )
    }
    var keyed: [(store: PersistentStore, keySpace: Int64)] = []
    for store in stores { keyed.append((store, try store.keySpace())) }
    let partition = try StorePartition(keyed, of: model)
    let layout = makeLayout(of: partition, mapping)
    let connection = try layout.open(options.busyTimeout)
    connection.log(to: options.statementLogger)
    var readOptions = options
    readOptions.isReadOnly = true
    let reader = SQLiteStore(
        connection: connection,
        path: path,
        isInMemory: false,
        versionHash: definition.versionHash,
        options: readOptions,
        viewLayout: layout
    )
    let uuid = UUID()
    let schema = StoreSchema(
        model: model,
        mapping: mapping,
        classes: definition.classes,
        storeUUID: uuid,
        nonStrictTables: stores.reduce(into: []) { $0.formUnion($1.schema.nonStrictTables) },
        partition: partition,
        dialect: SQLiteDialect(hasRowFunction: false)
    )
    schema.remember()
    return PersistentStore(
        identifier: uuid,
        sqlite: reader,
        engine: CombinedEngine(reader, partition),
        schema: schema,
        partition: partition
    )
}

private func makeLayout(of partition: StorePartition, _ mapping: SchemaMapping) -> ViewLayout {
    let files = partition.stores.map { (path: $0.path, isReadOnly: $0.isReadOnly) }
    var selections: [String: String] = [:]
    for table in mapping.tables where table.kind != .system {
        selections[table.name] = selection(from: table, of: partition, in: mapping)
    }
    let versionHash = sqlLiteral(text: mapping.model.versionHash)
    let versions = files.indices.map {
        "SELECT \"value\" FROM \(schemaName($0)).\"_metadata\" WHERE \"key\" = 'versionHash'"
    }
    // A value other than the model's shows that another program has migrated a store.
    selections["_metadata"] = """
        SELECT 'versionHash' AS "key", coalesce((SELECT "value" FROM (\(versions.joined(separator: " UNION ALL "))) \
        WHERE "value" <> \(versionHash)), \(versionHash)) AS "value"
        """
    let views = selections
    // Writes use the connections of the stores.
    return ViewLayout { busyTimeout throws(StoreError) in
        let connection = try openFirst(files[0].path, isReadOnly: files[0].isReadOnly, busyTimeout: busyTimeout)
        // A later change of this setting would delete the views.
        try connection.set("temp_store", to: 2)
        for (place, file) in files.enumerated().dropFirst() {
            try attach(file.path, isReadOnly: file.isReadOnly, as: schemaName(place), to: connection)
        }
        for (name, selection) in views.ordered(by: { $0.key < $1.key }) {
            try connection.execute("CREATE TEMP VIEW \(quoteIdentifier(name)) AS \(selection)")
        }
        connection.viewSelections = views
        return connection
    }
}

/// Returns the schema name of a store in a connection.
private func schemaName(_ place: Int) -> String { place == 0 ? "main" : "store\(place)" }

/// Returns the query for the rows of a table in all stores that may have such rows.
///
/// A file can have rows of entities that are not of its configuration; these rows, and references to them, are left
/// out.
private func selection(from table: Table, of partition: StorePartition, in mapping: SchemaMapping) -> String {
    let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
    let entities = mapping.entities.filter { $0.tableName == table.name }
    let destinations = Dictionary(
        entities.flatMap { entity in
            entity.relationships.compactMap { relationship -> (String, String)? in
                guard case .column(let column) = relationship.storage,
                    let destination = mapping.model.entity(named: entity.entityName)?
                        .relationshipsByName[relationship.name]?.destinationEntityName
                else { return nil }
                return (column, destination)
            }
        },
        uniquingKeysWith: { first, _ in first }
    )
    let parts = partition.places(of: table, in: mapping).map { place in
        let values = table.columns.map { column in
            let name = quoteIdentifier(column.name)
            guard let destination = destinations[column.name],
                !partition.places(ofEntityNamed: destination).contains(place)
            else { return name }
            // The CAST gives NULL the affinity of the column; without it, SQLite would read the whole view.
            return "CAST(NULL AS INTEGER) AS \(name)"
        }
        let rows = "SELECT \(values.joined(separator: ", ")) FROM \(schemaName(place)).\(quoteIdentifier(table.name))"
        let held = entities.map(\.entityName).filter { partition.holds($0, at: place) }
        guard case .entity = table.kind, held.count < entities.count, entities.contains(where: \.isInHierarchy) else {
            return rows
        }
        return rows + " WHERE \"_entity\" IN (\(held.map { sqlLiteral(text: $0) }.joined(separator: ", ")))"
    }
    // If no store has the entity, the view is empty, like the entity.
    return parts.isEmpty
        ? "SELECT \(columns) FROM main.\(quoteIdentifier(table.name)) WHERE 0" : parts.joined(separator: " UNION ALL ")
}

private func openFirst(_ path: String, isReadOnly: Bool, busyTimeout: Duration) throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(
        path: path,
        mode: .readOnly,
        busyTimeout: busyTimeout,
        attachesByURI: true
    )
    guard isReadOnly else { return connection }
    do throws(StoreError) {
        try connection.beginSnapshot()
        return connection
    } catch {
        // The folder is not writable, and there was no log when the store was opened.
        guard error.isForMissingIndex else { throw error }
        return try SQLiteConnection(path: realPath(path), mode: .immutable, busyTimeout: busyTimeout)
    }
}

private func attach(
    _ path: String,
    isReadOnly: Bool,
    as name: String,
    to connection: SQLiteConnection
) throws(StoreError) {
    try connection.attach(path, as: name, mode: .readOnly)
    connection.attachedNames.append(name)
    guard isReadOnly else { return }
    do throws(StoreError) {
        _ = try connection.integer("SELECT count(*) FROM \(name).sqlite_schema")
    } catch {
        guard error.isForMissingIndex else { throw error }
        try connection.execute("DETACH \(name)")
        try connection.attach(realPath(path), as: name, mode: .immutable)
    }
}

extension PersistentStore {
    /// Returns the upper bits of the row keys of the store.
    func keySpace() throws(StoreError) -> Int64 {
        guard !sqlite.isInMemory else {
            throw StoreError(
                .unsupportedEnvironment,
                "a store in memory cannot be used with a configuration or beside another store, because SQLite cannot read "
                    + "it together with others; use a store in a file",
                path: path
            )
        }
        do {
            return try sqlite.read { connection in
                let next = try connection.integer("SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'object'")
                return next >> StorePartition.keyBits
            }
        } catch let error as StoreError {
            throw error
        } catch {
            preconditionFailure("reading the sequence of row keys has thrown \(error)")
        }
    }
}
