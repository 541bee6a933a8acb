import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// A model that a build refuses is refused by every command, and no store is migrated to it.
struct RefusedModelTests {
    private static let old = modelFile(entity("Node", attribute("name"), relationship("next")))

    /// Models with errors that are found after reading, with the IDs of their diagnostics.
    static let refused: [(id: String, text: String)] = [
        ("CD0235", modelFile(entity("Node", attribute("a", was: "name"), attribute("b", was: "name")))),
        (
            "CD0301",
            modelFile(entity("Node", attribute("name")))
                .replacing(
                    "</model>",
                    with: "<fetchRequest name=\"all\" entity=\"Node\" predicateString=\"name =\"/></model>"
                )
        ),
        (
            "CD0302",
            modelFile(entity("Node", attribute("name")))
                .replacing(
                    "</model>",
                    with: "<fetchRequest name=\"all\" entity=\"Node\" predicateString=\"nam == 'a'\"/></model>"
                )
        ),
        (
            "CD0302",
            modelFile(
                entity(
                    "Node",
                    #"<attribute name="loud" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(nam)"/>"#
                )
            )
        ),
        ("CD0501", modelFile(entity("Node", attribute("Node")))),
    ]

    @Test(arguments: refused)
    func everyCommandStops(_ row: (id: String, text: String)) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.old, new: row.text)
            try makeStore(at: workspace.path("m.sqlite"))
            let before = try Data(contentsOf: workspace.folder.appending(path: "m.sqlite"))
            let commands =
                ["plan", "check", "verify", "new", "lint"].map { ["migrate", $0, "M.xcdatamodeld"] } + [
                    ["migrate", "plan", "M.xcdatamodeld", "--format", "json"],
                    ["migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld"],
                    ["migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld", "--dry-run"],
                    ["migrate", "status", "m.sqlite", "--model", "M.xcdatamodeld"], ["validate", "M.xcdatamodeld"],
                    ["generate", "M.xcdatamodeld", "--output", "out"], ["diff", "M.xcdatamodeld"],
                    ["graph", "M.xcdatamodeld"], ["schema", "M.xcdatamodeld"],
                    ["explain", "M.xcdatamodeld", "--entity", "Node"],
                ]
            for command in commands {
                let result = try await Program.chordata.run(command, in: workspace.folder)
                expectEqual(result.exitCode, 1, "\(command)")
                #expect((result.errors + result.output).contains(row.id), "\(command): \(result)")
            }
            #expect(!workspace.exists("Migrations"))
            #expect(!workspace.exists("out"))
            expectEqual(try Data(contentsOf: workspace.folder.appending(path: "m.sqlite")), before)
        }
    }

    /// In an older version, two attributes are renamed from the same one, so the step to this version is ambiguous.
    ///
    /// All commands reject the model until this step is written.
    @Test func anOlderVersion() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.old, new: Self.refused[0].text)
            try workspace.write(
                modelFile(entity("Node", attribute("a"), attribute("b"), attribute("c"))),
                to: "M.xcdatamodeld/M 3.xcdatamodel/contents"
            )
            try workspace.write(currentVersionFile("M 3"), to: "M.xcdatamodeld/.xccurrentversion")
            for command in [
                ["validate"], ["generate", "--output", "out"], ["migrate", "verify"], ["migrate", "new"],
            ] {
                let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
                expectEqual(result.exitCode, 1)
                #expect(
                    result.errors.contains("M 2.xcdatamodel/contents:5:78: error: 'a' and 'b' of 'Node' both have"),
                    "\(result.errors)"
                )
            }
            let sql =
                "ALTER TABLE \"Node\" RENAME COLUMN \"name\" TO \"a\"; ALTER TABLE \"Node\" ADD COLUMN \"b\" TEXT;\n"
            try workspace.write(sql, to: "Migrations/M/M to M 2.sql")
            #expect(!(try await workspace.chordata("validate", "M.xcdatamodeld").errors.contains("CD0235")))
        }
    }

    /// A diagnostic of the model or of its migrations that a configuration makes an error stops a build, and therefore
    /// all commands.
    @Test(arguments: ["CD0217", "CD0402"])
    func aLevelOfTheConfiguration(_ id: String) async throws {
        try await withWorkspace { workspace in
            let new = modelFile(entity("Node", attribute("size"), relationship("next")))
            try workspace.writeModel("M", old: Self.old, new: new)
            try workspace.writeLevels([id: "error"])
            try makeStore(at: workspace.path("m.sqlite"))
            let commands =
                ["plan", "check", "verify", "lint"].map { ["migrate", $0, "M.xcdatamodeld"] } + [
                    ["validate", "M.xcdatamodeld"], ["migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld"],
                ]
            for command in commands {
                let result = try await Program.chordata.run(command, in: workspace.folder)
                expectEqual(result.exitCode, 1, "\(command)")
                #expect(result.errors.contains("error: ") && result.errors.contains("[\(id)]"), "\(command): \(result)")
            }
            #expect(try await workspace.chordata("inspect", "m.sqlite").output.contains("Version: M\n"))
        }
    }

    /// Warnings do not stop a command.
    @Test func aModelWithWarnings() async throws {
        try await withWorkspace { workspace in
            let loose = modelFile(entity("Node", attribute("name"), attribute("size"), relationship("next")))
            try workspace.writeModel("M", old: Self.old, new: loose)
            #expect(try await workspace.chordata("validate", "M.xcdatamodeld").errors.contains("warning:"))
            for command in ["plan", "check", "verify", "lint", "new"] {
                let result = try await workspace.chordata("migrate", command, "M.xcdatamodeld")
                expectEqual(result.exitCode, 0, "\(result)")
                #expect(!result.errors.contains("CD0217"))
            }
        }
    }

    private func makeStore(at path: String) throws {
        let node = EntityDescription(
            name: "Node",
            attributes: [AttributeDescription(name: "name", attributeType: .string, isOptional: true)],
            relationships: [RelationshipDescription(name: "next", destinationEntityName: "Node", isOptional: true)]
        )
        let model = ModelDefinition(name: "M", versionName: "M", model: try ManagedObjectModel(entities: [node]))
        _ = try PersistentContainer(model: model, path: path)
    }
}
