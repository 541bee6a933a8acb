package import ChordataModel
internal import ChordataSQL

/// Returns the statements that create the tables and indexes in which Core Data stores the objects of a model.
package func coreDataStatements(of model: ManagedObjectModel) -> [String] {
    let schema = CoreDataSchema(of: model)
    return schema.tableStatements + schema.indexStatements
}

extension CoreDataSchema {
    /// The statements that create the tables, with Core Data's own tables last.
    var tableStatements: [String] {
        let statements = tables.map { table in
            let columns = table.columns.enumerated().map { index, column in
                let key = !table.isJoinTable && index == 0 ? " PRIMARY KEY" : ""
                return "\(identifier(column.name)) \(column.type)\(key)"
            }
            let keys = table.columns.prefix(2).map { identifier($0.name) }.joined(separator: ", ")
            let key = table.isJoinTable ? ", PRIMARY KEY (\(keys))" : ""
            return "CREATE TABLE \(identifier(table.name)) ( \(columns.joined(separator: ", "))\(key) )"
        }
        return statements + [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ]
    }

    /// The statements that create the indexes.
    var indexStatements: [String] {
        indexes.map { index in
            // Only the indexes that the model names have a collation.
            let collates = index.name.hasPrefix("Z_") && !index.name.hasSuffix("_INDEX")
            let columns = index.columns.map { column in
                identifier(column.name) + (collates ? " COLLATE BINARY \(column.isAscending ? "ASC" : "DESC")" : "")
            }
            return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(identifier(index.name)) "
                + "ON \(identifier(index.table)) (\(columns.joined(separator: ", ")))"
        }
    }
}

/// Returns a name as Core Data writes it, without quotes if SQLite does not need them.
private func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "_")
    }
    return isPlain && name.utf8.first == UInt8(ascii: "Z") ? name : quoteIdentifier(name)
}
