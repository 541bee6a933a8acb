internal import Chordata
internal import ChordataSQL

/// Returns the differences between the columns of a store on a server and those of a mapping, in words.
///
/// The search path of the transaction begins with the schema of the store.
func serverDrift(from mapping: SchemaMapping, _ connection: any ServerConnection) throws -> [String] {
    let types = PostgresColumnTypes(mapping)
    var expected: Set<String> = []
    for table in mapping.tables {
        for column in table.columns {
            expected.insert("\(table.name).\(column.name) \(types.type(of: column, in: table))")
        }
    }
    var found: Set<String> = []
    let tables = ServerArgument.value(.collection(mapping.tables.map { .attribute(.string($0.name)) }))
    _ = try connection.execute([ServerStatement(columnsSQL, [tables])]) { _, cells in
        if case .text(let line) = cells[0] { found.insert(String(decoding: line, as: UTF8.self)) }
    }
    return expected.subtracting(found).sorted().map { "'\($0)' is missing" }
        + found.subtracting(expected).sorted().map { "'\($0)' is not expected" }
}

/// The query of the columns of some tables with their types, as `table.column type`.
///
/// An entity can have the name of a catalog, such as `pg_class`, so catalogs are qualified.
private let columnsSQL = """
    SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN o.collname IS NULL OR o.collname = 'default' THEN '' ELSE ' COLLATE "' || o.collname || '"' END
    FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid
        LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
    WHERE c.relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema()) AND c.relkind IN ('r', 'p') AND a.attnum > 0
        AND NOT a.attisdropped AND c.relname = ANY($1)
    """
