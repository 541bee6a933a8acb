import ChordataTestSupport
import Foundation
import Testing

/// Versions in Xcode 3's format, and bundles that do not name their current version.
struct VersionFormatTests {
    private static let model = modelFile(entity("Node", attribute("name")))

    /// A model whose version 'M' is in Xcode 3's format; 'M 2' is in XML.
    private func writeOldModel(_ workspace: Workspace, current: String?) throws {
        for file in ["elements", "layout"] {
            try workspace.write("bplist00", to: "M.xcdatamodeld/M.xcdatamodel/\(file)")
        }
        try workspace.write(Self.model, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
        if let current { try workspace.write(currentVersionFile(current), to: "M.xcdatamodeld/.xccurrentversion") }
    }

    static let commands = [
        ["validate"], ["generate", "--output", "out"], ["graph"], ["schema"], ["format", "--check"],
        ["migrate", "check"],
        ["migrate", "verify"], ["migrate", "plan"], ["migrate", "new"], ["migrate", "lint"],
        ["schema", "--format", "json"],
        ["diff", "--from", "M 2"],
    ]

    private static let leftOut =
        "M.xcdatamodeld/M.xcdatamodel/elements:1:1: warning: version 'M' is in the binary format of Xcode 3 ('elements' and "
        + "'layout'), which is not supported, so the version is ignored and stores of the version cannot be migrated; open the model in "
        + "a later Xcode and save the version, or remove the version [CD0118]\n"

    @Test(arguments: commands)
    func anOlderVersionIsLeftOut(_ command: [String]) async throws {
        try await withWorkspace { workspace in
            try writeOldModel(workspace, current: "M 2")
            let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
            expectEqual(result.exitCode, 0, "\(result)")
            if command.contains("json") {
                #expect(result.output.contains("\"CD0118\""))
            } else {
                #expect(result.errors.hasPrefix(Self.leftOut), "\(result)")
            }
        }
    }

    @Test(arguments: commands)
    func theCurrentVersionMustBeRead(_ command: [String]) async throws {
        // 'format' treats all versions in the same way.
        guard command.first != "format" else { return }
        try await withWorkspace { workspace in
            try writeOldModel(workspace, current: "M")
            let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
            expectEqual(result.exitCode, 1)
            let text = result.errors + result.output
            #expect(text.contains("version 'M' is in the binary format of Xcode 3"), "\(result)")
            #expect(text.contains("CD0118") && !text.contains("is ignored"))
        }
    }

    /// A bundle with one version, the version without its bundle, and its file.
    @Test(arguments: ["A.xcdatamodeld", "A.xcdatamodeld/A.xcdatamodel", "A.xcdatamodeld/A.xcdatamodel/elements"])
    func theOnlyVersion(_ path: String) async throws {
        try await withWorkspace { workspace in
            try workspace.write("bplist00", to: "A.xcdatamodeld/A.xcdatamodel/elements")
            for command in ["validate", "format", "diff"] {
                let result = try await workspace.chordata(command, path)
                expectEqual(result.exitCode, 1)
                expectEqual(
                    result.errors,
                    "A.xcdatamodeld/A.xcdatamodel/elements:1:1: error: version 'A' is in the binary format of Xcode 3 "
                        + "('elements' and 'layout'), which is not supported; open the model in a later Xcode and "
                        + "save the version, or remove the version [CD0118]\n"
                )
            }
        }
    }

    /// Other formats of older Xcodes and other tools, by the file that exists instead of the version's folder or in it.
    static let formats: [(path: String, words: String)] = [
        ("M.xcdatamodel", "in the format of Xcode 2 (a file instead of a folder)"),
        ("M.xcdatamodel/elements", "in the binary format of Xcode 3 ('elements' and 'layout')"),
        ("M.xcdatamodel/contents", "a binary property list instead of XML"),
    ]

    @Test(arguments: formats)
    func otherFormats(_ row: (path: String, words: String)) async throws {
        try await withWorkspace { workspace in
            try workspace.write("bplist00", to: "M.xcdatamodeld/\(row.path)")
            let only = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(
                only.errors,
                "M.xcdatamodeld/\(row.path):1:1: error: version 'M' is \(row.words), which is not supported; "
                    + "open the model in a later Xcode and save the version, or remove the version [CD0118]\n"
            )
            expectEqual(only.exitCode, 1)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld/M.xcdatamodel").errors, only.errors)
            try workspace.write(Self.model, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
            try workspace.write(currentVersionFile("M 2"), to: "M.xcdatamodeld/.xccurrentversion")
            for command in [["validate"], ["generate", "--output", "out"], ["format"], ["migrate", "verify"]] {
                let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
                let warning = "warning: version 'M' is \(row.words), which is not supported, so the version is ignored"
                #expect(result.errors.contains(warning))
                expectEqual(result.exitCode, 0)
            }
        }
    }

    @Test func aVersionByItsName() async throws {
        try await withWorkspace { workspace in
            try writeOldModel(workspace, current: "M 2")
            let schema = try await workspace.chordata("schema", "M.xcdatamodeld", "--version", "M")
            expectEqual(schema.exitCode, 64)
            #expect(
                schema.errors.hasSuffix(
                    "Error: version 'M' is in the format of an older Xcode, which is not supported; open the model in a later "
                        + "Xcode and save the version, or choose another version\n"
                )
            )
            let generate = try await workspace.chordata(
                "generate",
                "M.xcdatamodeld",
                "--version",
                "M",
                "--output",
                "out"
            )
            expectEqual(generate.exitCode, 1)
            #expect(generate.errors.contains("error: version 'M' is in the binary format"))
            // 'contents' is used if both files exist.
            try workspace.write(Self.model, to: "M.xcdatamodeld/M.xcdatamodel/contents")
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").exitCode, 0)
        }
    }

    @Test func formatWritesTheOtherVersions() async throws {
        try await withWorkspace { workspace in
            try writeOldModel(workspace, current: "M 2")
            let file = "M.xcdatamodeld/M 2.xcdatamodel/contents"
            try workspace.write(ModelText.unordered, to: file)
            let result = try await workspace.chordata("format", "M.xcdatamodeld")
            expectEqual(result.output, file + "\n")
            expectEqual(result.exitCode, 0)
            expectEqual(try workspace.read(file), ModelText.good)
        }
    }

    // MARK: The current version

    private static let unnamed =
        "M.xcdatamodeld:1:1: warning: the model has several versions and no file '.xccurrentversion' that names the "
        + "current one, so the last one, 'M 2', is used; choose the current version in Xcode, or write the file "
        + "[CD0113]\n"

    @Test func aChosenVersionIsReported() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: ModelText.good, new: ModelText.good)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").errors, "")
            try FileManager.default.removeItem(atPath: workspace.path("M.xcdatamodeld/.xccurrentversion"))
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").errors, Self.unnamed)
            expectEqual(
                try await workspace.chordata("generate", "M.xcdatamodeld", "--output", "out").errors,
                Self.unnamed
            )
            expectEqual(try await workspace.chordata("migrate", "check", "M.xcdatamodeld").errors, Self.unnamed)
            let strict = try await workspace.chordata("validate", "M.xcdatamodeld", "--strict")
            expectEqual(strict.errors, Self.unnamed.replacing("warning", with: "error"))
            expectEqual(strict.exitCode, 1)
            try workspace.writeLevels(["CD0113": "ignore"])
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").exitCode, 0)
            // A single version does not have to be named.
            try FileManager.default.removeItem(atPath: workspace.path("chordata.json"))
            try FileManager.default.removeItem(atPath: workspace.path("M.xcdatamodeld/M 2.xcdatamodel"))
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").errors, "")
        }
    }

    /// A version that is not read is not chosen if there is another version.
    @Test func theLastVersionThatIsRead() async throws {
        try await withWorkspace { workspace in
            try writeOldModel(workspace, current: nil)
            try FileManager.default.moveItem(
                atPath: workspace.path("M.xcdatamodeld/M.xcdatamodel"),
                toPath: workspace.path("M.xcdatamodeld/M 3.xcdatamodel")
            )
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.exitCode, 0)
            #expect(result.errors.contains("so the last one, 'M 2', is used"))
            #expect(result.errors.contains("version 'M 3' is in the binary format"))
        }
    }
}
