internal import Chordata
internal import ChordataModel
internal import ChordataSQL

/// The statements that copy a store of Core Data, which is attached as `source`, into an empty store of the same model.
///
/// Primary keys, row versions and positions in ordered relationships are kept. Each table has two kinds of statements:
/// the checks find values that the columns of the destination cannot have, and the copies replace them by NULL, or
/// leave out the rows.
struct ImportPlan {
    /// A condition that values must fulfil.
    struct Check {
        /// The name by which the caller accepts the loss: an entity, or an entity and a property.
        var name: String
        /// The problem, after the number of values.
        var problem: String
        /// The rows that are checked, as table `a`.
        var table: String
        /// The condition of the rows with a problem.
        var failure: String
    }

    /// One INSERT statement.
    struct Copy {
        var sql: String
        /// The table of the source whose primary keys the parameters limit: those above the first and up to the second.
        var rangeTable: String?
        /// The name of the destination's table.
        var table: String
    }

    private let schema: CoreDataSchema
    private let mapping: SchemaMapping
    private(set) var checks: [Check] = []

    /// The names of the functions that statements call.
    enum Function {
        static let decimal = "chordata_import_decimal"
        static let url = "chordata_import_url"
        static let externalSize = "chordata_import_external_size"
        static let externalData = "chordata_import_external_data"
    }

    init(_ schema: CoreDataSchema, _ mapping: SchemaMapping) {
        self.schema = schema
        self.mapping = mapping
        makeChecks()
    }

    // MARK: Parts

    private var model: ManagedObjectModel { schema.model }

    /// The root entities in the order of their numbers.
    var roots: [EntityDescription] {
        schema.entityNames.compactMap { model.entity(named: $0) }.filter { $0.superentityName == nil }
    }

    func sourceTable(of entityName: String) -> String { "source." + quoteIdentifier(schema.tableName(of: entityName)) }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ",") }

    /// Returns the numbers of the entities that rows of an entity or of its subentities can have.
    private func concreteNumbers(below name: String) -> [Int] {
        schema.closure(of: name).filter { model.entity(named: $0)?.isAbstract == false }
            .compactMap { schema.entityNumbers[$0] }
    }

    /// Returns the condition that a row belongs to an entity or one of its subentities.
    private func isOf(_ entityName: String, _ alias: String = "a") -> String {
        "\(alias).\"Z_ENT\" IN (\(list(concreteNumbers(below: entityName))))"
    }

    /// The condition that a value is the primary key of an object of an entity.
    private func isKey(_ key: String, of entityName: String) -> String {
        "EXISTS (SELECT 1 FROM \(sourceTable(of: entityName)) AS b WHERE b.\"Z_PK\" = \(key) AND \(isOf(entityName, "b")))"
    }

    /// An attribute that an entity declares, or an element of it, with its columns on both sides.
    private struct AttributeColumns {
        var name: String
        var attribute: AttributeDescription
        var value: String
        var column: String
        var externalTable: String?
    }

    private func attributes(of entity: EntityDescription) -> [AttributeColumns] {
        guard let mapped = mapping.entity(named: entity.name) else { return [] }
        return mapped.attributes.compactMap { attribute in
            guard let place = schema.places[PropertyPath(entity.name, attribute.path)] else { return nil }
            return AttributeColumns(
                name: "\(entity.name).\(attribute.path.joined(separator: "."))",
                attribute: attribute.attribute,
                value: "a." + quoteIdentifier(place.column),
                column: attribute.columnName,
                externalTable: attribute.externalTableName
            )
        }
    }

    private struct ToOneColumns {
        var name: String
        var destination: String
        var value: String
        var column: String
        var order: String?
        var orderColumn: String?
    }

    private func toOnes(of entity: EntityDescription) -> [ToOneColumns] {
        guard let mapped = mapping.entity(named: entity.name) else { return [] }
        return schema.storedRelationships(of: entity).compactMap { relationship in
            guard case .column(let column)? = mapped.relationship(named: relationship.name)?.storage,
                let place = schema.places[PropertyPath(entity.name, [relationship.name])]
            else { return nil }
            var columns = ToOneColumns(
                name: "\(entity.name).\(relationship.name)",
                destination: relationship.destinationEntityName,
                value: "a." + quoteIdentifier(place.column),
                column: column
            )
            if let order = place.orderColumn, let inverse = schema.inverse(of: relationship),
                case .inverseColumn(_, _, let orderColumn?)? = mapping.entity(named: inverse.entityName)?
                    .relationship(named: inverse.relationship.name)?.storage
            {
                columns.order = "a." + quoteIdentifier(order)
                columns.orderColumn = orderColumn
            }
            return columns
        }
    }

    /// Returns the condition that a value other than NULL can be represented in the destination.
    static func isValid(_ attribute: AttributeDescription, _ value: String) -> String {
        switch attribute.attributeType {
        case .integer16: "typeof(\(value)) = 'integer' AND \(value) BETWEEN -32768 AND 32767"
        case .integer32: "typeof(\(value)) = 'integer' AND \(value) BETWEEN -2147483648 AND 2147483647"
        case .integer64, .boolean: "typeof(\(value)) = 'integer'"
        case .double, .float, .date: "typeof(\(value)) IN ('real', 'integer')"
        case .decimal:
            "typeof(\(value)) = 'integer' OR typeof(\(value)) = 'real' AND abs(\(value)) < 1e100 "
                + "AND (abs(\(value)) > 1e-90 OR \(value) = 0) OR \(Function.decimal)(\(value)) IS NOT NULL"
        case .string: "typeof(\(value)) = 'text'"
        case .uri: "typeof(\(value)) = 'text' AND \(Function.url)(\(value)) IS NOT NULL"
        case .uuid: "typeof(\(value)) = 'blob' AND length(\(value)) = 16"
        case .binaryData, .transformable:
            attribute.allowsExternalBinaryDataStorage
                ? "typeof(\(value)) = 'blob' AND (hex(substr(\(value), 1, 1)) = '01' "
                    + "OR \(Function.externalSize)(\(value)) IS NOT NULL)"
                : "typeof(\(value)) = 'blob'"
        case .undefined, .objectID, .composite: "0"
        }
    }

    private func problem(_ attribute: AttributeDescription) -> String {
        switch attribute.attributeType {
        case .integer16, .integer32: "values that are not integers in the range of the attribute's type"
        case .decimal: "values that are not decimals of up to 38 digits"
        case .uri: "values that are not URIs"
        case .uuid: "values that are not UUIDs of 16 bytes"
        case .binaryData, .transformable:
            attribute.allowsExternalBinaryDataStorage
                ? "values whose external file is missing" : "values that are stored as another type"
        case .integer64, .boolean, .double, .float, .date, .string, .undefined, .objectID, .composite:
            "values that are stored as another type"
        }
    }

    // MARK: Checks

    private mutating func makeChecks() {
        for root in roots {
            let table = sourceTable(of: root.name)
            let numbers = list(concreteNumbers(below: root.name))
            add(
                root.name,
                "rows whose entity is not in the model",
                table,
                "a.\"Z_ENT\" IS NULL OR a.\"Z_ENT\" NOT IN (\(numbers))"
            )
            for name in schema.closure(of: root.name) {
                guard let entity = model.entity(named: name) else { continue }
                for attribute in attributes(of: entity) {
                    let failure =
                        "\(attribute.value) IS NOT NULL AND NOT (\(Self.isValid(attribute.attribute, attribute.value)))"
                    add(attribute.name, problem(attribute.attribute), table, "\(isOf(name)) AND \(failure)")
                }
                for toOne in toOnes(of: entity) {
                    let failure = "\(toOne.value) IS NOT NULL AND NOT \(isKey(toOne.value, of: toOne.destination))"
                    add(toOne.name, "references to objects that do not exist", table, "\(isOf(name)) AND \(failure)")
                }
            }
        }
        for (path, place) in orderedMemberPlaces {
            let key = "a." + quoteIdentifier(place.column)
            add(
                "\(path.entityName).\(path.names[0])",
                "references to objects that do not exist",
                "source." + quoteIdentifier(place.table),
                "\(key) IS NOT NULL AND NOT (\(isMember(path, place)))"
            )
        }
        for (path, pairs) in orderedPairs {
            add(
                "\(path.entityName).\(path.names[0])",
                "join rows that reference an object that does not exist",
                "source." + quoteIdentifier(pairs.table),
                "NOT (\(isPair(path, pairs)))"
            )
        }
    }

    private mutating func add(_ name: String, _ problem: String, _ table: String, _ failure: String) {
        checks.append(Check(name: name, problem: problem, table: table, failure: failure))
    }

    private var orderedPairs: [(PropertyPath, CoreDataSchema.Pairs)] {
        schema.pairs.sorted { ($0.key.entityName, $0.key.names[0]) < ($1.key.entityName, $1.key.names[0]) }
            .map { ($0.key, $0.value) }
    }

    private var orderedMemberPlaces: [(PropertyPath, CoreDataSchema.Place)] {
        schema.memberPlaces.sorted { ($0.key.entityName, $0.key.names[0]) < ($1.key.entityName, $1.key.names[0]) }
            .map { ($0.key, $0.value) }
    }

    private func destination(of path: PropertyPath) -> String {
        schema.declaration(of: path.names[0], in: path.entityName)?.relationship.destinationEntityName ?? ""
    }

    private func isPair(_ path: PropertyPath, _ pairs: CoreDataSchema.Pairs) -> String {
        isKey("a." + quoteIdentifier(pairs.sourceColumn), of: path.entityName) + " AND "
            + isKey("a." + quoteIdentifier(pairs.destinationColumn), of: destination(of: path))
    }

    private func isMember(_ path: PropertyPath, _ place: CoreDataSchema.Place) -> String {
        isKey("a." + quoteIdentifier(place.column), of: path.entityName) + " AND " + isOf(destination(of: path))
    }

    // MARK: Copies

    /// Returns the statements in the order in which they run.
    /// - Parameter failed: The names of the checks that found values, which are left out.
    func copies(without failed: Set<String>) -> [Copy] {
        roots.flatMap { tableCopies(of: $0, failed) } + memberCopies(failed) + pairCopies(failed)
    }

    private func tableCopies(of root: EntityDescription, _ failed: Set<String>) -> [Copy] {
        guard let mapped = mapping.entity(named: root.name) else { return [] }
        let source = sourceTable(of: root.name)
        var columns = ["_id", "_version"]
        // A row without a valid version gets version 1.
        var values = ["a.\"Z_PK\"", "CASE WHEN typeof(a.\"Z_OPT\") = 'integer' THEN max(a.\"Z_OPT\", 1) ELSE 1 END"]
        var external: [Copy] = []
        if mapped.isInHierarchy {
            let cases = schema.closure(of: root.name).map { name in
                "WHEN \(schema.entityNumbers[name] ?? 0) THEN \(sqlLiteral(text: name))"
            }
            columns.append("_entity")
            values.append("CASE a.\"Z_ENT\" \(cases.joined(separator: " ")) END")
        }
        let table = quoteIdentifier(mapped.tableName)
        let limits = "a.\"Z_PK\" > ?1 AND a.\"Z_PK\" <= ?2"
        for name in schema.closure(of: root.name) {
            guard let entity = model.entity(named: name) else { continue }
            /// Adds a column; rows of other entities may have leftover values in it.
            func add(_ column: String, _ value: String) {
                columns.append(column)
                values.append(name == root.name ? value : "CASE WHEN \(isOf(name)) THEN \(value) END")
            }
            for attribute in attributes(of: entity) {
                let isPresent = "\(attribute.value) IS NOT NULL"
                let isCopied =
                    failed.contains(attribute.name)
                    ? "\(isPresent) AND (\(Self.isValid(attribute.attribute, attribute.value)))" : nil
                var value = attribute.value
                switch attribute.attribute.attributeType {
                case .decimal: value = "\(Function.decimal)(\(value))"
                case .binaryData where attribute.attribute.allowsExternalBinaryDataStorage,
                    .transformable where attribute.attribute.allowsExternalBinaryDataStorage:
                    if let externalTable = attribute.externalTable {
                        let condition = "\(limits) AND \(isOf(name)) AND \(isCopied ?? isPresent)"
                        external.append(
                            Copy(
                                sql: "INSERT INTO \(quoteIdentifier(externalTable)) (\"_id\", \"bytes\") "
                                    + "SELECT a.\"Z_PK\", \(Function.externalData)(\(value)) FROM \(source) AS a "
                                    + "WHERE \(condition)",
                                rangeTable: source,
                                table: externalTable
                            )
                        )
                        value =
                            "CASE WHEN hex(substr(\(value), 1, 1)) = '01' THEN length(\(value)) - 1 "
                            + "ELSE \(Function.externalSize)(\(value)) END"
                    } else {
                        value = "\(Function.externalData)(\(value))"
                    }
                case .undefined, .integer16, .integer32, .integer64, .double, .float, .string, .boolean, .date,
                    .binaryData, .uuid, .uri, .transformable, .composite, .objectID:
                    break
                }
                add(attribute.column, isCopied.map { "CASE WHEN \($0) THEN \(value) END" } ?? value)
            }
            for toOne in toOnes(of: entity) {
                let isFailed = failed.contains(toOne.name)
                let condition = isFailed ? isKey(toOne.value, of: toOne.destination) : "\(toOne.value) IS NOT NULL"
                add(toOne.column, isFailed ? "CASE WHEN \(condition) THEN \(toOne.value) END" : toOne.value)
                if let order = toOne.order, let orderColumn = toOne.orderColumn {
                    add(orderColumn, "CASE WHEN \(condition) THEN \(order) END")
                }
            }
        }
        let names = columns.map(quoteIdentifier).joined(separator: ", ")
        let rows = failed.contains(root.name) ? " AND \(isOf(root.name))" : ""
        let copy = Copy(
            sql: "INSERT INTO \(table) (\(names)) SELECT \(values.joined(separator: ", ")) FROM \(source) AS a "
                + "WHERE \(limits)\(rows)",
            rangeTable: source,
            table: mapped.tableName
        )
        return [copy] + external
    }

    /// The copies of to-many relationships without an inverse, which are rows of join tables in the destination.
    private func memberCopies(_ failed: Set<String>) -> [Copy] {
        orderedMemberPlaces.compactMap { path, place in
            guard
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { return nil }
            let key = "a." + quoteIdentifier(place.column)
            var columns = [source, destination]
            var values = [key, "a.\"Z_PK\""]
            if let order, let orderColumn = place.orderColumn {
                columns.append(order)
                values.append("a." + quoteIdentifier(orderColumn))
            }
            let isCopied =
                failed.contains("\(path.entityName).\(path.names[0])") ? isMember(path, place) : "\(key) IS NOT NULL"
            return Copy(
                sql: "INSERT INTO \(quoteIdentifier(table)) (\(columns.map(quoteIdentifier).joined(separator: ", "))) "
                    + "SELECT \(values.joined(separator: ", ")) FROM source.\(quoteIdentifier(place.table)) AS a "
                    + "WHERE \(isCopied) ORDER BY 1, 2",
                rangeTable: nil,
                table: table
            )
        }
    }

    private func pairCopies(_ failed: Set<String>) -> [Copy] {
        orderedPairs.flatMap { path, pairs -> [Copy] in
            guard
                case .joinTable(let table, let source, let destination, let order)? =
                    mapping.entity(named: path.entityName)?.relationship(named: path.names[0])?.storage
            else { return [] }
            var columns = [source, destination]
            let keys = [pairs.sourceColumn, pairs.destinationColumn].map { "a." + quoteIdentifier($0) }
            var values = keys
            if let order, let orderColumn = pairs.orderColumn {
                columns.append(order)
                values.append("a." + quoteIdentifier(orderColumn))
            }
            let inverse = pairs.inverse
            let isReflexive = inverse == path
            if !isReflexive, let orderColumn = pairs.inverseOrderColumn,
                case .joinTable(_, _, _, let order?)? =
                    mapping.entity(named: inverse.entityName)?.relationship(named: inverse.names[0])?.storage
            {
                columns.append(order)
                values.append("a." + quoteIdentifier(orderColumn))
            }
            let condition =
                failed.contains("\(path.entityName).\(path.names[0])") ? " WHERE \(isPair(path, pairs))" : ""
            func copy(_ values: [String]) -> Copy {
                Copy(
                    sql: "INSERT \(isReflexive ? "OR IGNORE " : "")INTO \(quoteIdentifier(table)) "
                        + "(\(columns.map(quoteIdentifier).joined(separator: ", "))) "
                        + "SELECT \(values.joined(separator: ", ")) FROM source.\(quoteIdentifier(pairs.table)) AS a"
                        + "\(condition) ORDER BY 1, 2",
                    rangeTable: nil,
                    table: table
                )
            }
            // A relationship that is its own inverse has a row for each direction.
            guard isReflexive else { return [copy(values)] }
            return [copy(values), copy([keys[1], keys[0]] + values.dropFirst(2))]
        }
    }

    // MARK: Orders

    /// The columns of positions in the destination, each with its table, the column of the objects whose members it
    /// orders, and the column of the members.
    var orderColumns: [(table: String, order: String, owner: String, member: String)] {
        var columns: [(String, String, String, String)] = []
        for entity in model.entities {
            for relationship in schema.storedRelationships(of: entity) where relationship.isOrdered {
                switch mapping.entity(named: entity.name)?.relationship(named: relationship.name)?.storage {
                case .inverseColumn(let table, let column, let order?)?: columns.append((table, order, column, "_id"))
                case .joinTable(let table, let source, let destination, let order?)?:
                    columns.append((table, order, source, destination))
                case .column?, .inverseColumn?, .joinTable?, nil: break
                }
            }
        }
        return columns
    }
}
