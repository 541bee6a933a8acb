/// The effect of a cleanup on the rows whose references are removed.
package enum ReferenceCleanup: Sendable, Hashable {
    /// The rows are deleted: a join row or the bytes of an attribute belong to the rows that they reference.
    case deletesRows
    /// The column becomes NULL.
    case nullifies(column: String)
    /// The column becomes NULL in a new version of each row, so that contexts in which the rows are registered are
    /// notified.
    case nullifiesInNewVersion(column: String)

    /// Creates the effect that the foreign key of a column has when the referenced row is deleted.
    package init(deleteAction: String, column: String) {
        self = deleteAction == "CASCADE" ? .deletesRows : .nullifies(column: column)
    }
}

/// Writes the statement that removes references from the rows of a table that meet a condition.
package func renderReferenceCleanup(_ cleanup: ReferenceCleanup, of table: String, where condition: String) -> String {
    let table = quoteIdentifier(table)
    switch cleanup {
    case .deletesRows: return "DELETE FROM \(table) WHERE \(condition)"
    case .nullifies(let column):
        let column = quoteIdentifier(column)
        return "UPDATE \(table) SET \(column) = NULL WHERE \(column) IS NOT NULL AND \(condition)"
    case .nullifiesInNewVersion(let column):
        let column = quoteIdentifier(column)
        return "UPDATE \(table) SET \(column) = NULL, \"_version\" = \"_version\" + 1 "
            + "WHERE \(column) IS NOT NULL AND \(condition)"
    }
}

/// Writes the condition that a column references one of the rows whose keys a SELECT returns.
package func renderReferences(from column: String, to keys: String) -> String {
    "\(quoteIdentifier(column)) IN (\(keys))"
}

/// Writes the condition that a column references none of the rows whose keys a SELECT returns.
package func renderReferences(from column: String, toNoneOf keys: String) -> String {
    "\(quoteIdentifier(column)) NOT IN (\(keys))"
}
