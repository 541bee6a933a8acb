internal import ChordataModel
internal import ChordataSQL

/// The statements that write the rows of an entity.
struct RowStatements {
    /// Inserts the rows that ``RowValueSource`` provides.
    let insert: SQLText
    /// Inserts one row, whose values are the parameters in the order of the columns of ``RowValueSource``; this is
    /// faster than a virtual table with one row.
    let insertOne: SQLText
    private let tableName: String
    private let columnFields: [Field]
    /// The name of the virtual table that represents ``RowValueSource`` in SQL.
    private let writtenTableName: String

    /// - Parameter tableColumns: The names of all columns of the table, including those of other entities.
    init(of entity: EntityDescription, _ mapping: EntityMapping, _ columnFields: [Field], tableColumns: [String]) {
        tableName = quoteIdentifier(mapping.tableName)
        self.columnFields = columnFields
        var names = ["_id", "_version"]
        var values = [RowValueSource.keyColumn, RowValueSource.versionColumn]
        var parameters = ["?1", "?2"]
        if mapping.isInHierarchy {
            names.append("_entity")
            values.append(sqlLiteral(text: entity.name))
            parameters.append(sqlLiteral(text: entity.name))
        }
        names += columnFields.compactMap(\.columnName)
        values += columnFields.indices.map { "c\($0 + RowValueSource.firstColumn)" }
        parameters += columnFields.indices.map { "?\($0 + RowValueSource.firstColumn + 1)" }
        // A migration may have left a DEFAULT in a column of another entity.
        let others = tableColumns.filter { !names.contains($0) }
        names += others
        values += others.map { _ in "NULL" }
        parameters += others.map { _ in "NULL" }
        writtenTableName = RowValueSource.tableName(columnCount: columnFields.count + RowValueSource.firstColumn)
        let beginning = "INSERT INTO \(tableName) (\(names.map(quoteIdentifier).joined(separator: ", "))) "
        insert = SQLText("\(beginning)SELECT \(values.joined(separator: ", ")) FROM \(writtenTableName)")
        insertOne = SQLText("\(beginning)VALUES (\(parameters.joined(separator: ", ")))")
    }

    /// The rows that a statement changes.
    enum RowScope {
        /// The row whose key is the parameter of the statement.
        case ofKey
        /// All rows that ``RowValueSource`` provides.
        case provided
        /// All rows that ``RowValueSource`` provides, if they are most of the rows between two keys, which are the
        /// parameters: a scan of this range costs less than a table of the keys.
        case providedBetween
    }

    /// The statement that writes the changed columns of rows that are unchanged since they were read.
    /// - Parameter canFail: Whether the statement may keep the rows that it has changed when it fails: the transaction
    ///   or its savepoint is then rolled back, so SQLite need not copy the pages before it changes them.
    func update(_ changed: PropertyMask, _ selection: RowScope, canFail: Bool) -> String {
        let assignments = columnFields.enumerated().compactMap { position, field -> String? in
            guard changed.contains(field.index), let name = field.columnName else { return nil }
            return "\(quoteIdentifier(name)) = \(writtenValue(position + RowValueSource.firstColumn))"
        }
        return """
            \(canFail ? SQLiteDialect().updateWithoutUndo : "UPDATE") \(tableName) \
            SET \(assignments.joined(separator: ", ")), "_version" = "_version" + 1 WHERE \(condition(selection))
            """
    }

    /// The statement that deletes rows that are unchanged since they were read.
    func delete(_ selection: RowScope) -> String {
        "DELETE FROM \(tableName) WHERE \(condition(selection))"
    }

    private func condition(_ selection: RowScope) -> String {
        let keys =
            switch selection {
            case .ofKey: "\"_id\" = ?"
            case .provided: "\"_id\" IN (SELECT \(RowValueSource.keyColumn) FROM \(writtenTableName))"
            case .providedBetween: "\"_id\" BETWEEN ? AND ?"
            }
        return "\(keys) AND \"_version\" = \(writtenValue(1))"
    }

    private func writtenValue(_ column: Int) -> String { "\(RowValueSource.functionName)(\"_id\", \(column))" }
}
