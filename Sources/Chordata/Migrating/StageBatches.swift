internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// What a long stage computes, object by object, into a table beside those of the store's version.
final class StageBatches {
    enum Place {
        /// A transaction for each batch.
        case transaction
        /// Within that of the migration.
        case migration
    }

    private let step: ModelDefinition.Migration
    private let batches: MigrationStage.Batches
    private let source: MigratingVersion
    private let entityType: EntityType
    /// The attributes that get values, as the destination has them.
    private let fields: [Field]
    /// Where these are in the destination, for the entities whose objects they are of.
    private let columnsByTable: [String: [String]]
    private let tableName: String
    /// The key behind which the next batch begins.
    private var lastKey: Int64 = 0
    /// How often all rows were gone through.
    private var passCount = 0
    private var doneCount = 0
    private var totalCount = 0

    private static let prefix = "_stage_"

    private var connection: SQLiteConnection { source.connection }
    private var sideTable: String { quoteIdentifier(tableName) }

    /// The long stages of a step.
    static func all(of step: ModelDefinition.Migration, _ options: StoreOptions, _ connection: SQLiteConnection)
        throws(StoreError) -> [StageBatches]
    {
        guard step.hasBatches(options) else { return [] }
        let metadata = try readMetadata(connection)
        var all: [StageBatches] = []
        for stage in options.migrationStages where step.isOf(stage) {
            guard let batches = stage.work.batches else { continue }
            all.append(try StageBatches(batches, all.count, step, metadata, connection))
        }
        return all
    }

    private init(
        _ batches: MigrationStage.Batches,
        _ number: Int,
        _ step: ModelDefinition.Migration,
        _ metadata: StoreMetadata,
        _ connection: SQLiteConnection
    ) throws(StoreError) {
        let models = try step.models()
        let source = try MigratingVersion(models.source, step.source, metadata, connection)
        let destination = try MigratingVersion(models.destination, step.destination, metadata, connection).schema
        guard let entityType = source.schema.entityType(named: batches.entityName) else {
            throw source.error(
                "'\(step.source)' has no entity '\(batches.entityName)', of which a stage is; is it misspelt?"
            )
        }
        guard
            let later = destination.entityTypes.first(where: { $0.entity.renamingIdentifier == batches.entityName })
        else { throw source.error("'\(step.destination)' has no entity that was '\(batches.entityName)'") }
        var fields: [Field] = []
        for name in batches.attributeNames {
            guard let field = later.field(named: name), field.columnName != nil, field.attribute != nil,
                field.kind.base != .external, field.attribute?.isDerived == false
            else {
                throw source.error(
                    "'\(name)' of '\(later.entity.name)' in '\(step.destination)' is no attribute that a batch can set: it must be stored, "
                        + "in the row, and not be derived"
                )
            }
            fields.append(field)
        }
        var columnsByTable: [String: [String]] = [:]
        for name in destination.model.subentityClosure(of: later.entity.name) {
            guard let type = destination.entityType(named: name) else { continue }
            columnsByTable[type.mapping.tableName] = batches.attributeNames.compactMap {
                type.field(named: $0)?.columnName
            }
        }
        self.step = step
        self.batches = batches
        self.source = source
        self.entityType = entityType
        self.fields = fields
        self.columnsByTable = columnsByTable
        tableName = "\(Self.prefix)\(number)_\(batches.entityName)"
    }

    // MARK: Computing

    /// What the values in the table are of; of others they are none.
    private var signature: String {
        let names = batches.attributeNames.joined(separator: ",")
        return "\(step.sourceHash) \(step.destinationHash) \(batches.revision) \(batches.entityName) \(names)"
    }

    /// Makes the table, unless it is there from before and has what is asked for.
    func prepare() throws(StoreError) {
        let key = "stage." + tableName
        let known = try connection.rows("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = ?", [.text(key)])
        if known != [[.text(signature)]] { try makeSideTable(key) }
        totalCount = Int(try connection.integer("SELECT count(*) FROM \(table) AS t WHERE \(condition)"))
        doneCount = totalCount - Int(try connection.integer("SELECT count(*) \(rowsToDo)"))
        (lastKey, passCount) = (0, 0)
    }

    private func makeSideTable(_ key: String) throws(StoreError) {
        let columns = fields.indices.map { "\"value\($0)\"" }
        try connection.execute(
            """
            SAVEPOINT "table";
            DROP TABLE IF EXISTS main.\(sideTable);
            CREATE TABLE main.\(sideTable) ("_id" INTEGER PRIMARY KEY, "version" INTEGER, \(columns.joined(separator: ", ")));
            """
        )
        try connection.run(
            "INSERT OR REPLACE INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)",
            [.text(key), .text(signature)]
        )
        try connection.execute("RELEASE \"table\"")
    }

    /// Computes the next objects that are new, or were changed since they were computed.
    /// - Returns: Whether there may be more. What others change while they are computed is left to the migration's own transaction.
    func computeNext(in place: Place, _ observer: MigrationObserver?) throws(StoreError) -> Bool {
        if place == .transaction { try connection.execute("BEGIN IMMEDIATE") }
        // Another program may have taken the store further.
        let isCurrent = try readMetadata(connection).versionHash == step.sourceHash
        let keys = isCurrent || place == .migration ? try nextKeys() : []
        if let last = keys.last {
            try compute(keys)
            lastKey = last.key
            doneCount += keys.count
        } else {
            lastKey = 0
            passCount += 1
        }
        if place == .transaction {
            try note(observer)
            try connection.execute("COMMIT")
        }
        return (isCurrent || place == .migration) && passCount < (place == .transaction ? 2 : 1)
    }

    private var table: String { quoteIdentifier(entityType.mapping.tableName) }

    /// The rows that are of the entity or below it.
    private var condition: String {
        guard entityType.mapping.isInHierarchy else { return "TRUE" }
        let names = source.schema.model.subentityClosure(of: batches.entityName).map { sqlLiteral(text: $0) }
        return "t.\"_entity\" IN (\(names.joined(separator: ", ")))"
    }

    private var rowsToDo: String {
        """
        FROM \(table) AS t LEFT JOIN main.\(sideTable) AS s ON s."_id" = t."_id" \
        WHERE \(condition) AND s."version" IS NOT t."_version"
        """
    }

    private func nextKeys() throws(StoreError) -> [ManagedObjectID] {
        let statement = try connection.statement(
            "SELECT t.\"_id\" \(rowsToDo) AND t.\"_id\" > ? ORDER BY t.\"_id\" LIMIT \(batches.size)"
        )
        defer { statement.reset() }
        statement.bind(lastKey, at: 1)
        var keys: [ManagedObjectID] = []
        while try statement.step() {
            keys.append(ManagedObjectID(entityType: entityType, key: statement.integer(at: 0)))
        }
        return keys
    }

    private func compute(_ keys: [ManagedObjectID]) throws(StoreError) {
        let names = ["\"_id\"", "\"version\""] + fields.indices.map { "\"value\($0)\"" }
        let marks = fields.map { _ in "?" }
        let sql = """
            INSERT OR REPLACE INTO main.\(sideTable) (\(names.joined(separator: ", "))) \
            SELECT "_id", "_version", \(marks.joined(separator: ", ")) FROM \(table) WHERE "_id" = ?
            """
        do {
            let request = try FetchRequest<ManagedObject>(entityName: batches.entityName)
                .where(format: "SELF IN %@", keys)
            for object in try source.context.fetch(request) {
                let values = try self.values(of: object)
                try connection.run(sql, values + [.integer(object.objectID.key)])
            }
            source.context.reset()
        } catch let error as StoreError {
            throw error
        } catch {
            throw source.error("the stage of '\(step.source)' to '\(step.destination)' failed: \(error)")
        }
    }

    private func values(of object: ManagedObject) throws -> [SQLValue] {
        let values = try batches.values(object)
        if let stray = values.keys.first(where: { !batches.attributeNames.contains($0) }) {
            throw source.error("a stage computes '\(stray)', which is none of its attributeNames")
        }
        return try fields.map { field in
            guard let value = values[field.name] ?? nil else { return .null }
            guard
                let fitting = AttributeValue(value, for: field.kind.base).flatMap({ convert($0, to: field.kind.base) })
                    .flatMap({ field.fitting($0) })
            else {
                throw source.error(
                    "a stage computes '\(field.name)' of \(object.objectID) as a \(type(of: value)), which is no "
                        + "\(field.attribute?.attributeType.rawValue ?? "value") or out of its range"
                )
            }
            return SQLValue(.attribute(fitting))
        }
    }

    private func note(_ observer: MigrationObserver?) throws(StoreError) {
        guard let observer else { return }
        try observer.note(
            MigrationProgress(
                source: step.source,
                destination: step.destination,
                phase: "objects of '\(batches.entityName)'",
                completedUnitCount: min(doneCount, totalCount),
                // The step itself is yet to come.
                totalUnitCount: totalCount + 1
            ),
            path: connection.path
        )
    }

    // MARK: Moving

    /// Writes the values into the tables of the destination, and drops those of the side.
    func move() throws(StoreError) {
        for (table, columns) in columnsByTable.sorted(by: { $0.key < $1.key }) where !columns.isEmpty {
            let assignments = columns.enumerated().map { "\(quoteIdentifier($1)) = s.\"value\($0)\"" }
            try connection.execute(
                """
                UPDATE \(quoteIdentifier(table)) SET \(assignments.joined(separator: ", ")) \
                FROM main.\(sideTable) AS s WHERE s."_id" = \(quoteIdentifier(table))."_id"
                """
            )
        }
    }

    /// Takes away all side tables, also those of a stage that the program has no longer.
    static func removeAll(_ connection: SQLiteConnection) throws(StoreError) {
        let rows = try connection.rows(
            "SELECT \"key\" FROM \"_metadata\" WHERE \"key\" LIKE 'stage.\\_stage\\_%' ESCAPE '\\'"
        )
        for row in rows {
            guard case .text(let key)? = row.first else { continue }
            try connection.execute(
                "DROP TABLE IF EXISTS main.\(quoteIdentifier(String(key.dropFirst("stage.".count))))"
            )
            try connection.run("DELETE FROM \"_metadata\" WHERE \"key\" = ?", [.text(key)])
        }
    }
}

extension ModelDefinition.Migration {
    /// Whether the program computes something of its objects in batches.
    func hasBatches(_ options: StoreOptions) -> Bool {
        stage != nil && options.migrationStages.contains { isOf($0) && $0.work.batches != nil }
    }

    /// The two versions of a step that has a stage.
    func models() throws(StoreError) -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
        guard let stage else { preconditionFailure("the step from '\(source)' to '\(destination)' has no stage") }
        return try stage.models()
    }
}
