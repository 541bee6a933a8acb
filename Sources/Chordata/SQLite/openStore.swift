internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Opens the store of a model: creates, checks or migrates it; if that fails, throws an error and leaves the store
/// unchanged.
/// - Parameters:
///   - configuration: The name of the configuration of the model whose entities the store has; `nil` for all entities.
///   - firstKey: The first row key of a store that is created.
func openStore(
    of definition: ModelDefinition,
    path: String,
    configuration: String? = nil,
    firstKey: Int64 = 1,
    options: StoreOptions,
    observer: MigrationObserver? = nil
) throws(StoreError) -> PersistentStore {
    // The first open of the process compares the classes; no file is opened before that.
    try definition.classCheck.run(on: definition)
    let isInMemory = path == ":memory:"
    if !isInMemory, options.shouldMigrateStoreAutomatically, !options.isReadOnly {
        try definition.requireStages(options.migrationStages, requiresAll: options.requiresAllStages, path: path)
    }
    try requireNoForeignDatabase(path, beforeOpening: true)
    let connection =
        options.isReadOnly
        ? try openReadOnly(path, busyTimeout: options.busyTimeout)
        : try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: options.busyTimeout)
    connection.log(to: options.statementLogger)
    let mapping = definition.schemas.mapping(of: definition.model)
    if !options.isReadOnly { try connection.allowTriggers(of: mapping.fullTextIndexes) }
    // Nothing is written to the file before its kind is known, not even the contents of its log.
    let keepsLog = !isInMemory && !isEmptyOrMissing(realPath(path) + "-wal")
    if keepsLog { try connection.setCheckpointsAtClose(false) }
    var storeUUID: UUID?
    var state: SchemaCache.StoreState?
    var knownSchema: StoreSchema?
    if !connection.hasTable("_metadata"), try connection.isEmpty {
        try requireWritable(connection, options, "is empty")
        try configureWriter(connection, options, isInMemory: isInMemory)
        storeUUID = try createStore(definition, mapping, connection, firstKey: firstKey)
    }
    if storeUUID == nil {
        // Version and tables are read in one transaction, independently of other programs.
        try connection.execute("BEGIN")
        let known = isInMemory ? nil : try knownStore(of: definition, connection)
        let metadata = known == nil ? try readMetadata(connection) : nil
        if let metadata { try definition.requireOwn(metadata, path: path) }
        storeUUID = known?.state.storeUUID ?? metadata?.storeUUID
        knownSchema = known?.schema
        let isCurrent = metadata.map { $0.versionHash == definition.versionHash } ?? true
        if let metadata, !isCurrent {
            let pending = try definition.migrations(from: metadata, path: path)
            try requireMigrating(metadata, definition, pending, path, options.shouldMigrateStoreAutomatically)
            try requireWritable(connection, options, "is at version '\(metadata.versionName)' and must be migrated")
            try requireNoDrift(of: metadata, connection)
        } else if let metadata {
            if !isInMemory { state = try currentState(of: connection, metadata.storeUUID) }
            if try hasExternalTables(connection, mapping) { try requireTables(of: mapping, metadata, connection) }
        }
        // The first read need not check the version again, unless another program commits before it.
        if isCurrent { connection.checkedDataVersion = connection.dataVersion }
        try connection.execute("COMMIT")
        if keepsLog, !connection.isReadOnly { try connection.setCheckpointsAtClose(true) }
        if !options.isReadOnly {
            try requireWritable(connection, options, "is opened for writing", isNeeded: false)
            // Usually nothing is written before the first save, which applies the settings that only a writer needs.
            if knownSchema != nil, connection.isWriteAhead {
                try connection.setCacheSize(options.cacheSize)
            } else {
                try configureWriter(connection, options, isInMemory: isInMemory)
            }
        }
        if !isCurrent {
            try MigrationObserver.observing(observer) { observer throws(StoreError) in
                try StoreMigration(definition, mapping, options, observer).run(on: connection)
            }
        }
        if knownSchema == nil, try !hasExternalTables(connection, mapping) {
            try requireWritable(
                connection,
                options,
                "has external data in the rows of its objects, which must be moved to side tables"
            )
            try moveInlineDataAtOpen(connection, definition, mapping)
        }
        if isCurrent, knownSchema == nil, !options.isReadOnly {
            try updateIndexes(of: definition, mapping, connection)
            try updateFullTextIndexes(of: definition, mapping, connection)
        }
    }
    if !options.isReadOnly, options.tracksPersistentHistory || options.reportsRemoteChanges && !isInMemory {
        try configureWriter(connection, options, isInMemory: isInMemory)
        try startHistory(definition.versionHash, connection)
    }
    guard let storeUUID else { preconditionFailure("a store was neither found nor created") }
    let schema: StoreSchema
    if let knownSchema {
        schema = knownSchema
    } else {
        schema = StoreSchema(
            model: definition.model,
            mapping: mapping,
            classes: definition.classes,
            storeUUID: storeUUID,
            nonStrictTables: try nonStrictTables(of: mapping, connection),
            missingFullTextIndexes: Set(try missingFullTextIndexes(of: mapping, connection).map(\.name))
        )
        schema.remember()
        // Only a writer creates the indexes of the model in a store.
        if let state, !options.isReadOnly, try currentState(of: connection, storeUUID) == state {
            definition.schemas.keep(schema, for: state)
        }
    }
    let store = SQLiteStore(
        connection: connection,
        path: path,
        isInMemory: isInMemory,
        versionHash: definition.versionHash,
        options: options
    )
    if !isInMemory { SectionCacheFile.recordStore(at: path) }
    return PersistentStore(identifier: storeUUID, sqlite: store, schema: schema, configurationName: configuration)
}

/// Returns the store in a file whose tables this process has compared with the model; `nil` if the file, its tables or
/// its version have changed.
private func knownStore(of definition: ModelDefinition, _ connection: SQLiteConnection) throws(StoreError)
    -> SchemaCache.Entry?
{
    guard let known = definition.schemas.entry(for: FileIdentity(connection.path)) else { return nil }
    let schemaVersion = try connection.integer("PRAGMA schema_version")
    // A new file can have the number of a removed one, and the same schema version.
    guard known.state.schemaVersion == schemaVersion, connection.hasTable("_metadata") else { return nil }
    // A migration need not change the tables, and another program can have replaced the contents of the file.
    let statement = try connection.prepare("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = ?")
    for (key, value) in [
        ("modelName", definition.name), ("storeUUID", known.state.storeUUID.uuidString),
        ("versionHash", definition.versionHash),
    ] {
        statement.bind(key, at: 1)
        guard try statement.step(), statement.text(at: 0) == value else { return nil }
        statement.reset()
    }
    return known
}

/// The state of a store's tables and indexes.
private func currentState(of connection: SQLiteConnection, _ storeUUID: UUID) throws(StoreError)
    -> SchemaCache.StoreState?
{
    let file = FileIdentity(connection.path)
    guard file.isKnown else { return nil }
    let version = try connection.integer("PRAGMA schema_version")
    return SchemaCache.StoreState(storeUUID: storeUUID, file: file, schemaVersion: version)
}

/// Opens a file that this process does not write.
///
/// A store in write-ahead mode needs a shared-memory file (`-shm`) beside it. If the folder does not allow this file,
/// and no log waits for a checkpoint, only the store file is read; then no other process may write to it either
/// (``StoreOptions/isReadOnly``).
package func openReadOnly(_ path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: busyTimeout)
    do throws(StoreError) {
        _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
        return connection
    } catch {
        guard error.isForMissingIndex else { throw error }
        // The log and the journal are beside the file itself, not beside a link to it.
        let file = realPath(path)
        for ending in ["-wal", "-journal"] where !isEmptyOrMissing(file + ending) {
            var error = error
            error.message =
                "cannot be read, because '\(file + ending)' has changes that are not in the store yet, and the folder "
                + "is not writable; open the store once with a program that can write to the folder"
            throw error
        }
        return try SQLiteConnection(path: file, mode: .immutable, busyTimeout: busyTimeout)
    }
}

/// Rolls back the transaction of a program that ended before the commit; only a process that can write to the file can
/// do this.
package func undoUnfinishedTransaction(ofStoreAt path: String, busyTimeout: Duration = .seconds(5)) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path), !isEmptyOrMissing(realPath(path) + "-journal") else { return }
    try requireNoForeignDatabase(path)
    _ = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: busyTimeout)
        .integer("SELECT count(*) FROM sqlite_schema")
}

/// Returns the path of a store with resolved links, next to which SQLite creates its other files.
func realPath(_ path: String) -> String {
    guard let resolved = chordata_real_path(path) else {
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }
    defer { chordata_free_real_path(resolved) }
    return String(cString: resolved)
}

func isEmptyOrMissing(_ path: String) -> Bool {
    chordata_file_size(path) <= 0
}

/// Throws if the store must be written, but cannot be.
/// - Parameter isNeeded: A Boolean value that indicates whether the store cannot be opened without this write.
private func requireWritable(
    _ connection: SQLiteConnection,
    _ options: StoreOptions,
    _ cause: String,
    isNeeded: Bool = true
) throws(StoreError) {
    guard connection.isReadOnly else { return }
    let remedy =
        options.isReadOnly
        ? "open it for writing once"
        : isNeeded
            ? "make it writable"
            : "make it writable or, if the program only reads it, open it with StoreOptions(isReadOnly: true)"
    throw StoreError(.readOnly, "\(cause), but it is read-only; \(remedy)", path: connection.path)
}

/// Applies the settings that change the file or how it is written; each one is read back.
func configureWriter(_ connection: SQLiteConnection, _ options: StoreOptions, isInMemory: Bool)
    throws(StoreError)
{
    guard !isInMemory, !connection.isConfiguredToWrite else { return }
    guard try setWriteAheadMode(of: connection, waiting: options.busyTimeout) == "wal" else {
        throw StoreError(
            .unsupportedEnvironment,
            "cannot be put into write-ahead mode, which network file systems do not support; move it to a local disk",
            path: connection.path
        )
    }
    try connection.setCacheSize(options.cacheSize)
    switch options.synchronous {
    case .full: try connection.setSupported("synchronous", to: 2)
    case .normal:
        try connection.setSupported("synchronous", to: 1)
        // Only checkpoints wait for the disk, so there are four times fewer than by default, and a page that has
        // changed several times is copied once. The index of the log has one hash table for its first 4,062 pages, so
        // a reader usually still searches only one.
        try connection.setSupported("wal_autocheckpoint", to: 4_000)
    }
    connection.isConfiguredToWrite = true
}

/// Puts a file into write-ahead mode.
///
/// SQLite does not wait for other connections that open the same new file: of two that have a read lock and need an
/// exclusive one, each gets the error immediately. So the statement is repeated until the timeout; if another
/// connection still has a lock then, the last attempt waits once more.
/// - Returns: The mode of the file.
private func setWriteAheadMode(of connection: SQLiteConnection, waiting timeout: Duration) throws(StoreError)
    -> String?
{
    let deadline = ContinuousClock.now + timeout
    while true {
        do throws(StoreError) {
            return try connection.text("PRAGMA journal_mode=WAL")
        } catch {
            guard error.code == .busy, ContinuousClock.now < deadline else { throw error }
            sqlite3_sleep(.random(in: 1...5))
        }
    }
}

/// Creates a store whose rows the caller writes, and which no other code has open.
/// - Returns: A connection that waits for neither the disk nor other processes, and can attach databases by URI.
package func createStore(of definition: ModelDefinition, at path: String, storeUUID: UUID) throws(StoreError)
    -> SQLiteConnection
{
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, attachesByURI: true)
    try connection.execute("PRAGMA journal_mode=MEMORY")
    try connection.set("synchronous", to: 0)
    let mapping = makeSchemaMapping(of: definition.model)
    try connection.allowTriggers(of: mapping.fullTextIndexes)
    guard try createStore(definition, mapping, connection, uuid: storeUUID) != nil
    else {
        throw StoreError(.cannotOpen, "exists already; choose another path", path: path)
    }
    return connection
}

/// Creates the tables of a new store; returns `nil` if another process has just created them.
private func createStore(
    _ definition: ModelDefinition,
    _ mapping: SchemaMapping,
    _ connection: SQLiteConnection,
    uuid: UUID = UUID(),
    firstKey: Int64 = 1
) throws(StoreError) -> UUID? {
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
        guard try connection.isEmpty else {
            connection.rollBack()
            return nil
        }
        if !mapping.fullTextIndexes.isEmpty { try requireFullTextSearch(connection) }
        for statement in renderSchema(mapping) { try connection.execute(statement) }
        try connection.execute("INSERT INTO \"_sequence\" (\"name\", \"next\") VALUES ('object', \(firstKey))")
        var metadata = StoreMetadata(definition, storeUUID: uuid)
        metadata.schema = PhysicalSchema(mapping).text
        try writeMetadata(metadata, connection)
        try connection.commit()
    } catch {
        connection.rollBack()
        throw error
    }
    return uuid
}

/// Returns the tables in which SQLite does not check the types of values; there are none unless another program has
/// rebuilt tables.
private func nonStrictTables(of mapping: SchemaMapping, _ connection: SQLiteConnection) throws(StoreError) -> Set<
    String
> {
    let statement = try connection.prepare(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0"
    )
    var names: Set<String> = []
    while try statement.step() {
        if let name = statement.text(at: 0), mapping.table(named: name) != nil { names.insert(name) }
    }
    return names
}

/// Throws if a store must not be migrated when it is opened.
package func requireMigrating(
    _ metadata: StoreMetadata,
    _ definition: ModelDefinition,
    _ pending: [ModelDefinition.Migration],
    _ path: String,
    _ isAutomatic: Bool
) throws(StoreError) {
    guard !isAutomatic else { return }
    throw StoreError(
        .migrationNeeded,
        "is at version '\(metadata.versionName)' and must be migrated to '\(definition.versionName)'; use a MigrationManager, "
            // The command-line tool has no stages.
            + (pending.contains { $0.stage != nil } ? "" : "or chordata migrate run, ")
            + "or open it with shouldMigrateStoreAutomatically",
        path: path
    )
}

extension ModelDefinition {
    /// Throws if a store belongs to another model.
    package func requireOwn(_ metadata: StoreMetadata, path: String) throws(StoreError) {
        guard metadata.modelName != name else { return }
        throw StoreError(
            .incompatibleModel,
            "is a store of model '\(metadata.modelName)', according to its metadata, but was opened with '\(name)'; "
                + "open it with its own model; or, \(deletion)",
            path: path
        )
    }

    /// Returns the steps from a store's version to the current one; empty for a store of the current version.
    package func migrations(from metadata: StoreMetadata, path: String) throws(StoreError) -> [Migration] {
        let versionName = versionNames[metadata.versionHash] ?? metadata.versionName
        if isNewer(metadata, than: self) {
            throw StoreError(
                .newerVersion,
                "is at version '\(versionName)' according to its metadata; this version is newer than "
                    + "'\(self.versionName)', the version of the program's model; stores cannot be downgraded; "
                    + "\(differences(metadata, self)); open it with a program that has version '\(versionName)' "
                    + "('chordata inspect \(path)' prints its version, object counts and schema drift)",
                path: path
            )
        }
        guard versionNames[metadata.versionHash] != nil else {
            throw StoreError(.incompatibleModel, unknownVersion(metadata, self, path), path: path)
        }
        var chain: [Migration] = []
        var hash = metadata.versionHash
        let current = versionHash
        while hash != current {
            // Several versions may share a hash: the migration continues from the last of them. A path longer than the
            // number of migrations is a cycle.
            guard let step = migrations.last(where: { $0.sourceHash == hash }), chain.count < migrations.count else {
                throw StoreError(
                    .missingMigration,
                    "is at version '\(versionName)', from which there is no migration to "
                        + "'\(self.versionName)', the version of the program's model; "
                        + differences(metadata, self)
                        + "; to keep its data, write the migration ('chordata migrate new MODEL --gaps' creates its "
                        + "file; a build reports as CD0401 why it cannot be inferred); or, \(deletion)",
                    path: path
                )
            }
            chain.append(step)
            hash = step.destinationHash
        }
        return chain
    }
}

/// The remedy if the data of a store is not needed (S4).
private let deletion =
    "if its data is not needed, delete the store with PersistentStoreCoordinator.destroyPersistentStore(at:)"

/// Returns a Boolean value that indicates whether the version of a store is newer than the program's.
///
/// An older program does not know the versions that came after its own, so it compares their names: `Done 3` is
/// newer than `Done 2`.
private func isNewer(_ metadata: StoreMetadata, than definition: ModelDefinition) -> Bool {
    if let known = definition.versionNames[metadata.versionHash] {
        let order = definition.versionOrder
        if let place = order.firstIndex(of: known), let current = order.firstIndex(of: definition.versionName) {
            return current < place
        }
        return isNaturallyOrdered(definition.versionName, before: known)
    }
    return isNumbered(metadata.versionName, after: definition.versionName)
}

/// The description and remedy for a store of an unknown version (S4).
private func unknownVersion(_ metadata: StoreMetadata, _ definition: ModelDefinition, _ path: String) -> String {
    let (stored, current) = (metadata.versionName, definition.versionName)
    let differences = differences(metadata, definition)
    // If the model was changed without a new version, the store and the program have the same version name.
    if definition.versionNames.values.contains(stored) {
        return "is at version '\(stored)' of '\(definition.name)', according to its metadata, but the program's model "
            + "defines that version differently; \(differences); to keep its data, undo the change and make it in a "
            + "new version, to which the store is migrated; or, \(deletion) "
            + "('chordata inspect \(path)' prints its version, object counts and schema drift)"
    }
    return "is at version '\(stored)' of '\(definition.name)', according to its metadata, but the program's model "
        + "does not have that version (its own is '\(current)'); \(differences); to keep its data, add that version to "
        + "the model, so that the store can be migrated from it; or, \(deletion) "
        + "('chordata inspect \(path)' prints its version, object counts and schema drift)"
}

/// Describes the entities and properties that differ between the store and the model.
private func differences(_ metadata: StoreMetadata, _ definition: ModelDefinition) -> String {
    let current = definition.model.versionHashesByEntityName
    let changed = current.keys.filter { metadata.entityHashes[$0] != nil && metadata.entityHashes[$0] != current[$0] }
    let missing = current.keys.filter { metadata.entityHashes[$0] == nil }
    let unknown = metadata.entityHashes.keys.filter { current[$0] == nil }
    let parts = [("changed", changed), ("only in the model", missing), ("only in the store", unknown)]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0): " + $0.1.ordered(by: <).map { "'\($0)'" }.joined(separator: ", ") }
    guard !parts.isEmpty else { return "entities do not differ" }
    let properties = metadata.modelSummary.map { text in
        ModelSummary.differences(
            store: ModelSummary(text: text),
            model: ModelSummary(definition.model),
            in: changed.ordered(by: <)
        )
    }
    let named = (properties ?? []).prefix(10)
    let rest = (properties?.count ?? 0) - named.count
    return "entities " + (parts + named + (rest > 0 ? ["and \(rest) more properties"] : [])).joined(separator: "; ")
}
