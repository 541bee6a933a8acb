public import Chordata
public import ChordataModel
internal import ChordataSQL
public import Foundation

/// A store that was imported from a store of Core Data.
public struct ImportedStore: Sendable, Hashable {
    /// The name of the version at which the rows were imported, before migrations.
    public var sourceVersionName: String
    /// The name of the version of the imported store.
    public var versionName: String
    /// The identifier of both stores.
    public var storeUUID: UUID
    /// The number of imported objects, by the names of the entities, subentities not included.
    public var objectCounts: [String: Int]
    /// The numbers of values that were left out because the caller accepted their loss, by the names in
    /// `acceptedLosses`.
    public var omittedCounts: [String: Int]
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of objects that have been imported so far.
    public var completedObjectCount: Int
    /// The number of objects in the source.
    public var totalObjectCount: Int
}

/// Imports a store of Core Data into a new store.
///
/// ```swift
/// let imported = try await importStore(at: "Default.sqlite", to: "shop.sqlite", model: ShopModel.definition)
/// ```
///
/// The source is read in one transaction, with the changes in its write-ahead log; neither file is changed. Objects
/// keep their primary keys, row versions and positions in ordered relationships, and the store keeps its UUID, so URIs
/// of objects remain valid. The source can have an older version of the model: its objects are imported at that
/// version, and the migrations of the model definition then migrate them. Persistent history and the metadata of the
/// app are not imported.
///
/// The new store has a temporary name until the import is complete. So there is never an incomplete store at the
/// destination, even if the process is killed.
/// - Parameters:
///   - source: The path of the store of Core Data.
///   - destination: The path of the new store.
///   - model: The model definition, with the migrations from older versions.
///   - versions: Older versions of the model by name. They are necessary only for sources that do not contain their
///     model, which are stores of Core Data's first versions.
///   - acceptedLosses: The names of the losses that you accept. With `Entity.property`, values of the property that the
///     destination cannot represent, and references to objects that do not exist, are left out. With `Entity`, the name
///     of an entity without a superentity, rows of its table whose entity is not in the model are left out.
///   - options: The options for migrations, such as their stages.
///   - progress: A closure that is called at the beginning and each time a part of the objects is imported.
/// - Returns: The model versions of the source and of the new store, the identifier of the store, and the number of
///   objects of each entity.
/// - Throws: ``CoreDataStoreError``, with ``CoreDataStoreError/Code/unrepresentableValues`` if values cannot be
///   represented, all of which the message lists, and ``CoreDataStoreError/Code/cancelled`` if the task is cancelled;
///   `StoreError` if a migration fails. If an error is thrown, the new store is not created.
/// - Complexity: O(n) in the number of rows.
@concurrent
public func importStore(
    at source: String,
    to destination: String,
    model: ModelDefinition,
    versions: [String: ManagedObjectModel] = [:],
    acceptedLosses: Set<String> = [],
    options: StoreOptions = StoreOptions(),
    progress: (@Sendable (ImportProgress) -> Void)? = nil
) async throws -> ImportedStore {
    let versions = versions.sorted { $0.key < $1.key }.map { NamedModel(name: $0.key, model: $0.value) }
    return try importCoreDataStore(
        at: source,
        to: destination,
        versions: versions + [NamedModel(name: model.versionName, model: model.model)],
        makeDefinition: { _ in model },
        acceptedLosses: acceptedLosses,
        options: options,
        progress: progress
    )
}

/// Imports a store of Core Data.
/// - Parameters:
///   - versions: The versions of the model, the current one last.
///   - makeDefinition: Returns the definition to which the store is migrated, from the store's own model if there are
///     no versions.
package func importCoreDataStore(
    at source: String,
    to destination: String,
    versions: [NamedModel],
    makeDefinition: (IdentifiedModel) throws -> ModelDefinition,
    acceptedLosses: Set<String>,
    options: StoreOptions,
    progress: ((ImportProgress) -> Void)?
) throws -> ImportedStore {
    let file = UnfinishedFile(for: destination)
    try file.requireNoDestination()
    let store = try CoreDataStore(at: source)
    let identified = try identifyModelForImport(of: store, among: versions)
    let definition = try makeDefinition(identified)
    let hash = identified.model.versionHash
    let isCurrent = hash == definition.model.versionHash
    guard let versionName = identified.versionName ?? definition.versionNames[hash] else {
        throw CoreDataStoreError(
            .incompatibleModel,
            "does not match any version of model '\(definition.name)'; 'chordata inspect' with --model prints the differences; "
                + "use the model of the app that wrote the store, or 'chordata import' without --model, which uses the model in the "
                + "store",
            path: source
        )
    }
    // The rows are imported at their own version.
    let own = ModelDefinition(
        name: definition.name,
        versionName: isCurrent ? definition.versionName : versionName,
        model: isCurrent ? definition.model : identified.model
    )
    do {
        var run = ImportRun(store, own, acceptedLosses, progress)
        try run.write(to: file.path)
        if !isCurrent {
            var options = options
            options.backsUpBeforeMigration = false
            try MigrationManager(model: definition, path: file.path, options: options).migrateStore()
        }
        // Other stores are read in one transaction, so changes during the import are not visible.
        if store.snapshot.mode == .immutable { try store.requireUnchanged() }
        try file.finish()
        return ImportedStore(
            sourceVersionName: own.versionName,
            versionName: definition.versionName,
            storeUUID: store.metadata.storeUUID,
            objectCounts: run.objectCounts,
            omittedCounts: run.omittedCounts
        )
    } catch {
        file.remove()
        guard var error = error as? StoreError else { throw error }
        // The caller does not know the temporary file.
        if error.path == file.path { error.path = destination }
        throw error
    }
}

/// Finds the model with which a store is imported.
///
/// If the versions of a model are given, the store must match one of them by its hashes, its own model or its tables.
private func identifyModelForImport(
    of store: CoreDataStore,
    among versions: [NamedModel]
) throws(CoreDataStoreError) -> IdentifiedModel {
    let identified = try identifyModel(of: store, among: versions)
    guard identified.source == .cache else { return identified }
    let hash = identified.model.versionHash
    if let version = versions.last(where: { $0.model.versionHash == hash }) {
        return IdentifiedModel(versionName: version.name, model: version.model, source: .cache)
    }
    return identifyByTables(store, among: versions) ?? identified
}

/// The import of one store.
private struct ImportRun {
    private let store: CoreDataStore
    private let definition: ModelDefinition
    private let acceptedLosses: Set<String>
    private let progress: ((ImportProgress) -> Void)?
    private let schema: CoreDataSchema
    private let mapping: SchemaMapping
    private(set) var objectCounts: [String: Int] = [:]
    private(set) var omittedCounts: [String: Int] = [:]

    /// The number of rows that one statement copies.
    private static let batchSize = 50_000
    /// The number of conditions that are checked in one scan of a table.
    private static let checkCount = 200

    init(
        _ store: CoreDataStore,
        _ definition: ModelDefinition,
        _ acceptedLosses: Set<String>,
        _ progress: ((ImportProgress) -> Void)?
    ) {
        self.store = store
        self.definition = definition
        self.acceptedLosses = acceptedLosses
        self.progress = progress
        schema = CoreDataSchema(of: definition.model, tableNames: Set(store.tables.keys))
        mapping = makeSchemaMapping(of: definition.model)
    }

    mutating func write(to path: String) throws {
        let differences = schema.differences(from: store)
        guard differences.isEmpty else {
            throw CoreDataStoreError(
                .incompatibleModel,
                "does not have the tables of version '\(definition.versionName)': \(differences.joined(separator: "; ")); use "
                    + "the model of the app that wrote the store, or restore the store from a backup",
                path: store.path
            )
        }
        let connection = try createStore(of: definition, at: path, storeUUID: store.metadata.storeUUID)
        try connection.set("foreign_keys", to: 0)
        try connection.execute("PRAGMA cache_size=-\(conversionCacheSize)")
        try connection.attach(store.snapshot.path, as: "source", mode: store.snapshot.mode)
        try addImportFunctions(to: connection, externalFolder: store.externalFolder)
        let plan = ImportPlan(schema, mapping)
        try connection.execute("BEGIN")
        try requireUnchangedSource(connection)
        let failed = try check(plan, connection)
        let total = try countObjects(connection)
        var completed = 0
        report(completed, of: total)
        // Creating the indexes at the end takes a third of the time that updating them for each row takes.
        let indexes = try dropIndexes(connection)
        for copy in plan.copies(without: failed) {
            try requireNotCancelled()
            guard let rangeTable = copy.rangeTable else {
                try connection.run(copy.sql)
                continue
            }
            let isObjectTable = mapping.table(named: copy.table)?.columns.contains { $0.name == "_version" } == true
            try forEachRange(of: rangeTable, connection) { range in
                try connection.run(copy.sql, [.integer(range.lowerBound), .integer(range.upperBound)])
                guard isObjectTable else { return }
                completed += Int(try connection.rows("SELECT changes()").first?.first?.integer ?? 0)
                report(completed, of: total)
            }
        }
        for sql in indexes {
            try requireNotCancelled()
            try connection.execute(sql)
        }
        try correctOrders(plan, connection)
        try connection.run("UPDATE \"_sequence\" SET \"next\" = ?", [.integer(try nextKey(connection))])
        try verifyCounts(plan, connection)
        // This is the state of the rows that were copied, which can be newer than the state that was opened.
        let state = try store.state(of: schema, in: "source") { try connection.rows($0) }
        try ExportBase([state]).write(to: connection)
        try connection.execute("COMMIT")
        // The transaction was written without a sync; the change of the journal mode syncs the file.
        try connection.set("synchronous", to: 2)
        try connection.execute("PRAGMA journal_mode=WAL")
    }

    // MARK: Parts

    /// Throws an error if another process has changed the source's model after it was identified.
    private func requireUnchangedSource(_ connection: SQLiteConnection) throws {
        let sql = "SELECT \"Z_UUID\", \"Z_PLIST\" FROM"
        let now = try connection.rows("\(sql) source.\"Z_METADATA\" LIMIT 1")
        guard try store.rows("\(sql) \"Z_METADATA\" LIMIT 1") == now else {
            throw CoreDataStoreError(
                .cannotOpen,
                "was changed by another process during the import; close the programs that use it, and import it again",
                path: store.path
            )
        }
    }

    private func requireNotCancelled() throws(CoreDataStoreError) {
        guard Task.isCancelled else { return }
        throw CoreDataStoreError(.cancelled, "the import was cancelled; nothing was written", path: store.path)
    }

    private func report(_ completed: Int, of total: Int) {
        progress?(ImportProgress(completedObjectCount: completed, totalObjectCount: total))
    }

    /// Runs the checks of a plan, and throws an error if values are found whose loss is not accepted.
    /// - Returns: The names of the checks that found values.
    private mutating func check(_ plan: ImportPlan, _ connection: SQLiteConnection) throws -> Set<String> {
        var problems: [(check: ImportPlan.Check, count: Int64)] = []
        for (table, checks) in Dictionary(grouping: plan.checks, by: \.table).sorted(by: { $0.key < $1.key }) {
            for start in stride(from: 0, to: checks.count, by: Self.checkCount) {
                try requireNotCancelled()
                let part = checks[start..<min(start + Self.checkCount, checks.count)]
                let counts = part.map { "count(*) FILTER (WHERE \($0.failure))" }.joined(separator: ", ")
                let row = try connection.rows("SELECT \(counts) FROM \(table) AS a").first ?? []
                for (check, value) in zip(part, row) {
                    if let count = value.integer, count > 0 { problems.append((check, count)) }
                }
            }
        }
        let known = Set(plan.checks.map(\.name))
        if let unknown = acceptedLosses.subtracting(known).min() {
            throw CoreDataStoreError(
                .unrepresentableValues,
                "'\(unknown)' is accepted as a loss, but is neither an entity without a superentity nor a stored property that "
                    + "an entity declares; write 'Entity' or 'Entity.property'",
                path: store.path
            )
        }
        let losses = problems.filter { !acceptedLosses.contains($0.check.name) }
        guard losses.isEmpty else {
            let list = losses.map { "\($0.check.name): \($0.count) \($0.check.problem)" }.joined(separator: "; ")
            throw CoreDataStoreError(
                .unrepresentableValues,
                "has values that cannot be imported: \(list); correct them, or list these names in 'acceptedLosses' "
                    + "(option '--accept' of 'chordata import') to leave the values out",
                path: store.path
            )
        }
        for problem in problems { omittedCounts[problem.check.name, default: 0] += Int(problem.count) }
        return Set(problems.map(\.check.name))
    }

    /// Drops all indexes of the destination.
    /// - Returns: The statements that create them again.
    private func dropIndexes(_ connection: SQLiteConnection) throws -> [String] {
        let rows = try connection.rows(
            "SELECT \"name\", \"sql\" FROM main.sqlite_schema WHERE \"type\" = 'index' AND \"sql\" IS NOT NULL ORDER BY rowid"
        )
        return try rows.compactMap { row in
            guard let name = row[0].text, let sql = row[1].text else { return nil }
            try connection.execute("DROP INDEX main.\(quoteIdentifier(name))")
            return sql
        }
    }

    private func forEachRange(
        of table: String,
        _ connection: SQLiteConnection,
        _ body: (ClosedRange<Int64>) throws -> Void
    )
        throws
    {
        // Primary keys can be any integers.
        var last = Int64.min
        while true {
            try requireNotCancelled()
            let next = try connection.rows(
                "SELECT max(\"Z_PK\") FROM (SELECT \"Z_PK\" FROM \(table) WHERE \"Z_PK\" > ? ORDER BY \"Z_PK\" "
                    + "LIMIT \(Self.batchSize))",
                [.integer(last)]
            )
            guard let next = next.first?.first?.integer else { return }
            try body(last...next)
            last = next
        }
    }

    private func countObjects(_ connection: SQLiteConnection) throws -> Int {
        var count: Int64 = 0
        for table in schema.tables where !table.isJoinTable {
            count +=
                try connection.rows("SELECT count(*) FROM source.\(quoteIdentifier(table.name))").first?.first?.integer
                ?? 0
        }
        return Int(count)
    }

    /// Renumbers the members of ordered relationships whose positions are missing or duplicated.
    private func correctOrders(_ plan: ImportPlan, _ connection: SQLiteConnection) throws {
        for column in plan.orderColumns {
            let (table, order) = (quoteIdentifier(column.table), quoteIdentifier(column.order))
            let (owner, member) = (quoteIdentifier(column.owner), quoteIdentifier(column.member))
            let broken = try connection.rows(
                """
                SELECT EXISTS (SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL AND \(order) IS NULL) OR EXISTS \
                (SELECT 1 FROM \(table) WHERE \(owner) IS NOT NULL GROUP BY \(owner), \(order) HAVING count(*) > 1)
                """
            )
            guard broken.first?.first?.integer == 1 else { continue }
            try connection.run(
                """
                UPDATE \(table) AS t SET \(order) = r.place FROM (SELECT \(owner) AS owner, \(member) AS member, row_number() \
                OVER (PARTITION BY \(owner) ORDER BY \(order) IS NULL, \(order), \(member)) - 1 AS place FROM \(table) \
                WHERE \(owner) IN (SELECT \(owner) FROM \(table) WHERE \(order) IS NULL UNION SELECT \(owner) FROM \(table) \
                WHERE \(owner) IS NOT NULL GROUP BY \(owner), \(order) HAVING count(*) > 1)) AS r \
                WHERE t.\(owner) = r.owner AND t.\(member) = r.member
                """
            )
        }
    }

    /// Returns the first primary key that no object has or has had.
    private func nextKey(_ connection: SQLiteConnection) throws -> Int64 {
        var maximum: Int64 = 0
        for table in schema.tables where !table.isJoinTable {
            let rows = try connection.rows("SELECT max(\"Z_PK\") FROM source.\(quoteIdentifier(table.name))")
            maximum = max(maximum, rows.first?.first?.integer ?? 0)
            guard maximum < Int64.max else {
                throw noKeyLeft(
                    "table '\(table.name)' has a row with the largest possible primary key (Z_PK)",
                    "give this row a smaller primary key, and change the references to it"
                )
            }
        }
        for entity in store.primaryKeys {
            maximum = max(maximum, entity.maximum)
            guard maximum < Int64.max else {
                throw noKeyLeft(
                    "'Z_MAX' of entity '\(entity.name)' in 'Z_PRIMARYKEY' is the largest possible primary key",
                    "set it to the largest primary key (Z_PK) in the table of the entity"
                )
            }
        }
        return maximum + 1
    }

    private func noKeyLeft(_ reason: String, _ remedy: String) -> CoreDataStoreError {
        CoreDataStoreError(
            .damagedStore,
            "cannot be imported, because no primary key is left for new objects: \(reason), \(Int64.max); \(remedy)",
            path: store.path
        )
    }

    /// Compares the numbers of rows in the two stores.
    private mutating func verifyCounts(_ plan: ImportPlan, _ connection: SQLiteConnection) throws {
        for root in plan.roots {
            let table = plan.sourceTable(of: root.name)
            var expected: [String: Int] = [:]
            for row in try connection.rows("SELECT \"Z_ENT\", count(*) FROM \(table) GROUP BY 1") {
                guard let number = row[0].integer, (1...Int64(schema.entityNames.count)).contains(number) else {
                    continue
                }
                expected[schema.entityNames[Int(number) - 1]] = Int(row[1].integer ?? 0)
            }
            guard let mapped = mapping.entity(named: root.name) else { continue }
            let name = mapped.isInHierarchy ? "\"_entity\"" : sqlLiteral(text: root.name)
            var found: [String: Int] = [:]
            for row in try connection.rows(
                "SELECT \(name), count(*) FROM \(quoteIdentifier(mapped.tableName)) GROUP BY 1"
            ) {
                if let name = row[0].text { found[name] = Int(row[1].integer ?? 0) }
            }
            for name in schema.closure(of: root.name) where definition.model.entity(named: name)?.isAbstract == false {
                guard expected[name, default: 0] == found[name, default: 0] else {
                    throw CoreDataStoreError(
                        .damagedStore,
                        "has \(expected[name, default: 0]) objects of '\(name)', of which \(found[name, default: 0]) could "
                            + "be read, so nothing was imported; check the store with 'chordata inspect'",
                        path: store.path
                    )
                }
                objectCounts[name] = found[name, default: 0]
            }
        }
    }
}
