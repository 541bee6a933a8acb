import ChordataTestSupport
import Foundation
import Testing

/// `chordata check`: all checks for continuous integration.
struct CheckTests {
    private static let old = modelFile(entity("Node", attribute("a")))
    private static let new = modelFile(entity("Node", attribute("a"), attribute("b")))

    /// Writes the model `M` of two versions into a folder.
    private func writeModel(_ folder: String, in workspace: Workspace) throws {
        try workspace.write(Self.old, to: "\(folder)/M.xcdatamodeld/M.xcdatamodel/contents")
        try workspace.write(Self.new, to: "\(folder)/M.xcdatamodeld/M 2.xcdatamodel/contents")
        try workspace.write(currentVersionFile("M 2"), to: "\(folder)/M.xcdatamodeld/.xccurrentversion")
    }

    @Test func soundPackage() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            try workspace.write(ModelText.cyclic, to: "Sources/.hidden/N.xcdatamodeld/N.xcdatamodel/contents")
            try workspace.write("", to: "Other/Package.swift")
            try workspace.write(ModelText.cyclic, to: "Other/Sources/N.xcdatamodeld/N.xcdatamodel/contents")
            _ = try await workspace.chordata(
                "generate",
                "Sources/App/M.xcdatamodeld",
                "--output",
                "Sources/App/Generated"
            )
            let result = try await workspace.chordata("check")
            #expect(result.output == "" && result.errors == "" && result.exitCode == 0, "\(result)")
        }
    }

    @Test func generatedCodeThatIsNotUpToDate() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            for options in [["--shards", "2", "--access", "public"], []] {
                let generate = ["generate", "Sources/App/M.xcdatamodeld", "--output", "Sources/App/Out"]
                expectEqual(try await Program.chordata.run(generate + options, in: workspace.folder).exitCode, 0)
                expectEqual(try await workspace.chordata("check").exitCode, 0, "the options are found")
                let generated = try workspace.read("Sources/App/Out/M.swift")
                let edited = generated.replacing("class MModel", with: "class Other")
                try workspace.write(edited, to: "Sources/App/Out/M.swift")
                let result = try await workspace.chordata("check")
                #expect(result.output == "Sources/App/Out/M.swift\n" && result.exitCode == 2)
                let command = (["chordata"] + generate + options).joined(separator: " ")
                #expect(result.errors.contains("remark: to update the file, run '\(command)'"), "\(result.errors)")
                #expect(result.errors.contains(": error: the file has '"))
                // From another folder, with the path of the model.
                let elsewhere = try await Program.chordata.run(
                    ["check", workspace.path("Sources/App/M.xcdatamodeld")],
                    in: FileManager.default.temporaryDirectory
                )
                expectEqual(elsewhere.exitCode, 2)
            }
        }
    }

    /// The access level of a configuration file is that of the code, whatever the checked-in files have.
    @Test func generatedCodeOfAnotherAccessLevel() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            let generate = ["generate", "Sources/App/M.xcdatamodeld", "--output", "Sources/App/Out"]
            expectEqual(try await Program.chordata.run(generate, in: workspace.folder).exitCode, 0)
            try workspace.write(#"{ "access": "public" }"#, to: "Sources/App/chordata.json")
            let result = try await workspace.chordata("check")
            #expect(result.exitCode == 2 && result.output.contains("Sources/App/Out/"), "\(result)")
            expectEqual(try await Program.chordata.run(generate, in: workspace.folder).exitCode, 0)
            expectEqual(try await workspace.chordata("check").exitCode, 0)
        }
    }

    /// Warnings that are errors because of `--strict` do not hide generated code that is not up to date.
    @Test func generatedCodeWithStrictWarnings() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            let model = "Sources/App/M.xcdatamodeld"
            let out = ["--output", "Sources/App/Out"]
            expectEqual(try await Program.chordata.run(["generate", model] + out, in: workspace.folder).exitCode, 0)
            expectEqual(try await workspace.chordata("migrate", "new", model).exitCode, 0)
            // An edited file is written for two versions, of which one is changed then.
            let file = "Sources/App/Migrations/M/M to M 2.sql"
            try workspace.write(try workspace.read(file) + "-- Edited.\n", to: file)
            let changed = modelFile(entity("Node", attribute("renamed"), attribute("other"), attribute("third")))
            try workspace.write(changed, to: "\(model)/M 2.xcdatamodel/contents")
            let result = try await workspace.chordata("check", "--strict")
            #expect(result.exitCode == 1 && result.errors.contains("[CD0406]"), "\(result)")
            #expect(result.output.contains("Sources/App/Out/"), "\(result)")
        }
    }

    /// A released version that was removed is reported, and its step is not.
    @Test func aRemovedReleaseIsReportedAlone() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            expectEqual(try await workspace.chordata("migrate", "new", "Sources/App/M.xcdatamodeld").exitCode, 0)
            let removed = workspace.path("Sources/App/M.xcdatamodeld/M.xcdatamodel")
            try FileManager.default.removeItem(atPath: removed)
            let result = try await workspace.chordata("check")
            expectEqual(result.exitCode, 1, "\(result)")
            #expect(result.errors.contains("is released but no longer in the model"), "\(result)")
            #expect(!result.errors.contains("no longer consecutive"), "\(result)")
        }
    }

    /// Steps of a released version that was changed are not the released ones, so nothing is reported about them.
    @Test func changedReleasesAreReportedAlone() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Package.swift")
            try writeModel("Sources/App", in: workspace)
            expectEqual(try await workspace.chordata("migrate", "new", "Sources/App/M.xcdatamodeld").exitCode, 0)
            let changed = modelFile(entity("Node", attribute("renamed"), attribute("other")))
            try workspace.write(changed, to: "Sources/App/M.xcdatamodeld/M.xcdatamodel/contents")
            let result = try await workspace.chordata("check")
            expectEqual(result.exitCode, 1)
            let ids = result.errors.matches(of: /\[(CD\d+)\]/).map { String($0.1) }
            expectEqual(Set(ids), ["CD0404"], "\(result.errors)")
        }
    }

    @Test func migrationsAreChecked() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.new, new: Self.old)
            #expect(try await workspace.chordata("check").findings.contains { $0.hasSuffix("warning CD0402") })
            expectEqual(try await workspace.chordata("migrate", "new", "M.xcdatamodeld").exitCode, 0)
            let third = modelFile(entity("Node", attribute("a"), attribute("c")))
            try workspace.writeModel("M", old: Self.new, new: third)
            let result = try await workspace.chordata("check")
            #expect(result.output.contains("Migrations/M/M to M 2.sql\n"))
            #expect(result.errors.contains("run 'chordata migrate new M.xcdatamodeld'"))
            expectEqual(result.exitCode, 2)
        }
    }

    /// Each command that finds a file that is not up to date names the command that writes it.
    @Test func theRepairIsNamed() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M, x", old: Self.old, new: Self.new)
            try workspace.write("", to: "Migrations/M, x/migrations.lock")
            let model = "M, x.xcdatamodeld"
            // Swift 6.3.1 crashes when it compiles 'expectEqual' here.
            #expect(try await workspace.chordata("migrate", "new", model).exitCode == 0)
            let third = modelFile(entity("Node", attribute("a"), attribute("c")))
            try workspace.writeModel("M, x", old: Self.old, new: third)
            let check = try await workspace.chordata("migrate", "check", model)
            let names = ["M, x to M, x 2.sql", "migrations.lock"]
            #expect(check.output == names.map { "Migrations/M, x/\($0)\n" }.joined() && check.exitCode == 2, "\(check)")
            #expect(check.errors.contains("remark: to update the file, run 'chordata migrate new '\(model)''\n"))
            for command in [["check"], ["migrate", "check", model]] {
                let result = try await Program.chordata.run(command + ["--format", "github"], in: workspace.folder)
                let lines = result.output.split(separator: "\n").filter { $0.contains("not up to date") }
                let expected = names.map { name in
                    "::error file=Migrations/M%2C x/\(name.replacing(",", with: "%2C")),title=chordata::the file is not up "
                        + "to date; run 'chordata migrate new '\(model)''"
                }
                expectEqual(lines.map(String.init), expected)
            }
        }
    }

    /// The excerpts of a long line begin shortly before the difference.
    @Test func excerptsOfLongLines() async throws {
        try await withWorkspace { workspace in
            let names = (0..<30).map { "attribute\($0)" }
            func model(_ name: String) -> String {
                modelFile(entity("Node", (names + [name]).map { attribute($0) }.joined()))
            }
            try workspace.writeModel("M", model("last"))
            expectEqual(try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out").exitCode, 0)
            try workspace.writeModel("M", model("lost"))
            let errors = try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out", "--check").errors
            let annotations = try await workspace.chordata("check", "--format", "github").output
            #expect(annotations.contains(/::error file=out\/M\.swift,line=\d+,title=chordata::the file has '/))
            let found = errors.matches(of: /the file has '(.*)', and 'chordata generate' writes '(.*)'/)
            #expect(!found.isEmpty && found.allSatisfy { $0.1 != $0.2 && $0.1.count < 100 }, "\(errors)")
        }
    }

    @Test func errorsOfEveryModel() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("A", ModelText.cyclic)
            try workspace.writeModel("B", ModelText.loose)
            let result = try await workspace.chordata("check")
            #expect(result.findings.contains("A.xcdatamodeld/A.xcdatamodel/contents:3: error CD0207"))
            #expect(result.findings.contains { $0.hasPrefix("B.xcdatamodeld/") })
            expectEqual(result.exitCode, 1)
            expectEqual(try await workspace.chordata("check", "B.xcdatamodeld").exitCode, 0)
            expectEqual(try await workspace.chordata("check", "B.xcdatamodeld", "--strict").exitCode, 1)
        }
    }

    /// An error of the migrations does not hide other diagnostics of `migrate lint`.
    @Test(arguments: [[], ["--strict"]]) func errorsBesideTheLints(options: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(
                "M",
                old: modelFile(entity("Node", attribute("name"))),
                new: modelFile(entity("Node", attribute("title")))
            )
            let ids = ["CD0402", "CD0411", "CD0412"]
            for command in [["check"], ["migrate", "lint", "M.xcdatamodeld"]] {
                let result = try await Program.chordata.run(command + options, in: workspace.folder)
                let found = ids.filter { id in result.findings.contains { $0.contains(id) } }
                expectEqual(found, ids, "\(command) \(result)")
                expectEqual(result.exitCode, options.isEmpty ? 0 : 1, "\(result)")
            }
        }
    }

    @Test func noModels() async throws {
        try await withWorkspace { workspace in
            let result = try await workspace.chordata("check")
            #expect(result.errors.hasPrefix("Error: there is no model below the current folder; "))
            expectEqual(result.exitCode, 64)
        }
    }

    /// Annotations of GitHub Actions: the commands, their properties, and what must be escaped in them.
    @Test(arguments: [["check"], ["validate", "M, x.xcdatamodeld"]])
    func annotations(_ command: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M, x", ModelText.cyclic)
            let result = try await Program.chordata.run(command + ["--format", "github"], in: workspace.folder)
            #expect(
                result.output.hasPrefix(
                    "::error file=M%2C x.xcdatamodeld/M%2C x.xcdatamodel/contents,line=3,col="
                ),
                "\(result.output)"
            )
            #expect(result.output.contains(",title=CD0207::"))
            #expect(result.output.split(separator: "\n").allSatisfy { $0.hasPrefix("::") })
            #expect(result.errors == "" && result.exitCode == 1)
        }
    }

    @Test func json() async throws {
        struct Found: Decodable {
            struct Change: Decodable {
                var file: String
                var command: String
            }
            struct Diagnostic: Decodable { var id: String }
            var version: Int
            var diagnostics: [Diagnostic]
            var changes: [Change]
        }
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            _ = try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out")
            try workspace.write(try workspace.read("out/M.swift") + "\n", to: "out/M.swift")
            let result = try await workspace.chordata("check", "--format", "json")
            let found = try JSONDecoder().decode(Found.self, from: Data(result.output.utf8))
            #expect(found.version == 1 && !found.diagnostics.isEmpty)
            expectEqual(found.changes.map(\.file), ["out/M.swift"])
            expectEqual(found.changes.first?.command, "chordata generate M.xcdatamodeld --output out")
            #expect(result.errors == "" && result.exitCode == 2)
        }
    }

    /// One line about the result is printed for a person, and nothing for a script.
    @Test func summaries() async throws {
        let summary = ["CHORDATA_SUMMARY": "1"]
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.old, new: Self.new)
            func errors(_ arguments: String...) async throws -> String {
                try await Program.chordata.run(arguments, in: workspace.folder, environment: summary).errors
            }
            expectEqual(try await errors("validate", "M.xcdatamodeld"), "1 model, 2 versions, no problems\n")
            expectEqual(try await errors("check"), "1 model, 2 versions, no problems\n")
            expectEqual(
                try await errors("generate", "M.xcdatamodeld", "--output", "out"),
                "wrote 2 files; 2 files in all\n"
            )
            expectEqual(
                try await errors("generate", "M.xcdatamodeld", "--output", "out"),
                "2 files, nothing to change\n"
            )
            #expect(try await errors("format", "--check", "M.xcdatamodeld").hasSuffix("2 files, nothing to change\n"))
            #expect(try await errors("migrate", "lint", "M.xcdatamodeld").hasSuffix("no problems\n"))
            expectEqual(try await errors("model", "new", "N"), "created N.xcdatamodeld with 0 entities\n")
        }
    }
}
