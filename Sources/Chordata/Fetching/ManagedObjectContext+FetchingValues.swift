internal import ChordataModel
internal import ChordataSQL

extension ManagedObjectContext {
    /// The values of the objects that match a request, in its order, read at the speed of the store.
    ///
    /// What is saved counts, unsaved changes do not. No objects are made.
    /// - Throws: What ``fetch(_:)`` throws.
    public func fetchValues<Values: ManagedObjectValues>(_ request: FetchRequest<Values.Object>) throws -> [Values] {
        let bound = try BoundFetchRequest(request, in: schema)
        let layout = ValuesLayout(of: bound.type, size: MemoryLayout<Values>.size)
        let fragment = renderFetch(
            columns: ["_id"] + layout.columnNames,
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities
        )
        return try persistentStoreCoordinator.store.read { connection in
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

/// Where the fields of a generated `Values` are: identity, stored attributes, to-one keys, in this order.
private struct ValuesLayout {
    private var fields: [(kind: FieldKind, offset: Int)] = []
    private(set) var columnNames: [String] = []

    init(of type: EntityType, size: Int) {
        var layout = StructLayout()
        fields.append((FieldKind(.objectID), layout.place(FieldKind(.objectID))))
        for attribute in type.entity.attributes {
            guard let field = type.field(named: attribute.name), let column = field.columnName else { continue }
            fields.append((field.kind, layout.place(field.kind)))
            columnNames.append(column)
        }
        for relationship in type.entity.relationships {
            guard let column = type.field(named: relationship.name)?.columnName else { continue }
            let kind = FieldKind(.objectID, isOptional: true)
            fields.append((kind, layout.place(kind)))
            columnNames.append(column)
        }
        precondition(
            layout.size == size,
            "'Values' of '\(type.entity.name)' has \(size) bytes instead of \(layout.size); "
                + "generate the code again from this model"
        )
    }

    /// Fills the memory of one value from the current row.
    func initialize(_ memory: UnsafeMutableRawPointer, from statement: SQLiteStatement) {
        for (position, field) in fields.enumerated() {
            let column = Int32(position)
            guard field.kind.base == .objectID else {
                initializeField(field.kind, at: memory + field.offset, from: statement, column)
                continue
            }
            let id = ObjectID<ManagedObject>(key: statement.integer(at: column))
            if field.kind.isOptional {
                (memory + field.offset).initializeMemory(as: ObjectID<ManagedObject>?.self, to: id.key == 0 ? nil : id)
            } else {
                (memory + field.offset).initializeMemory(as: ObjectID<ManagedObject>.self, to: id)
            }
        }
    }
}
