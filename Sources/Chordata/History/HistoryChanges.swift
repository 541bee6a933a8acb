internal import ChordataModel
internal import ChordataSQL
internal import OrderedCollections

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The changes of one transaction, as the persistent history records them.
package struct HistoryChanges {
    private struct Change {
        var kind: ChangeSet.Row.Kind
        let type: RuntimeEntity
        var version: Int64
        /// The changed properties of an updated row.
        var fields = PropertyMask()
        /// The values of a deleted row that the model preserves.
        var tombstone: [String: AttributeValue] = [:]
    }

    private var changes: OrderedDictionary<IdentityMap.Key, Change> = [:]

    init() {}

    /// Creates the changes of a save after its last statement was executed.
    init(of plan: SavePlan, _ effects: SaveEffects, _ reader: StoreReader) throws {
        var unwritten: [Int: [Int64: PropertyMask]] = [:]
        self.init(of: plan, firstKey: effects.firstKey, &unwritten)
        for row in effects.nullifiedRows {
            addUpdate(of: row.key, row.type, version: row.version, row.changes?.fields ?? PropertyMask())
        }
        self = adding(effects.derivedRows)
        // Another context may have written or deleted these rows, which the save does not write.
        for (index, fields) in unwritten.orderedByKey {
            let type = plan.schema.runtimeEntities[index]
            try reader.forEachVersion(of: fields.keys.sorted(), type, plan.schema.dialect) { key, version, _ in
                addUpdate(of: key, type, version: version, fields[key] ?? PropertyMask())
            }
        }
        for lists in effects.shortenedLists {
            try addUpdates(of: lists.owners, in: plan.schema, reader) { _ in lists.fields }
        }
    }

    /// Creates the changes of a save that are known to the context without reading the store.
    /// - Parameters:
    ///   - firstKey: The key of the first row of inserted values.
    ///   - unwritten: The to-many relationships of updated objects whose rows are not written, by entity type and row
    ///     key.
    package init(of plan: SavePlan, firstKey: Int64, _ unwritten: inout [Int: [Int64: PropertyMask]]) {
        for object in plan.objects { add(object, &unwritten) }
        if let values = plan.values {
            for key in firstKey..<firstKey + Int64(values.rows.count) {
                self[key, values.rows.type] = Change(kind: .inserted, type: values.rows.type, version: 1)
            }
        }
    }

    /// Returns the changes together with the updates of rows whose derived attributes were computed.
    package func adding(_ derivedRows: [DerivedRow]) -> HistoryChanges {
        var changes = self
        for derived in derivedRows {
            let type = derived.row.values.runtimeEntity
            changes.addUpdate(of: derived.row.key, type, version: derived.row.version, type.derivedMask)
        }
        return changes
    }

    package var isEmpty: Bool { changes.isEmpty }

    private subscript(key: Int64, type: RuntimeEntity) -> Change? {
        get { changes[IdentityMap.Key(rootIndex: type.rootIndex, key: key)] }
        set { changes[IdentityMap.Key(rootIndex: type.rootIndex, key: key)] = newValue }
    }

    // MARK: Collecting

    /// - Parameter unwritten: The to-many relationships of updated objects whose rows are not written, by entity type
    ///   and row key.
    private mutating func add(_ object: ManagedObject, _ unwritten: inout [Int: [Int64: PropertyMask]]) {
        let type = object.runtimeEntity
        switch object.state {
        case .inserted:
            self[object.key, type] = Change(kind: .inserted, type: type, version: object.versionToSave)
        case .updated:
            let changed = object.changes?.changed ?? PropertyMask()
            var fields = PropertyMask()
            for field in type.fields where changed.contains(field.index) && field.isStored {
                fields.insert(field.index)
            }
            guard !fields.isEmpty else { return }
            guard object.hasColumnChanges else {
                unwritten[type.index, default: [:]][object.key] = fields
                return
            }
            self[object.key, type] = Change(kind: .updated, type: type, version: object.versionToSave, fields: fields)
        case .deleted:
            var change = Change(kind: .deleted, type: type, version: object.version + 1)
            for field in type.preservedFields {
                let committed = object.changes?.committedValue(of: field)
                change.tombstone[field.name] = attributeValue(
                    field.kind,
                    at: committed ?? UnsafeRawPointer(object.address(of: field))
                )
            }
            self[object.key, type] = change
        case .clean, .detached: break
        }
    }

    mutating func addUpdate(of key: Int64, _ type: RuntimeEntity, version: Int64, _ fields: PropertyMask) {
        guard var known = self[key, type] else {
            self[key, type] = Change(kind: .updated, type: type, version: version, fields: fields)
            return
        }
        known.version = max(known.version, version)
        known.fields.formUnion(fields)
        self[key, type] = known
    }

    /// Adds rows that were updated, with their current versions.
    /// - Parameters:
    ///   - rows: The keys of the rows by entity type.
    ///   - fields: Returns the fields that may have changed.
    mutating func addUpdates(
        of rows: [Int: [Int64]],
        in schema: StoreSchema,
        _ reader: StoreReader,
        fields: (RuntimeEntity) -> PropertyMask
    ) throws {
        for (index, keys) in rows.orderedByKey where !keys.isEmpty {
            let type = schema.runtimeEntities[index]
            let mask = fields(type)
            try reader.forEachVersion(of: keys, type, schema.dialect) { key, version, _ in
                addUpdate(of: key, type, version: version, mask)
            }
        }
    }

    /// Adds rows that are about to be deleted, by entity type.
    mutating func addDeletions(of rows: [Int: [Int64]], in schema: StoreSchema, _ reader: StoreReader) throws {
        for (index, keys) in rows.orderedByKey {
            let type = schema.runtimeEntities[index]
            try reader.forEachVersion(of: keys, type, schema.dialect) { key, version, tombstone in
                self[key, type] = Change(kind: .deleted, type: type, version: version + 1, tombstone: tombstone)
            }
        }
    }

    // MARK: Text

    /// The JSON text of the changes.
    package func text() throws -> String {
        var entities: OrderedDictionary<Int, HistoryText> = [:]
        for (key, change) in changes {
            // The texts are changed in place: a copy for each row would make the cost quadratic.
            switch change.kind {
            case .inserted:
                HistoryText.add(
                    key.key,
                    change.version,
                    to: &entities[change.type.index, default: HistoryText(change.type)].inserted
                )
            case .updated:
                entities[change.type.index, default: HistoryText(change.type)]
                    .addUpdate(key.key, change.version, change.fields)
            case .deleted:
                HistoryText.add(
                    key.key,
                    change.version,
                    to: &entities[change.type.index, default: HistoryText(change.type)].deleted
                )
                if !change.tombstone.isEmpty {
                    entities[change.type.index]?.tombstones["\(key.key)"] = change.tombstone
                }
            }
        }
        return try "{" + entities.values.map { try $0.text() }.joined(separator: ",") + "}"
    }

    /// Returns the JSON string of a name.
    package static func json(_ name: String) -> String { "\"\(escape(name, with: .json))\"" }
}

extension RuntimeEntity {
    /// The attributes whose values the history preserves when a row is deleted.
    var preservedFields: [Field] {
        columnFields.filter {
            $0.attribute?.preservesValueInHistoryOnDeletion == true && $0.kind.base != .external
                && $0.kind.base != .encoded
        }
    }
}

/// The changes of the rows of one entity as JSON: lists of row keys and versions.
///
/// For an updated row, these are followed by the indexes of the changed properties in a list of names.
private struct HistoryText {
    private let type: RuntimeEntity
    private var places: OrderedDictionary<Int, Int> = [:]
    var inserted = ""
    private var updated = ""
    var deleted = ""
    var tombstones: [String: [String: AttributeValue]] = [:]

    init(_ type: RuntimeEntity) { self.type = type }

    /// Adds a row that was inserted or deleted.
    static func add(_ key: Int64, _ version: Int64, to list: inout String) {
        begin(key, version, in: &list)
        list += "]"
    }

    /// Adds a row without the bracket at its end.
    ///
    /// Interpolated strings would be allocated for each row.
    private static func begin(_ key: Int64, _ version: Int64, in list: inout String) {
        list += list.isEmpty ? "[" : ",["
        list += String(key)
        list += ","
        list += String(version)
    }

    mutating func addUpdate(_ key: Int64, _ version: Int64, _ fields: PropertyMask) {
        Self.begin(key, version, in: &updated)
        for field in type.fields where fields.contains(field.index) {
            let place = places[field.index] ?? places.count
            places[field.index] = place
            updated += ","
            updated += String(place)
        }
        updated += "]"
    }

    func text() throws -> String {
        var parts: [String] = []
        if !places.isEmpty {
            let names = places.keys.map { HistoryChanges.json(type.fields[$0].name) }
            parts.append("\"properties\":[\(names.joined(separator: ","))]")
        }
        for (name, list) in [("inserted", inserted), ("updated", updated), ("deleted", deleted)] where !list.isEmpty {
            parts.append("\"\(name)\":[\(list)]")
        }
        if !tombstones.isEmpty {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            parts.append("\"tombstones\":\(String(decoding: try encoder.encode(tombstones), as: UTF8.self))")
        }
        return HistoryChanges.json(type.entity.name) + ":{" + parts.joined(separator: ",") + "}"
    }
}

/// The changes of the rows of one entity, as they are read from the history.
struct StoredHistory: Decodable {
    var properties: [String]?
    /// Keys and versions.
    var inserted: [[Int64]]?
    /// Keys, versions, and the indexes of the changed properties in ``properties``.
    var updated: [[Int64]]?
    /// Keys and versions.
    var deleted: [[Int64]]?
    /// The preserved values of deleted rows, by row key.
    var tombstones: [String: [String: AttributeValue]]?
}
