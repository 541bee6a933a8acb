internal import ChordataModel
internal import ChordataSQL

/// A version of the model while a store of it is migrated: its objects go by the connection that migrates.
final class MigratingVersion {
    let schema: StoreSchema
    let context: ManagedObjectContext
    let versionName: String
    let connection: SQLiteConnection
    var keptProperties: [String: [KeptProperty]] = [:]

    init(_ model: ManagedObjectModel, _ versionName: String, _ metadata: StoreMetadata, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        self.versionName = versionName
        self.connection = connection
        schema = StoreSchema(
            model: model,
            mapping: makeSchemaMapping(of: model),
            classes: [],
            storeUUID: metadata.storeUUID,
            looseTables: []
        )
        let store = PersistentStore(
            identifier: metadata.storeUUID,
            sqlite: SQLiteStore(migrating: connection),
            schema: schema
        )
        let definition = ModelDefinition(name: metadata.modelName, versionName: versionName, model: model)
        let coordinator = PersistentStoreCoordinator(managedObjectModel: definition, store: store)
        context = ManagedObjectContext(isolation: nil)
        context.persistentStoreCoordinator = coordinator
    }

    func error(_ message: String) -> StoreError { StoreError(.migrationFailed, message, path: connection.path) }

    /// The identity of a row, whatever its entity; `nil` if it is gone.
    func objectID(ofRow key: Int64) throws(StoreError) -> ManagedObjectID? {
        for table in schema.mapping.tables {
            guard case .entity = table.kind else { continue }
            let types = schema.entityTypes.filter { $0.mapping.tableName == table.name }
            guard let root = types.first else { continue }
            let entity = root.mapping.isInHierarchy ? "\"_entity\"" : sqlLiteral(text: root.entity.name)
            let statement = try connection.statement(
                "SELECT \(entity) FROM \(quoteIdentifier(table.name)) WHERE \"_id\" = ?"
            )
            defer { statement.reset() }
            statement.bind(key, at: 1)
            guard try statement.step(), let name = statement.text(at: 0),
                let type = types.first(where: { $0.entity.name == name })
            else { continue }
            return ManagedObjectID(entityType: type, key: key)
        }
        return nil
    }
}

/// Where a step keeps a property of the version before.
struct KeptProperty: Hashable {
    var table: String
    var column: String
    var keyColumn = "_id"
    var order: String?
    /// `nil` for a relationship.
    var attribute: AttributeDescription?
    var isToMany = false
}

// What was: the properties of the version before, by the keys of their rows, of which no two of a store are alike.
extension MigratingVersion {
    /// What a row had in a property of this version.
    func value(of key: String, ofRow row: Int64, in later: MigratingVersion) throws -> Any? {
        guard isProperty(key) else {
            // A key path over a relationship.
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, isRelationship(parts[0]) else {
                throw error("version '\(versionName)' has no property '\(key)'; is it misspelt?")
            }
            let rows = try rows(of: parts[0], ofRow: row, in: later)
            let values = try rows.keys.compactMap { try value(of: parts[1], ofRow: $0, in: later) }
            return rows.isToMany ? values : values.first
        }
        if isRelationship(key) {
            let rows = try rows(of: key, ofRow: row, in: later)
            let objects = try rows.keys.compactMap { try later.objectID(ofRow: $0) }
            return rows.isToMany ? objects : objects.first
        }
        let kept = try kept(key)
        guard !kept.isEmpty else { return try carriedValue(of: key, ofRow: row, in: later) }
        for kept in kept {
            let values = try read(kept, ofRow: row) { statement throws(StoreError) in
                try attributeValue(kept, key, of: statement)
            }
            if let value = values.first { return value }
        }
        return nil
    }

    /// The objects of an entity whose rows the step has dropped.
    func objects(ofEntity name: String, in later: MigratingVersion) throws -> [[String: Any]] {
        guard let type = schema.entityType(named: name) else {
            throw error("version '\(versionName)' has no entity '\(name)'; is it misspelt?")
        }
        let table = asideTableName(of: type.mapping.tableName)
        let columns = try temporaryColumns(of: table)
        let properties = type.fields.filter { !$0.name.isEmpty && $0.attribute?.isTransient != true }
        guard properties.allSatisfy({ $0.columnName.map(columns.contains) ?? true }), !columns.isEmpty else {
            throw error(
                "the objects of '\(name)' are carried over, so read them, and previousValue(forKey:of:) of them"
            )
        }
        let names = schema.model.subentityClosure(of: name).map { sqlLiteral(text: $0) }.joined(separator: ", ")
        let condition = columns.contains("_entity") ? " WHERE \"_entity\" IN (\(names))" : ""
        let statement = try connection.prepare(
            "SELECT \"_id\" FROM temp.\(quoteIdentifier(table))\(condition) ORDER BY \"_id\""
        )
        var keys: [Int64] = []
        while try statement.step() { keys.append(statement.integer(at: 0)) }
        return try keys.map { key in
            var values: [String: Any] = [:]
            for property in properties { values[property.name] = try value(of: property.name, ofRow: key, in: later) }
            return values
        }
    }

    // MARK: Names

    private func isProperty(_ key: String) -> Bool {
        schema.entityTypes.contains { $0.field(named: key) != nil }
    }

    private func isRelationship(_ key: String) -> Bool {
        schema.entityTypes.contains { $0.field(named: key)?.relationship != nil }
    }

    // MARK: What is kept

    private func kept(_ key: String) throws(StoreError) -> [KeptProperty] {
        if let known = keptProperties[key] { return known }
        var found: [KeptProperty] = []
        for type in schema.entityTypes {
            guard var kept = place(of: key, type) else { continue }
            let names = try temporaryColumns(of: kept.table)
            if let order = kept.order, !names.contains(order) { kept.order = nil }
            if names.isSuperset(of: [kept.column, kept.keyColumn]), !found.contains(kept) { found.append(kept) }
        }
        keptProperties[key] = found
        return found
    }

    private func temporaryColumns(of table: String) throws(StoreError) -> Set<String> {
        let statement = try connection.prepare("SELECT \"name\" FROM pragma_table_info(?, 'temp')")
        statement.bind(table, at: 1)
        var names: Set<String> = []
        while try statement.step() { if let name = statement.text(at: 0) { names.insert(name) } }
        return names
    }

    private func place(of key: String, _ type: EntityType) -> KeptProperty? {
        if let attribute = type.mapping.attribute(at: key.split(separator: ".").map(String.init)) {
            let table = attribute.externalTableName ?? type.mapping.tableName
            return KeptProperty(
                table: asideTableName(of: table),
                column: attribute.externalTableName == nil ? attribute.columnName : "bytes",
                attribute: attribute.attribute
            )
        }
        guard let relationship = type.mapping.relationship(named: key) else { return nil }
        let isToMany = relationship.relationship.isToMany
        switch relationship.storage {
        case .column(let name):
            return KeptProperty(table: asideTableName(of: type.mapping.tableName), column: name, isToMany: isToMany)
        case .inverseColumn(let table, let name, _):
            return KeptProperty(
                table: asideTableName(of: table),
                column: "_id",
                keyColumn: name,
                order: "_order_" + name,
                isToMany: isToMany
            )
        case .joinTable(let table, let sourceColumn, _, _):
            let isForward = sourceColumn == "source"
            return KeptProperty(
                table: asideTableName(of: table),
                column: isForward ? "destination" : "source",
                keyColumn: sourceColumn,
                order: isForward ? "_order" : "_inverse_order",
                isToMany: isToMany
            )
        }
    }

    private func read<Value>(
        _ kept: KeptProperty,
        ofRow row: Int64,
        _ body: (SQLiteStatement) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        let statement = try connection.statement(
            "SELECT \(quoteIdentifier(kept.column)) FROM temp.\(quoteIdentifier(kept.table)) "
                + "WHERE \(quoteIdentifier(kept.keyColumn)) = ?"
                + (kept.order.map { " ORDER BY \(quoteIdentifier($0))" } ?? "")
        )
        defer { statement.reset() }
        statement.bind(row, at: 1)
        var values: [Value] = []
        while try statement.step() { if !statement.isNull(at: 0) { values.append(try body(statement)) } }
        return values
    }

    private func attributeValue(_ kept: KeptProperty, _ key: String, of statement: SQLiteStatement) throws(StoreError)
        -> Any
    {
        if let attribute = kept.attribute, let value = statement.values.attribute(attribute, at: 0) { return value }
        statement.forgetUnreadable()
        throw error(
            "a value of '\(key)' is no \(kept.attribute?.attributeType.rawValue ?? "value"), as somebody has written it"
        )
    }

    /// The keys of the rows that a relationship of this version led to.
    private func rows(of key: String, ofRow row: Int64, in later: MigratingVersion) throws -> (
        keys: [Int64], isToMany: Bool
    ) {
        let isToMany = schema.entityTypes.contains { $0.field(named: key)?.relationship?.isToMany == true }
        let kept = try kept(key)
        for kept in kept {
            let keys = try read(kept, ofRow: row) { $0.integer(at: 0) }
            if !keys.isEmpty { return (keys, kept.isToMany) }
        }
        guard kept.isEmpty else { return ([], isToMany) }
        let value = try carriedValue(of: key, ofRow: row, in: later)
        if let object = value as? ManagedObject { return ([object.objectID.key], false) }
        let objects = (value as? any Sequence).map { Self.objects(in: $0) } ?? []
        return (objects.map(\.objectID.key), isToMany)
    }

    private static func objects<Objects: Sequence>(in sequence: Objects) -> [ManagedObject] {
        sequence.compactMap { $0 as? ManagedObject }
    }

    // MARK: What is carried over

    /// What the object of the later version has in the property that this one's has become.
    private func carriedValue(of key: String, ofRow row: Int64, in later: MigratingVersion) throws -> Any? {
        guard let id = try later.objectID(ofRow: row), let type = later.schema.entityType(named: id.entityName) else {
            return nil
        }
        let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
        let name =
            type.entity.attributes.first { $0.renamingIdentifier == parts[0] }?.name
            ?? type.entity.relationships.first { $0.renamingIdentifier == parts[0] }?.name
        guard let name else { return nil }
        let path = ([name] + parts.dropFirst()).joined(separator: ".")
        guard type.field(named: path) != nil else { return nil }
        return try later.context.existingObject(with: id).value(forKey: path)
    }
}
