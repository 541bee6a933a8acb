package import Chordata

/// Returns the columns, constraints and indexes of the tables in a schema, as texts without the name of the schema.
/// - Throws: ``StoreError`` when the server cannot be reached.
package func serverStructure(of schemaName: String, in database: any ServerDatabase) throws(StoreError) -> Set<String> {
    let connection = try database.take(for: "the comparison of tables")
    defer { database.release(connection) }
    var lines: Set<String> = []
    do {
        let statements = [ServerEngine.beginOfReading(schemaName), [ServerStatement(structureSQL)]].flatMap(\.self)
        _ = try connection.execute(statements) { index, cells in
            guard index == statements.count - 1, case .text(let line) = cells[0] else { return }
            lines.insert(String(decoding: line, as: UTF8.self))
        }
        connection.endReading()
        return lines
    } catch {
        if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
        throw storeError(error)
    }
}

// The search path leaves out the name of the schema in the definitions of constraints and indexes, except for the table
// of an index. An entity can have the name of a catalog or of a type, so there are no casts.
private let structureSQL = """
    WITH tables AS (
        SELECT oid, relname, quote_ident(current_schema()) || '.' AS prefix FROM pg_catalog.pg_class
        WHERE relnamespace = (SELECT oid FROM pg_catalog.pg_namespace WHERE nspname = current_schema())
            AND relkind IN ('r', 'p')
    )
    SELECT 'column ' || relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
        || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
        || coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '') || coalesce(' COLLATE ' || o.collname, '')
    FROM tables t JOIN pg_catalog.pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_catalog.pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
        LEFT JOIN pg_catalog.pg_collation o ON o.oid = a.attcollation
    UNION ALL
    SELECT 'constraint of ' || relname || ': ' || conname || ' ' || pg_get_constraintdef(n.oid)
    FROM tables t JOIN pg_catalog.pg_constraint n ON n.conrelid = t.oid
    UNION ALL
    SELECT 'index of ' || relname || ': ' || replace(pg_get_indexdef(i.indexrelid), prefix, '')
    FROM tables t JOIN pg_catalog.pg_index i ON i.indrelid = t.oid
    """
