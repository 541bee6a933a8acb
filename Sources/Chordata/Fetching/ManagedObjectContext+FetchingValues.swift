internal import ChordataModel
internal import ChordataSQL

extension ManagedObjectContext {
    /// Returns the values of the objects that match a request, in the order of its sort keys, without creating objects.
    ///
    /// Unsaved changes of this context are not included; a child context reads the values of its parent, also unsaved
    /// ones. This is the fastest way to read many rows.
    /// - Parameters:
    ///   - request: A request for objects of the class to which `Values` belongs. A request for another entity traps.
    ///   - includesExternalData: `true` to read also the bytes of attributes that allow external storage, which needs a
    ///     look-up for each value.
    /// - Returns: The values; empty when no object matches.
    /// - Throws: Any error that ``fetch(_:)-(FetchRequest<Object>)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(
        _ request: FetchRequest<Values.Object>,
        includesExternalData: Bool = false
    ) throws -> [Values] {
        let bound = try request.bound(in: schema)
        let layout = Values.layout
        precondition(
            layout.entityName == bound.type.entity.name,
            "'Values' of '\(layout.entityName)' do not match entity '\(bound.type.entity.name)' of the request; use a request for the entity to which the values belong"
        )
        let columns = layout.fields.dropFirst().map { field in
            let name = field.path.joined(separator: ".")
            guard let column = bound.type.field(named: name)?.columnName else {
                preconditionFailure("'\(name)' of '\(layout.entityName)' has no column; generate the code again")
            }
            return column
        }
        let hasExternalData = !layout.externalFields.isEmpty
        let columnNames = ["_id"] + columns + (hasExternalData ? ["_version"] : [])
        let fragment = renderFetch(
            columns: SelectList(columnNames),
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities,
            calling: columnNames.count <= RowCallbackAggregate.widest && !reader.readsParentOverlay
                ? RowCallbackAggregate.functionName : nil
        )
        return try reader.readStore { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            statement.bind(fragment.bindings)
            var values = ValuesBuffer<Values>()
            let checksTypes = schema.projection(of: bound.type).concrete.contains { $0.checksTypes }
            try connection.forEachRow(of: statement) {
                if checksTypes { layout.recordMistypedColumns(of: statement) }
                let memory = values.next()
                layout.initialize(memory, from: statement.values)
                values.commit()
                if statement.unreadableColumn >= 0 { throw unreadableValue(in: statement, layout, bound.type) }
                if hasExternalData {
                    try addExternalData(
                        to: &memory.assumingMemoryBound(to: Values.self).pointee,
                        of: bound.type,
                        version: statement.integer(at: Int32(layout.fields.count)),
                        key: statement.integer(at: 0),
                        includesExternalData ? connection : nil
                    )
                }
            }
            return values.takeArray()
        }
    }

    /// Returns the values of the objects with some object IDs, in the order of the IDs, without creating objects.
    ///
    /// Unsaved changes of this context are not included; a child context reads the values of its parent, also unsaved
    /// ones.
    ///
    /// - Parameters:
    ///   - objectIDs: The object IDs. An ID without a row is left out of the result, and so is one whose row is of
    ///     another class.
    ///   - includesExternalData: `true` to read also the bytes of attributes that allow external storage, which needs a
    ///     look-up for each value.
    /// - Returns: One element for each occurrence of an ID that has a row, so the values of a repeated ID are repeated.
    /// - Throws: Any error that ``fetchValues(_:includesExternalData:)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(
        for objectIDs: some Sequence<ObjectID<Values.Object>>,
        includesExternalData: Bool = false
    ) throws -> [Values] {
        let keys = objectIDs.map(permanentKey(of:))
        var known: [Int64: Values] = [:]
        known.reserveCapacity(keys.count)
        let ids = Set(keys).map { ObjectID<Values.Object>(key: $0) }
        let request = FetchRequest<Values.Object>().where(.in(\.self, ids))
        for value: Values in try fetchValues(request, includesExternalData: includesExternalData) {
            known[value.objectID.key] = value
        }
        return keys.compactMap { known[$0] }
    }

    private func unreadableValue(in statement: SQLiteStatement, _ layout: ValuesLayout, _ type: RuntimeEntity)
        -> UnreadableValueError
    {
        let name = layout.fields[Int(statement.unreadableColumn)].path.joined(separator: ".")
        guard let field = type.field(named: name) else {
            preconditionFailure("'\(name)' of '\(layout.entityName)' has no column; generate the code again")
        }
        return UnreadableValueError(
            objectID: ManagedObjectID(entityType: type, key: statement.integer(at: 0)),
            field: field
        )
    }
}

extension ValuesLayout {
    /// Looks for values of another type than their column has, in a table where SQLite does not check that.
    fileprivate func recordMistypedColumns(of statement: SQLiteStatement) {
        for (position, field) in fields.enumerated() {
            guard let type = field.kind.storageType, statement.values.isMistyped(Int32(position), as: type) else {
                continue
            }
            statement.recordUnreadable(Int32(position))
        }
    }
}
