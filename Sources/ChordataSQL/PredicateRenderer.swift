import ChordataModel
import ChordataPredicate

/// Collects the joins and bindings of one statement while its parts are rendered, in the order of the text.
struct PredicateRenderer {
    private struct Join {
        /// The variable at which the path begins, and the to-one relationships on the path.
        var root: Int?
        var keys: [String]
        var alias: String
        var sql: String
    }

    /// The place of a variable's value.
    enum Place {
        /// A row of a table.
        case row(alias: String)
        /// A computed value, or the key of an object.
        case value(sql: String)
    }

    let mapping: SchemaMapping
    let dialect: any SQLDialect
    var bindings: [PredicateValue] = []
    /// The joins of the statement, of the current sub-select, and of the sub-selects around it, from the outermost to
    /// the innermost.
    private var joins: [[Join]] = [[]]
    /// The places of the variables of the enclosing collections, with their nesting depths.
    private var places: [Int: (place: Place, depth: Int)] = [:]
    private var aliasCount = 0
    /// The conditions that are all met where a part of the predicate is evaluated.
    var conjuncts: [BoundPredicate] = []
    /// A Boolean value that indicates whether conditions about referenced objects are computed once for all rows.
    var rendersOnce = true

    init(mapping: SchemaMapping, _ dialect: any SQLDialect) {
        self.mapping = mapping
        self.dialect = dialect
    }

    /// Adds a binding.
    /// - Returns: The parameter for it.
    mutating func bind(_ value: PredicateValue) -> String {
        bindings.append(value)
        return dialect.parameters(bindings.count...bindings.count)
    }

    /// Adds one or more bindings.
    /// - Returns: The parameters for them, with commas between them.
    mutating func bind(_ values: [PredicateValue]) -> String {
        let first = bindings.count + 1
        bindings += values
        return dialect.parameters(first...bindings.count)
    }

    // MARK: Parts of a statement

    /// Returns ` FROM … LEFT JOIN …`; call it after everything else was rendered, because that adds the joins.
    func source(of entityName: String) -> String {
        var text = " FROM "
        text.appendIdentifier(tableName(of: entityName))
        text.append(" AS t0")
        for join in joins[0] { text.append(join.sql) }
        return text
    }

    // MARK: Sub-selects

    /// Renders the contents of a sub-select, which has its own joins.
    mutating func enterSelect(_ body: (inout PredicateRenderer) -> String) -> String {
        joins.append([])
        defer { joins.removeLast() }
        return body(&self)
    }

    /// The joins of the current sub-select; use them after everything else was rendered, because that adds them.
    var joinsOfSelect: String { joins[joins.count - 1].map(\.sql).joined() }

    /// Returns a name that no other table of the statement has.
    mutating func makeAlias(_ letter: String) -> String {
        aliasCount += 1
        return "\(letter)\(aliasCount)"
    }

    /// A Boolean value that indicates whether no sub-select is being rendered.
    var isOutsideOfSelects: Bool { joins.count == 1 }

    /// Returns a variable that no collection of the predicate has.
    mutating func makeVariable() -> Int {
        aliasCount += 1
        return -aliasCount
    }

    /// Defines a variable in the current sub-select, and in those inside it.
    mutating func define(_ variable: Int, as place: Place) { places[variable] = (place, joins.count - 1) }

    /// Returns the place of a variable's value.
    func place(of variable: Int) -> Place {
        guard let known = places[variable] else { preconditionFailure("variable \(variable) is undefined here") }
        return known.place
    }

    /// Returns ` WHERE …`, or an empty text if every row is selected.
    mutating func condition(
        _ predicate: BoundPredicate?,
        entityName: String,
        includesSubentities: Bool
    ) -> String {
        var parts: [String] = []
        if let part = entityCondition(entityName, includesSubentities: includesSubentities) { parts.append(part) }
        rendersOnce = !isAskedOfFewRows(predicate, entityName: entityName)
        switch predicate {
        case nil, .constant(true): break
        case .and(let inner)?: parts += renderConjuncts(inner)
        case .constant(false)?, .or?, .not?, .comparison?, .exists?, .fullText?, .keys?:
            if let predicate { parts.append(parts.isEmpty ? render(predicate) : renderPart(predicate)) }
        }
        return parts.isEmpty ? "" : " WHERE " + Self.join(parts[...], by: " AND ")
    }

    /// Returns a Boolean value that indicates whether a predicate requires a certain object, or a value that only one
    /// object has.
    private func isAskedOfFewRows(_ predicate: BoundPredicate?, entityName: String) -> Bool {
        let parts: [BoundPredicate]
        switch predicate {
        case nil: return false
        case .and(let inner)?: parts = inner
        case .constant?, .or?, .not?, .comparison?, .exists?, .fullText?, .keys?: parts = predicate.map { [$0] } ?? []
        }
        let constraints = mapping.model.entity(named: entityName)?.uniquenessConstraints ?? []
        let unique = Set(constraints.filter { $0.count == 1 }.joined())
        return parts.contains { part in
            guard case .comparison(let comparison) = part, comparison.operator == .equal, comparison.options.isEmpty,
                case .keyPath(let path) = comparison.left, path.relationships.isEmpty, case .value = comparison.right
            else { return false }
            return path.target == .object || unique.contains(path.keyPath)
        }
    }

    /// Restricts the rows of a shared table to an entity and its subentities (Q18).
    private mutating func entityCondition(_ entityName: String, includesSubentities: Bool) -> String? {
        guard entity(entityName).isInHierarchy else { return nil }
        let model = mapping.model
        if includesSubentities, model.entity(named: entityName)?.superentityName == nil { return nil }
        let names = includesSubentities ? model.subentityClosure(of: entityName) : [entityName]
        let parameters = bind(names.map { .attribute(.string($0)) })
        return names.count == 1 ? "t0.\"_entity\" = \(parameters)" : "t0.\"_entity\" IN (\(parameters))"
    }

    // MARK: Columns

    /// Returns the column at the end of a key path; joins the tables along the path.
    mutating func column(_ path: BoundKeyPath) -> String {
        switch path.target {
        case .attribute:
            let alias = alias(for: path.relationships[...], from: path)
            guard let name = mapping.columnName(at: path.attributePath, of: path.targetEntityName) else {
                preconditionFailure("attribute '\(path.keyPath)' of '\(path.entityName)' has no column")
            }
            return column(name, of: alias)
        case .entityName:
            let alias = alias(for: path.relationships[...], from: path)
            if entity(path.targetEntityName).isInHierarchy { return column("_entity", of: alias) }
            // This is a literal, because the text of a column can appear more than once, and a binding cannot.
            return "CASE WHEN \(alias).\"_id\" IS NOT NULL THEN \(sqlLiteral(text: path.targetEntityName)) END"
        case .object:
            // The object at the end is known without its row: the last relationship's column contains its key.
            guard let last = path.relationships.last else { return key(ofRoot: path.root) }
            let way = path.relationships.dropLast()
            let alias = alias(for: way, from: path)
            let source = way.last?.destinationEntityName ?? path.entityName
            return column(keyColumn(of: last, in: source), of: alias)
        }
    }

    private func column(_ name: String, of alias: String) -> String {
        var text = alias
        text.append(".")
        text.appendIdentifier(name)
        return text
    }

    private func key(ofRoot root: Int?) -> String {
        guard let root else { return "t0.\"_id\"" }
        return switch place(of: root) {
        case .row(let alias): "\(alias).\"_id\""
        case .value(let sql): sql
        }
    }

    /// Returns the column with the collation by which its values are ordered.
    mutating func orderedColumn(_ path: BoundKeyPath) -> String {
        let column = column(path)
        return path.isDecimal ? dialect.collated(column, by: .decimal) : column
    }

    /// Returns the sort expression of rows: for text, a key that is computed once for each row, or a collation.
    mutating func orderedColumn(_ term: SortTerm) -> String {
        switch term.comparison {
        case .literal: orderedColumn(term.keyPath)
        case .caseInsensitive: dialect.call(.fold, "\(column(term.keyPath)), 'c'")
        case .localized: dialect.collated(column(term.keyPath), by: .localized)
        case .localizedCaseInsensitive: dialect.collated(column(term.keyPath), by: .localizedCaseInsensitive)
        case .localizedStandard: dialect.collated(column(term.keyPath), by: .localizedStandard)
        }
    }

    /// Returns the alias of the table at the end of some to-one relationships from the beginning of a path; paths with
    /// a common beginning share joins.
    private mutating func alias(for relationships: ArraySlice<RelationshipDescription>, from path: BoundKeyPath)
        -> String
    {
        var alias = "t0"
        if let root = path.root {
            switch place(of: root) {
            case .row(let known): alias = known
            case .value(let key): alias = join(path.entityName, on: key, root: root, [])
            }
        }
        var source = path.entityName
        for (index, relationship) in relationships.enumerated() {
            let column = column(keyColumn(of: relationship, in: source), of: alias)
            source = relationship.destinationEntityName
            alias = join(source, on: column, root: path.root, relationships.prefix(index + 1).map(\.name))
        }
        return alias
    }

    /// Joins the table of an entity by a known key, and returns its alias.
    private mutating func join(_ entityName: String, on key: String, root: Int?, _ keys: [String]) -> String {
        let depth = root.flatMap { places[$0]?.depth } ?? 0
        if let known = joins[depth].first(where: { $0.root == root && $0.keys == keys }) { return known.alias }
        let alias = makeAlias("t")
        let table = quoteIdentifier(tableName(of: entityName))
        let sql = " LEFT JOIN \(table) AS \(alias) ON \(alias).\"_id\" = \(key)"
        joins[depth].append(Join(root: root, keys: keys, alias: alias, sql: sql))
        return alias
    }

    /// Returns the column that contains the key of a to-one relationship.
    private func keyColumn(of relationship: RelationshipDescription, in entityName: String) -> String {
        guard let name = mapping.columnName(ofToOne: relationship.name, of: entityName) else {
            preconditionFailure("to-one '\(relationship.name)' of '\(entityName)' has no column")
        }
        return name
    }

    func tableName(of entityName: String) -> String {
        mapping.tableName(of: entityName) ?? entity(entityName).tableName
    }

    func entity(_ name: String) -> EntityMapping { mapping.mapped(name) }

    // MARK: Text

    /// Joins conditions by AND or OR.
    ///
    /// SQLite parses a chain into a tree as deep as the chain is long, and rejects 1,000 levels
    /// (https://sqlite.org/limits.html#max_expr_depth), so a long chain is split in half with parentheses.
    static func join(_ parts: ArraySlice<String>, by conjunction: String) -> String {
        if parts.count <= 64 {
            // The result is that of `joined(separator:)`, at a third of its cost for a few parts.
            var joined = ""
            for (index, part) in parts.enumerated() {
                if index > 0 { joined += conjunction }
                joined += part
            }
            return joined
        }
        let middle = parts.startIndex + parts.count / 2
        return "(" + join(parts[..<middle], by: conjunction) + ")" + conjunction + "("
            + join(parts[middle...], by: conjunction) + ")"
    }
}

extension BoundKeyPath {
    /// A Boolean value that indicates whether the values are decimals, whose texts are ordered by a collation.
    package var isDecimal: Bool { attribute?.attributeType == .decimal }
}

extension SchemaMapping {
    /// Returns the mapping of an entity, which a renderer gets from a bound predicate or request.
    func mapped(_ entityName: String) -> EntityMapping {
        guard let entity = entity(named: entityName) else {
            preconditionFailure("entity '\(entityName)' is not in the store's model")
        }
        return entity
    }
}
