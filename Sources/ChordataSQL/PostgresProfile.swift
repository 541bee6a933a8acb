/// A server that understands the language of PostgreSQL, with the differences of the tables of a store on it.
///
/// Only stores on PostgreSQL are supported. The tables of the other servers are rendered, so that they can be tried;
/// they have not been run on these servers.
package enum PostgresProfile: String, Sendable, CaseIterable {
    case postgresql
    /// PostgreSQL with the extension Citus, version 12 or newer: a store is a distributed schema, whose tables are on
    /// one node, so an application has one store for each tenant.
    case citus
    case yugabytedb
    case cockroachdb

    /// The statements that create the schema of a store and make names without a schema refer to it until the end of
    /// the transaction.
    package func schemaStatements(named name: String) -> [String] {
        let setting = self == .citus ? ["SET LOCAL citus.enable_schema_based_sharding = on"] : []
        return setting + [
            "CREATE SCHEMA IF NOT EXISTS \(quoteIdentifier(name))",
            "SET LOCAL search_path = \(postgresNamespaces(name))",
        ]
    }

    /// A Boolean value that indicates whether the foreign keys of relationships and of side tables are declared.
    ///
    /// CockroachDB checks them at the end of each statement, and a save writes tables whose rows reference each other
    /// in any order.
    var hasForeignKeys: Bool { self != .cockroachdb }

    /// The type of texts, which are compared byte by byte.
    ///
    /// CockroachDB compares texts without a collation in this way, and stores a second key for each text with one.
    var textType: String { self == .cockroachdb ? "text" : "text COLLATE \"C\"" }

    /// A storage parameter of tables whose rows are updated.
    var updatedTableParameter: String {
        switch self {
        case .postgresql, .citus: " WITH (fillfactor = 90)"
        case .yugabytedb, .cockroachdb: ""
        }
    }

    /// The default value of the number of a save.
    var saveNumber: String {
        self == .cockroachdb ? "unique_rowid()" : "pg_current_xact_id()::text::bigint"
    }

    /// Returns an element of an index, which treats NULL as the least value.
    func indexElement(_ column: String, isAscending: Bool) -> String {
        switch self {
        case .postgresql, .citus: PostgresDialect().sorted(column, ascending: isAscending)
        // Without a direction, the index is by hashes.
        case .yugabytedb: column + (isAscending ? " ASC NULLS FIRST" : " DESC NULLS LAST")
        // NULL is the least value, and the order cannot be written.
        case .cockroachdb: column + (isAscending ? "" : " DESC")
        }
    }
}

/// Returns the schemas in which names without a schema are looked up for a store in a schema.
package func postgresNamespaces(_ schemaName: String) -> String {
    "\(quoteIdentifier(schemaName)), pg_catalog, pg_temp"
}
