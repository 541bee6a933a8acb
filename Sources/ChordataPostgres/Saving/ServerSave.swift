@_spi(Generated) internal import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The statements of one save on a database server, in one transaction.
struct ServerSave {
    /// The meaning of the failure of a statement.
    enum Role {
        case other
        /// The number of the save is recorded: a duplicate means that the save is committed already, and a division by
        /// zero that the store has another version.
        case note
        /// Rows are changed in the version that was read: a division by zero means another version.
        case change(entityName: String)
        /// References to deleted rows are removed, and the rows that had them are returned.
        case nullification(NullifiedReference)
    }

    private(set) var statements: [ServerStatement] = []
    private(set) var roles: [Role] = []
    let schema: StoreSchema
    /// The record of the changes for other programs; `nil` if the save records nothing.
    private(set) var changes: HistoryChanges?
    /// The number of new rows of one entity from which they are copied.
    private let copiedRowCount: Int
    private let texts: RowWriteTexts

    /// - Parameters:
    ///   - texts: The texts of the statements that write rows of the store.
    ///   - number: The number of the save if it records its changes.
    ///   - copiedRowCount: The number of new rows of one entity from which they are copied.
    /// - Throws: ``ValidationError`` for a text that the server cannot store.
    package init(
        _ plan: SavePlan,
        _ texts: RowWriteTexts,
        firstKey: Int64,
        recording number: SaveNumber?,
        copyingFrom copiedRowCount: Int
    ) throws {
        schema = plan.schema
        self.texts = texts
        self.copiedRowCount = copiedRowCount
        for freed in plan.freedValues { add(freed) }
        for batch in plan.insertions { try insert(batch) }
        for batch in plan.updates { try update(batch) }
        if let values = plan.values { try insert(values.rows, firstKey: firstKey) }
        for change in plan.externalData { add(change) }
        for change in plan.joinRows { add(change) }
        for change in plan.orders { add(change) }
        if let number {
            var unwritten: [Int: [Int64: PropertyMask]] = [:]
            changes = HistoryChanges(of: plan, firstKey: firstKey, &unwritten)
            recordUnwritten(unwritten, of: number)
            removeReferences(to: plan.deletions, of: number)
        } else {
            for nullification in plan.nullifications { add(nullification, deleting: plan.deletions) }
        }
        for batch in plan.deletions { delete(batch) }
    }

    /// A Boolean value that indicates whether the save copies rows.
    var copiesRows: Bool { statements.contains(where: \.isCopy) }

    mutating func append(_ sql: String, _ arguments: [ServerArgument], _ role: Role = .other) {
        statements.append(ServerStatement(sql, arguments, isKept: true))
        roles.append(role)
    }

    // MARK: Rows

    private mutating func add(_ freed: SavePlan.FreedValues) {
        let assignments = freed.columns.map { quoteIdentifier($0) + " = NULL" }.joined(separator: ", ")
        append(
            "UPDATE \(quoteIdentifier(freed.type.mapping.tableName)) SET \(assignments) "
                + "WHERE \"_id\" = $1 AND \"_version\" = $2",
            [.integer(freed.key), .integer(freed.version)]
        )
    }

    private mutating func insert(_ batch: RowGroup) throws {
        let objects = batch.objects
        let keys = objects.map { $0.takeUnretainedValue().key }
        let versions = objects.map { $0.takeUnretainedValue().version + 1 }
        let columns = batch.type.columns.map { self.column($0, of: batch) }
        try checkTexts(columns, batch.type.columns, of: batch.type) { objects[$0].takeUnretainedValue().objectID }
        insert(batch.type, keys, versions, columns)
    }

    private mutating func insert(_ rows: ValuesInsertBuffer, firstKey: Int64) throws {
        let type = rows.type
        let columns = rows.columns.map { column in
            ServerArgument(column.kind.base == .objectID ? .toOne : column.kind.base, count: rows.count) { index in
                storedValue(column, at: rows.address(of: column, index)) {
                    ValuesInsertBuffer.key(at: $0)
                } length: { address in
                    rows.external(column)?.value(at: address)?.count
                }
            }
        }
        let keys = (0..<rows.count).map { firstKey + Int64($0) }
        try checkTexts(columns, rows.columns, of: type) { ManagedObjectID(runtimeEntity: type, key: keys[$0]) }
        insert(type, keys, keys.map { _ in 1 }, columns)
        for column in rows.columns where column.kind.base == .external {
            guard let attribute = rows.external(column) else { continue }
            for index in 0..<rows.count {
                guard let bytes = attribute.value(at: rows.address(of: column, index))?.data else { continue }
                write(bytes, of: attribute, key: keys[index])
            }
        }
    }

    private mutating func insert(
        _ type: RuntimeEntity,
        _ keys: [Int64],
        _ versions: [Int64],
        _ columns: [ServerArgument]
    ) {
        var names = ["_id", "_version"]
        var arguments = [ServerArgument.keys(keys), .keys(versions)] + columns
        names += type.columnFields.compactMap(\.columnName)
        if type.mapping.isInHierarchy {
            names.append("_entity")
            arguments.append(.texts(keys.map { _ in type.entity.name }))
        }
        if keys.count >= copiedRowCount {
            statements.append(ServerStatement(copying: arguments, into: type.mapping.tableName, columns: names))
            roles.append(.other)
            return
        }
        let text = text(of: .insertion, type, count: keys.count) {
            let rows = source(of: arguments, count: keys.count)
            return
                "INSERT INTO \(quoteIdentifier(type.mapping.tableName)) (\(names.map(quoteIdentifier).joined(separator: ", "))) "
                + (rows.table.map { "SELECT * FROM \($0)" } ?? "VALUES (\(rows.values.joined(separator: ", ")))")
        }
        append(text, arguments)
    }

    private mutating func update(_ batch: RowGroup) throws {
        let changed = batch.type.columns.indices.filter { batch.changed.contains(batch.type.columns[$0].index) }
        // The rows are sorted by key, so that two saves lock the same rows in the same order.
        let sorted = RowGroup(type: batch.type, changed: batch.changed, objects: batch.objects.sorted(by: precede))
        let objects = sorted.objects
        let fields = changed.map { batch.type.columns[$0] }
        let columns = fields.map { column($0, of: sorted) }
        try checkTexts(columns, fields, of: batch.type) { objects[$0].takeUnretainedValue().objectID }
        let arguments =
            [
                ServerArgument.keys(objects.map { $0.takeUnretainedValue().key }),
                .keys(objects.map { $0.takeUnretainedValue().version }),
            ] + columns
        let text = text(of: .update(batch.changed), batch.type, count: objects.count) {
            let names = changed.compactMap { batch.type.columnFields[$0].columnName }
            let rows = source(of: arguments, count: objects.count)
            let assignments = zip(names, rows.values.dropFirst(2)).map { "\(quoteIdentifier($0)) = \($1)" }
            return Self.counting(
                "UPDATE \(quoteIdentifier(batch.type.mapping.tableName)) AS t SET "
                    + (["\"_version\" = t.\"_version\" + 1"] + assignments).joined(separator: ", ")
                    + (rows.table.map { " FROM \($0)" } ?? ""),
                rows.values,
                arguments.count
            )
        }
        change(text, arguments, count: objects.count, batch.type)
    }

    private mutating func delete(_ batch: RowGroup) {
        let objects = batch.objects.sorted(by: precede)
        let arguments = [
            ServerArgument.keys(objects.map { $0.takeUnretainedValue().key }),
            .keys(objects.map { $0.takeUnretainedValue().version }),
        ]
        let text = text(of: .deletion, batch.type, count: objects.count) {
            let rows = source(of: arguments, count: objects.count)
            return Self.counting(
                "DELETE FROM \(quoteIdentifier(batch.type.mapping.tableName)) AS t"
                    + (rows.table.map { " USING \($0)" } ?? ""),
                rows.values,
                arguments.count
            )
        }
        change(text, arguments, count: objects.count, batch.type)
    }

    /// Returns a statement that changes the rows with given keys and versions, and fails if it does not change a given
    /// number of rows; the server then skips the commit.
    /// - Parameters:
    ///   - beginning: The statement without its condition.
    ///   - values: The keys, the versions, and other values.
    ///   - argumentCount: The number of arguments before the number of rows.
    private static func counting(_ beginning: String, _ values: [String], _ argumentCount: Int) -> String {
        "WITH w AS (\(beginning) WHERE t.\"_id\" = \(values[0]) AND t.\"_version\" = \(values[1]) RETURNING 1) "
            + "SELECT 1 / (count(*) = $\(argumentCount + 1))::int FROM w"
    }

    private mutating func change(_ sql: String, _ arguments: [ServerArgument], count: Int, _ type: RuntimeEntity) {
        append(sql, arguments + [.integer(Int64(count))], .change(entityName: type.entity.name))
    }

    /// Returns the text of a statement that writes rows, which depends on the columns, and on whether there is one row.
    /// - Parameter make: A closure that returns the text, if it is needed for the first time.
    private func text(of kind: RowWrite.Kind, _ type: RuntimeEntity, count: Int, _ make: () -> String) -> String {
        texts.text(of: RowWrite(kind: kind, type: type.index, isSingle: count == 1), make)
    }

    private func precede(_ left: Unmanaged<ManagedObject>, _ right: Unmanaged<ManagedObject>) -> Bool {
        left.takeUnretainedValue().key < right.takeUnretainedValue().key
    }

    private func column(_ column: ColumnField, of batch: RowGroup) -> ServerArgument {
        let external = batch.type.externalFields.first { $0.field.index == column.index }
        return ServerArgument(column.kind.base, count: batch.objects.count) { index in
            batch.objects[index]._withUnsafeGuaranteedRef { object in
                let address = UnsafeRawPointer(object.fieldBase) + column.offset
                return storedValue(column, at: address) {
                    $0.assumingMemoryBound(to: ToOneSlot.self).pointee.key
                } length: {
                    external?.value(at: $0)?.count
                }
            }
        }
    }

    /// Returns the SQL of the values of a row, and the table of all rows; `nil` for the table if there is only one row,
    /// which is found faster without a join.
    /// - Parameters:
    ///   - arguments: The arrays of the values, one for each column.
    ///   - count: The number of rows.
    private func source(of arguments: [ServerArgument], count: Int) -> (values: [String], table: String?) {
        let arrays = arguments.enumerated().map { "$\($0 + 1)::\($1.elementType)[]" }
        if count == 1 { return (arrays.map { "(\($0))[1]" }, nil) }
        let names = arguments.indices.map { "c\($0)" }
        return (
            names.map { "v.\($0)" },
            "unnest(\(arrays.joined(separator: ", "))) AS v(\(names.joined(separator: ", ")))"
        )
    }

    /// Throws if a server cannot store a text; the error names its property.
    private func checkTexts(
        _ columns: [ServerArgument],
        _ fields: [ColumnField],
        of type: RuntimeEntity,
        _ objectID: (Int) -> ManagedObjectID
    ) throws(ValidationError) {
        for (column, field) in zip(columns, fields) {
            guard let index = column.indexOfNul else { continue }
            let failure = ValidationError.Failure(
                .managedObjectValidation,
                objectID(index),
                propertyName: type.fields[field.index].name,
                reason: "contains the character U+0000, which PostgreSQL does not store; remove it"
            )
            throw ValidationError(failures: [failure])
        }
    }

    // MARK: Side tables, pairs and orders

    private mutating func add(_ change: SavePlan.ExternalDataChange) {
        if let bytes = change.bytes {
            write(bytes, of: change.attribute, key: change.objectID.key)
        } else {
            append(change.attribute.statements.remove.sql, [.integer(change.objectID.key)])
        }
    }

    private mutating func write(_ bytes: Data, of attribute: ExternalField, key: Int64) {
        append(attribute.statements.write.sql, [.integer(key), .value(.attribute(.data(bytes)))])
    }

    private mutating func add(_ change: SavePlan.JoinRowChange) {
        let name = quoteIdentifier(change.table.name)
        let (owner, member) = (quoteIdentifier(change.table.owner), quoteIdentifier(change.table.member))
        if !change.removed.isEmpty {
            append(
                "DELETE FROM \(name) WHERE \(owner) = $1 AND \(member) = ANY($2)",
                [.integer(change.owner), .keys(change.removed)]
            )
        }
        if !change.added.isEmpty {
            append(
                "INSERT INTO \(name) (\(owner), \(member)) SELECT $1, m FROM unnest($2::bigint[]) AS v(m) "
                    + "ON CONFLICT DO NOTHING",
                [.integer(change.owner), .keys(change.added)]
            )
        }
    }

    /// Writes all positions, because finding the fewest would require their current values, and another round trip.
    private mutating func add(_ change: SavePlan.OrderChange) {
        let columns = change.columns
        let order = quoteIdentifier(columns.order)
        append(
            "UPDATE \(quoteIdentifier(columns.table)) AS t SET \(order) = v.p"
                + " FROM unnest($1::bigint[], $2::bigint[]) AS v(m, p)"
                + " WHERE t.\(quoteIdentifier(columns.member)) = v.m AND t.\(quoteIdentifier(columns.owner)) = $3"
                + " AND t.\(order) IS DISTINCT FROM v.p",
            [
                .keys(change.members.map(\.key)), .keys(change.members.indices.map { Int64($0) }),
                .integer(change.owner),
            ]
        )
    }

    /// Returns the statement that removes the references to rows (`$1`) from rows that are not deleted (`$2`), and
    /// returns the columns that identify the changed rows.
    static func removingReferences(from column: String, of table: String, _ type: RuntimeEntity) -> String {
        renderReferenceCleanup(
            .nullifiesInNewVersion(column: column),
            of: table,
            where: "\(quoteIdentifier(column)) = ANY($1) AND NOT \"_id\" = ANY($2)"
        ) + " RETURNING \(identity(of: type))"
    }

    /// Returns the columns that identify a row, with the entity if the table has rows of several entities.
    /// - Parameter prefix: The name of the table with a period, if the columns need it.
    static func identity(of type: RuntimeEntity, _ prefix: String = "") -> String {
        (["_id", "_version"] + (type.mapping.isInHierarchy ? ["_entity"] : [])).map { "\(prefix)\"\($0)\"" }
            .joined(separator: ", ")
    }

    private mutating func add(_ nullification: SavePlan.Nullification, deleting deletions: [RowGroup]) {
        guard case .inverseColumn(let table, let column, _) = nullification.relationship.storage else { return }
        let destination = nullification.relationship.destinationRootIndex
        let deleted = deletions.filter { $0.type.rootIndex == destination }.flatMap { batch in
            batch.objects.map { $0.takeUnretainedValue().key }
        }
        append(
            Self.removingReferences(
                from: column,
                of: table,
                schema.runtimeEntities[nullification.relationship.destination]
            ),
            [.keys(nullification.owners), .keys(deleted)],
            .nullification(
                NullifiedReference(
                    type: schema.runtimeEntities[nullification.relationship.destination],
                    field: nullification.relationship.inverseToOne
                )
            )
        )
    }
}
