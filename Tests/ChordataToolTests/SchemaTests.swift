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
                #expect(result.errors == "")
                #expect(result.exitCode == 0)
            }
        }
    }

    @Test func aModelWithErrorsHasNone() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.cyclic)
            let result = try await workspace.chordata("schema", "M.xcdatamodeld")
            #expect(result.findings == ["M.xcdatamodeld/M.xcdatamodel/contents:3: error CD0207"])
            #expect(result.output == "")
            #expect(result.exitCode == 1)
        }
    }
}
