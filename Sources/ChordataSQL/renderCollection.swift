import ChordataModel
import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Collections as sub-selects: to-many relationships and lists, which can be nested.

extension PredicateRenderer {
    /// Renders the condition that a collection has an element; a predicate may follow any number of to-many
    /// relationships (Q5).
    mutating func renderExists(_ collection: BoundCollection) -> String {
        "EXISTS " + renderSelect(collection) { _ in "1" }
    }

    /// Renders a function of all elements (Q9), including those of a SUBQUERY (Q6); SQLite's own `sum` would differ
    /// from the function in memory (Q10).
    mutating func renderAggregate(_ function: CollectionFunction, _ collection: BoundCollection) -> String {
        if collection.generators.isEmpty { return renderGroupAggregate(function, collection.element) }
        if function == .count, !collection.isDistinct { return renderSelect(collection) { _ in "count(*)" } }
        return renderSelect(collection) { renderer in
            let operand: Operand
            if collection.element.isObject {
                operand = Operand(sql: renderer.renderKey(collection.element), form: .number)
            } else {
                operand = renderer.renderOperand(collection.element)
            }
            let isDistinct = collection.isDistinct ? 1 : 0
            return "\(SQLAggregate(function).rawValue)(\(operand.sql), '\(operand.form.rawValue)', \(isDistinct))"
        }
    }

    /// Renders a function of the rows of a group; missing values do not count, as in SQL.
    private mutating func renderGroupAggregate(_ function: CollectionFunction, _ element: BoundExpression) -> String {
        if function == .count {
            return "count(\(element.isObject ? renderKey(element) : renderOperand(element).sql))"
        }
        let operand = renderOperand(element)
        return "\(SQLAggregate(function).rawValue)(\(operand.sql), '\(operand.form.rawValue)', 0)"
    }

    /// Renders one element of an ordered collection.
    mutating func renderElement(
        of collection: BoundCollection,
        at position: BoundPosition,
        _ element: (inout PredicateRenderer) -> String
    ) -> String {
        let index: Int64
        switch position {
        case .first, .last: index = 0
        case .at(.value(.attribute(let value))):
            guard let number = wholeNumber(value), number >= 0 else { return "NULL" }
            index = number
        case .at: return "NULL"  // The index is nil; other indexes are not rendered.
        }
        return renderSelect(collection, ascending: position != .last, index: index, element)
    }

    /// Renders `(SELECT … FROM … WHERE …)` with the elements of a collection.
    /// - Parameter ascending: For the element at an index, whether the elements are counted from the first one.
    private mutating func renderSelect(
        _ collection: BoundCollection,
        ascending: Bool? = nil,
        index: Int64 = 0,
        _ element: (inout PredicateRenderer) -> String
    ) -> String {
        enterSelect { renderer in
            let sources = collection.generators.map { renderer.define($0) }
            // The parts are rendered in the order of the text, which is that of the bindings.
            let element = element(&renderer)
            let tables = sources.map { renderer.renderTables($0) }
            var conditions = sources.compactMap(\.condition)
            switch collection.filter {
            case .constant(true): break
            default: conditions.append(renderer.renderPart(collection.filter))
            }
            let condition = conditions.isEmpty ? "" : " WHERE " + Self.join(conditions[...], by: " AND ")
            var ordering = ""
            if let ascending, let first = sources.first {
                let order = first.order.map { renderer.dialect.sorted($0, ascending: ascending) }
                ordering = " ORDER BY " + order.joined(separator: ", ") + " LIMIT 1"
                if index > 0 {
                    ordering += " OFFSET \(renderer.bind(.attribute(.integer(index))))"
                }
            }
            let source = tables.joined(separator: " \(renderer.dialect.crossJoin) ")
            return "(SELECT \(element) FROM \(source)\(renderer.joinsOfSelect)"
                + "\(condition)\(ordering))"
        }
    }

    // MARK: Sources

    /// The source of a collection's elements.
    private struct Source {
        enum Tables {
            case sql(String)
            case list([BoundExpression], alias: String)
        }

        var tables: Tables
        /// The condition that selects the rows that are members of the object.
        var condition: String?
        /// The terms by which the elements are ordered.
        var order: [String]
    }

    private mutating func define(_ generator: BoundCollection.Generator) -> Source {
        let alias = makeAlias("s")
        switch generator.source {
        case .list(let parts):
            define(generator.variable, as: .value(sql: "\(alias).value"))
            return Source(tables: .list(parts, alias: alias), order: ["\(alias).place"])
        case .relationship(let path, let relationship):
            let source = path.targetEntityName
            let owner = column(
                BoundKeyPath(
                    entityName: path.entityName,
                    root: path.root,
                    relationships: path.relationships,
                    target: .object
                )
            )
            define(generator.variable, as: .row(alias: alias))
            let destination = "\(quoteIdentifier(entity(relationship.destinationEntityName).tableName)) AS \(alias)"
            switch entity(source).relationship(named: relationship.name)?.storage {
            case .inverseColumn(_, let column, let orderColumn)?:
                return Source(
                    tables: .sql(destination),
                    condition: "\(alias).\(quoteIdentifier(column)) = \(owner)",
                    order: (orderColumn.map { ["\(alias).\(quoteIdentifier($0))"] } ?? []) + ["\(alias).\"_id\""]
                )
            case .joinTable(let table, let sourceColumn, let destinationColumn, let orderColumn)?:
                let pairs = makeAlias("j")
                return Source(
                    tables: .sql(
                        "\(quoteIdentifier(table)) AS \(pairs) JOIN \(destination) "
                            + "ON \(alias).\"_id\" = \(pairs).\(quoteIdentifier(destinationColumn))"
                    ),
                    condition: "\(pairs).\(quoteIdentifier(sourceColumn)) = \(owner)",
                    order: (orderColumn.map { ["\(pairs).\(quoteIdentifier($0))"] } ?? []) + ["\(alias).\"_id\""]
                )
            case .column?, nil:
                preconditionFailure("to-many '\(relationship.name)' of '\(source)' is not stored")
            }
        }
    }

    private mutating func renderTables(_ source: Source) -> String {
        switch source.tables {
        case .sql(let sql): return sql
        case .list(let parts, let alias):
            if parts.count > maximumInlineListCount, let list = constantList(parts) {
                return "(\(dialect.elements(parts.count, of: list, hasPlaces: true) { bind($0) })) AS \(alias)"
            }
            guard let first = parts.first else {
                return "(SELECT 0 AS place, NULL AS value WHERE \(dialect.condition(false))) AS \(alias)"
            }
            // VALUES, which can have any number of rows, would name a column after the values of its first row.
            var list = "SELECT 0 AS place, \(renderListElement(first)) AS value"
            let rest = parts.dropFirst().enumerated().map { "(\($0 + 1), \(renderListElement($1)))" }
            if !rest.isEmpty { list += " UNION ALL VALUES " + rest.joined(separator: ", ") }
            return "(\(list)) AS \(alias)"
        }
    }

    /// Renders an element of a list.
    ///
    /// The type of a column must not apply to the elements next to it, so a column is rendered as an expression.
    private mutating func renderListElement(_ part: BoundExpression) -> String {
        if case .keyPath = part { return dialect.withoutIndex(renderComputed(part)) }
        return renderComputed(part)
    }

    /// Returns the constants of a list as one blob; `nil` if an element is computed.
    private func constantList(_ parts: [BoundExpression]) -> Data? {
        var values: [SQLValue] = []
        for part in parts {
            switch part {
            case .value(.attribute(let value)): values.append(SQLValue(computed: value))
            case .value(let value): values.append(SQLValue(value))
            default: return nil
            }
        }
        return SQLValueList.encode(values)
    }
}
