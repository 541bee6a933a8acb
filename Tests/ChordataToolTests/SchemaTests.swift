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
