import ChordataTestSupport
import Foundation
import Testing

/// The options in which `chordata generate` and `chordata-generate` differ, and arguments that both reject.
struct GenerateOptionTests {
    @Test(arguments: Program.allCases)
    func strictMakesWarningsErrors(_ program: Program) async throws {
        try await withWorkspace { workspace in
            let command = program == .chordata ? ["generate"] : []
            let arguments = command + ["M.xcdatamodeld", "--output", "out", "--strict"]
            try workspace.writeModel("M", ModelText.loose)
            let result = try await program.run(arguments, in: workspace.folder)
            expectEqual(result.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:5: error CD0217"])
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("out"))

            try workspace.writeModel("M", ModelText.good)
            expectEqual(try await program.run(arguments, in: workspace.folder).exitCode, 0)
            #expect(workspace.exists("out"))
        }
    }

    /// The build plugin reports problems with a target only when the target is built.
    @Test func failuresOfTheBuildPlugin() async throws {
        try await withWorkspace { workspace in
            let result = try await Program.generate.run(["--fail", "first", "--fail", "second"], in: workspace.folder)
            expectEqual(result.exitCode, 1)
            expectEqual(result.errors, "error: first\nerror: second\n")
            expectEqual(try await Program.generate.run(["--fail"], in: workspace.folder).exitCode, 64)
        }
    }

    /// Two models in a module cannot have classes with the same name, but they can share handwritten classes.
    @Test func typesOfOtherModels() async throws {
        try await withWorkspace { workspace in
            for name in ["Shop", "Cache"] { try workspace.writeModel(name, ModelText.good) }
            let arguments = ["Cache.xcdatamodeld", "--output", "out", "--beside", "Shop.xcdatamodeld"]
            let result = try await Program.generate.run(arguments, in: workspace.folder)
            expectEqual(result.exitCode, 1)
            for text in ["CD0501", "'Shop.xcdatamodeld'", "'Cache.xcdatamodeld'", "\"class\": \"Cache"] {
                #expect(result.errors.contains(text), "\(text) in \(result.errors)")
            }
            let names = result.errors.components(separatedBy: "\"entities\": { \"").dropFirst().map {
                String($0.prefix { $0 != "\"" })
            }
            #expect(!names.isEmpty)
            let classes = names.map { "\"\($0)\": { \"class\": \"Cache\($0)\" }" }.joined(separator: ", ")
            try workspace.write("{ \"entities\": { \(classes) } }\n", to: "Cache.chordata.json")
            expectEqual(try await Program.generate.run(arguments, in: workspace.folder).exitCode, 0)
        }
    }

    /// The build plugin sets the names of the files, because it must know them before the tool runs.
    @Test func filesByAnotherName() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("{\n  \"name\": \"Shop\"\n}\n", to: "chordata.json")
            let arguments = ["M.xcdatamodeld", "--output", "out", "--shards", "2", "--file-name", "My Files"]
            expectEqual(try await Program.generate.run(arguments, in: workspace.folder).exitCode, 0)
            let names = ["My Files+Entities0.swift", "My Files+Entities1.swift", "My Files.swift"]
            expectEqual(try workspace.names(in: "out"), names)
            #expect(try workspace.read("out/My Files.swift").contains("class ShopModel"))

            for wrong in [["--file-name"], ["--file-name", ""], ["--file-name", "a/b"]] {
                let result = try await Program.generate.run(
                    ["M.xcdatamodeld", "--output", "no"] + wrong,
                    in: workspace.folder
                )
                expectEqual(result.exitCode, 64)
                #expect(!workspace.exists("no"))
            }
        }
    }

    /// Swift warns about a public import that no public declaration uses.
    @Test(arguments: [("String", "String", ""), ("Date", "String", "public "), ("String", "Date", "public ")])
    func importsOfPublicCode(_ first: String, _ second: String, _ access: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("A", attribute("a", first), attribute("b", second))))
            let arguments = ["M.xcdatamodeld", "--output", "out", "--access", "public"]
            expectEqual(try await Program.generate.run(arguments, in: workspace.folder).exitCode, 0)
            #expect(try workspace.read("out/M+Entities0.swift").contains("\n\(access)import Foundation\n"))
            // No such type is used outside of the classes.
            let model = try workspace.read("out/M.swift")
            #expect(model.contains("\nimport Foundation\n") && model.contains("public import Chordata\n"))
        }
    }

    /// Fetch requests are in extensions in the file of the model.
    @Test(arguments: [("String", ""), ("Date", "public ")])
    func importsOfPublicRequests(_ type: String, _ access: String) async throws {
        try await withWorkspace { workspace in
            let request = #"    <fetchRequest name="old" entity="A" predicateString="a &lt; $limit"/>"#
            try workspace.writeModel("M", modelFile(entity("A", attribute("a", type)), request))
            let arguments = ["M.xcdatamodeld", "--output", "out", "--access", "public"]
            expectEqual(try await Program.generate.run(arguments, in: workspace.folder).exitCode, 0)
            #expect(try workspace.read("out/M.swift").contains("\n\(access)import Foundation\n"))
        }
    }

    @Test func aVersionByItsName() async throws {
        try await withWorkspace { workspace in
            let new = modelFile(entity("Node", attribute("title")))
            try workspace.writeModel("M", old: ModelText.good, new: new)
            let rows = [([], "title"), (["--version", "M"], "name"), (["--version", "M 2"], "title")]
            for (arguments, property) in rows {
                let result = try await Program.chordata.run(
                    ["generate", "M.xcdatamodeld", "--output", "out"] + arguments,
                    in: workspace.folder
                )
                expectEqual(result.exitCode, 0)
                let text = try workspace.read("out/M+Entities0.swift")
                #expect(text.contains(" \(property): "))
                #expect(!text.contains(property == "name" ? " title: " : " name: "))
            }
        }
    }

    @Test func warningsOfTheGeneratedVersion() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: ModelText.invalid, new: ModelText.good)
            let arguments = ["generate", "M.xcdatamodeld", "--output", "out", "--version", "M"]
            let result = try await Program.chordata.run(arguments, in: workspace.folder)
            expectEqual(result.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:4: warning CD0212"])
        }
    }

    static let wrong = [
        [], ["M.xcdatamodeld"], ["--output", "out"], ["M.xcdatamodeld", "--output"],
        ["M.xcdatamodeld", "N.xcdatamodeld", "--output", "out"],
        ["M.xcdatamodeld", "--output", "out", "--shards", "0"],
        ["M.xcdatamodeld", "--output", "out", "--shards", "65"],
        ["M.xcdatamodeld", "--output", "out", "--shards", "few"],
        ["M.xcdatamodeld", "--output", "out", "--access", "open"],
        ["M.xcdatamodeld", "--output", "out", "--unknown"],
    ]

    @Test(arguments: Program.allCases, wrong)
    func wrongUsage(_ program: Program, _ arguments: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.writeModel("N", ModelText.good)
            let command = program == .chordata ? ["generate"] : []
            let result = try await program.run(command + arguments, in: workspace.folder)
            expectEqual(result.exitCode, 64)
            expectEqual(result.output, "")
            #expect(result.errors.lowercased().hasPrefix("error: "))
            #expect(result.errors.lowercased().contains("usage: \(program.rawValue)"))
            #expect(!workspace.exists("out"))
        }
    }

    @Test(arguments: ["generate", "graph", "schema"])
    func anUnknownVersionIsWrongUsage(_ command: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: ModelText.good, new: ModelText.good)
            let result = try await Program.chordata.run(
                [command, "M.xcdatamodeld", "--version", "M 3"] + (command == "generate" ? ["--output", "out"] : []),
                in: workspace.folder
            )
            expectEqual(result.exitCode, 64)
            #expect(result.errors.hasPrefix("Error: there is no version 'M 3'; the versions are 'M', 'M 2'\n"))
            expectEqual(result.output, "")
            #expect(!workspace.exists("out"))
        }
    }

    @Test(arguments: Program.allCases)
    func missingModelFile(_ program: Program) async throws {
        try await withWorkspace { workspace in
            let command = program == .chordata ? ["generate"] : []
            let result = try await program.run(command + ["missing", "--output", "out"], in: workspace.folder)
            expectEqual(result.findings, ["missing:1: error CD0101"])
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("out"))
        }
    }
}
