internal import Chordata
internal import ChordataModel
internal import ChordataSQL

/// The SQL that compares a store, which is attached as `source`, with a store of Core Data of the same model, which is
/// the main database, and that writes the differences.
///
/// Rows of the source have the alias `n`, rows of Core Data's tables the alias `a`.
struct ExportPlan {
    /// A column of a table of Core Data.
    struct Column {
        var name: String
        /// The property, for the history.
        var property: String
        /// The entity that declares the property, if it is not the root entity.
        var entityName: String?
        /// The value of a row of the source.
        var value: String
        /// The condition that the column of a row has another value than the row of the source.
        var isDifferent: String
        /// The condition that an import keeps the value of the column.
        var isValid: String
    }

    /// The rows of a root entity and of all its subentities.
    struct RootTable {
        var entityName: String
        var number: Int
        /// The quoted names of the tables.
        var source: String
        var target: String
        /// The number of the entity of a row of the source.
        var entityNumber: String
        /// The numbers and names of the entities.
        var entities: [(number: Int, name: String)]
        var isInHierarchy: Bool
        var columns: [Column]
    }

    /// A query for the number of values that the destination cannot represent.
    struct Check {
        var sql: String
        /// The name of the property.
        var name: String
        /// The problem, after the number of values.
        var problem: String
    }

    /// A table that is filled before rows are written.
    ///
    /// It has the positions of members, or the objects to which they belong.
    struct Preparation {
        var sql: [String]
        var check: Check?
    }

    /// The pairs of a many-to-many relationship.
    struct PairTable {
        /// The relationship on one side of the pairs.
        struct Side {
            var entityName: String
            var relationshipName: String
        }

        /// The quoted name of the table.
        var target: String
        /// The columns: the keys of the two sides, then the positions.
        var columns: [String]
        /// The pairs of the source, with a column for each of the columns.
        var rows: String
        /// The quoted columns of the keys of the source's join table.
        var sourceKeys: (table: String, first: String, second: String)
        var sides: [Side]
    }

    /// The names of the functions that statements call.
    enum Function {
        static let external = "chordata_export_external"
    }

    let schema: CoreDataSchema
    private let mapping: SchemaMapping
    /// The checks for values that lose digits.
    private(set) var checks: [Check] = []
    private(set) var preparations: [Preparation] = []
    private(set) var rootTables: [RootTable] = []
    private(set) var pairTables: [PairTable] = []
    /// The relationships that are their own inverse: how Core Data stores their pairs is not known.
    private(set) var reflexiveRelationships: [(name: String, source: String, target: String)] = []

    init(_ schema: CoreDataSchema, _ mapping: SchemaMapping) {
        self.schema = schema
        self.mapping = mapping
        let members = makeMembers()
        for name in schema.entityNames {
            guard let entity = schema.model.entity(named: name), entity.superentityName == nil else { continue }
            addTable(of: entity, members)
        }
        addPairTables()
    }

    // MARK: Parts

    private func sourceTable(_ name: String) -> String { "source." + quoteIdentifier(name) }

    /// The number of the entity of a row of the source.
    private func entityNumber(ofRowIn entityName: String, _ alias: String) -> String {
        guard let entity = schema.model.entity(named: entityName),
            mapping.entity(named: entityName)?.isInHierarchy == true
        else { return "\(schema.entityNumbers[entityName] ?? 0)" }
        let cases = schema.closure(of: entity.rootEntityName).map { name in
            "WHEN \(sqlLiteral(text: name)) THEN \(schema.entityNumbers[name] ?? 0)"
        }
        return "CASE \(alias).\"_entity\" \(cases.joined(separator: " ")) END"
    }

    /// Returns the position of a row among the rows of its object.
    ///
    /// If Core Data cannot have one of the positions, the positions of all rows of the object are replaced.
    private func place(_ order: String, owner: String, member: String) -> String {
        "CASE WHEN min(\(order)) OVER (PARTITION BY \(owner)) >= 1 THEN \(order) ELSE 2048 + 1024 * "
            + "(row_number() OVER (PARTITION BY \(owner) ORDER BY \(order), \(member)) - 1) END"
    }

    /// Adds a table with the objects and positions of members, by the key of the member.
    private mutating func addPreparation(_ rows: String, check: Check? = nil) -> String {
        let name = "temp.\"members_\(preparations.count)\""
        preparations.append(
            Preparation(
                sql: [
                    "CREATE TABLE \(name) (\"member\" INTEGER PRIMARY KEY, \"owner\" INTEGER, \"place\" INTEGER)",
                    "INSERT INTO \(name) \(rows)",
                ],
                check: check
            )
        )
        return name
    }

    // MARK: Members without an inverse

    /// The columns of to-many relationships without an inverse, by the table that has them.
    private mutating func makeMembers() -> [String: [Column]] {
        var columns: [String: [Column]] = [:]
        let places = schema.memberPlaces.sorted {
            ($0.key.entityName, $0.key.names[0]) < ($1.key.entityName, $1.key.names[0])
        }
        for (path, place) in places {
            let name = "\(path.entityName).\(path.names[0])"
            guard let relationship = schema.declaration(of: path.names[0], in: path.entityName)?.relationship,
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { continue }
            let (owner, member) = (quoteIdentifier(source), quoteIdentifier(destination))
            let placeValue = order.map { self.place(quoteIdentifier($0), owner: owner, member: member) } ?? "NULL"
            let members = addPreparation(
                "SELECT \(member), \(owner), \(placeValue) FROM \(sourceTable(table))",
                check: Check(
                    sql:
                        "SELECT count(*) FROM (SELECT 1 FROM \(sourceTable(table)) GROUP BY \(member) HAVING count(*) > 1)",
                    name: name,
                    problem:
                        "objects are members of this relationship for more than one object, which Core Data cannot store, because "
                        + "the relationship has no inverse"
                )
            )
            func add(_ column: String, _ part: String) {
                let value = "(SELECT m.\"\(part)\" FROM \(members) AS m WHERE m.\"member\" = n.\"_id\")"
                columns[place.table, default: []].append(
                    Column(
                        name: column,
                        // The members do not have a property for the column.
                        property: "",
                        entityName: relationship.destinationEntityName,
                        value: value,
                        isDifferent: "a.\(quoteIdentifier(column)) IS NOT \(value)",
                        isValid: "1"
                    )
                )
            }
            add(place.column, "owner")
            if let orderColumn = place.orderColumn { add(orderColumn, "place") }
        }
        return columns
    }

    // MARK: Tables of entities

    private mutating func addTable(
        of root: EntityDescription,
        _ members: [String: [Column]]
    ) {
        guard let mapped = mapping.entity(named: root.name) else { return }
        let target = CoreDataSchema.tableName(ofRoot: root.name)
        var columns: [Column] = []
        for name in schema.closure(of: root.name) {
            guard let entity = schema.model.entity(named: name) else { continue }
            let owner = name == root.name ? nil : name
            columns += attributeColumns(of: entity, declaredBy: owner)
            columns += toOneColumns(of: entity, declaredBy: owner)
        }
        columns += members[target] ?? []
        rootTables.append(
            RootTable(
                entityName: root.name,
                number: schema.entityNumbers[root.name] ?? 0,
                source: sourceTable(mapped.tableName),
                target: "main." + quoteIdentifier(target),
                entityNumber: entityNumber(ofRowIn: root.name, "n"),
                entities: schema.closure(of: root.name).map { (schema.entityNumbers[$0] ?? 0, $0) },
                isInHierarchy: mapped.isInHierarchy,
                columns: columns
            )
        )
    }

    private mutating func attributeColumns(of entity: EntityDescription, declaredBy owner: String?) -> [Column] {
        guard let mapped = mapping.entity(named: entity.name) else { return [] }
        var columns: [Column] = []
        for attribute in mapped.attributes {
            guard let place = schema.places[PropertyPath(entity.name, attribute.path)] else { continue }
            let stored = "a." + quoteIdentifier(place.column)
            var value = "n." + quoteIdentifier(attribute.columnName)
            var isDifferent = "\(stored) IS NOT \(value)"
            switch attribute.attribute.attributeType {
            case .decimal:
                isDifferent = "\(ImportPlan.Function.decimal)(\(stored)) IS NOT \(value)"
                // Core Data's column converts the text to a number.
                checks.append(
                    Check(
                        sql: "SELECT count(*) FROM \(sourceTable(mapped.tableName)) AS n "
                            + "WHERE \(ImportPlan.Function.decimal)(CAST(\(value) AS NUMERIC)) IS NOT \(value)",
                        name: "\(entity.name).\(attribute.path.joined(separator: "."))",
                        problem: "decimals of more than 15 digits, which Core Data stores as floating-point numbers"
                    )
                )
            case .binaryData, .transformable:
                guard attribute.attribute.allowsExternalBinaryDataStorage else { break }
                if let table = attribute.externalTableName {
                    value = "(SELECT x.\"bytes\" FROM \(sourceTable(table)) AS x WHERE x.\"_id\" = n.\"_id\")"
                }
                // If the file of a value is missing, the value is considered equal if the object was not changed.
                isDifferent =
                    "CASE WHEN hex(substr(\(stored), 1, 1)) = '02' AND \(ImportPlan.Function.externalSize)(\(stored)) IS NULL "
                    + "THEN n.\"_version\" > a.\"Z_OPT\" ELSE \(ImportPlan.Function.externalData)(\(stored)) IS NOT \(value) END"
                value = "\(Function.external)(\(value))"
            case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .date, .uuid, .uri,
                .composite, .objectID:
                break
            }
            columns.append(
                Column(
                    name: place.column,
                    property: attribute.path[0],
                    entityName: owner,
                    value: value,
                    isDifferent: isDifferent,
                    isValid: ImportPlan.isValid(attribute.attribute, stored)
                )
            )
        }
        return columns
    }

    private mutating func toOneColumns(of entity: EntityDescription, declaredBy owner: String?) -> [Column] {
        guard let mapped = mapping.entity(named: entity.name) else { return [] }
        var columns: [Column] = []
        for relationship in schema.storedRelationships(of: entity) where !relationship.isToMany {
            guard case .column(let column)? = mapped.relationship(named: relationship.name)?.storage,
                let place = schema.places[PropertyPath(entity.name, [relationship.name])]
            else { continue }
            let key = "n." + quoteIdentifier(column)
            let destination = "main." + quoteIdentifier(schema.tableName(of: relationship.destinationEntityName))
            let numbers = schema.numbers(below: relationship.destinationEntityName).map(String.init).joined(
                separator: ","
            )
            let isValid =
                "EXISTS (SELECT 1 FROM \(destination) AS b WHERE b.\"Z_PK\" = a.\(quoteIdentifier(place.column)) "
                + "AND b.\"Z_ENT\" IN (\(numbers)))"
            func add(_ name: String, _ value: String) {
                columns.append(
                    Column(
                        name: name,
                        property: relationship.name,
                        entityName: owner,
                        value: value,
                        isDifferent: "a.\(quoteIdentifier(name)) IS NOT \(value)",
                        isValid: isValid
                    )
                )
            }
            add(place.column, key)
            if let entityColumn = place.entityColumn,
                let table = mapping.tableName(of: relationship.destinationEntityName)
            {
                let number = entityNumber(ofRowIn: relationship.destinationEntityName, "d")
                add(entityColumn, "(SELECT \(number) FROM \(sourceTable(table)) AS d WHERE d.\"_id\" = \(key))")
            }
            if let orderColumn = place.orderColumn, let inverse = schema.inverse(of: relationship),
                case .inverseColumn(let table, let column, let order?)? = mapping.entity(named: inverse.entityName)?
                    .relationship(named: inverse.relationship.name)?.storage
            {
                let (owner, order) = (quoteIdentifier(column), quoteIdentifier(order))
                let members = addPreparation(
                    "SELECT \"_id\", \(owner), \(self.place(order, owner: owner, member: "\"_id\"")) "
                        + "FROM \(sourceTable(table)) WHERE \(owner) IS NOT NULL"
                )
                add(orderColumn, "(SELECT m.\"place\" FROM \(members) AS m WHERE m.\"member\" = n.\"_id\")")
            }
        }
        return columns
    }

    // MARK: Tables of pairs

    private mutating func addPairTables() {
        let ordered = schema.pairs.sorted {
            ($0.key.entityName, $0.key.names[0]) < ($1.key.entityName, $1.key.names[0])
        }
        for (path, pairs) in ordered {
            guard
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { continue }
            let name = "\(path.entityName).\(path.names[0])"
            let (first, second) = (quoteIdentifier(source), quoteIdentifier(destination))
            if pairs.inverse == path {
                func sorted(_ first: String, _ second: String, _ table: String) -> String {
                    "SELECT min(\(first), \(second)), max(\(first), \(second)) FROM \(table)"
                }
                let keys = [pairs.sourceColumn, pairs.destinationColumn].map(quoteIdentifier)
                reflexiveRelationships.append(
                    (
                        name, sorted(first, second, sourceTable(table)),
                        sorted(keys[0], keys[1], "main." + quoteIdentifier(pairs.table))
                    )
                )
                continue
            }
            var columns = [pairs.sourceColumn, pairs.destinationColumn]
            var values = [first, second]
            if let orderColumn = pairs.orderColumn, let order {
                columns.append(orderColumn)
                values.append(place(quoteIdentifier(order), owner: first, member: second))
            }
            if let orderColumn = pairs.inverseOrderColumn,
                case .joinTable(_, _, _, let order?)? = mapping.entity(named: pairs.inverse.entityName)?
                    .relationship(named: pairs.inverse.names[0])?.storage
            {
                columns.append(orderColumn)
                values.append(place(quoteIdentifier(order), owner: second, member: first))
            }
            let names = zip(values, columns).map { "\($0) AS \(quoteIdentifier($1))" }.joined(separator: ", ")
            pairTables.append(
                PairTable(
                    target: "main." + quoteIdentifier(pairs.table),
                    columns: columns,
                    rows: "SELECT \(names) FROM \(sourceTable(table))",
                    sourceKeys: (sourceTable(table), first, second),
                    sides: [path, pairs.inverse].map { .init(entityName: $0.entityName, relationshipName: $0.names[0]) }
                )
            )
        }
    }
}
