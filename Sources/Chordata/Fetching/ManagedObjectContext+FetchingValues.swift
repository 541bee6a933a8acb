internal import ChordataModel
internal import ChordataSQL

extension ManagedObjectContext {
    /// The values of the objects that match a request, in its order, read at the speed of the store.
    ///
    /// What is saved counts, unsaved changes do not. No objects are made.
    /// - Throws: What ``fetch(_:)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(_ request: FetchRequest<Values.Object>) throws -> [Values] {
        let bound = try BoundFetchRequest(request, in: schema)
        let layout = Values.layout
        precondition(
            layout.entityName == bound.type.entity.name,
            "'Values' of '\(layout.entityName)' is not that of '\(bound.type.entity.name)'; fetch the values of one class"
        )
        let columns = layout.fields.dropFirst().map { field in
            let name = field.path.joined(separator: ".")
            guard let column = bound.type.field(named: name)?.columnName else {
                preconditionFailure("'\(name)' of '\(layout.entityName)' has no column; generate the code again")
            }
            return column
        }
        let fragment = renderFetch(
            columns: ["_id"] + columns,
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities
        )
        return try readStore { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            bind(fragment.bindings, to: statement)
            var values: [Values] = []
            while try statement.step() {
                values.append(
                    withUnsafeTemporaryAllocation(of: Values.self, capacity: 1) { buffer in
                        let pointer = buffer.baseAddress!  // A buffer of one element has an address.
                        layout.initialize(UnsafeMutableRawPointer(pointer), from: statement)
                        return pointer.move()
                    }
                )
            }
            return values
        }
    }
}
