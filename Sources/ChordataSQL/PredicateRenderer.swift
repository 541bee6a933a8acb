import ChordataModel
import ChordataPredicate

/// Collects the joins and bindings of one statement while its parts are rendered, in the order of the text.
struct PredicateRenderer {
    private struct Join {
        var keys: [String]
        var sql: String
    }

    let mapping: SchemaMapping
    var bindings: [PredicateValue] = []
    /// The joins in the order in which they were needed; the n-th is called `t<n>`, counted from 1.
    private var joins: [Join] = []

    init(mapping: SchemaMapping) { self.mapping = mapping }

    // MARK: Parts of a statement

    /// ` FROM … LEFT JOIN …`; after everything else was rendered, because that asks for the joins.
    func source(of entityName: String) -> String {
        " FROM \(quoteIdentifier(entity(entityName).tableName)) AS t0" + joins.map(\.sql).joined()
    }

    /// ` WHERE …`, or nothing when every row is wanted.
    mutating func condition(
        _ predicate: BoundPredicate?,
        entityName: String,
        includesSubentities: Bool
    ) -> String {
        var parts: [String] = []
        if let part = entityCondition(entityName, includesSubentities: includesSubentities) { parts.append(part) }
        switch predicate {
        case nil, .constant(true): break
        case .and(let inner)?: parts += inner.map { renderPart($0) }
        case .constant(false)?, .or?, .not?, .comparison?, .exists?:
            if let predicate { parts.append(parts.isEmpty ? render(predicate) : renderPart(predicate)) }
        }
        return parts.isEmpty ? "" : " WHERE " + Self.join(parts[...], by: " AND ")
    }

    /// Restricts the rows of a shared table to an entity and those below it.
    private mutating func entityCondition(_ entityName: String, includesSubentities: Bool) -> String? {
        guard entity(entityName).isInHierarchy else { return nil }
        let model = mapping.model
        if includesSubentities, model.entity(named: entityName)?.superentityName == nil { return nil }
        let names = includesSubentities ? model.subentityClosure(of: entityName) : [entityName]
        bindings += names.map { .attribute(.string($0)) }
        if names.count == 1 { return "t0.\"_entity\" = ?" }
        return "t0.\"_entity\" IN (\(Self.placeholders(names.count)))"
    }

    // MARK: Columns

    /// The column that a key path leads to; joins what it crosses.
    mutating func column(_ path: BoundKeyPath) -> String {
        switch path.target {
        case .attribute:
            let alias = alias(for: path.relationships, from: path.entityName)
            guard let attribute = entity(path.targetEntityName).attribute(at: path.attributePath) else {
                preconditionFailure("attribute '\(path.keyPath)' of '\(path.entityName)' has no column")
            }
            return "\(alias).\(quoteIdentifier(attribute.columnName))"
        case .object:
            // The object at the end is known without its row: the last relationship's column holds its key.
            guard let last = path.relationships.last else { return "t0.\"_id\"" }
            let way = Array(path.relationships.dropLast())
            let alias = alias(for: way, from: path.entityName)
            let source = way.last?.destinationEntityName ?? path.entityName
            return "\(alias).\(quoteIdentifier(keyColumn(of: last, in: source)))"
        }
    }

    /// The column with the collation in which its values have their order.
    mutating func orderedColumn(_ path: BoundKeyPath) -> String {
        let column = column(path)
        return path.isDecimal ? column + " COLLATE \(SQLCollation.decimal.rawValue)" : column
    }

    /// The table at the end of some to-one relationships; paths that begin alike share their joins.
    private mutating func alias(for relationships: [RelationshipDescription], from entityName: String) -> String {
        var alias = "t0"
        var source = entityName
        for (index, relationship) in relationships.enumerated() {
            let keys = relationships[...index].map(\.name)
            if let known = joins.firstIndex(where: { $0.keys == keys }) {
                alias = "t\(known + 1)"
            } else {
                let column = quoteIdentifier(keyColumn(of: relationship, in: source))
                let next = "t\(joins.count + 1)"
                let table = quoteIdentifier(entity(relationship.destinationEntityName).tableName)
                joins.append(
                    Join(keys: keys, sql: " LEFT JOIN \(table) AS \(next) ON \(next).\"_id\" = \(alias).\(column)")
                )
                alias = next
            }
            source = relationship.destinationEntityName
        }
        return alias
    }

    private func keyColumn(of relationship: RelationshipDescription, in entityName: String) -> String {
        guard case .column(let name)? = entity(entityName).relationship(named: relationship.name)?.storage else {
            preconditionFailure("to-one '\(relationship.name)' of '\(entityName)' has no column")
        }
        return name
    }

    private func entity(_ name: String) -> EntityMapping {
        guard let entity = mapping.entity(named: name) else {
            preconditionFailure("entity '\(name)' is not in the store's model")
        }
        return entity
    }

    // MARK: Text

    /// As many question marks, with commas between them.
    static func placeholders(_ count: Int) -> String { Array(repeating: "?", count: count).joined(separator: ", ") }

    /// Joins conditions by AND or OR.
    ///
    /// SQLite parses a chain into a tree as deep as the chain is long, and refuses 1,000 levels
    /// (https://sqlite.org/limits.html#max_expr_depth), so a long chain is halved by parentheses.
    static func join(_ parts: ArraySlice<String>, by conjunction: String) -> String {
        if parts.count <= 64 { return parts.joined(separator: conjunction) }
        let middle = parts.startIndex + parts.count / 2
        return "(" + join(parts[..<middle], by: conjunction) + ")" + conjunction + "("
            + join(parts[middle...], by: conjunction) + ")"
    }
}

extension BoundKeyPath {
    /// Whether the values are decimals, whose texts are ordered by a collation.
    var isDecimal: Bool { attribute?.attributeType == .decimal }
}
