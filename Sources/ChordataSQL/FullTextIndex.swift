package import ChordataModel

/// A full-text index: a table of SQLite's FTS5 that does not store the texts itself, and the triggers that keep it up
/// to date.
///
/// The index of a subentity contains all rows of the hierarchy's table. Rows of other entities have no text in the
/// columns of the subentity, and fetches select the rows of the entity; so the index can be checked and rebuilt from
/// the table alone.
package struct FullTextIndex: Sendable, Hashable {
    package var declaration: FullTextDeclaration
    /// The name of the index.
    package var name: String
    /// The table whose rows are indexed.
    package var tableName: String
    /// The columns of the attributes, in the order of ``declaration``.
    package var columnNames: [String]

    /// The prefix of the names of full-text indexes; no table name of a model has this prefix.
    package static let namePrefix = "_fulltext_"
    /// The endings of the names that FTS5 uses for the tables of an index.
    package static let tableEndings = ["", "_data", "_idx", "_content", "_docsize", "_config"]
    /// The tokenizer, which compares words without case and diacritics.
    package static let tokenizer = "unicode61 remove_diacritics 2"

    /// The names and statements of the table and the triggers, in the order of their creation.
    package var parts: [(name: String, sql: String)] {
        [(name, creation)] + triggers
    }

    /// The statements that create the index; ``rebuilding`` fills it.
    package var statements: [String] { parts.map(\.sql) }

    /// The statement that indexes all rows of the table again.
    package var rebuilding: String {
        "INSERT INTO \(quotedName) (\(quotedName)) VALUES ('rebuild')"
    }

    /// The statement that fails if the index does not have exactly the words of the table.
    package var check: String {
        "INSERT INTO \(quotedName) (\(quotedName), rank) VALUES ('integrity-check', 1)"
    }

    private var quotedName: String { quoteIdentifier(name) }
    private var columns: String { columnNames.map(quoteIdentifier).joined(separator: ", ") }

    private var creation: String {
        "CREATE VIRTUAL TABLE \(quotedName) USING fts5(\(columns), content=\(sqlLiteral(text: tableName)), "
            + "content_rowid='_id', tokenize='\(Self.tokenizer)')"
    }

    private var triggers: [(name: String, sql: String)] {
        let table = quoteIdentifier(tableName)
        let added = "INSERT INTO \(quotedName) (rowid, \(columns)) VALUES (new.\"_id\", \(values(of: "new")));"
        // FTS5 finds the words that it removes in the old texts.
        let removed =
            "INSERT INTO \(quotedName) (\(quotedName), rowid, \(columns)) "
            + "VALUES ('delete', old.\"_id\", \(values(of: "old")));"
        return [
            trigger("insert", "AFTER INSERT ON \(table)", [added]),
            trigger("delete", "AFTER DELETE ON \(table)", [removed]),
            trigger(
                "update",
                "AFTER UPDATE ON \(table) WHEN (old.\"_id\", \(values(of: "old"))) IS NOT (new.\"_id\", \(values(of: "new")))",
                [removed, added]
            ),
        ]
    }

    private func trigger(_ ending: String, _ event: String, _ statements: [String]) -> (name: String, sql: String) {
        let name = "\(name)_\(ending)"
        return (name, "CREATE TRIGGER \(quoteIdentifier(name)) \(event) BEGIN \(statements.joined(separator: " ")) END")
    }

    private func values(of row: String) -> String {
        columnNames.map { "\(row).\(quoteIdentifier($0))" }.joined(separator: ", ")
    }
}

/// Creates the full-text indexes that a model declares.
///
/// If the user info declares an impossible index, no index is created: the generator reports a warning, and a fetch
/// that needs the index fails.
func makeFullTextIndexes(of model: ManagedObjectModel, _ entities: [EntityMapping]) -> [FullTextIndex] {
    var names = NameAllocator()
    return entities.sorted { $0.entityName < $1.entityName }.compactMap { mapping in
        guard let entity = model.entity(named: mapping.entityName),
            let declaration = (try? model.declaredFullText(of: entity)) ?? nil
        else { return nil }
        return FullTextIndex(
            declaration: declaration,
            name: names.allocate(FullTextIndex.namePrefix + entity.name, endings: FullTextIndex.tableEndings),
            tableName: mapping.tableName,
            columnNames: declaration.attributeNames.compactMap { mapping.attribute(at: [$0])?.columnName }
        )
    }
}
