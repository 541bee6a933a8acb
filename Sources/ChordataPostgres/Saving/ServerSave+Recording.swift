internal import Chordata
internal import ChordataModel
internal import ChordataSQL

// The changes that a save records for other programs and for the persistent history, in the round trip of the save.
//
// The row of a save in `_save` contains the changes that the program knows. The statements of the save themselves write
// the changes that only the server knows into `_save_part`, such as the versions of rows whose references are removed.

/// The identity of a save: the open store that executes it, and a number.
struct SaveNumber: Sendable {
    let origin, number: Int64
}

extension ServerSave {
    /// Records rows whose to-many relationships were changed, although the rows themselves are not written.
    /// - Parameter unwritten: The changed relationships by entity type and row key.
    mutating func recordUnwritten(_ unwritten: [Int: [Int64: PropertyMask]], of save: SaveNumber) {
        for (index, rows) in unwritten.orderedByKey {
            let type = schema.runtimeEntities[index]
            for (fields, rows) in Dictionary(grouping: rows, by: \.value).sorted(by: {
                $0.value[0].key < $1.value[0].key
            }) {
                let table = quoteIdentifier(type.mapping.tableName)
                record(
                    "SELECT \(Self.identity(of: type, "t0.")) FROM \(table) AS t0 WHERE t0.\"_id\" = ANY($1)",
                    [.keys(rows.map(\.key).sorted())],
                    changed: fields,
                    of: type,
                    save
                )
            }
        }
    }

    /// Removes all references to the deleted rows, so that the referencing rows get new versions and are recorded, and
    /// records the rows whose to-many relationships contain deleted rows.
    mutating func removeReferences(to deletions: [RowGroup], of save: SaveNumber) {
        let batches = deletions.map { batch in
            (type: batch.type, keys: batch.objects.map { $0.takeUnretainedValue().key }.sorted())
        }
        let referenced = batches.filter { batch in
            !schema.references(to: batch.type).isEmpty || !schema.listsOfRows(of: batch.type).isEmpty
        }
        removeReferences(to: referenced, deletions, save)
        // Another save may have added references that it has not committed yet. The lock waits for it, and lets no save
        // add more. Before the lock, the rows with references are locked, as in a save that adds some: with the lock
        // first, both saves could wait for each other.
        for batch in referenced {
            append(
                "SELECT count(*) FROM (SELECT 1 FROM \(quoteIdentifier(batch.type.mapping.tableName)) "
                    + "WHERE \"_id\" = ANY($1) ORDER BY \"_id\" FOR UPDATE) AS l",
                [.keys(batch.keys)]
            )
        }
        for batch in referenced {
            for (owner, field, storage) in schema.listsOfRows(of: batch.type) {
                recordLists(of: owner, field, storage, members: batch.keys, batch.type, deletions, save)
            }
        }
        removeReferences(to: referenced, deletions, save)
    }

    private mutating func removeReferences(
        to batches: [(type: RuntimeEntity, keys: [Int64])],
        _ deletions: [RowGroup],
        _ save: SaveNumber
    ) {
        for batch in batches {
            for (type, field) in schema.references(to: batch.type) {
                nullify(field, of: type, referencing: batch.keys, deletions, save)
            }
        }
    }

    private mutating func recordLists(
        of owner: RuntimeEntity,
        _ field: Int,
        _ storage: RelationshipMapping.Storage,
        members: [Int64],
        _ type: RuntimeEntity,
        _ deletions: [RowGroup],
        _ save: SaveNumber
    ) {
        let members = [ServerArgument.keys(members), .keys(deletedKeys(in: deletions, rootIndex: owner.rootIndex))]
        let rows = renderMembers(
            SelectList(["_id", "_version"] + (owner.mapping.isInHierarchy ? ["_entity"] : [])),
            of: storage,
            from: type.mapping.tableName,
            to: owner.mapping.tableName,
            schema.dialect
        )
        var fields = PropertyMask()
        fields.insert(field)
        record(
            "SELECT * FROM (\(rows)) AS t0 WHERE NOT t0.\"_id\" = ANY($2)",
            members,
            changed: fields,
            of: owner,
            save
        )
    }

    private mutating func nullify(
        _ field: Int,
        of type: RuntimeEntity,
        referencing keys: [Int64],
        _ deletions: [RowGroup],
        _ save: SaveNumber
    ) {
        guard let name = type.fields[field].columnName else { return }
        let update = Self.removingReferences(from: name, of: type.mapping.tableName, type)
        var fields = PropertyMask()
        fields.insert(field)
        let part = part(
            of: "SELECT * FROM w",
            after: [.keys(keys), .keys(deletedKeys(in: deletions, rootIndex: type.rootIndex))],
            changed: fields,
            type,
            save
        )
        append(
            "WITH w AS (\(update)), p AS (\(part.sql)) SELECT * FROM w",
            part.arguments,
            .nullification(NullifiedReference(type: type, field: field))
        )
    }

    private func deletedKeys(in deletions: [RowGroup], rootIndex: Int) -> [Int64] {
        deletions.filter { $0.type.rootIndex == rootIndex }.flatMap { batch in
            batch.objects.map { $0.takeUnretainedValue().key }
        }
    }

    private mutating func record(
        _ rows: String,
        _ arguments: [ServerArgument],
        changed fields: PropertyMask,
        of type: RuntimeEntity,
        _ save: SaveNumber
    ) {
        let part = part(of: rows, after: arguments, changed: fields, type, save)
        append(part.sql, part.arguments)
    }

    /// Returns the statement that records rows as updated, in the text format of ``HistoryChanges``.
    /// - Parameters:
    ///   - rows: A SELECT of the rows with their keys, versions and, in a hierarchy, entities.
    ///   - arguments: The arguments of the SELECT.
    private func part(
        of rows: String,
        after arguments: [ServerArgument],
        changed fields: PropertyMask,
        _ type: RuntimeEntity,
        _ save: SaveNumber
    ) -> (sql: String, arguments: [ServerArgument]) {
        let names = type.fields.filter { fields.contains($0.index) }.map(\.name)
        let places = names.indices.map { ",\($0)" }.joined()
        func parameter(_ offset: Int) -> String { "$\(arguments.count + offset)" }
        let entity = type.mapping.isInHierarchy ? "r.\"_entity\"" : "\(parameter(5))::text"
        let sql =
            "INSERT INTO \"_save_part\" (\"origin\", \"number\", \"part\", \"changes\") "
            + "SELECT \(parameter(1)), \(parameter(2)), \(parameter(3)), '{' || string_agg(e.t, ',') || '}' FROM ("
            + "SELECT to_json(\(entity))::text || \(parameter(4)) || "
            + "string_agg('[' || r.\"_id\" || ',' || r.\"_version\" || '\(places)]', ',') || ']}' AS t "
            + "FROM (\(rows)) AS r\(type.mapping.isInHierarchy ? " GROUP BY r.\"_entity\"" : " HAVING count(*) > 0")"
            + ") AS e HAVING count(*) > 0"
        let prefix = ":{\"properties\":[\(names.map(HistoryChanges.json).joined(separator: ","))],\"updated\":["
        let own: [ServerArgument] = [
            .integer(save.origin), .integer(save.number), .integer(Int64(statements.count)), .text(prefix),
        ]
        return (sql, arguments + own + (type.mapping.isInHierarchy ? [] : [.text(type.entity.name)]))
    }
}

/// A to-one relationship that a save sets to `nil`, because it references a deleted row.
struct NullifiedReference {
    /// The entity that has the relationship; rows can be of its subentities.
    let type: RuntimeEntity
    /// The relationship; `nil` if it is unknown.
    let field: Int?

    /// The change of a row.
    func row(_ type: RuntimeEntity, _ key: Int64, _ version: Int64) -> ChangeSet.Row {
        var row = ChangeSet.Row(kind: .updated, type: type, key: key, version: version, values: nil)
        row.isNullification = true
        if let field {
            var fields = PropertyMask()
            fields.insert(field)
            row.changes = FieldChanges(fields: fields, baseVersion: version - 1)
        }
        return row
    }
}

extension StoreSchema {
    /// Returns the to-many relationships that can have rows of an entity in a join table: for each one, its entity, its
    /// field, and its storage from the perspective of the members.
    fileprivate func listsOfRows(of type: RuntimeEntity) -> [(RuntimeEntity, Int, RelationshipMapping.Storage)] {
        var lists: [(RuntimeEntity, Int, RelationshipMapping.Storage)] = []
        for case let relationship? in type.relationships where relationship.isInverseToMany {
            guard let field = relationship.inverseField, let storage = relationship.storage else { continue }
            lists.append((runtimeEntities[relationship.destination], field, storage))
        }
        return hasOneWayRelationships ? lists + oneWayLists(of: type) : lists
    }

    /// Returns the to-one relationships that can reference rows of an entity, each with its own entity.
    fileprivate func references(to type: RuntimeEntity) -> [(RuntimeEntity, Int)] {
        var references: [(RuntimeEntity, Int)] = []
        for case let relationship? in type.relationships {
            guard let inverse = relationship.inverseToOne, relationship.storage != nil else { continue }
            references.append((runtimeEntities[relationship.destination], inverse))
        }
        return hasOneWayRelationships ? references + oneWayReferences(to: type).map { ($0.type, $0.field) } : references
    }
}
