internal import Chordata
public import ChordataModel
internal import ChordataSQL
internal import Foundation

/// The changes that an export has made to a store of Core Data.
public struct ExportedStore: Sendable, Hashable {
    /// The number of objects that were inserted.
    public var insertedCount: Int
    /// The number of objects that were updated.
    public var updatedCount: Int
    /// The number of objects that were deleted.
    public var deletedCount: Int
}

/// Writes the objects of a store into a copy of the store of Core Data from which it was imported.
///
/// Objects of both stores are matched by their primary keys: objects of the target whose values differ are updated,
/// objects that only the source has are inserted, and objects that only the target has are deleted. If the target has a
/// persistent history, the changes are recorded in it. Objects that are equal, the metadata and the model of the target
/// are not changed. New values of attributes with external storage are stored in the rows; files that are no longer
/// used remain.
///
/// The target must be in the state of the import or of the last export, which the metadata of the source records, or
/// have no objects. The changes are made in a temporary copy of the target, whose primary keys and relationships are
/// checked, and then written to the target in one transaction. If an error is thrown, or the process is killed, the
/// target is unchanged. No other program must have the target open.
/// - Parameters:
///   - source: The path of the store of Chordata; only its metadata is changed.
///   - target: The path of the copy of the store of Core Data.
///   - model: The model of the version of both stores; `nil` for the target's own model.
///   - acceptedLosses: The names (`Entity.property`) of decimal attributes whose values may lose digits after the
///     fifteenth.
///   - progress: A closure that is called before each step and after the last one.
/// - Returns: The counts of the changes.
/// - Throws: ``CoreDataStoreError`` if the stores are of different versions, if the target was changed after the import
///   or the last export, if a value cannot be represented, or if the task is cancelled; `StoreError` if the source
///   cannot be read or its metadata cannot be written.
@concurrent
public func exportStore(
    at source: String,
    into target: String,
    model: ManagedObjectModel? = nil,
    acceptedLosses: Set<String> = [],
    progress: (@Sendable (ExportProgress) -> Void)? = nil
) async throws -> ExportedStore {
    try exportCoreDataStore(
        at: source,
        into: target,
        versions: model.map { [NamedModel(name: "", model: $0)] } ?? [],
        acceptedLosses: acceptedLosses,
        progress: progress
    )
}

/// The progress of an export.
public struct ExportProgress: Sendable, Hashable {
    /// The number of completed steps, each of which reads or writes one table.
    public var completedStepCount: Int
    /// The number of all steps.
    public var totalStepCount: Int
}

/// Writes the objects of a store to a new store of Core Data.
///
/// - Parameters:
///   - source: The path of the store of Chordata; only its metadata is changed.
///   - target: The path of the new store.
///   - model: The model of the version of the source.
///   - acceptedLosses: The names (`Entity.property`) of decimal attributes whose values may lose digits after the
///     fifteenth.
///   - progress: A closure that is called before each step and after the last one.
/// - Returns: The number of objects.
/// - Throws: ``CoreDataStoreError`` if the target exists, if the model has properties that new stores cannot have
///   (derived and composite attributes, and many-to-many relationships between an entity and itself), if a value cannot
///   be represented, or if the task is cancelled; `StoreError` if the source cannot be read. If an error is thrown, the
///   new store is not created.
@concurrent
public func exportStore(
    at source: String,
    toNewStoreAt target: String,
    model: ManagedObjectModel,
    acceptedLosses: Set<String> = [],
    progress: (@Sendable (ExportProgress) -> Void)? = nil
) async throws -> ExportedStore {
    try exportNewCoreDataStore(
        at: source,
        to: target,
        versions: [NamedModel(name: "", model: model)],
        acceptedLosses: acceptedLosses,
        progress: progress
    )
}

/// Exports into a copy of a store of Core Data.
/// - Parameter versions: The versions of the model, the current one last.
package func exportCoreDataStore(
    at source: String,
    into target: String,
    versions: [NamedModel],
    acceptedLosses: Set<String>,
    progress: ((ExportProgress) -> Void)?
) throws -> ExportedStore {
    let metadata = try PersistentStoreCoordinator.metadata(forStoreAt: source)
    let store = try CoreDataStore(at: target)
    let identified = try identifyModel(of: store, among: versions)
    guard identified.model.versionHash == metadata.versionHash else {
        let name = identified.versionName.map { " '\($0)'" } ?? ""
        throw CoreDataStoreError(
            .incompatibleModel,
            "has another version\(name) of the model than \(source), which has version '\(metadata.versionName)'; "
                + "export into a store of the same version",
            path: target
        )
    }
    let schema = CoreDataSchema(of: identified.model, tableNames: Set(store.tables.keys))
    try requireTables(schema, of: store)
    let base = try ExportBase(readingFrom: SQLiteConnection(path: source, mode: .readOnly))
    let state = try store.state(of: schema)
    try requireOrigin(store, schema, metadata, base, state)
    let before = try checkInvariants(of: store, schema)
    let folder = try TemporaryFolder()
    let work = folder.path("store")
    do {
        let connection = try SQLiteConnection(path: work, mode: .readWriteCreate, attachesByURI: true)
        try connection.copy(from: store.snapshot.connection)
        let counts = try write(
            source,
            metadata,
            to: connection,
            ExportPlan(schema, makeSchemaMapping(of: identified.model)),
            isNew: false,
            store,
            acceptedLosses,
            target: target,
            progress
        )
        try requireInvariants(ofStoreAt: work, schema, before, target: target)
        if counts.inserted + counts.updated + counts.deleted > 0 {
            let new = try CoreDataStore(at: work).state(of: schema)
            // The snapshot would keep the log from being emptied.
            try store.snapshot.connection.execute("COMMIT")
            try store.requireUnchanged()
            let native = try SQLiteConnection(path: source, mode: .readWriteCreate)
            try ExportBase([state, new]).write(to: native)
            try replace(target, with: connection)
            try ExportBase([new]).write(to: native)
        }
        return ExportedStore(insertedCount: counts.inserted, updatedCount: counts.updated, deletedCount: counts.deleted)
    } catch {
        guard var error = error as? StoreError else { throw error }
        // The caller does not know the temporary file.
        if error.path == work { error.path = target }
        throw error
    }
}

/// Throws an error if an export would replace the objects of another store, or changes that were made since the import.
private func requireOrigin(
    _ store: CoreDataStore,
    _ schema: CoreDataSchema,
    _ metadata: StoreMetadata,
    _ base: ExportBase,
    _ state: String
) throws(CoreDataStoreError) {
    var isEmpty = true
    for table in schema.tables where isEmpty {
        isEmpty = try store.rows("SELECT 1 FROM \(quoteIdentifier(table.name)) LIMIT 1").isEmpty
    }
    if isEmpty || base.states.contains(state) { return }
    guard store.metadata.storeUUID == metadata.storeUUID else {
        throw CoreDataStoreError(
            .incompatibleModel,
            "is another store, with UUID \(store.metadata.storeUUID) instead of \(metadata.storeUUID); export into a copy of the "
                + "store of Core Data that was imported, or into a store without objects",
            path: store.path
        )
    }
    throw CoreDataStoreError(
        .incompatibleModel,
        "was changed after the import or the last export, and the export would overwrite these changes; import this store "
            + "again into a new store of Chordata, and repeat there the changes that you made in the earlier store",
        path: store.path
    )
}

/// Exports to a new store of Core Data.
/// - Parameter versions: The versions of the model, the current one last.
package func exportNewCoreDataStore(
    at source: String,
    to target: String,
    versions: [NamedModel],
    acceptedLosses: Set<String>,
    progress: ((ExportProgress) -> Void)?
) throws -> ExportedStore {
    let file = UnfinishedFile(for: target)
    try file.requireNoDestination()
    let metadata = try PersistentStoreCoordinator.metadata(forStoreAt: source)
    guard let model = versions.last(where: { $0.model.versionHash == metadata.versionHash })?.model else {
        throw CoreDataStoreError(
            .incompatibleModel,
            "has version '\(metadata.versionName)', which the given model does not have; pass the model of the store",
            path: source
        )
    }
    let schema = CoreDataSchema(of: model)
    try requireKnownForm(schema, target)
    do {
        let counts = try writeNewStore(
            at: file.path,
            source,
            metadata,
            schema,
            acceptedLosses,
            target: target,
            progress
        )
        // The indexes are not checked, because SQLite has just created them from their tables.
        try requireInvariants(ofStoreAt: file.path, schema, [], target: target, checksIndexes: false)
        // Later changes can be exported into the new store.
        let state = try CoreDataStore(at: file.path).state(of: schema)
        let native = try SQLiteConnection(path: source, mode: .readWriteCreate)
        try ExportBase(ExportBase(readingFrom: native).states + [state]).write(to: native)
        try file.finish()
        return ExportedStore(insertedCount: counts.inserted, updatedCount: 0, deletedCount: 0)
    } catch {
        file.remove()
        guard var error = error as? StoreError else { throw error }
        if error.path == file.path { error.path = target }
        throw error
    }
}

/// Writes a store whose file is closed afterwards, without a log beside it.
private func writeNewStore(
    at path: String,
    _ source: String,
    _ metadata: StoreMetadata,
    _ schema: CoreDataSchema,
    _ acceptedLosses: Set<String>,
    target: String,
    _ progress: ((ExportProgress) -> Void)?
) throws -> ExportCounts {
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, attachesByURI: true)
    try connection.execute("PRAGMA journal_mode=MEMORY")
    try connection.set("synchronous", to: 0)
    try connection.execute("PRAGMA cache_size=-\(conversionCacheSize)")
    try createCoreDataTables(
        of: schema,
        storeUUID: metadata.storeUUID,
        versionIdentifier: schema.model.versionIdentifier,
        connection
    )
    let counts = try write(
        source,
        metadata,
        to: connection,
        ExportPlan(schema, makeSchemaMapping(of: schema.model)),
        isNew: true,
        nil,
        acceptedLosses,
        target: target,
        progress
    )
    // Sorting all keys at the end takes a third of the time that inserting each key takes.
    for statement in schema.indexStatements { try connection.execute(statement) }
    // The change of the journal mode syncs the file, which was written without a sync.
    try connection.set("synchronous", to: 2)
    try connection.execute("PRAGMA journal_mode=WAL")
    return counts
}

/// Writes the rows in one transaction.
private func write(
    _ source: String,
    _ metadata: StoreMetadata,
    to connection: SQLiteConnection,
    _ plan: ExportPlan,
    isNew: Bool,
    _ store: CoreDataStore?,
    _ acceptedLosses: Set<String>,
    target: String,
    _ progress: ((ExportProgress) -> Void)?
) throws -> ExportCounts {
    try connection.attach(source, as: "source", mode: .readOnly)
    var run = try ExportRun(
        connection,
        plan,
        isNew: isNew,
        hasHistory: store?.tables["ATRANSACTION"] != nil && store?.tables["ACHANGE"] != nil,
        path: target,
        externalFolder: store?.externalFolder ?? "",
        acceptedLosses: acceptedLosses,
        progress: progress
    )
    try connection.execute("BEGIN")
    let hash = try connection.rows("SELECT \"value\" FROM source.\"_metadata\" WHERE \"key\" = 'versionHash'")
    guard hash.first?.first?.text == metadata.versionHash else {
        throw CoreDataStoreError(
            .cannotOpen,
            "was migrated by another program during the export; export the store again",
            path: source
        )
    }
    try run.run()
    try connection.execute("COMMIT")
    try connection.execute("DETACH source")
    return run.counts
}

private func requireTables(_ schema: CoreDataSchema, of store: CoreDataStore) throws(CoreDataStoreError) {
    let differences = schema.differences(from: store) + schema.additions(of: store)
    guard !differences.isEmpty else { return }
    throw CoreDataStoreError(
        .incompatibleModel,
        "does not have the tables of its model: \(differences.joined(separator: "; ")); export into a new store, or restore "
            + "the target from a backup",
        path: store.path
    )
}

/// Throws an error if a new store would have tables or hashes that cannot be predicted.
private func requireKnownForm(_ schema: CoreDataSchema, _ target: String) throws(CoreDataStoreError) {
    var reasons = VersionHashes(of: schema.model).reasonsByEntityName.sorted { $0.key < $1.key }
        .map { "the version hash of '\($0.key)' is not known, because \($0.value)" }
    reasons += schema.unsupportedParts
    reasons += schema.ambiguousRelationships.map {
        "the name of the join table of the relationships '\($0.first)' and '\($0.second)' of '\($0.entityName)', which are "
            + "between the entity and itself, is not known"
    }
    reasons += schema.pairs.filter { $0.key == $0.value.inverse }.map(\.key)
        .map {
            "it is not known how Core Data stores the relationship '\($0.names[0])' of '\($0.entityName)', which is its own "
                + "inverse"
        }.sorted()
    guard !reasons.isEmpty else { return }
    throw CoreDataStoreError(
        .unrepresentableValues,
        "cannot be created: \(reasons.joined(separator: "; ")); export into a store that the app has created with Core Data",
        path: target
    )
}

/// Throws an error if rows break rules that they did not break before.
private func requireInvariants(
    ofStoreAt path: String,
    _ schema: CoreDataSchema,
    _ before: [BrokenInvariant],
    target: String,
    checksIndexes: Bool = true
) throws(CoreDataStoreError) {
    let counts = Dictionary(before.map { ($0.rule, $0.count) }, uniquingKeysWith: { $1 })
    let store = try CoreDataStore(at: path)
    let broken = try checkInvariants(of: store, schema, checksIndexes: checksIndexes).filter {
        $0.count > counts[$0.rule] ?? 0
    }
    guard !broken.isEmpty else { return }
    throw CoreDataStoreError(
        .incompatibleModel,
        "would not be a valid store of Core Data after the export, because it would have "
            + broken.map { "\($0.count) \($0.rule)" }.joined(separator: ", ")
            + "; this file was not changed; correct these objects in the store that you export, and export it again",
        path: target
    )
}

/// Replaces the contents of a store with those of its changed copy, in one transaction.
private func replace(_ target: String, with copy: SQLiteConnection) throws {
    let file = URL(fileURLWithPath: target).resolvingSymlinksInPath().path
    let connection = try SQLiteConnection(path: file, mode: .readWriteCreate)
    try connection.copy(from: copy)
    // The log must be empty, so that the file is complete without it.
    guard try connection.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first?.integer == 0 else {
        throw CoreDataStoreError(
            .cannotWrite,
            "has received the exported objects, but its new contents are only in its write-ahead log ('\(target)-wal'), because "
                + "another process reads the store; close the programs that use it, and then open it once with SQLite, which copies these contents into the main file",
            path: target
        )
    }
}
