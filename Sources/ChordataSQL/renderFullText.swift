import ChordataModel
package import ChordataPredicate

extension PredicateRenderer {
    /// Renders the condition that a full-text index finds a row.
    mutating func renderFullText(_ search: BoundFullText) -> String {
        guard let index = mapping.fullTextIndex(of: search.entityName) else {
            preconditionFailure("'\(search.entityName)' has no full-text index")
        }
        let parameter = bind(.attribute(.string(index.matchExpression(search.query))))
        return
            "t0.\"_id\" IN (SELECT rowid FROM \(quoteIdentifier(index.name)) WHERE \(quoteIdentifier(index.name)) MATCH "
            + "\(parameter))"
    }
}

/// Returns the statement that reads the keys of the rows that a full-text index finds, with their ranks, the best
/// first.
package func renderRanks(_ search: BoundFullText, in mapping: SchemaMapping) -> SQLFragment? {
    mapping.fullTextIndex(of: search.entityName).map { index in
        let name = quoteIdentifier(index.name)
        return SQLFragment(
            sql: "SELECT rowid, rank FROM \(name) WHERE \(name) MATCH ? ORDER BY rank, rowid",
            bindings: [.attribute(.string(index.matchExpression(search.query)))]
        )
    }
}

extension FullTextIndex {
    /// Returns the query in the syntax of FTS5.
    package func matchExpression(_ query: FullTextQuery) -> String {
        let columns = zip(declaration.attributeNames, columnNames)
        return query.matchExpression(columns: Dictionary(columns, uniquingKeysWith: { first, _ in first }))
    }
}
