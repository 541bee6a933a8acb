/// A row as the store has it, before anything is made of it.
struct RowSnapshot {
    let key: Int64
    let values: RowStorage
    let version: Int64
}

extension ManagedObjectContext {
    /// The current row of a statement.
    func persistedRow(_ statement: SQLiteStatement, _ member: Projection.Member) throws(UnreadableValueError)
        -> RowSnapshot
    {
        let key = statement.integer(at: 0)
        let values = RowStorage(member, from: statement.values)
        if statement.unreadableColumn >= 0 { try tellUnreadableValue(key: key, statement, member) }
        return RowSnapshot(key: key, values: values, version: statement.integer(at: 1))
    }

    // What these read may come from another program; a value that cannot be read is missing, so that a save can put
    // another in its place.

    /// The row of an object; `nil` when it was deleted.
    func readRowSnapshot(of object: ManagedObject) throws -> RowSnapshot? {
        let row = try readRowSnapshot(key: object.key, inTableOf: object.entityType)
        if let row { try checkEntity(of: object, is: row.values.entityType) }
        return row
    }

    /// The row of a key in the table of an entity; `nil` when it was deleted.
    func readRowSnapshot(key: Int64, inTableOf type: RuntimeEntity) throws -> RowSnapshot? {
        let root = schema.entityType(named: type.entity.rootEntityName) ?? type
        let projection = schema.projection(of: root)
        return try toleratingUnreadableValues {
            try readStore { connection in
                let statement = try connection.statement(projection.selectByKey)
                defer { statement.reset() }
                statement.bind(key, at: 1)
                guard try statement.step() else { return nil }
                return try persistedRow(statement, try projection.member(of: statement))
            }
        }
    }

    /// The rows of some keys, without missing ones.
    func readPersistedRows(of keys: [Int64], inTableOf type: RuntimeEntity) throws -> [RowSnapshot] {
        guard !keys.isEmpty else { return [] }
        return try toleratingUnreadableValues {
            try readStore { try readPersistedRows(of: keys, inTableOf: type, $0) }
        }
    }

    /// The same in the transaction of a connection.
    func readPersistedRows(of keys: [Int64], inTableOf type: RuntimeEntity, _ connection: SQLiteConnection) throws
        -> [RowSnapshot]
    {
        let projection = schema.projection(of: schema.entityType(named: type.entity.rootEntityName) ?? type)
        let statement = try connection.statement(projection.selectMany)
        defer { statement.reset() }
        statement.bind(jsonList(keys), at: 1)
        var rows: [RowSnapshot] = []
        try connection.forEachRow(of: statement) {
            rows.append(try persistedRow(statement, try projection.member(of: statement)))
        }
        return rows
    }
}
