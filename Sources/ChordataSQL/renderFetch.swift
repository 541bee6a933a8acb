internal import ChordataModel
package import ChordataPredicate

/// Writes the statement that reads the rows of a request.
/// - Parameter columns: columns of the entity's own table.
package func renderFetch(
    columns: [String], _ predicate: BoundPredicate?, sortedBy terms: [SortTerm], limit: Int, offset: Int,
    entityName: String, in mapping: SchemaMapping, includesSubentities: Bool
) -> SQLFragment {
    var builder = StatementBuilder(entityName: entityName, mapping: mapping)
    let condition = builder.condition(predicate, includesSubentities: includesSubentities)
    var order = terms.map { builder.orderTerm($0) }
    // Rows that are equal otherwise come in the order of their insertion, the same each time.
    order.append("t0.\"_id\"")
    let list = columns.map { "t0." + quoteIdentifier($0) }.joined(separator: ", ")
    var sql = "SELECT \(list) FROM \(builder.source)\(condition) ORDER BY \(order.joined(separator: ", "))"
    if limit > 0 || offset > 0 {
        sql += " LIMIT ? OFFSET ?"
        builder.bindings.append(.attribute(.integer(limit > 0 ? Int64(limit) : -1)))
        builder.bindings.append(.attribute(.integer(Int64(offset))))
    }
    return SQLFragment(sql: sql, bindings: builder.bindings)
}

/// Writes the statement that counts the rows of a request.
package func renderCount(
    _ predicate: BoundPredicate?, entityName: String, in mapping: SchemaMapping, includesSubentities: Bool
) -> SQLFragment {
    var builder = StatementBuilder(entityName: entityName, mapping: mapping)
    let condition = builder.condition(predicate, includesSubentities: includesSubentities)
    return SQLFragment(sql: "SELECT count(*) FROM \(builder.source)\(condition)", bindings: builder.bindings)
}

/// Collects the joins and values of one statement.
struct StatementBuilder {
    private let entity: EntityMapping
    private let mapping: SchemaMapping
    /// By the names of the relationships from the fetched entity on.
    private var aliases: [[String]: String] = [[]: "t0"]
    private var joins: [String] = []
    var bindings: [PredicateValue] = []

    init(entityName: String, mapping: SchemaMapping) {
        guard let entity = mapping.entity(named: entityName) else {
            preconditionFailure("entity '\(entityName)' is not in the schema mapping")
        }
        self.entity = entity
        self.mapping = mapping
    }

    var source: String {
        ([quoteIdentifier(entity.tableName) + " AS t0"] + joins).joined(separator: " ")
    }

    /// The WHERE clause, or nothing.
    mutating func condition(_ predicate: BoundPredicate?, includesSubentities: Bool) -> String {
        var parts: [String] = []
        if entity.isInHierarchy {
            let names = includesSubentities ? mapping.model.subentityClosure(of: entity.entityName) : [entity.entityName]
            let isWholeTable = includesSubentities
                && mapping.model.entity(named: entity.entityName)?.superentityName == nil
            if !isWholeTable {
                parts.append("t0.\"_entity\" IN (\(names.map { sqlLiteral(text: $0) }.joined(separator: ", ")))")
            }
        }
        if let predicate { parts.append(render(predicate)) }
        return parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND ")
    }

    /// One key of the ORDER BY clause. SQLite puts NULL first, as the evaluation in memory does.
    mutating func orderTerm(_ term: SortTerm) -> String {
        var text = column(term.keyPath)
        if case .attribute(let attribute) = term.keyPath.target, attribute.attributeType == .decimal {
            text += " COLLATE \(SQLExtension.decimalCollation)"
        }
        return text + (term.ascending ? "" : " DESC")
    }

    // MARK: Predicates

    /// A condition that is 1 or 0, never NULL, so that NOT can stand before it.
    private mutating func render(_ predicate: BoundPredicate) -> String {
        switch predicate {
        case .constant(let value): value ? "1" : "0"
        case .and(let parts): "(" + parts.map { render($0) }.joined(separator: " AND ") + ")"
        case .or(let parts): "(" + parts.map { render($0) }.joined(separator: " OR ") + ")"
        case .not(let part): "NOT coalesce(\(render(part)), 0)"
        case .comparison(let comparison): render(comparison)
        }
    }

    private mutating func render(_ comparison: BoundComparison) -> String {
        let options = comparison.options
        let collation = collation(of: comparison)
        switch comparison.operator {
        case .equal: return "\(side(comparison.left, options)) IS \(side(comparison.right, options))"
        case .notEqual: return "\(side(comparison.left, options)) IS NOT \(side(comparison.right, options))"
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            let left = side(comparison.left, options)
            return "\(left)\(collation) \(comparison.operator.rawValue) \(side(comparison.right, options))"
        case .between:
            guard case .value(.collection(let bounds)) = comparison.right, bounds.count == 2 else { return "0" }
            let left = side(comparison.left, options)
            return "(\(left)\(collation) BETWEEN \(value(bounds[0], options)) AND \(value(bounds[1], options)))"
        case .in: return renderIn(comparison)
        case .contains, .beginsWith, .endsWith, .like, .matches: return renderStringTest(comparison)
        }
    }

    private func collation(of comparison: BoundComparison) -> String {
        for side in [comparison.left, comparison.right] {
            if case .keyPath(let path) = side, case .attribute(let attribute) = path.target,
                attribute.attributeType == .decimal
            {
                return " COLLATE \(SQLExtension.decimalCollation)"
            }
        }
        return ""
    }

    private mutating func renderIn(_ comparison: BoundComparison) -> String {
        guard case .value(.collection(let members)) = comparison.right else { return "0" }
        let left = side(comparison.left, comparison.options)
        let values = members.filter { $0 != .null }
        var parts: [String] = []
        if values.count < members.count { parts.append("\(left) IS NULL") }
        // SQLite allows 32,766 parameters; a VALUES list keeps a large set one table instead of many comparisons.
        if !values.isEmpty {
            let list = values.map { value($0, comparison.options) }
            parts.append("(\(left) IS NOT NULL AND \(left) IN (\(list.joined(separator: ", "))))")
        }
        return parts.count == 1 ? parts[0] : "(" + parts.joined(separator: " OR ") + ")"
    }

    private mutating func renderStringTest(_ comparison: BoundComparison) -> String {
        let left = side(comparison.left, [])
        let right = side(comparison.right, [])
        bindings.append(.attribute(.string(comparison.operator.rawValue)))
        bindings.append(.attribute(.integer(Int64(comparison.options.rawValue))))
        return "\(SQLExtension.fits)(\(left), \(right), ?, ?)"
    }

    private mutating func side(_ expression: BoundExpression, _ options: ComparisonOptions) -> String {
        switch expression {
        case .value(let constant): return value(constant, options)
        case .keyPath(let path):
            let name = column(path)
            guard !options.isEmpty else { return name }
            bindings.append(.attribute(.integer(Int64(options.rawValue))))
            return "\(SQLExtension.fold)(\(name), ?)"
        case .aggregate: preconditionFailure("binding opens up lists with key paths")
        }
    }

    private mutating func value(_ constant: PredicateValue, _ options: ComparisonOptions) -> String {
        if case .null = constant { return "NULL" }
        if !options.isEmpty, case .attribute(.string(let text)) = constant {
            bindings.append(.attribute(.string(foldedForComparison(text, options: options))))
        } else {
            bindings.append(constant)
        }
        return "?"
    }

    // MARK: Columns

    /// The column at the end of a path; joins the tables on the way, each path once.
    private mutating func column(_ path: BoundKeyPath) -> String {
        var relationships = path.relationships
        // The object at the end of a to-one is its column: no join needed.
        var last: RelationshipDescription?
        if case .object = path.target { last = relationships.popLast() }
        var names: [String] = []
        var current = mapping.entity(named: path.entityName) ?? entity
        for relationship in relationships {
            let parent = alias(names)
            names.append(relationship.name)
            guard let next = mapping.entity(named: relationship.destinationEntityName),
                case .column(let column)? = current.relationship(named: relationship.name)?.storage
            else { preconditionFailure("'\(relationship.name)' of '\(current.entityName)' is not a stored to-one") }
            if aliases[names] == nil {
                let alias = "t\(aliases.count)"
                aliases[names] = alias
                joins.append(
                    "LEFT JOIN \(quoteIdentifier(next.tableName)) AS \(alias) "
                        + "ON \(alias).\"_id\" = \(parent).\(quoteIdentifier(column))")
            }
            current = next
        }
        let table = alias(names)
        switch path.target {
        case .object:
            guard let last else { return "\(table).\"_id\"" }
            guard case .column(let column)? = current.relationship(named: last.name)?.storage else {
                preconditionFailure("'\(last.name)' of '\(current.entityName)' is not a stored to-one")
            }
            return "\(table).\(quoteIdentifier(column))"
        case .attribute(let attribute):
            guard let column = current.attribute(at: [attribute.name])?.columnName else {
                preconditionFailure("'\(attribute.name)' of '\(current.entityName)' has no column")
            }
            return "\(table).\(quoteIdentifier(column))"
        }
    }

    private func alias(_ names: [String]) -> String { aliases[names] ?? "t0" }
}
