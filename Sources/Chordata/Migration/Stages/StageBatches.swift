internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// The values that a batched stage has computed, in a side table of the store.
package final class StageBatches {
    package enum Place {
        /// A transaction for each batch.
        case transaction
        /// The transaction of the migration.
        case migration
    }

    private let step: ModelDefinition.Migration
    private let batches: MigrationStage.Batches
    private let source: MigratingVersion
    private let runtimeEntity: RuntimeEntity
    private let destinationMapping: SchemaMapping
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

    private var store: any StageStore { source.store }
    private var dialect: any SQLDialect { store.dialect }
    private var sideTable: String { store.qualifiedTable(tableName) }

    /// The batched stages of a step, when the store is at its source version.
    package static func all(of step: ModelDefinition.Migration, _ stages: [MigrationStage], _ store: any StageStore)
        throws(StoreError) -> [StageBatches]
    {
        guard step.hasBatches(stages) else { return [] }
        let metadata = try step.reportingStage(store) { try store.metadata() }
        var all: [StageBatches] = []
        for stage in stages where step.isOf(stage) {
            guard let batches = stage.work.batches else { continue }
            all.append(try StageBatches(batches, all.count, step, metadata, store))
        }
        return all
    }

    private init(
        _ batches: MigrationStage.Batches,
        _ number: Int,
        _ step: ModelDefinition.Migration,
        _ metadata: StoreMetadata,
        _ store: any StageStore
    ) throws(StoreError) {
        let models = try step.models()
        let source = MigratingVersion(models.source, step.source, metadata, store, isReadOnly: true)
        let destination = MigratingVersion(models.destination, step.destination, metadata, store).schema
        let match = ModelMatch(source: models.source, destination: models.destination)
        guard let runtimeEntity = source.schema.runtimeEntity(named: batches.entityName) else {
            throw store.error(
                "a batched stage names entity '\(batches.entityName)', which version '\(step.source)' does not have; correct its entityName"
            )
        }
        var destinations: [String: RuntimeEntity] = [:]
        var fields: [String: [Field]] = [:]
        for name in models.source.concreteEntities(of: batches.entityName) {
            guard let later = match.destinationEntity(of: name).flatMap({ destination.runtimeEntity(named: $0.name) })
            else {
                throw store.error(
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
                        throw store.error(
                            "'\(attribute)', which a batched stage sets, is not an attribute \(place); "
                                + "correct the stage's attributeNames"
                        )
                    }
                    throw store.error(
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
        destinationMapping = destination.mapping
        self.destinations = destinations
        self.fields = fields
        tableName = store.sideTableName("\(Self.prefix)\(number)_\(batches.entityName)")
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
    package func prepare(in place: Place) throws(StoreError) {
        (lastKey, passCount) = (0, 0)
        try transact(in: place) {
            if try !hasSideTable() { try makeSideTable() }
            totalCount = try count(of: "FROM \(table) AS \"row\" WHERE \(condition)")
            doneCount = totalCount - (try count(of: rowsToDo))
        }
    }

    private func count(of rows: String) throws -> Int {
        Int(try store.reader.readRow(of: StoreQuery("SELECT count(*) \(rows)")) { $0.integer(at: 0) } ?? 0)
    }

    /// Deletes the computed values.
    func forget() throws(StoreError) {
        _ = try step.reportingStage(store) { try store.transaction.run(StoreQuery("DELETE FROM \(sideTable)")) }
    }

    private var key: String { Self.keyPrefix + tableName }

    /// Returns a Boolean value that indicates whether the side table exists and has values of the same stage.
    private func hasSideTable() throws -> Bool {
        let query = StoreQuery(
            "SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = \(store.parameter)",
            .values([.attribute(.string(key))])
        )
        let known = try store.reader.readRow(of: query) { $0.text(at: 0) } ?? nil
        return try known == signature && store.hasTable(tableName)
    }

    private func makeSideTable() throws {
        let transaction = store.transaction
        let columns = try valueColumns.enumerated().map { "\"value\($0)\" \(try columnType(for: $1))" }
        try transaction.run(StoreQuery("DROP TABLE IF EXISTS \(sideTable)"))
        try transaction.run(
            StoreQuery(
                "CREATE TABLE \(sideTable) (\"_id\" \(store.keyType) PRIMARY KEY, \"version\" \(store.keyType), "
                    + "\(columns.joined(separator: ", ")))"
            )
        )
        try transaction.run(
            StoreQuery(
                "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES (\(dialect.parameters(1...2))) "
                    + "ON CONFLICT (\"key\") DO UPDATE SET \"value\" = excluded.\"value\"",
                .values([.attribute(.string(key)), .attribute(.string(signature))])
            )
        )
    }

    /// The attribute of each value column, in all entities.
    private var valueColumns: [[(field: Field, entity: RuntimeEntity)]] {
        batches.attributeNames.indices.map { index in
            destinations.orderedByKey.compactMap { name, entity in fields[name].map { ($0[index], entity) } }
        }
    }

    private func columnType(for column: [(field: Field, entity: RuntimeEntity)]) throws -> String {
        let types = Set(column.map { store.sideColumnType(of: $0.field, $0.entity, destinationMapping) })
        guard types.count < 2 else {
            let names = column.map { "'\($0.field.name)' of '\($0.entity.entity.name)'" }.joined(separator: " and ")
            throw store.error(
                "a batched stage sets attributes of different types (\(names)); for a store on a server, write a stage for "
                    + "each entity"
            )
        }
        // An abstract entity without concrete subentities has no objects.
        return types.first ?? store.keyType
    }

    /// Runs a closure in a transaction, unless another program has migrated the store further in the meantime.
    private func transact(in place: Place, _ body: () throws -> Void) throws(StoreError) {
        try step.reportingStage(store) {
            guard place == .transaction else { return try body() }
            try store.writeBatch { if try isCurrent() { try body() } }
        }
    }

    private func isCurrent() throws -> Bool { try store.metadata().versionHash == step.sourceHash }

    // MARK: Computing

    /// The values that were computed for one object.
    private struct ComputedObject {
        var key: Int64
        var version: Int64
        var values: [PredicateValue]
    }

    private struct ComputedBatch {
        var rows: [(key: Int64, version: Int64)]
        var objects: [ComputedObject]
    }

    /// Computes the values of the next objects that are new or were changed since the last computation, without
    /// blocking other programs.
    /// - Returns: `true` if there may be more objects. Objects that other programs change during the computation are
    ///   left to the migration's own transaction.
    package func computeNext(in place: Place, _ observer: MigrationObserver?) throws(StoreError) -> Bool {
        guard place == .transaction else { return try computeRows(in: place, observer) }
        do throws(StoreError) {
            return try computeRows(in: place, observer)
        } catch {
            // Another program may have migrated the store between two statements.
            guard try isCurrentBeforeMigration() else { return false }
            throw error
        }
    }

    private func isCurrentBeforeMigration() throws(StoreError) -> Bool {
        try step.reportingStage(store) {
            var result = false
            try store.readBatch { result = try isCurrent() }
            return result
        }
    }

    private func computeRows(in place: Place, _ observer: MigrationObserver?) throws(StoreError) -> Bool {
        let batch = try step.reportingStage(store) { () -> ComputedBatch? in
            guard place == .transaction else { return try nextBatch(observer) }
            var batch: ComputedBatch?
            try store.readBatch { if try isCurrent() { batch = try nextBatch(observer) } }
            return batch
        }
        // Otherwise another program has migrated the store.
        guard let batch else { return false }
        if let last = batch.rows.last {
            try transact(in: place) {
                guard try hasSideTable() else {
                    throw store.error(
                        "another program computes different values for the stage from '\(step.source)' to "
                            + "'\(step.destination)' at the same time; let only one of them migrate the store"
                    )
                }
                try write(batch.objects)
            }
            lastKey = last.key
            doneCount += batch.rows.count
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
        guard runtimeEntity.mapping.isInHierarchy else { return dialect.condition(true) }
        let names = source.schema.model.subentityClosure(of: batches.entityName).map { sqlLiteral(text: $0) }
        return "\"row\".\"_entity\" IN (\(names.joined(separator: ", ")))"
    }

    private var rowsToDo: String {
        """
        FROM \(table) AS "row" LEFT JOIN \(sideTable) AS "done" ON "done"."_id" = "row"."_id" \
        WHERE \(condition) AND \(dialect.areDifferent("\"done\".\"version\"", "\"row\".\"_version\""))
        """
    }

    private func nextRows() throws -> [(key: Int64, version: Int64)] {
        let query = StoreQuery(
            """
            SELECT "row"."_id", "row"."_version" \(rowsToDo) AND "row"."_id" > \(store.parameter) \
            ORDER BY "row"."_id" LIMIT \(batches.size)
            """,
            .key(lastKey)
        )
        var rows: [(key: Int64, version: Int64)] = []
        try store.reader.forEachRow(of: query) { rows.append(($0.integer(at: 0), $0.integer(at: 1))) }
        return rows
    }

    private func nextBatch(_ observer: MigrationObserver?) throws -> ComputedBatch {
        let rows = try nextRows()
        guard !rows.isEmpty else { return ComputedBatch(rows: [], objects: []) }
        // The versions were read before the objects, so an object that was changed in between has a newer version.
        let versions = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.version) })
        let keys = rows.map { ManagedObjectID(runtimeEntity: runtimeEntity, key: $0.key) }
        let request = try FetchRequest<ManagedObject>(entityName: batches.entityName).where(format: "SELF IN %@", keys)
        var computed: [ComputedObject] = []
        for object in try source.context.fetch(request) {
            try observer?.requireGoingOn(path: store.path)
            let key = object.objectID.key
            computed.append(ComputedObject(key: key, version: versions[key] ?? -1, values: try values(of: object)))
        }
        source.context.reset()
        return ComputedBatch(rows: rows, objects: computed)
    }

    private func values(of object: ManagedObject) throws -> [PredicateValue] {
        let values = try batches.values(object)
        if let unknownName = values.keys.first(where: { !batches.attributeNames.contains($0) }) {
            throw store.error(
                "a stage returns a value of '\(unknownName)', which is not in its attributeNames; add the name, or leave out the value"
            )
        }
        guard let fields = fields[object.objectID.entityName] else {
            throw store.error(
                "\(object.objectID) is of an abstract entity; another program wrote its row; correct or delete the row"
            )
        }
        return try fields.map { field in
            guard let value = values[field.name] ?? nil else {
                guard field.attribute?.isOptional == false else { return .null }
                throw store.error(
                    "a stage returns no value of '\(field.name)' of \(object.objectID), but the attribute is required; "
                        + "return a value for each object"
                )
            }
            let fitting = AttributeValue(value, for: field.kind.base).flatMap { convert($0, to: field.kind.base) }
                .flatMap { field.fitting($0) }
            guard let fitting else {
                throw store.error(
                    "a stage returns a value of '\(field.name)' of \(object.objectID) as a \(type(of: value)), which "
                        + "is not a valid \(field.attribute?.attributeType.rawValue ?? "value") or is out of range"
                )
            }
            return .attribute(fitting)
        }
    }

    private func write(_ computed: [ComputedObject]) throws {
        let values = batches.attributeNames.indices.map { "\"value\($0)\"" }
        let names = ["\"_id\"", "\"version\""] + values
        let updates = names.dropFirst().map { "\($0) = excluded.\($0)" }
        let sql =
            "INSERT INTO \(sideTable) (\(names.joined(separator: ", "))) VALUES (\(dialect.parameters(1...names.count))) "
            + "ON CONFLICT (\"_id\") DO UPDATE SET \(updates.joined(separator: ", "))"
        try store.transaction.run(sql, times: computed.count) { index in
            let object = computed[index]
            return [.attribute(.integer(object.key)), .attribute(.integer(object.version))] + object.values
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
            path: store.path
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
            let query = StoreQuery(sql)
            _ = try step.reportingStage(store) { try store.transaction.run(query) }
        }
    }

    /// Removes all side tables, including those of a stage that the program no longer has.
    package static func removeAll(_ store: any StageStore) throws {
        let query = StoreQuery(
            "SELECT \"key\" FROM \"_metadata\" WHERE \"key\" LIKE '\(keyPrefix)\\_stage\\_%' ESCAPE '\\'"
        )
        var keys: [String] = []
        try store.reader.forEachRow(of: query) { if let key = $0.text(at: 0) { keys.append(key) } }
        for key in keys {
            let table = store.qualifiedTable(String(key.dropFirst(keyPrefix.count)))
            try store.transaction.run(StoreQuery("DROP TABLE IF EXISTS \(table)"))
            try store.transaction.run(
                StoreQuery(
                    "DELETE FROM \"_metadata\" WHERE \"key\" = \(store.parameter)",
                    .values([.attribute(.string(key))])
                )
            )
        }
    }
}

extension ModelDefinition.Migration {
    /// Returns a Boolean value that indicates whether the program has a batched stage for the step.
    package func hasBatches(_ stages: [MigrationStage]) -> Bool {
        stage != nil && stages.contains { isOf($0) && $0.work.batches != nil }
    }

    /// Returns the two model versions of a step that has a stage.
    func models() throws(StoreError) -> (source: ManagedObjectModel, destination: ManagedObjectModel) {
        guard let stage else { preconditionFailure("the step from '\(source)' to '\(destination)' has no stage") }
        return try stage.models()
    }
}
