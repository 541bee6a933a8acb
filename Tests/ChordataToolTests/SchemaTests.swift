import ChordataTestSupport
import Foundation
import Testing

/// `chordata schema`.
struct SchemaTests {
    @Test func theStatementsOfAStore() async throws {
        try await withWorkspace { workspace in
            let new = modelFile(entity("Node", attribute("title")))
            try workspace.writeModel("M", old: ModelText.loose, new: new)
            for (arguments, column, other) in [([], "title", "name"), (["--version", "M"], "name", "title")] {
                let result = try await Program.chordata.run(
                    ["schema", "M.xcdatamodeld"] + arguments,
                    in: workspace.folder
                )
                let table = result.output.split(separator: "\n").drop { $0 != "CREATE TABLE \"Node\" (" }
                #expect(table.contains { $0.hasPrefix("    \"\(column)\" TEXT") })
                #expect(!table.contains { $0.hasPrefix("    \"\(other)\"") })
                #expect(result.output.hasSuffix(";\n"))
                expectEqual(result.errors, "")
                expectEqual(result.exitCode, 0)
            }
        }
    }

    /// The tables of a store on a server, and the mistakes in the options for them.
    @Test func servers() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("Node", attribute("title"))))
            func run(_ options: String...) async throws -> Program.Result {
                try await Program.chordata.run(["schema", "M.xcdatamodeld"] + options, in: workspace.folder)
            }
            let citus = try await run("--server", "citus", "--schema", "tenant 1")
            let beginning = """
                BEGIN;
                SET LOCAL citus.enable_schema_based_sharding = on;
                CREATE SCHEMA IF NOT EXISTS "tenant 1";
                SET LOCAL search_path = "tenant 1", pg_catalog, pg_temp;
                CREATE TABLE
                """
            #expect(citus.output.hasPrefix(beginning), "\(citus)")
            #expect(citus.output.hasSuffix(";\nCOMMIT;\n"))
            let json = try await run("--server", "cockroachdb", "--schema", "s", "--format", "json")
            #expect(json.output.contains(#"CREATE TABLE \"Node\""#) && !json.output.contains("COLLATE"))
            for (options, message) in [
                (
                    ["--server", "oracle", "--schema", "s"],
                    "'oracle' is not a supported server; choose one of postgresql, citus, yugabytedb, cockroachdb"
                ), (["--server", "citus"], "--server needs the name of the schema; add --schema"),
                (["--schema", "s"], "--schema is for stores on a server; add --server"),
                (
                    ["--core-data", "--server", "citus", "--schema", "s"],
                    "--core-data and --server cannot be combined; choose one of them"
                ),
            ] {
                let result = try await Program.chordata.run(
                    ["schema", "M.xcdatamodeld"] + options,
                    in: workspace.folder
                )
                #expect(result.errors.contains(message), "\(result)")
                expectEqual(result.exitCode, 64)
            }
        }
    }

    @Test func asJSON() async throws {
        struct Schema: Decodable {
            struct Table: Decodable {
                struct Column: Decodable {
                    var name: String
                    var type: String
                    var references: String?
                }
                var name: String
                var columns: [Column]
            }
            var version: Int
            var versionName: String
            var tables: [Table]
            var statements: [String]
        }
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("Node", attribute("title"))))
            let result = try await workspace.chordata("schema", "M.xcdatamodeld", "--format", "json")
            let schema = try JSONDecoder().decode(Schema.self, from: Data(result.output.utf8))
            #expect(schema.version == 1 && schema.versionName == "M")
            let table = try #require(schema.tables.first { $0.name == "Node" })
            expectEqual(table.columns.map(\.name), ["_id", "_version", "title"])
            expectEqual(table.columns.map(\.type), ["INTEGER", "INTEGER", "TEXT"])
            #expect(schema.statements.contains { $0.hasPrefix("CREATE TABLE \"Node\"") })
        }
    }

    @Test func indexesAsJSON() async throws {
        try await withWorkspace { workspace in
            let constraint = "<uniquenessConstraint><constraint value=\"title\"/></uniquenessConstraint>"
            let node = entity(
                "Node",
                attribute("title"),
                "<uniquenessConstraints>\(constraint)</uniquenessConstraints>"
            )
            try workspace.writeModel("M", modelFile(node))
            let result = try await workspace.chordata("schema", "M.xcdatamodeld", "--format", "json")
            #expect(
                result.output.contains(#""isUnique":true,"columns":[{"name":"title","isAscending":true}]"#),
                "\(result)"
            )
        }
    }

    @Test func modelsWithErrorsHaveNoSchema() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.cyclic)
            let result = try await workspace.chordata("schema", "M.xcdatamodeld")
            expectEqual(result.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:3: error CD0207"])
            expectEqual(result.output, "")
            expectEqual(result.exitCode, 1)
        }
    }
}
