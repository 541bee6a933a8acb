import ChordataTestSupport
import Foundation
import Testing

/// `chordata diff`.
struct DiffTests {
    private func writeThreeVersions(_ workspace: Workspace) throws {
        try workspace.writeModel("M", old: ModelText.good, new: modelFile(entity("Node", attribute("title"))))
        try workspace.write(
            modelFile(entity("Node", attribute("title")), entity("Leaf")),
            to: "M.xcdatamodeld/M 10.xcdatamodel/contents"
        )
        try workspace.write(currentVersionFile("M 10"), to: "M.xcdatamodeld/.xccurrentversion")
    }

    /// The arguments after the model, and the beginnings of the first line and of the lines with a sign.
    static let rows: [(arguments: [String], lines: [String])] = [
        ([], ["M 2 → M 10", "+ entity Leaf"]),
        (["--to", "M 2"], ["M → M 2", "  + attribute title: String, optional", "  - attribute name (may lose data)"]),
        (["--from", "M 2", "--to", "M 2"], ["M 2 → M 2"]),
        (["--from", "M 10", "--to", "M 2"], ["M 10 → M 2", "- entity Leaf (may lose data)"]),
        (["--from", "M 2"], ["M 2 → M 10", "+ entity Leaf"]),
    ]

    @Test(arguments: rows.indices)
    func versionsOfOneModel(_ index: Int) async throws {
        let row = Self.rows[index]
        try await withWorkspace { workspace in
            try writeThreeVersions(workspace)
            let result = try await Program.chordata.run(
                ["diff", "M.xcdatamodeld"] + row.arguments,
                in: workspace.folder
            )
            let lines = result.output.split(separator: "\n").map(String.init)
            let signs = lines.filter { $0.contains("→") || $0.contains("+ ") || $0.contains("- ") }
            expectEqual(signs.count, row.lines.count)
            #expect(zip(signs.sorted(), row.lines.sorted()).allSatisfy { $0.hasPrefix($1) }, "\(signs)")
            expectEqual(signs.first, row.lines.first)
            expectEqual(result.errors, "")
            expectEqual(result.exitCode, 0)
        }
    }

    @Test func twoModels() async throws {
        try await withWorkspace { workspace in
            try writeThreeVersions(workspace)
            try workspace.writeModel("N", ModelText.loose)
            let result = try await workspace.chordata("diff", "M.xcdatamodeld", "N.xcdatamodeld", "--from", "M")
            expectEqual(
                result.output,
                """
                M → N

                Node
                  + relationship next: to-one Node

                Stores have to migrate.
                Core Data does not open stores of 'M' with 'N' without migration: the version hashes of 'Node' differ.

                """
            )
            expectEqual(result.errors, "")
            expectEqual(result.exitCode, 0)
            let current = try await workspace.chordata("diff", "N.xcdatamodeld", "M.xcdatamodeld")
            #expect(current.output.hasPrefix("N → M 10\n"))
            let named = try await workspace.chordata("diff", "N.xcdatamodeld", "M.xcdatamodeld", "--to", "M 2")
            #expect(named.output.hasPrefix("N → M 2\n"))
            let itself = try await workspace.chordata("diff", "N.xcdatamodeld", "N.xcdatamodeld")
            expectEqual(itself.output, "N → N\n\nNothing changed.\n")
        }
    }

    private static let keys: Set = ["version", "from", "to", "requiresMigration", "changes", "coreDataCompatibility"]

    @Test func json() async throws {
        struct Report: Decodable {
            struct Change: Decodable {
                var subject: String
                var kind: String
                var entityName: String?
                var name: String?
                var changesVersionHash: Bool
                var mayLoseData: Bool
            }
            var version: Int
            var from: String
            var to: String
            var requiresMigration: Bool
            var changes: [Change]
        }
        try await withWorkspace { workspace in
            try writeThreeVersions(workspace)
            let result = try await workspace.chordata("diff", "M.xcdatamodeld", "--to", "M 2", "--format", "json")
            expectEqual(result.errors, "")
            expectEqual(result.exitCode, 0)
            let data = Data(result.output.utf8)
            let report = try JSONDecoder().decode(Report.self, from: data)
            expectEqual(report.version, 1)
            #expect(report.from == "M" && report.to == "M 2")
            #expect(report.requiresMigration)
            let changes = report.changes.sorted { $0.kind < $1.kind }
            expectEqual(changes.map(\.kind), ["added", "removed"])
            expectEqual(changes.map(\.name), ["title", "name"])
            expectEqual(changes.map(\.mayLoseData), [false, true])
            #expect(changes.allSatisfy { $0.subject == "attribute" && $0.entityName == "Node" })
            #expect(changes.allSatisfy { $0.changesVersionHash })

            let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
            expectEqual(Set(object.keys), Self.keys)
            let keys: Set = [
                "subject", "kind", "entityName", "oldEntityName", "name", "oldName", "aspect", "key", "oldValue",
                "newValue", "changesVersionHash", "mayLoseData",
            ]
            let items = try #require(object["changes"] as? [[String: Any]])
            #expect(items.allSatisfy { Set($0.keys) == keys })

            let none = try await workspace.chordata("diff", "M.xcdatamodeld", "M.xcdatamodeld", "--format", "json")
            let nothing = try JSONDecoder().decode(Report.self, from: Data(none.output.utf8))
            #expect(nothing.changes.isEmpty && !nothing.requiresMigration)
        }
    }

    static let wrong = [
        [], ["N.xcdatamodeld"], ["M.xcdatamodeld", "--to", "M"], ["M.xcdatamodeld", "--to", "M 3"],
        ["M.xcdatamodeld", "--from", "M 3"], ["M.xcdatamodeld", "N.xcdatamodeld", "--to", "M"],
        ["M.xcdatamodeld", "--format", "xml"],
    ]

    @Test(arguments: wrong)
    func wrongUsage(_ arguments: [String]) async throws {
        try await withWorkspace { workspace in
            try writeThreeVersions(workspace)
            try workspace.writeModel("N", ModelText.good)
            let result = try await Program.chordata.run(["diff"] + arguments, in: workspace.folder)
            expectEqual(result.exitCode, 64)
            #expect(result.errors.hasPrefix("Error: "))
            expectEqual(result.output, "")
        }
    }

    @Test func firstVersionHasNoPredecessor() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("diff", "M.xcdatamodeld")
            #expect(
                result.errors.hasPrefix(
                    "Error: there is no version before 'M'; name a version with --from, or give a second"
                )
            )
            expectEqual(result.exitCode, 64)
        }
    }

    static let unreadable = [
        ["M.xcdatamodeld", "missing"], ["missing", "M.xcdatamodeld"], ["M.xcdatamodeld", "Bad.xcdatamodeld"],
    ]

    @Test(arguments: unreadable)
    func aModelThatCannotBeRead(_ models: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.writeModel("Bad", ModelText.malformed)
            let result = try await Program.chordata.run(["diff"] + models, in: workspace.folder)
            #expect(result.errors.contains(": error: "))
            expectEqual(result.output, "")
            expectEqual(result.exitCode, 1)
        }
    }
}
