internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// The values that a batched stage has computed, in a side table of the store.
final class StageBatches {
    enum Place {
        /// A transaction for each batch.
        case transaction
        /// The transaction of the migration.
        case migration
    }

    private let step: ModelDefinition.Migration
    private let batches: MigrationStage.Batches
    private let source: MigratingVersion
    private let runtimeEntity: RuntimeEntity
    /// The destination entities of the concrete source entities, by the names of the source entities.
    private let destinations: [String: RuntimeEntity]
    /// The attributes that the stage sets, by the names of the source entities: sibling entities may have different
    /// attributes of the same name.
    private let fields: [String: [Field]]
    private let tableName: String
    /// The key of the last row of the previous batch.
    private var lastKey: Int64 = 0
    /// The number of passes over all rows.
    private var passCount = 0
    private var doneCount = 0
    private var totalCount = 0

    private static let prefix = "_stage_"
    private static let keyPrefix = "stage."

    private var connection: SQLiteConnection { source.connection }
    private var sideTable: String { "main.\(quoteIdentifier(tableName))" }

    /// The batched stages of a step.
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
        let source = try MigratingVersion(models.source, step.source, metadata, connection, isReadOnly: true)
        let destination = try MigratingVersion(models.destination, step.destination, metadata, connection).schema
        let match = ModelMatch(source: models.source, destination: models.destination)
        guard let runtimeEntity = source.schema.runtimeEntity(named: batches.entityName) else {
            throw source.error(
                "a batched stage names entity '\(batches.entityName)', which version '\(step.source)' does not have; correct its entityName"
            )
        }
        var destinations: [String: RuntimeEntity] = [:]
        var fields: [String: [Field]] = [:]
        for name in models.source.concreteEntities(of: batches.entityName) {
            guard let later = match.destinationEntity(of: name).flatMap({ destination.runtimeEntity(named: $0.name) })
            else {
                throw source.error(
                    "a batched stage computes values of entity '\(name)', which has no counterpart in version '\(step.destination)'; name an entity that both versions have"
                )
            }
            destinations[name] = later
            fields[name] = try batches.attributeNames.map { attribute throws(StoreError) in
                guard let field = later.field(named: attribute), field.columnName != nil, field.attribute != nil,
                    field.kind.base != .external, field.attribute?.isDerived == false
                else {
                    let place = "of '\(later.entity.name)' in version '\(step.destination)'"
                    // A composite has no field; its elements have fields.
                    guard later.field(named: attribute) != nil || later.entity.attribute(named: attribute) != nil else {
                        throw source.error(
                            "'\(attribute)', which a batched stage sets, is not an attribute \(place); "
                                + "correct the stage's attributeNames"
                        )
                    }
                    throw source.error(
                        "a batched stage cannot set '\(attribute)' \(place): it must be an attribute that is "
                            + "not composite, not transient, not derived and not in external storage"
                    )
                }
                return field
            }
        }
        self.step = step
        self.batches = batches
        self.source = source
        self.runtimeEntity = runtimeEntity
        self.destinations = destinations
        self.fields = fields
        tableName = "\(Self.prefix)\(number)_\(batches.entityName)"
    }

    deinit { source.end() }

    // MARK: The table

    /// A text that identifies the inputs of the computed values; values that were computed from other inputs are not
    /// valid.
    private var signature: String {
        let names = batches.attributeNames.joined(separator: ",")
        return "\(step.sourceHash) \(step.destinationHash) \(batches.revision) \(batches.entityName) \(names)"
    }

    /// Creates the side table, unless it exists and has values of the same stage.
    func prepare(in place: Place) throws(StoreError) {
        (lastKey, passCount) = (0, 0)
        try transact(in: place) { () throws(StoreError) in
            if try !hasSideTable() { try makeSideTable() }
            totalCount = Int(try connection.integer("SELECT count(*) FROM \(table) AS \"row\" WHERE \(condition)"))
            doneCount = totalCount - Int(try connection.integer("SELECT count(*) \(rowsToDo)"))
        }
    }

    /// Deletes the computed values.
    func forget() throws(StoreError) { try connection.execute("DELETE FROM \(sideTable)") }

    private var key: String { Self.keyPrefix + tableName }

    /// Returns a Boolean value that indicates whether the side table exists and has values of the same stage.
    private func hasSideTable() throws(StoreError) -> Bool {
        let known = try connection.rows(
            "SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = ?1 AND EXISTS (SELECT 1 FROM sqlite_schema WHERE \"name\" = ?2)",
            [.text(key), .text(tableName)]
        )
        return known == [[.text(signature)]]
    }

    private func makeSideTable() throws(StoreError) {
        let columns = batches.attributeNames.indices.map { "\"value\($0)\"" }
        try connection.execute("DROP TABLE IF EXISTS \(sideTable)")
        try connection.execute(
            "CREATE TABLE \(sideTable) (\"_id\" INTEGER PRIMARY KEY, \"version\" INTEGER, \(columns.joined(separator: ", ")))"
        )
        try connection.run(
            "INSERT OR REPLACE INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)",
            [.text(key), .text(signature)]
        )
    }

    /// Runs a closure in a transaction, unless another program has migrated the store further in the meantime.
    private func transact(in place: Place, _ body: () throws(StoreError) -> Void) throws(StoreError) {
        guard place == .transaction else { return try body() }
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            if try isCurrent() { try body() }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }

    private func isCurrent() throws(StoreError) -> Bool {
        try readMetadata(connection).versionHash == step.sourceHash
    }

    // MARK: Computing

    /// The values that were computed for one object.
    private struct ComputedObject {
        var key: Int64
        var version: Int64
        var values: [SQLValue]
    }

    /// Computes the values of the next objects that are new or were changed since the last computation, without
    /// blocking other programs.
    /// - Returns: `true` if there may be more objects. Objects that other programs change during the computation are
    ///   left to the migration's own transaction.
    func computeNext(in place: Place, _ observer: MigrationObserver?) throws(StoreError) -> Bool {
        guard place == .transaction else { return try computeRows(in: place, observer) }
        guard try isCurrent() else { return false }
        do throws(StoreError) {
            return try computeRows(in: place, observer)
        } catch {
            // Another program may have migrated the store between two statements.
            guard try isCurrent() else { return false }
            throw error
        }
    }

    private func computeRows(in place: Place, _ observer: MigrationObserver?) throws(StoreError) -> Bool {
        let rows = try nextRows()
        if let last = rows.last {
            let computed = try compute(rows, observer)
            try transact(in: place) { () throws(StoreError) in
                guard try hasSideTable() else {
                    throw source.error(
                        "another program computes different values for the stage from '\(step.source)' to "
                            + "'\(step.destination)' at the same time; let only one of them migrate the store"
                    )
                }
                try write(computed)
            }
            lastKey = last.key
            doneCount += rows.count
        } else {
            lastKey = 0
            passCount += 1
        }
        try report(observer)
        return passCount < (place == .transaction ? 2 : 1)
    }

    private var table: String { quoteIdentifier(runtimeEntity.mapping.tableName) }

    /// The condition for the rows of the entity and of its subentities.
    private var condition: String {
        guard runtimeEntity.mapping.isInHierarchy else { return "TRUE" }
        let names = source.schema.model.subentityClosure(of: batches.entityName).map { sqlLiteral(text: $0) }
        return "\"row\".\"_entity\" IN (\(names.joined(separator: ", ")))"
    }

    private var rowsToDo: String {
        """
        FROM \(table) AS "row" LEFT JOIN \(sideTable) AS "done" ON "done"."_id" = "row"."_id" \
        WHERE \(condition) AND "done"."version" IS NOT "row"."_version"
        """
    }

    private func nextRows() throws(StoreError) -> [(key: Int64, version: Int64)] {
        let statement = try connection.statement(
            """
            SELECT "row"."_id", "row"."_version" \(rowsToDo) AND "row"."_id" > ? \
            ORDER BY "row"."_id" LIMIT \(batches.size)
            """
        )
        defer { statement.reset() }
        statement.bind(lastKey, at: 1)
        var rows: [(key: Int64, version: Int64)] = []
        while try statement.step() { rows.append((statement.integer(at: 0), statement.integer(at: 1))) }
        return rows
    }

    private func compute(_ rows: [(key: Int64, version: Int64)], _ observer: MigrationObserver?) throws(StoreError)
        -> [ComputedObject]
    {
        // The versions were read before the objects, so an object that was changed in between has a newer version.
        let versions = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.version) })
        do {
            let keys = rows.map { ManagedObjectID(runtimeEntity: runtimeEntity, key: $0.key) }
            let request = try FetchRequest<ManagedObject>(entityName: batches.entityName)
                .where(format: "SELF IN %@", keys)
            var computed: [ComputedObject] = []
            for object in try source.context.fetch(request) {
                try observer?.requireGoingOn(path: connection.path)
                let key = object.objectID.key
                computed.append(
                    ComputedObject(key: key, version: versions[key] ?? -1, values: try values(of: object))
                )
            }
            source.context.reset()
            return computed
        } catch let error as StoreError {
            throw error
        } catch {
            throw source.error("the stage from '\(step.source)' to '\(step.destination)' failed: \(error)")
        }
    }

    private func values(of object: ManagedObject) throws -> [SQLValue] {
        let values = try batches.values(object)
        if let unknownName = values.keys.first(where: { !batches.attributeNames.contains($0) }) {
            throw source.error(
                "a stage returns a value of '\(unknownName)', which is not in its attributeNames; add the name, or leave out the value"
            )
        }
        guard let fields = fields[object.objectID.entityName] else {
            throw source.error(
                "\(object.objectID) is of an abstract entity; another program wrote its row; correct or delete the row"
            )
        }
        return try fields.map { field in
            guard let value = values[field.name] ?? nil else {
                guard field.attribute?.isOptional == false else { return .null }
                throw source.error(
                    "a stage returns no value of '\(field.name)' of \(object.objectID), but the attribute is required; "
                        + "return a value for each object"
                )
            }
            let fitting = AttributeValue(value, for: field.kind.base).flatMap { convert($0, to: field.kind.base) }
                .flatMap { field.fitting($0) }
            guard let fitting else {
                throw source.error(
                    "a stage returns a value of '\(field.name)' of \(object.objectID) as a \(type(of: value)), which "
                        + "is not a valid \(field.attribute?.attributeType.rawValue ?? "value") or is out of range"
                )
            }
            return SQLValue(.attribute(fitting))
        }
    }

    private func write(_ computed: [ComputedObject]) throws(StoreError) {
        let names = ["\"_id\"", "\"version\""] + batches.attributeNames.indices.map { "\"value\($0)\"" }
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let sql = "INSERT OR REPLACE INTO \(sideTable) (\(names.joined(separator: ", "))) VALUES (\(marks))"
        for object in computed {
            try connection.run(sql, [.integer(object.key), .integer(object.version)] + object.values)
        }
    }

    private func report(_ observer: MigrationObserver?) throws(StoreError) {
        try observer?.report(
            MigrationProgress(
                source: step.source,
                destination: step.destination,
                phase: "objects of '\(batches.entityName)'",
                completedUnitCount: min(doneCount, totalCount),
                // The step itself follows.
                totalUnitCount: totalCount + 1
            ),
            path: connection.path
        )
    }

    // MARK: Moving

    /// The table and the columns of the attributes in the destination version.
    private struct Target: Hashable {
        var table: String
        var columns: [String]
    }

    /// Writes the values into the tables of the destination.
    func move() throws(StoreError) {
        var entities: [Target: [RuntimeEntity]] = [:]
        for (name, entity) in destinations.orderedByKey {
            let columns = (fields[name] ?? []).compactMap(\.columnName)
            entities[Target(table: entity.mapping.tableName, columns: columns), default: []].append(entity)
        }
        for (target, entities) in entities.ordered(by: {
            ($0.key.table, $0.value[0].entity.name) < ($1.key.table, $1.value[0].entity.name)
        })
        where !target.columns.isEmpty {
            let assignments = target.columns.enumerated().map { "\(quoteIdentifier($1)) = \"_done\".\"value\($0)\"" }
            // No entity has a name that begins with an underscore.
            var sql = """
                UPDATE \(quoteIdentifier(target.table)) AS "_row" SET \(assignments.joined(separator: ", ")) \
                FROM \(sideTable) AS "_done" WHERE "_done"."_id" = "_row"."_id"
                """
            if entities[0].mapping.isInHierarchy {
                let names = entities.map { sqlLiteral(text: $0.entity.name) }
                sql += " AND \"_row\".\"_entity\" IN (\(names.joined(separator: ", ")))"
            }
            try connection.execute(sql)
        }
    }

    /// Removes all side tables, including those of a stage that the program no longer has.
    static func removeAll(_ connection: SQLiteConnection) throws(StoreError) {
        let rows = try connection.rows(
            "SELECT \"key\" FROM \"_metadata\" WHERE \"key\" LIKE '\(keyPrefix)\\_stage\\_%' ESCAPE '\\'"
        )
        for row in rows {
            guard case .text(let key)? = row.first else { continue }
            let table = String(key.dropFirst(keyPrefix.count))
            try connection.execute("DROP TABLE IF EXISTS main.\(quoteIdentifier(table))")
            try connection.run("DELETE FROM \"_metadata\" WHERE \"key\" = ?", [.text(key)])
        }
    }
}

extension ModelDefinition.Migration {
    /// Returns a Boolean value that indicates whether the program has a batched stage for the step.
    func hasBatches(_ options: StoreOptions) -> Bool {
        stage != nil && options.migrationStages.contains { isOf($0) && $0.work.batches != nil }
    }

    /// Returns the two model versions of a step that has a stage.
    func models() throws(StoreError) -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
        guard let stage else { preconditionFailure("the step from '\(source)' to '\(destination)' has no stage") }
        return try stage.models()
    }
}
