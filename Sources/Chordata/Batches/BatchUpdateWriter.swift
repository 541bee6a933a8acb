internal import ChordataPredicate
internal import ChordataSQL

/// Runs the statements of a batch update, within a transaction.
struct BatchUpdateWriter {
    let schema: StoreSchema
    let connection: SQLiteConnection

    func write(_ update: BoundBatchUpdate) throws -> BatchUpdateResult {
        for assignment in update.assignments { try requireDestination(of: assignment, in: update.type) }
        let rows = try writeConstants(update) ?? writeComputed(update)
        let followers = try deriveAttributes(of: rows)
        let all = rows.merging(followers) { Array(Set($0).union($1)) }
        return BatchUpdateResult(
            updatedObjectsCount: rows.values.reduce(0) { $0 + $1.count },
            rows: all.keys.sorted().map {
                UpdatedRows(type: schema.entityTypes[$0], keys: all[$0, default: []].sorted())
            }
        )
    }

    /// Makes sure that a to-one leads to a row of its destination.
    private func requireDestination(of assignment: BoundBatchUpdate.Assignment, in type: EntityType) throws {
        guard case .constant(.object(let object)) = assignment.value,
            let relationship = type.relationships[assignment.field.index]
        else { return }
        let destination = schema.entityTypes[relationship.destination].entity
        let isOfStore = object.storeUUID == nil || object.storeUUID == type.storeUUID
        if isOfStore, object.rootEntityName == destination.rootEntityName {
            let fragment = renderCount(
                .isObject(of: destination.name, among: [.object(object)]),
                entityName: destination.name,
                in: schema.mapping
            )
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            statement.bind(fragment.bindings)
            if try statement.step(), statement.integer(at: 0) > 0 { return }
        }
        throw BatchUpdateError.unknownDestination(
            assignment.field.name,
            entityName: type.entity.name,
            destinationEntityName: destination.name
        )
    }

    /// Writes what is the same for all rows, by one statement; `nil` where something is computed.
    /// - Returns: The keys of the rows, by entity type.
    private func writeConstants(_ update: BoundBatchUpdate) throws -> [Int: [Int64]]? {
        var values: [(column: String, value: PredicateValue)] = []
        for assignment in update.assignments {
            guard case .constant(let value) = assignment.value else { return nil }
            values.append((assignment.columnName, value))
        }
        let projection = schema.projection(of: update.type)
        let fragment = renderUpdate(
            values,
            where: update.bound.predicate,
            entityName: update.type.entity.name,
            in: schema.mapping,
            includesSubentities: update.bound.includesSubentities,
            returning: projection.identityColumnNames
        )
        let statement = try connection.statement(fragment.sql)
        defer { statement.reset() }
        statement.bind(fragment.bindings)
        var rows: [Int: [Int64]] = [:]
        while try statement.step() {
            rows[try projection.member(of: statement).type.index, default: []].append(statement.integer(at: 0))
        }
        return rows
    }

    /// Reads what is computed of all rows as they are, and then writes it, row by row.
    /// - Returns: The keys of the rows, by entity type.
    private func writeComputed(_ update: BoundBatchUpdate) throws -> [Int: [Int64]] {
        var expressions: [ComputedColumn] = []
        for assignment in update.assignments {
            guard case .computed(let expression) = assignment.value else { continue }
            expressions.append(ComputedColumn(field: assignment.field, expression: expression))
        }
        let computed = try read(
            expressions,
            of: update.type,
            where: update.bound.predicate,
            includesSubentities: update.bound.includesSubentities
        )
        var rows: [Int: [Int64]] = [:]
        try forEachWritten(
            update.assignments.map(\.columnName),
            of: update.type,
            computed.map { row in
                var values = row.values.makeIterator()
                return ComputedRow(
                    key: row.key,
                    values: update.assignments.compactMap { assignment in
                        if case .constant(let value) = assignment.value { value } else { values.next() }
                    }
                )
            }
        ) { type, key in rows[type.index, default: []].append(key) }
        return rows
    }
}

/// An attribute, and what it is computed by.
struct ComputedColumn {
    let field: Field
    let expression: BoundExpression
}

/// What attributes of a row are to be.
struct ComputedRow {
    let key: Int64
    let values: [PredicateValue]
}

extension BatchUpdateWriter {
    /// Computes attributes of all rows that meet a condition.
    func read(
        _ columns: [ComputedColumn],
        of type: EntityType,
        where predicate: BoundPredicate?,
        includesSubentities: Bool
    ) throws -> [ComputedRow] {
        let fragment = renderResultRows(
            ResultRows(
                columns: columns.map { .expression($0.expression) },
                groups: nil,
                having: nil,
                isDistinct: false
            ),
            predicate,
            entityName: type.entity.name,
            in: schema.mapping,
            includesSubentities: includesSubentities
        )
        let statement = try connection.statement(fragment.sql)
        defer { statement.reset() }
        statement.bind(fragment.bindings)
        var rows: [ComputedRow] = []
        while try statement.step() {
            let objectID = ManagedObjectID(entityType: type, key: statement.integer(at: 0))
            let values = try columns.enumerated().map { index, column in
                let value = statement.values.argument(at: Int32(index + 1)).computedValue
                return try column.field.stored(computed: value, for: objectID)
            }
            rows.append(ComputedRow(key: objectID.key, values: values))
        }
        return rows
    }

    /// Writes rows, and calls a closure with each that was written.
    /// - Parameter ifDifferent: Whether rows that have the values already stay as they are.
    func forEachWritten(
        _ columns: [String],
        of type: EntityType,
        _ rows: [ComputedRow],
        ifDifferent: Bool = false,
        _ body: (EntityType, Int64) -> Void
    ) throws {
        let projection = schema.projection(of: type)
        let sql = renderRowUpdate(
            columns,
            ifDifferent: ifDifferent,
            entityName: type.entity.name,
            in: schema.mapping,
            returning: projection.identityColumnNames
        )
        let statement = try connection.statement(sql)
        defer { statement.reset() }
        for row in rows {
            statement.reset()
            statement.bind(row.key, at: 1)
            for (index, value) in row.values.enumerated() { statement.bind(value, at: Int32(index + 2)) }
            if try statement.step() { body(try projection.member(of: statement).type, row.key) }
        }
    }
}
