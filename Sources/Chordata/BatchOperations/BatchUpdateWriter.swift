internal import ChordataPredicate
internal import ChordataSQL

/// Runs the statements of a batch update, within a transaction.
struct BatchUpdateWriter {
    let schema: StoreSchema
    let transaction: StoreTransaction
    /// The progress to which the number of rows is reported; `nil` if there is no progress.
    var progress: OperationProgress?
    /// Evaluates predicates and expressions that the SQL of a server cannot evaluate; `nil` for SQLite.
    var evaluator: RowEvaluator?

    /// - Parameters:
    ///   - origin: The names that the persistent history attributes the update to.
    ///   - computesInSQL: Whether an UPDATE statement may compute new values; otherwise they are computed before the
    ///     rows are written.
    /// - Throws: ``InvalidComputedValue`` if a statement has computed a value that its attribute cannot have.
    func write(_ update: BoundBatchUpdate, _ origin: SaveOrigin, computesInSQL: Bool) throws -> BatchUpdateResult {
        // If there are several stores, only those with matching rows need the destination.
        if schema.partition == nil { try requireDestinations(update) }
        var values = update.columnValues(in: schema)
        if !computesInSQL, values?.contains(where: \.value.isComputed) == true { values = nil }
        if let values, let keys = try writeWithoutReading(update, values) {
            let rows = keys.isEmpty ? [:] : [update.type.index: keys]
            try recordHistory(update, rows, followers: [:], origin)
            return BatchUpdateResult(updatedObjectsCount: keys.count, rows: schema.rowKeys(rows))
        }
        var rows = try transaction.reader.readKeys(of: update.bound, in: schema)
        let count = rows.values.reduce(0) { $0 + $1.count }
        if count > 0 {
            progress?.expectMore(count)
            if schema.partition != nil { try requireDestinations(update) }
            let derivations = try makeDerivations(update, rows)
            if let values {
                try writeInOneStatement(values, of: update, to: count)
            } else {
                try writeComputed(update)
            }
            let followers = try derive(derivations, for: update)?.mapValues { Array($0.keys) } ?? [:]
            try recordHistory(update, rows, followers: followers, origin)
            rows.merge(followers) { Set($0).union($1).sorted() }
        }
        return BatchUpdateResult(
            updatedObjectsCount: count,
            rows: schema.rowKeys(rows)
        )
    }

    private func recordHistory(
        _ update: BoundBatchUpdate,
        _ rows: [Int: [Int64]],
        followers: [Int: [Int64]],
        _ origin: SaveOrigin
    ) throws {
        guard transaction.tracksHistory, !rows.isEmpty else { return }
        var history = HistoryChanges()
        var assigned = PropertyMask()
        for assignment in update.assignments { assigned.insert(assignment.field.index) }
        try history.addUpdates(of: rows, in: schema, transaction.reader) { _ in assigned }
        try history.addUpdates(of: followers, in: schema, transaction.reader, fields: \.derivedMask)
        try transaction.recordHistory(history, origin)
    }

    private func derive(_ derivations: StoredDerivations?, for update: BoundBatchUpdate) throws -> [Int: [Int64: Int]]?
    {
        do {
            return try derivations?.derive()
        } catch let error as UncomputableDerivation {
            throw BatchUpdateError.notUpdatable(
                Set(update.assignments.map(\.field.name)).ordered(by: <).joined(separator: "', '"),
                entityName: update.type.entity.name,
                reason:
                    "cannot be updated, because this requires a new value of the derived attribute '\(error.attributeName)' of '\(error.entityName)', which "
                    + "SQL cannot compute"
            )
        }
    }

    /// Prepares the derived attributes that depend on rows to be written; returns `nil` if nothing is derived.
    private func makeDerivations(_ update: BoundBatchUpdate, _ rows: [Int: [Int64]]) throws -> StoredDerivations? {
        guard schema.hasDerivations else { return nil }
        let names = Set(update.assignments.map(\.field.name))
        var derivations = StoredDerivations(self, try schema.derivations(), rows, assigned: names)
        if update.assignments.contains(where: { $0.field.relationship != nil }) {
            try derivations.readFormerOwners(of: rows)
        }
        return derivations
    }

    private func requireDestinations(_ update: BoundBatchUpdate) throws {
        for assignment in update.assignments { try requireDestination(of: assignment, in: update.type) }
    }

    /// Checks that a to-one relationship is set to an existing row of its destination entity.
    private func requireDestination(of assignment: BoundBatchUpdate.Assignment, in type: RuntimeEntity) throws {
        guard case .constant(.object(let object)) = assignment.value,
            let relationship = type.relationships[assignment.field.index]
        else { return }
        let destination = schema.runtimeEntities[relationship.destination].entity
        if type.storeIdentity.contains(object), object.rootEntityName == destination.rootEntityName {
            let fragment = renderCount(
                .isObject(of: destination.name, among: [.object(object)]),
                entityName: destination.name,
                in: schema.mapping,
                schema.dialect
            )
            let count = try transaction.reader.readRow(of: StoreQuery(fragment)) { $0.integer(at: 0) }
            if count ?? 0 > 0 { return }
        }
        throw BatchUpdateError.unknownDestination(
            assignment.field.name,
            entityName: type.entity.name,
            destinationEntityName: destination.name
        )
    }

    /// Updates rows with one statement, which also returns the keys of these rows.
    /// - Returns: The keys of the rows, in ascending order; `nil` if nothing was written, because the keys or the
    ///   values have to be read first.
    private func writeWithoutReading(
        _ update: BoundBatchUpdate,
        _ values: [(column: String, value: ColumnValue)]
    ) throws -> [Int64]? {
        let projection = schema.projection(of: update.type)
        guard schema.partition == nil, !schema.hasDerivations, projection.entityColumn == nil,
            update.bound.limit == 0, update.bound.offset == 0,
            try !transaction.hasTriggers(onTableNamed: projection.tableName)
        else { return nil }
        let query = query(of: update, values, isRolledBackIfItFails: true)
        var keys = try requiringValidValues(values) { try transaction.updatedKeys(by: query) }
        if zip(keys, keys.dropFirst()).contains(where: >) { keys.sort() }
        return keys
    }

    private func writeInOneStatement(
        _ values: [(column: String, value: ColumnValue)],
        of update: BoundBatchUpdate,
        to count: Int
    ) throws {
        let hasTriggers = try transaction.hasTriggers(onTableNamed: schema.projection(of: update.type).tableName)
        let query = query(of: update, values, isRolledBackIfItFails: !hasTriggers)
        let written = try requiringValidValues(values) { try transaction.run(query) }
        try transaction.requireCount(written, of: update.type, expected: count)
    }

    private func query(
        of update: BoundBatchUpdate,
        _ values: [(column: String, value: ColumnValue)],
        isRolledBackIfItFails: Bool
    ) -> StoreQuery {
        StoreQuery(
            renderUpdate(
                values,
                where: update.bound.predicate,
                asksOtherRows: update.bound.predicate?.crossesRelationships == true,
                isRolledBackIfItFails: isRolledBackIfItFails,
                entityName: update.type.entity.name,
                in: schema.mapping,
                schema.dialect,
                includesSubentities: update.bound.includesSubentities
            )
        )
    }

    /// - Throws: ``InvalidComputedValue`` if the check of a computed value has failed.
    private func requiringValidValues<Result>(
        _ values: [(column: String, value: ColumnValue)],
        _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let error as StoreError
            where error.violation == .mistypedValue && values.contains(where: \.value.isComputed)
        {
            throw InvalidComputedValue()
        }
    }

    /// Computes the values of all rows from their current state, and then writes them, row by row.
    private func writeComputed(_ update: BoundBatchUpdate) throws {
        var columns: [ComputedColumn] = []
        var constants: [(column: String, value: PredicateValue)] = []
        for assignment in update.assignments {
            switch assignment.value {
            case .constant(let value): constants.append((assignment.columnName, value))
            case .computed(let expression): columns.append(ComputedColumn(assignment.field, expression))
            }
        }
        let rows = try compute(
            columns,
            of: update.type,
            where: update.bound.predicate,
            includesSubentities: update.bound.includesSubentities
        )
        _ = try write(rows, and: constants, of: update.type, ifDifferent: false)
    }
}

/// An error that is thrown when a statement has computed a value that its attribute cannot have: the transaction is
/// rolled back, and another transaction reads the values before it writes them, which finds the object with the value.
struct InvalidComputedValue: Error {}

/// An attribute and the expression that computes it.
struct ComputedColumn {
    let field: Field
    let expression: BoundExpression

    init(_ field: Field, _ expression: BoundExpression) { (self.field, self.expression) = (field, expression) }
}

/// The new values of rows' attributes.
struct ComputedUpdates {
    let columnNames: [String]
    var keys: [Int64] = []
    /// The values of the first row, then the values of the second row, and so on.
    var values: [PredicateValue] = []

    init(columns: [ComputedColumn]) { columnNames = columns.compactMap(\.field.columnName) }
}

extension BatchUpdateWriter {
    /// Computes attributes of all rows that meet a condition.
    func compute(
        _ columns: [ComputedColumn],
        of type: RuntimeEntity,
        where predicate: BoundPredicate?,
        includesSubentities: Bool
    ) throws -> ComputedUpdates {
        if let evaluator, evaluator.isNeeded(for: columns) {
            return try evaluator.compute(
                columns,
                of: type,
                where: predicate,
                includesSubentities: includesSubentities,
                transaction.reader
            )
        }
        let inputs = columns.reduce(into: Set<BoundKeyPath>()) { $0.formUnion($1.expression.groupedKeyPaths) }
            .filter { $0.attribute?.isStoredExternally == false }
        let fragment = renderValueQuery(
            ValueQuery(
                columns: columns.map { .expression($0.expression) } + inputs.map { .keyPath($0) },
                groups: nil,
                having: nil,
                isDistinct: false
            ),
            predicate,
            entityName: type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: includesSubentities
        )
        var rows = ComputedUpdates(columns: columns)
        try transaction.reader.forEachRow(of: StoreQuery(fragment)) { row in
            let key = row.integer(at: 0)
            rows.keys.append(key)
            for (index, column) in columns.enumerated() {
                let value = column.field.stored(computed: row.argument(at: Int32(index + 1)).computedValue)
                guard let value, value != .null || !column.field.isRequired else {
                    throw column.field.error(of: value, for: try objectID(ofRow: key, type))
                }
                rows.values.append(value)
            }
            for (index, input) in inputs.enumerated() {
                let place = Int32(index + columns.count + 1)
                guard let attribute = input.attribute, !row.isNull(at: place),
                    row.attribute(attribute, at: place) == nil
                else { continue }
                // Computing from it would replace a value that another program wrote.
                row.forgetUnreadable()
                throw UnreadableValueError(
                    objectID: try objectID(ofRow: key, type),
                    attributeName: input.keyPath,
                    typeName: attribute.attributeType.rawValue
                )
            }
        }
        return rows
    }

    /// Returns the object ID of a row, with the entity of the row, which can be a subentity.
    private func objectID(ofRow key: Int64, _ type: RuntimeEntity) throws -> ManagedObjectID {
        let reference = ManagedObjectID(runtimeEntity: type, key: key).predicateArgumentValue.value
        var bound = try BoundFetchRequest(FetchRequest<ManagedObject>(entityName: type.entity.name), in: schema)
        bound.predicate = .isObject(of: type.entity.name, among: [reference])
        let index = try transaction.reader.readKeys(of: bound, in: schema).keys.first ?? type.index
        return ManagedObjectID(runtimeEntity: schema.runtimeEntities[index], key: key)
    }

    /// Writes rows, one by one.
    /// - Parameter ifDifferent: Whether rows that already have the values are left unchanged.
    /// - Returns: The keys of the rows that were written.
    func write(
        _ rows: ComputedUpdates,
        and constants: [(column: String, value: PredicateValue)] = [],
        of type: RuntimeEntity,
        ifDifferent: Bool
    ) throws -> [Int64] {
        try freeUniqueValues(of: rows, type)
        let sql = renderRowUpdate(
            rows.columnNames + constants.map(\.column),
            ifDifferent: ifDifferent,
            entityName: type.entity.name,
            in: schema.mapping,
            schema.dialect
        )
        let width = rows.columnNames.count
        let constantValues = constants.map(\.value)
        let counts = try transaction.run(sql, times: rows.keys.count) { row in
            [.attribute(.integer(rows.keys[row]))] + rows.values[row * width..<(row + 1) * width] + constantValues
        }
        var written: [Int64] = []
        for (key, count) in zip(rows.keys, counts) {
            if !ifDifferent { try transaction.requireCount(count, of: type, expected: 1) }
            if count > 0 { written.append(key) }
        }
        return written
    }

    /// Removes unique values from rows that get other values, so that the new values can be written in any order.
    private func freeUniqueValues(of rows: ComputedUpdates, _ type: RuntimeEntity) throws {
        let unique = schema.uniqueColumnNames(of: type)
        let width = rows.columnNames.count
        for (place, column) in rows.columnNames.enumerated() where unique.contains(column) {
            let sql = renderFreeing(column, entityName: type.entity.name, in: schema.mapping, schema.dialect)
            try transaction.run(sql, times: rows.keys.count) { row in
                [.attribute(.integer(rows.keys[row])), rows.values[row * width + place]]
            }
        }
    }
}

extension StoreReader {
    /// Returns the keys of the rows that a request selects, in the order of the request, by entity type.
    func readKeys(of bound: BoundFetchRequest, in schema: StoreSchema) throws -> [Int: [Int64]] {
        try schema.requireOrder(of: bound)
        let projection = schema.projection(of: bound.type)
        let fragment = bound.fragment(reading: projection.identitySelectList, where: bound.predicate, in: schema)
        return try readKeys(of: StoreQuery(fragment), projection)
    }

    /// Returns the keys of the rows that a query returns with their identity, in its order, by entity type.
    func readKeys(of query: StoreQuery, _ projection: Projection) throws -> [Int: [Int64]] {
        var keys: [Int: [Int64]] = [:]
        try forEachRow(of: query) { row in
            keys[try projection.member(of: row).type.index, default: []].append(row.integer(at: 0))
        }
        return keys
    }
}
