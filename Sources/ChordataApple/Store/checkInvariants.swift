internal import ChordataModel
internal import ChordataSQL

/// A rule that all stores of Core Data follow, and the number of rows that break it.
package struct BrokenInvariant: Sendable, Hashable {
    package var rule: String
    package var count: Int64
}

/// Checks the rules that all stores of Core Data follow in addition to the layout of their tables: keys, entity
/// numbers, both ends of relationships, positions in ordered relationships, types of values and the history.
/// - Parameter checksIndexes: A Boolean value that indicates whether SQLite compares each index with its table.
/// - Returns: The broken rules, without values of attributes.
func checkInvariants(
    of store: CoreDataStore,
    _ schema: CoreDataSchema,
    checksIndexes: Bool = true
) throws(CoreDataStoreError) -> [BrokenInvariant] {
    var checker = InvariantChecker(store: store, schema: schema, checksIndexes: checksIndexes)
    try checker.run()
    return checker.counts.filter { $0.value > 0 }.map { BrokenInvariant(rule: $0.key, count: $0.value) }
        .sorted { $0.rule < $1.rule }
}

/// Collects the conditions of broken rules by table, so that each table is read once.
private struct InvariantChecker {
    private let store: CoreDataStore
    private let schema: CoreDataSchema
    private let checksIndexes: Bool
    private(set) var counts: [String: Int64] = [:]
    /// The conditions under which a row, as table `a`, breaks a rule, by the quoted name of the table.
    private var conditions: [String: [(rule: String, condition: String)]] = [:]

    /// The number of conditions that are checked in one scan of a table.
    private static let scanSize = 200

    init(store: CoreDataStore, schema: CoreDataSchema, checksIndexes: Bool) {
        self.store = store
        self.schema = schema
        self.checksIndexes = checksIndexes
    }

    private var model: ManagedObjectModel { schema.model }

    private mutating func add(_ rule: String, _ count: Int64) { counts[rule, default: 0] += count }

    private mutating func count(_ rule: String, _ sql: String) throws(CoreDataStoreError) {
        add(rule, try store.integer("SELECT count(*) FROM " + sql))
    }

    private mutating func require(_ rule: String, _ table: String, _ condition: String) {
        conditions[quoteIdentifier(table), default: []].append((rule, condition))
    }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

    private func isOf(_ entityName: String) -> String {
        "a.\"Z_ENT\" IN (\(list(schema.numbers(below: entityName))))"
    }

    mutating func run() throws(CoreDataStoreError) {
        if try store.rows("PRAGMA \(checksIndexes ? "integrity_check" : "quick_check")(1)").first?.first?.text != "ok" {
            add("SQLite's integrity check fails", 1)
        }
        add(
            "differences of tables or columns from those of the model",
            Int64(schema.differences(from: store).count + schema.additions(of: store).count)
        )
        let maximums = Dictionary(store.primaryKeys.map { ($0.number, $0.maximum) }, uniquingKeysWith: { $1 })
        for entity in model.entities where entity.superentityName == nil {
            try checkRows(of: entity, maximums)
        }
        for (path, place) in schema.places {
            guard store.hasColumn(place.column, in: place.table), let entity = model.entity(named: path.entityName)
            else {
                continue
            }
            if let relationship = entity.declaredRelationships.first(where: { [$0.name] == path.names }) {
                try checkKeys(relationship, of: entity, place)
            } else if let attribute = attribute(at: path.names, of: entity) {
                checkValues(attribute, of: entity, place)
            }
        }
        for (path, pairs) in schema.pairs { checkPairs(pairs, of: path) }
        try scan()
        try checkHistory()
    }

    private mutating func scan() throws(CoreDataStoreError) {
        for (table, all) in conditions {
            for start in stride(from: 0, to: all.count, by: Self.scanSize) {
                let part = all[start..<min(start + Self.scanSize, all.count)]
                let columns = part.map { "count(*) FILTER (WHERE \($0.condition))" }.joined(separator: ", ")
                let row = try store.rows("SELECT \(columns) FROM \(table) AS a").first ?? []
                for (condition, value) in zip(part, row) { add(condition.rule, value.integer ?? 0) }
            }
        }
    }

    private func attribute(at names: [String], of entity: EntityDescription) -> AttributeDescription? {
        var attributes = entity.declaredAttributes
        var found: AttributeDescription?
        for name in names {
            found = attributes.first { $0.name == name }
            attributes = found?.elements ?? []
        }
        return found
    }

    // MARK: Rows

    private mutating func checkRows(of root: EntityDescription, _ maximums: [Int64: Int64]) throws(CoreDataStoreError) {
        let name = CoreDataSchema.tableName(ofRoot: root.name)
        guard store.tables[name] != nil else { return }
        let closure = schema.closure(of: root.name)
        let concrete = closure.filter { model.entity(named: $0)?.isAbstract == false }
            .compactMap { schema.entityNumbers[$0] }
        require(
            "rows whose Z_ENT is not the number of a concrete entity of their table",
            name,
            "a.\"Z_ENT\" IS NULL OR a.\"Z_ENT\" NOT IN (\(list(concrete)))"
        )
        require("rows whose Z_OPT is less than 1", name, "a.\"Z_OPT\" IS NULL OR a.\"Z_OPT\" < 1")
        let maximum = try store.integer("SELECT ifnull(max(\"Z_PK\"), 0) FROM \(quoteIdentifier(name))")
        let number = Int64(schema.entityNumbers[root.name] ?? 0)
        if maximums[number] ?? 0 < maximum { add("tables that have a Z_PK above the Z_MAX of their entity", 1) }
        for name in closure.dropFirst() where maximums[Int64(schema.entityNumbers[name] ?? 0)] ?? 0 != 0 {
            add("subentities whose Z_MAX is not 0", 1)
        }
    }

    private mutating func checkValues(
        _ attribute: AttributeDescription,
        of entity: EntityDescription,
        _ place: CoreDataSchema.Place
    ) {
        let column = "a." + quoteIdentifier(place.column)
        let isPresent = "\(isOf(entity.name)) AND \(column) IS NOT NULL"
        let types: [String] =
            switch attribute.attributeType {
            case .integer16, .integer32, .integer64, .boolean: ["integer"]
            case .double, .float, .date: ["real", "integer"]
            case .decimal: ["real", "integer", "text"]
            case .string, .uri: ["text"]
            case .uuid, .binaryData, .transformable: ["blob"]
            case .undefined, .objectID, .composite: []
            }
        let names = types.map { "'\($0)'" }.joined(separator: ",")
        require(
            "values of type \(attribute.attributeType.rawValue) that are stored as another type",
            place.table,
            "\(isPresent) AND typeof(\(column)) NOT IN (\(names))"
        )
        if attribute.attributeType == .uuid {
            require("UUIDs that do not have 16 bytes", place.table, "\(isPresent) AND length(\(column)) <> 16")
        }
        if attribute.allowsExternalBinaryDataStorage {
            require(
                "values with external storage whose first byte is neither 1 nor 2",
                place.table,
                "\(isPresent) AND hex(substr(\(column), 1, 1)) NOT IN ('01', '02')"
            )
        }
    }

    // MARK: Relationships

    private mutating func checkKeys(
        _ relationship: RelationshipDescription,
        of entity: EntityDescription,
        _ place: CoreDataSchema.Place
    ) throws(CoreDataStoreError) {
        let column = "a." + quoteIdentifier(place.column)
        let destinationName = schema.tableName(of: relationship.destinationEntityName)
        guard store.tables[destinationName] != nil else { return }
        let isPresent = "\(isOf(entity.name)) AND \(column) IS NOT NULL"
        let destination = "SELECT 1 FROM \(quoteIdentifier(destinationName)) AS b WHERE b.\"Z_PK\" = \(column)"
        let numbers = list(schema.numbers(below: relationship.destinationEntityName))
        require("references to rows that do not exist", place.table, "\(isPresent) AND NOT EXISTS (\(destination))")
        require(
            "references to a row of another entity",
            place.table,
            "\(isPresent) AND EXISTS (\(destination) AND b.\"Z_ENT\" NOT IN (\(numbers)))"
        )
        if let entityColumn = place.entityColumn, store.hasColumn(entityColumn, in: place.table) {
            let number = "a." + quoteIdentifier(entityColumn)
            require(
                "references with an entity number other than the Z_ENT of the referenced row",
                place.table,
                "\(column) IS NULL AND \(number) IS NOT NULL "
                    + "OR EXISTS (\(destination) AND b.\"Z_ENT\" IS NOT \(number))"
            )
        }
        if let inverse = schema.inverse(of: relationship), !inverse.relationship.isToMany,
            inverse.relationship.inverseName == relationship.name,
            let other = schema.places[PropertyPath(inverse.entityName, [inverse.relationship.name])],
            store.hasColumn(other.column, in: destinationName)
        {
            require(
                "one-to-one relationships that are not mutual",
                place.table,
                "\(isPresent) AND EXISTS (\(destination) AND b.\(quoteIdentifier(other.column)) IS NOT a.\"Z_PK\")"
            )
        }
        if let order = place.orderColumn, store.hasColumn(order, in: place.table) {
            let order = "a." + quoteIdentifier(order)
            require(
                "members of ordered relationships without a position",
                place.table,
                "\(column) IS NOT NULL AND \(order) IS NULL"
            )
            try count(
                "positions in ordered relationships that more than one member has",
                "(SELECT 1 FROM \(quoteIdentifier(place.table)) AS a WHERE \(column) IS NOT NULL "
                    + "GROUP BY \(column), \(order) HAVING count(*) > 1)"
            )
        }
    }

    private mutating func checkPairs(_ pairs: CoreDataSchema.Pairs, of path: PropertyPath) {
        guard store.tables[pairs.table] != nil,
            let relationship = schema.declaration(of: path.names[0], in: path.entityName)?.relationship
        else { return }
        let sides = [
            (pairs.sourceColumn, path.entityName), (pairs.destinationColumn, relationship.destinationEntityName),
        ]
        for (column, entity) in sides {
            let table = schema.tableName(of: entity)
            guard store.hasColumn(column, in: pairs.table), store.tables[table] != nil else { continue }
            require(
                "join rows that reference a row that does not exist",
                pairs.table,
                "NOT EXISTS (SELECT 1 FROM \(quoteIdentifier(table)) AS b "
                    + "WHERE b.\"Z_PK\" = a.\(quoteIdentifier(column)))"
            )
        }
    }

    // MARK: History

    private mutating func checkHistory() throws(CoreDataStoreError) {
        guard store.tables["ACHANGE"] != nil, store.tables["ATRANSACTION"] != nil else { return }
        try count(
            "changes of the history whose transaction does not exist",
            "\"ACHANGE\" WHERE \"ZTRANSACTIONID\" NOT IN (SELECT \"Z_PK\" FROM \"ATRANSACTION\")"
        )
        for (number, table) in [(16_001, "ACHANGE"), (16_002, "ATRANSACTION"), (16_003, "ATRANSACTIONSTRING")]
        where store.tables[table] != nil {
            guard let key = store.historyKeys.first(where: { $0.number == number }) else { continue }
            let maximum = try store.integer("SELECT ifnull(max(\"Z_PK\"), 0) FROM \(quoteIdentifier(table))")
            if key.maximum < maximum { add("tables of the history that have a Z_PK above their Z_MAX", 1) }
        }
    }
}
