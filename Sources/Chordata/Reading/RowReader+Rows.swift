internal import ChordataModel
internal import ChordataSQL

// Reading of rows by their keys.

extension RowReader {
    // MARK: Objects

    /// Reads rows.
    ///
    /// When the store is released, the objects that a fetch refreshes are updated, and the hooks of new objects are
    /// called.
    func readRows<Result>(_ body: (StoreReader) throws -> Result) throws -> Result {
        defer { awakenObjects() }
        let result = try readStore(body)
        try updateKnownObjects()
        return result
    }

    /// Returns the object of a key: the registered object; in a hierarchy, the object with the entity of its row, which
    /// is read; otherwise, a fault.
    func object(forKey key: Int64, type: RuntimeEntity) -> ManagedObject? {
        if let known = graph.registered(key: key, rootIndex: type.rootIndex) { return known }
        if type.mapping.isInHierarchy {
            return readOrRecord { try readRow(key: key, type: rowType(of: type)) }
        }
        return graph.makeFault(key: key, type: type)
    }

    @discardableResult
    func readRow(key: Int64, type: RuntimeEntity) throws -> ManagedObject? {
        let projection = schema.projection(of: type)
        return try readRows { connection in
            try connection.readRow(of: StoreQuery(projection.selectByKey, .key(key))) {
                try materialize($0, projection)
            }
        }
    }

    /// Returns the entity with which a row is read: in a hierarchy, the root entity, because the row can belong to any
    /// entity of the hierarchy.
    private func rowType(of type: RuntimeEntity) -> RuntimeEntity {
        type.mapping.isInHierarchy ? schema.runtimeEntity(named: type.entity.rootEntityName) ?? type : type
    }

    func existingObject(forKey key: Int64, type: RuntimeEntity) throws -> ManagedObject {
        if let known = graph.registered(key: key, rootIndex: type.rootIndex), !known.isFault {
            known.markAsRead()
            if known.version >= 0 { return known }
            known.slowPath.insert(.fault)  // An earlier read did not find its row.
        }
        guard let found = try readRow(key: key, type: rowType(of: type)) else {
            throw MissingObjectError(objectID: ManagedObjectID(runtimeEntity: type, key: key))
        }
        found.markAsRead()
        return found
    }

    /// Returns the objects of some keys, and reads the rows that were not read yet; objects whose rows were deleted are
    /// omitted.
    func readObjects(of keys: [Int64], type: RuntimeEntity) throws -> [ManagedObject] {
        try readRows(
            of: keys.filter { graph.registered(key: $0, rootIndex: type.rootIndex)?.isFault ?? true },
            type: type
        )
        return keys.compactMap { key in
            graph.registered(key: key, rootIndex: type.rootIndex).flatMap { $0.isFault || $0.isWithoutRow ? nil : $0 }
        }
    }

    /// Reads the rows with some row keys; registered objects that are not faults are not changed.
    func readRows(of keys: [Int64], type: RuntimeEntity) throws {
        guard !keys.isEmpty else { return }
        let projection = schema.projection(of: schema.runtimeEntity(named: type.entity.rootEntityName) ?? type)
        try readRows { connection in
            try connection.forEachRow(of: StoreQuery(projection.selectMany, .keys(keys))) { row in
                _ = try materialize(row, projection)
            }
        }
    }

    /// Reads the rows of some keys whose objects are still faults; released objects are not created again.
    func readFaults(among keys: [Int64], type: RuntimeEntity) throws {
        let keys = keys.filter { graph.registered(key: $0, rootIndex: type.rootIndex)?.isFault == true }
        try readRows(of: keys, type: type)
    }

    // MARK: Entities

    /// Returns the entity of an object ID, which may come from another container of the same file.
    func runtimeEntity(of objectID: ManagedObjectID) -> RuntimeEntity {
        guard let type = runtimeEntityInStore(of: objectID) else {
            let paths = (store.partition?.stores ?? [store]).map { "'\($0.path)'" }.joined(separator: ", ")
            preconditionFailure(
                "\(objectID) belongs to another store than those of this context (\(paths)); use the object ID with a context of a container that has the object's store"
            )
        }
        return type
    }

    /// Returns the entity of an object ID in this store; `nil` if the object ID belongs to another store.
    func runtimeEntityInStore(of objectID: ManagedObjectID) -> RuntimeEntity? {
        let type = objectID.runtimeEntity
        if schema.runtimeEntities.indices.contains(type.index), schema.runtimeEntities[type.index] === type {
            return type
        }
        let identifier = objectID.storeIdentifier
        guard store.contains(identifier), let own = schema.runtimeEntity(named: type.entity.name),
            own.storeUUID(ofKey: objectID.permanentKey) == identifier
        else { return nil }
        return own
    }

    // MARK: Members

    /// Reads the objects that a to-many relationship references in the store, in order if the relationship is ordered
    /// (Q17).
    func loadToMany(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) throws -> [ManagedObject] {
        let projection = schema.projection(of: schema.runtimeEntities[relationship.destination])
        guard let sql = schema.membersSQL(of: relationship, in: object.runtimeEntity) else { return [] }
        return try readRows { connection in
            var objects: [ManagedObject] = []
            try connection.forEachRow(of: StoreQuery(sql.ofOne, .key(object.key))) { row in
                objects.append(try materialize(row, projection))
            }
            return objects
        }
    }

    /// Reads the number of objects that a to-many relationship references in the store.
    func countMembers(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) throws -> Int {
        let table: String
        let column: String
        switch relationship.storage {
        case .column, nil: return 0
        case .inverseColumn(let owner, let inverse, _): (table, column) = (owner, inverse)
        case .joinTable(let join, let source, _, _): (table, column) = (join, source)
        }
        let query = StoreQuery(
            "SELECT count(*) FROM \(quoteIdentifier(table)) WHERE \(quoteIdentifier(column)) = \(schema.dialect.parameters(1...1))",
            .key(object.key)
        )
        return try readStore { try $0.readRow(of: query) { Int($0.integer(at: 0)) } } ?? 0
    }

    // MARK: Rows without objects

    /// Returns a Boolean value that indicates whether the table of an entity has a row with a key.
    func hasRow(_ key: Int64, of type: RuntimeEntity) throws -> Bool {
        let table = quoteIdentifier(type.mapping.tableName)
        let query = StoreQuery(
            "SELECT 1 FROM \(table) WHERE \"_id\" = \(schema.dialect.parameters(1...1))",
            .key(key)
        )
        return try readStore { try $0.readRow(of: query) { _ in true } } ?? false
    }

    // These functions may read rows of another program; a value that cannot be read is missing, so that a save can
    // replace it.

    /// Reads the row of an object; returns `nil` if the row was deleted.
    func readRowSnapshot(of object: ManagedObject) throws -> RowSnapshot? {
        let row = try readRowSnapshot(key: object.key, inTableOf: object.runtimeEntity)
        if let row { try checkEntity(of: object, is: row.values.runtimeEntity) }
        return row
    }

    /// Reads the row with a key in the table of an entity; returns `nil` if the row was deleted.
    func readRowSnapshot(key: Int64, inTableOf type: RuntimeEntity) throws -> RowSnapshot? {
        let root = schema.runtimeEntity(named: type.entity.rootEntityName) ?? type
        let projection = schema.projection(of: root)
        return try readStore { connection in
            try connection.readRow(of: StoreQuery(projection.selectByKey, .key(key))) { row in
                let snapshot = RowSnapshot(row, try projection.member(of: row))
                row.forgetUnreadable()
                return snapshot
            }
        }
    }

    /// Reads the rows with some keys; missing rows are omitted.
    func readPersistedRows(of keys: [Int64], inTableOf type: RuntimeEntity) throws -> [RowSnapshot] {
        guard !keys.isEmpty else { return [] }
        return try readStore { try readRowSnapshots(of: keys, inTableOf: type, schema, $0) }
    }

    /// Checks that a row has the entity that its object has in this context, because the entity determines the memory
    /// layout.
    func checkEntity(of object: ManagedObject, is type: RuntimeEntity) throws(StoreError) {
        guard object.withRuntimeEntity({ $0 !== type }) else { return }
        throw StoreError(
            .incompatibleModel,
            "row \(object.key) of '\(type.mapping.tableName)' is now of entity '\(type.entity.name)', but was of "
                + "'\(object.runtimeEntity.entity.name)' when it was read; call reset() on the context",
            path: store.path
        )
    }
}

/// Reads the rows with some keys; missing rows are omitted, and a value that cannot be read is missing.
func readRowSnapshots(
    of keys: [Int64],
    inTableOf type: RuntimeEntity,
    _ schema: StoreSchema,
    _ connection: StoreReader
) throws -> [RowSnapshot] {
    let projection = schema.projection(of: schema.runtimeEntity(named: type.entity.rootEntityName) ?? type)
    var rows: [RowSnapshot] = []
    try connection.forEachRow(of: StoreQuery(projection.selectMany, .keys(keys))) { row in
        rows.append(RowSnapshot(row, try projection.member(of: row)))
        row.forgetUnreadable()
    }
    return rows
}

/// Returns any number of keys as one parameter.
func jsonList(_ keys: [Int64]) -> String { "[\(keys.map(String.init).joined(separator: ","))]" }
