import ChordataTestSupport
import Foundation
import Testing

/// `chordata migrate lint`.
struct MigrateLintTests {
    private struct Found: Decodable, Equatable {
        struct Place: Decodable, Equatable {
            var line: Int
            var column: Int
        }
        struct ReportedFixIt: Decodable, Equatable {
            var location: Place
            var length: Int
            var replacement: String
        }
        var id: String
        var severity: String
        var message: String
        var fixIts: [ReportedFixIt]
    }

    private func lint(_ workspace: Workspace, _ arguments: String...) async throws -> (found: [Found], exitCode: Int32)
    {
        struct Document: Decodable { var diagnostics: [Found] }
        let all = ["migrate", "lint", "M.xcdatamodeld", "--format", "json"] + arguments
        let result = try await Program.chordata.run(all, in: workspace.folder)
        let document = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
        return (document.diagnostics, result.exitCode)
    }

    private func found(_ old: String, _ new: String) async throws -> [Found] {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: modelFile(old), new: modelFile(new))
            return try await lint(workspace).found
        }
    }

    /// A likely renaming of a property or entity is found, with the fix that keeps its values.
    @Test func likelyRenamings() async throws {
        let properties = try await found(
            entity("Person", attribute("mail"), attribute("age", "Integer 16")),
            entity("Person", attribute("email"), attribute("age", "Integer 16"))
        )
        expectEqual(properties.map(\.id), ["CD0402", "CD0412", "CD0411"])
        expectEqual(properties.last?.fixIts.map(\.replacement), [" elementID=\"mail\""])
        expectEqual(properties.last?.fixIts.map(\.length), [0])
        let entities = try await found(
            entity("Person", attribute("name"), attribute("age", "Integer 16")),
            entity("Human", attribute("name"), attribute("size", "Integer 16"))
        )
        #expect(entities.map(\.id).contains("CD0411"))
        expectEqual(entities.first { $0.id == "CD0411" }?.fixIts.map(\.replacement), [" elementID=\"Person\""])
    }

    /// Two similar entities are ambiguous.
    @Test func similarEntitiesAreAmbiguous() async throws {
        let entities = try await found(
            entity("Old", attribute("name")),
            entity("New1", attribute("name")) + "\n" + entity("New2", attribute("name"))
        )
        #expect(!entities.map(\.id).contains("CD0411"))
        #expect(entities.map(\.id).contains("CD0402"))
    }

    /// After the fix is applied, the change is a renaming.
    @Test func theFixCorrects() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Person", attribute("mail"))),
                new: modelFile(entity("Person", attribute("email")))
            )
            let remedy = try #require(try await lint(workspace).found.first { $0.id == "CD0411" }?.fixIts.first)
            let path = "M.xcdatamodeld/M 2.xcdatamodel/contents"
            var lines = try workspace.read(path).split(separator: "\n", omittingEmptySubsequences: false).map(
                String.init
            )
            let line = lines[remedy.location.line - 1]
            let place = line.utf8.index(line.startIndex, offsetBy: remedy.location.column - 1)
            lines[remedy.location.line - 1] = line[..<place] + remedy.replacement + line[place...]
            try workspace.write(lines.joined(separator: "\n"), to: path)
            expectEqual(try await lint(workspace).found.map(\.id), ["CD0412"])
            let plan = try await workspace.chordata("migrate", "plan", "M.xcdatamodeld")
            #expect(plan.output.contains("RENAME COLUMN \"mail\" TO \"email\""))
        }
    }

    /// An attribute with several similar candidates, or with none, is not reported as renamed.
    @Test func attributesThatAreNotRenamed() async throws {
        let two = try await found(
            entity("Person", attribute("mail")),
            entity("Person", attribute("email"), attribute("phone"))
        )
        expectEqual(two.map(\.id).sorted(), ["CD0402", "CD0412"])
        let another = try await found(
            entity("Person", attribute("mail")),
            entity("Person", attribute("age", "Integer 16"))
        )
        expectEqual(another.map(\.id).sorted(), ["CD0402", "CD0412"])
    }

    /// Values that are unique before the migration may be equal after their conversion.
    @Test func uniqueValuesThatBecomeDuplicates() async throws {
        func unique(_ attribute: String) -> String {
            let constraint = #"<uniquenessConstraint><constraint value="n"/></uniquenessConstraint>"#
            return entity("P", attribute, "<uniquenessConstraints>\(constraint)</uniquenessConstraints>")
        }
        func depends(_ old: String, _ new: String) async throws -> [String] {
            try await found(unique(old), unique(new)).filter { $0.id == "CD0410" }.map(\.message)
        }
        let required = #"<attribute name="n" attributeType="String" defaultValueString="d"/>"#
        let filled = try await depends(attribute("n"), required)
        #expect(filled.count == 1 && filled[0].contains("a store in which two objects have no value"), "\(filled)")
        let rounded = try await depends(attribute("n", "Double"), attribute("n", "Integer 32"))
        #expect(
            rounded.count == 1 && rounded[0].contains("a store in which two objects would end up with the same value"),
            "\(rounded)"
        )
        expectEqual(try await depends(required, attribute("n")), [])
    }

    /// A required relationship with a new destination is empty at first.
    @Test func requiredRelationshipsWithNewDestinations() async throws {
        func model(_ destination: String) -> String {
            let link =
                #"<relationship name="k" maxCount="1" deletionRule="Nullify" destinationEntity="\#(destination)"/>"#
            return entity("P", link) + entity("K", attribute("a")) + entity("L", attribute("b"))
        }
        let messages = try await found(model("K"), model("L")).filter { $0.id == "CD0403" }.map(\.message)
        expectEqual(messages.count, 1)
        #expect(messages.joined().contains("has a new destination and is required"), "\(messages)")
        #expect(try await found(model("K"), model("K")).isEmpty)
    }

    /// Other programs are affected if a column is removed, for whatever reason, but not by properties that never had a
    /// column.
    @Test func columnsThatOtherProgramsMiss() async throws {
        func broken(_ old: String, _ new: String) async throws -> [String] {
            try await found(old, new).filter { $0.id == "CD0412" }.map(\.message)
        }
        let transient = attribute("mail").replacing("<attribute ", with: "<attribute transient=\"YES\" ")
        let start = "'M 2' changes the tables that programs read with their own SQL: "
        expectEqual(
            try await broken(entity("Person", attribute("age"), transient), entity("Person", attribute("age"))),
            []
        )
        let messages = try await broken(
            entity("Person", attribute("age"), attribute("mail")),
            entity("Person", attribute("age"), transient)
        )
        #expect(messages.count == 1 && messages[0].hasPrefix(start + "attribute 'mail' of 'Person'"), "\(messages)")
        // An entity that gets a superentity is stored in the superentity's table.
        let moved = try await broken(
            entity("Animal", attribute("age")) + entity("Cat", attribute("name")),
            entity("Animal", attribute("age")) + entity("Cat", parent: "Animal", attribute("name"))
        )
        #expect(moved.count == 1 && moved[0].hasPrefix(start + "entity 'Cat'"), "\(moved)")
    }

    /// Each diagnostic is accepted by its ID, which does not affect other diagnostics.
    @Test func acceptedByID() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Person", attribute("mail"), attribute("age", "Integer 64"))),
                new: modelFile(entity("Person", attribute("age", "Integer 16")))
            )
            expectEqual(try await lint(workspace).found.map(\.id).sorted(), ["CD0402", "CD0409", "CD0412"])
            expectEqual(try await lint(workspace, "--strict").exitCode, 1)
            try workspace.writeLevels(["CD0402": "ignore", "CD0409": "remark", "CD0412": "ignore"])
            let accepted = try await lint(workspace, "--strict")
            expectEqual(accepted.found.map(\.id), ["CD0409"])
            expectEqual(accepted.exitCode, 0)
        }
    }

    /// Released steps are history, and the author of handwritten SQL knows what it does.
    @Test func releasedStepsAreHistory() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Person", attribute("mail"))),
                new: modelFile(entity("Person"))
            )
            expectEqual(try await lint(workspace).found.count, 2)
            expectEqual(try await workspace.chordata("migrate", "new", "M.xcdatamodeld", "--release").exitCode, 0)
            #expect(try await lint(workspace).found.isEmpty)
            let text = try await workspace.chordata("migrate", "lint", "M.xcdatamodeld", "--from", "M")
            expectEqual(text.output, "released steps, which are not checked: 1\n")
        }
    }

    /// A change that Core Data does not detect.
    @Test func equalVersionHashes() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Node", attribute("title"))),
                new: modelFile(entity("Node", attribute("title", defaultValue: "none")))
            )
            let warning =
                "Core Data does not migrate stores of 'M' to 'M 2', because all version hashes are equal although the models "
                + "differ; set a hash modifier where the change needs a migration\n"
            let text = try await workspace.chordata("migrate", "lint", "M.xcdatamodeld")
            #expect(text.errors.contains("warning: " + warning) && text.exitCode == 0, "\(text.errors)")
            let strict = try await workspace.chordata("migrate", "lint", "M.xcdatamodeld", "--strict")
            #expect(strict.errors.contains("error: " + warning) && strict.exitCode == 1)
            let json = try await workspace.chordata("migrate", "lint", "M.xcdatamodeld", "--format", "json")
            #expect(json.output.contains(#""stepsWithEqualHashes":[{"from":"M","to":"M 2"}]"#))
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Node", attribute("title"))),
                new: modelFile(entity("Node"))
            )
            #expect(try await !workspace.chordata("migrate", "lint", "M.xcdatamodeld").errors.contains("Core Data"))
        }
    }
}
