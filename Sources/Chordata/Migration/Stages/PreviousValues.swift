internal import ChordataModel
internal import ChordataSQL

/// The values that objects had before the step: values in the tables that the step has stashed, and values that the
/// step has carried over.
///
/// Row keys are unique in a store, so a key identifies an object in both versions.
final class PreviousValues {
    /// The stashed column with the earlier values of a property.
    private struct Kept {
        var table: String
        var column: String
        var keyColumn = "_id"
        var order: String?
    }

    /// The location of the earlier values of an entity's property.
    private struct Place {
        /// The attribute; `nil` for a relationship.
        var attribute: AttributeDescription?
        var isToMany = false
        var kept: Kept?
        /// The name of the property in the later version, if the step carries the property over unchanged.
        var carriedName: String?
    }

    private let earlier: MigratingVersion
    private let later: MigratingVersion
    private let match: ModelMatch
    private var store: any StageStore { later.store }
    /// The locations of properties, by entity and by property name in the earlier version.
    private var places: [String: [String: Place?]] = [:]
    private var columnsByTable: [String: Set<String>] = [:]

    init(_ earlier: MigratingVersion, _ later: MigratingVersion, _ match: ModelMatch) {
        self.earlier = earlier
        self.later = later
        self.match = match
    }

    // MARK: Values

    /// Returns the earlier value of a property of an object of the later version.
    func value(forKey key: String, of object: ManagedObjectID) throws -> Any? {
        guard let old = match.sourceEntity(of: object.entityName) else {
            // The entity is new, but the name may be valid for other entities.
            try requireProperty(key)
            return nil
        }
        return try value(forKey: key, of: old.name, object.key, object)
    }

    /// Returns the objects of an entity whose rows the step has stashed.
    func objects(ofEntity name: String) throws -> [[String: Any]] {
        guard let type = earlier.schema.runtimeEntity(named: name) else {
            throw store.error("version '\(earlier.versionName)' has no entity '\(name)'; correct the name")
        }
        let names = earlier.schema.model.concreteEntities(of: name)
        guard names.allSatisfy({ match.destinationEntity(of: $0) == nil }) else {
            throw store.error(
                "previousObjects(ofEntity:) returns only objects that the step does not keep, but the step keeps objects of '\(name)'; fetch them, and read their previous values with previousValue(forKey:of:)"
            )
        }
        let table = store.asideTableName(of: type.mapping.tableName)
        let entities = names.map { sqlLiteral(text: $0) }.joined(separator: ", ")
        let hasEntity = try columns(of: table).contains("_entity")
        let query = StoreQuery(
            "SELECT \"_id\", \(hasEntity ? "\"_entity\"" : sqlLiteral(text: name)) "
                + "FROM \(store.qualifiedTemporaryTable(table))"
                + (hasEntity ? " WHERE \"_entity\" IN (\(entities))" : "") + " ORDER BY \"_id\""
        )
        var rows: [(key: Int64, entity: String)] = []
        try store.reader.forEachRow(of: query) { rows.append(($0.integer(at: 0), $0.text(at: 1) ?? name)) }
        return try rows.map { row in
            var values: [String: Any] = [:]
            let fields = earlier.schema.runtimeEntity(named: row.entity)?.fields ?? []
            for field in fields where field.attribute?.isTransient != true {
                values[field.name] = try value(forKey: field.name, of: row.entity, row.key, nil)
            }
            return values
        }
    }

    /// - Parameter object: The object of the row in the later version; `nil` if the row was deleted.
    private func value(forKey key: String, of entity: String, _ row: Int64, _ object: ManagedObjectID?) throws -> Any? {
        guard let place = try place(of: key, in: entity) else {
            // The key may be a key path across a relationship.
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            guard parts.count == 2, let first = try place(of: parts[0], in: entity), first.attribute == nil else {
                try requireProperty(key)
                return nil
            }
            let values = try keys(first, row, object).compactMap { key -> Any? in
                guard let (entity, object) = try earlierEntity(ofRow: key) else { return nil }
                return try value(forKey: parts[1], of: entity, key, object)
            }
            return first.isToMany ? values : values.first
        }
        guard let attribute = place.attribute else {
            let objects = try keys(place, row, object).compactMap { try later.objectID(ofRow: $0) }
            return place.isToMany ? objects : objects.first
        }
        if let kept = place.kept {
            return try read(kept, row) { row in
                if let value = row.attribute(attribute, at: 0) { return value as Any }
                row.forgetUnreadable()
                throw store.error(
                    "the previous value of '\(key)' is not a valid \(attribute.attributeType.rawValue); another program wrote it; correct it in the store, then migrate again"
                )
            }.first
        }
        guard let object, let name = place.carriedName else { return nil }
        return try later.context.existingObject(with: object).value(forKey: name)
    }

    /// Returns the keys of the rows that a relationship referenced.
    private func keys(_ place: Place, _ row: Int64, _ object: ManagedObjectID?) throws -> [Int64] {
        if let kept = place.kept { return try read(kept, row) { $0.integer(at: 0) } }
        guard let object, let name = place.carriedName else { return [] }
        let value = try later.context.existingObject(with: object).value(forKey: name)
        if let object = value as? ManagedObject { return [object.objectID.key] }
        return ((value as? any Sequence).map { Self.objects(in: $0) } ?? []).map(\.objectID.key)
    }

    private static func objects<Objects: Sequence>(in sequence: Objects) -> [ManagedObject] {
        sequence.compactMap { $0 as? ManagedObject }
    }

    private func read<Value>(_ kept: Kept, _ row: Int64, _ body: (StoreRow) throws -> Value) throws -> [Value] {
        let sql =
            "SELECT \(quoteIdentifier(kept.column)) FROM \(store.qualifiedTemporaryTable(kept.table)) "
            + "WHERE \(quoteIdentifier(kept.keyColumn)) = \(store.parameter)"
            + (kept.order.map { " ORDER BY \(quoteIdentifier($0))" } ?? "")
        var values: [Value] = []
        try store.reader.forEachRow(of: StoreQuery(sql, .key(row))) { row in
            if !row.isNull(at: 0) { values.append(try body(row)) }
        }
        return values
    }

    // MARK: Places

    /// Returns the entity that a row had in the earlier version, and its object in the later version; `nil` for an
    /// unknown row.
    private func earlierEntity(ofRow key: Int64) throws -> (name: String, object: ManagedObjectID?)? {
        if let object = try later.objectID(ofRow: key) {
            return match.sourceEntity(of: object.entityName).map { ($0.name, object) }
        }
        for table in earlier.schema.mapping.tables {
            guard case .entity(let root) = table.kind else { continue }
            let aside = store.asideTableName(of: table.name)
            let names = try columns(of: aside)
            guard names.contains("_id") else { continue }
            let entity = names.contains("_entity") ? "\"_entity\"" : sqlLiteral(text: root)
            let sql =
                "SELECT \(entity) FROM \(store.qualifiedTemporaryTable(aside)) WHERE \"_id\" = \(store.parameter)"
            let name = try store.reader.readRow(of: StoreQuery(sql, .key(key))) { $0.text(at: 0) } ?? nil
            if let name { return (name, nil) }
        }
        return nil
    }

    private func columns(of table: String) throws -> Set<String> {
        if let known = columnsByTable[table] { return known }
        let columns = try store.temporaryColumns(of: table)
        columnsByTable[table] = columns
        return columns
    }

    private func requireProperty(_ key: String) throws(StoreError) {
        let first = key.split(separator: ".").first.map(String.init) ?? key
        let isKnown = earlier.schema.model.entities.contains { entity in
            entity.attributes.contains { $0.name == first } || entity.relationships.contains { $0.name == first }
        }
        if !isKnown {
            throw store.error("version '\(earlier.versionName)' has no property '\(key)'; correct the name")
        }
    }

    private func place(of key: String, in entity: String) throws -> Place? {
        if let known = places[entity]?[key] { return known }
        let found = try findPlace(of: key, in: entity)
        places[entity, default: [:]][key] = .some(found)
        return found
    }

    private func findPlace(of key: String, in entity: String) throws -> Place? {
        guard let mapping = earlier.schema.mapping.entity(named: entity) else { return nil }
        let path = key.split(separator: ".").map(String.init)
        let new = match.destinationEntity(of: entity)
        if let attribute = mapping.attribute(at: path) {
            let isExternal = attribute.externalTableName != nil
            let kept = Kept(
                table: store.asideTableName(of: attribute.externalTableName ?? mapping.tableName),
                column: isExternal ? "bytes" : attribute.columnName
            )
            let carried = new.flatMap { new in
                later.schema.mapping.entity(named: new.name)?.attributes.first { attribute in
                    match.sourcePath(of: attribute.path, in: new.name) == path
                }?.path.joined(separator: ".")
            }
            return Place(attribute: attribute.attribute, kept: try confirmed(kept), carriedName: carried)
        }
        guard let relationship = mapping.relationship(named: key) else { return nil }
        let carried = new.flatMap { new in
            new.relationships.first { match.sourceRelationship(named: $0.name, of: new.name)?.name == key }?.name
        }
        return Place(
            isToMany: relationship.relationship.isToMany,
            kept: try confirmed(kept(relationship, mapping.tableName)),
            carriedName: carried
        )
    }

    private func kept(_ relationship: RelationshipMapping, _ tableName: String) -> Kept {
        switch relationship.storage {
        case .column(let name): return Kept(table: store.asideTableName(of: tableName), column: name)
        case .inverseColumn(let table, let name, let order):
            return Kept(table: store.asideTableName(of: table), column: "_id", keyColumn: name, order: order)
        case .joinTable(let table, let sourceColumn, let destinationColumn, let order):
            return Kept(
                table: store.asideTableName(of: table),
                column: destinationColumn,
                keyColumn: sourceColumn,
                order: order
            )
        }
    }

    /// Returns the stashed values if the step has stashed them; otherwise, `nil`.
    private func confirmed(_ kept: Kept) throws -> Kept? {
        let names = try columns(of: kept.table)
        guard names.isSuperset(of: [kept.column, kept.keyColumn]) else { return nil }
        var kept = kept
        if let order = kept.order, !names.contains(order) { kept.order = nil }
        return kept
    }
}
