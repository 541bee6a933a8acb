internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension ObjectFetcher {
    /// The values of the objects that match a request, in the order of its sort keys.
    func fetchValues<Values: ManagedObjectValues>(
        _ request: FetchRequest<Values.Object>,
        includesExternalData: Bool
    ) throws -> [Values] {
        var bound = try request.bound(in: schema)
        // The positions of the rows by their keys, if the database cannot sort the rows.
        var places: [Int64: Int]?
        if !schema.hasOrder(of: bound) { (bound, places) = try sortedByKeys(bound) }
        let layout = Values.layout
        precondition(
            layout.entityName == bound.type.entity.name,
            "'\(Values.Object.self).Values' belongs to entity '\(layout.entityName)', but the request fetches entity '\(bound.type.entity.name)'; use a request for '\(layout.entityName)'"
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
        let fragment = bound.fragment(
            reading: SelectList(columnNames),
            where: try storePredicate(of: bound),
            in: schema,
            calling: reader.readsParentOverlay ? nil : schema.dialect.rowFunction(columnCount: columnNames.count)
        )
        return try reader.readStore { connection in
            var values = ValuesStorage<Values>()
            var order: [Int] = []
            let checksTypes = schema.projection(of: bound.type).concrete.contains { $0.checksTypes }
            try connection.forEachFetchedRow(of: StoreQuery(fragment)) { row in
                let memory = values.next()
                switch row.columns {
                case .sqlite(let columns): layout.initialize(memory, from: columns, checksTypes: checksTypes)
                case .cells(let columns): layout.initialize(memory, from: columns, checksTypes: checksTypes)
                }
                values.commit()
                if row.unreadableColumn >= 0 { throw unreadableValue(in: row, layout, bound.type) }
                if let places { order.append(places[row.integer(at: 0)] ?? 0) }
                if hasExternalData {
                    try addExternalData(
                        to: &memory.assumingMemoryBound(to: Values.self).pointee,
                        of: bound.type,
                        version: row.integer(at: Int32(layout.fields.count)),
                        key: row.integer(at: 0),
                        includesExternalData ? connection : nil
                    )
                }
            }
            let array = values.takeArray()
            guard places != nil else { return array }
            return order.indices.sorted { order[$0] < order[$1] }.map { array[$0] }
        }
    }

    /// Sets the row version of values that were just read, and reads their bytes if these are requested.
    ///
    /// The method is called before the statement of the rows has ended, so the bytes belong to the same state of the
    /// store.
    private func addExternalData<Values: ManagedObjectValues>(
        to values: inout Values,
        of type: RuntimeEntity,
        version: Int64,
        key: Int64,
        _ connection: StoreReader?
    ) throws {
        for place in Values.layout.externalFields {
            guard let external = type.externalFields.first(where: { [$0.field.name] == place.path }) else { continue }
            let row = try connection.map { try external.read(key, $0) } ?? nil
            withUnsafeMutableBytes(of: &values) { bytes in
                guard let address = bytes.baseAddress.map({ $0 + place.offset }),
                    var value = external.value(at: address)
                else { return }
                if let row { value = ExternalData(row.bytes ?? Data()) } else { value.version = version }
                external.setValue(value, at: address)
            }
        }
    }

    private func unreadableValue(in row: StoreRow, _ layout: ValuesLayout, _ type: RuntimeEntity)
        -> UnreadableValueError
    {
        let name = layout.fields[Int(row.unreadableColumn)].path.joined(separator: ".")
        guard let field = type.field(named: name) else {
            preconditionFailure("'\(name)' of '\(layout.entityName)' has no column; generate the code again")
        }
        return UnreadableValueError(
            objectID: ManagedObjectID(runtimeEntity: type, key: row.integer(at: 0)),
            field: field
        )
    }
}

extension ValuesLayout {
    /// Fills the memory of one value from a row.
    /// - Parameter checksTypes: Whether the table may hold values of another type than their column.
    @inline(__always)
    fileprivate func initialize<Row: RowValues>(
        _ memory: UnsafeMutableRawPointer,
        from row: Row,
        checksTypes: Bool
    ) {
        if checksTypes {
            for (position, field) in fields.enumerated() {
                guard let type = field.kind.storageType, row.isMistyped(Int32(position), as: type) else { continue }
                row.recordUnreadable(Int32(position))
            }
        }
        initialize(memory, from: row)
    }
}
