import ChordataModel
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate
@testable import ChordataSQL

/// The tables of a store.
struct SchemaTests {
    @Test(arguments: TestModels.all.indices) func tables(index: Int) throws {
        let (name, model) = TestModels.all[index]
        let statements = renderPostgresSchema(makePostgresMapping(of: model))
        try expectFile(name, statements)
        let connection = try TestServer.connection()
        let schema = "\"schema_\(UUID().uuidString)\""
        try connection.execute(
            [
                ServerStatement("BEGIN"), ServerStatement("CREATE SCHEMA \(schema)"),
                ServerStatement("SET LOCAL search_path = \(schema), pg_catalog, pg_temp"),
            ] + statements.map { ServerStatement($0) } + [ServerStatement("SET CONSTRAINTS ALL IMMEDIATE")]
        )
        // A name that was cut by the server would not be found.
        let mapping = makePostgresMapping(of: model)
        for table in mapping.tables {
            let columns = table.columns.map { quoteIdentifier($0.name) }.joined(separator: ", ")
            _ = try connection.rows("SELECT \(columns) FROM \(quoteIdentifier(table.name))")
            for index in table.indexes {
                let found = try connection.rows(
                    "SELECT count(*) FROM pg_catalog.pg_class WHERE relname = $1",
                    [.text(index.name)]
                )
                #expect(found != [["0"]], "\(index.name)")
            }
        }
        try connection.execute([ServerStatement("ROLLBACK")])
    }

    /// The texts that the server of a profile does not support in the statements that create a store.
    private static let unsupported: [PostgresProfile: [String]] = [
        .postgresql: [], .citus: [], .yugabytedb: ["fillfactor"],
        .cockroachdb: ["DEFERRABLE", "NULLS FIRST", "COLLATE", "fillfactor", "pg_current_xact_id"],
    ]

    /// The tables for a server have nothing that the server does not support: a proxy rejects it.
    @Test(arguments: PostgresProfile.allCases, TestModels.all.indices)
    func profiles(profile: PostgresProfile, index: Int) throws {
        let (name, model) = TestModels.all[index]
        let mapping = makePostgresMapping(of: model)
        let statements = renderPostgresSchema(mapping, profile)
        try expectFile([.postgresql, .citus].contains(profile) ? name : "\(name).\(profile.rawValue)", statements)
        let proxy = try Proxy(server: TestServer.string)
        defer { proxy.close() }
        proxy.reject(Self.unsupported[profile] ?? [])
        let connection = try PostgresConnection(
            PostgresConfiguration(proxy.string, schema: "test"),
            prepares: PreparationSwitch(isOn: true)
        )
        func create(_ statements: [String]) throws {
            let schema = "schema_\(UUID().uuidString)"
            defer { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            // PostgreSQL does not have this function of CockroachDB.
            let function = "CREATE FUNCTION pg_temp.unique_rowid() RETURNS bigint LANGUAGE sql AS 'SELECT 1::bigint'"
            try connection.execute(
                (["BEGIN"] + profile.schemaStatements(named: schema) + [function] + statements).map {
                    ServerStatement($0)
                }
            )
            let count = try connection.rows(
                "SELECT count(*) FROM pg_catalog.pg_tables WHERE schemaname = $1",
                [.text(schema)]
            )
            #expect(count == [["\(mapping.tables.count + 2)"]])
        }
        try create(statements.map { $0.replacing("unique_rowid", with: "pg_temp.unique_rowid") })
        #expect(proxy.rejectedCount == 0)
        guard profile == .cockroachdb else { return }
        #expect(throws: ServerFailure.self) { try create(renderPostgresSchema(mapping)) }
    }

    /// Compares statements with an expected file, which `CHORDATA_UPDATE_EXPECTED=1` writes.
    private func expectFile(_ name: String, _ statements: [String]) throws {
        let text = statements.map { $0 + ";\n" }.joined()
        let file = URL(filePath: #filePath).appending(path: "../Expected/\(name).sql").standardized
        if ProcessInfo.processInfo.environment["CHORDATA_UPDATE_EXPECTED"] == "1" {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        #expect(try text == String(contentsOf: file, encoding: .utf8))
    }

    /// The tables of a store for a tenant of Citus are a distributed schema.
    @Test func schemas() {
        #expect(
            PostgresProfile.citus.schemaStatements(named: "a\"b") == [
                "SET LOCAL citus.enable_schema_based_sharding = on", "CREATE SCHEMA IF NOT EXISTS \"a\"\"b\"",
                "SET LOCAL search_path = \"a\"\"b\", pg_catalog, pg_temp",
            ]
        )
    }

    @Test func names() {
        let mapping = makePostgresMapping(of: TestModels.names)
        let relations = mapping.tables.flatMap { [$0.name, primaryKeyName(of: $0.name)] + $0.indexes.map(\.name) }
        #expect(Set(relations).count == relations.count)
        #expect(relations.allSatisfy { $0.utf8.count <= 63 })
        for table in mapping.tables {
            let columns = table.columns.map(\.name)
            #expect(Set(columns).count == columns.count)
            #expect(columns.allSatisfy { $0.utf8.count <= 63 })
            #expect(PostgresNames.systemColumns.isDisjoint(with: columns))
        }
        #expect(PostgresNames.columnTypes.isDisjoint(with: relations))
        // A property that has the name of a replacement keeps its name.
        let text = mapping.entity(named: "text")
        #expect(text?.attribute(at: ["property_xmin"])?.columnName == "property_xmin")
        #expect(text?.attribute(at: ["xmin"])?.columnName == "property_xmin_2")
    }

    /// A shortened name does not depend on the other names of a model.
    @Test func shortenedNames() {
        let name = String(repeating: "ä", count: 50)
        #expect(PostgresNames.shortened(name).utf8.count <= 63)
        #expect(PostgresNames.shortened(name) == PostgresNames.shortened(name))
        #expect(PostgresNames.shortened(name) != PostgresNames.shortened(name + "ä"))
        #expect(PostgresNames.shortened("short") == "short")
    }
}
