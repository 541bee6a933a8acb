import ChordataTestSupport
import Foundation
import Testing

/// `<Model>.chordata.json`, the configuration of one model.
struct ModelConfigurationTests {
    private static let ignoring = "{\"diagnostics\": {\"CD0217\": \"ignore\"}}\n"

    @Test func configurationAppliesToItsModelOnly() async throws {
        try await withWorkspace { workspace in
            for name in ["A", "B"] { try workspace.writeModel(name, ModelText.loose) }
            try workspace.write(Self.ignoring, to: "A.chordata.json")
            let result = try await workspace.chordata("validate", "A.xcdatamodeld", "B.xcdatamodeld")
            expectEqual(result.findings, ["B.xcdatamodeld/B.xcdatamodel/contents:5: warning CD0217"])
        }
    }

    /// The files are not merged: with a configuration of its own, a model ignores that of the folder.
    @Test func configurationReplacesThatOfTheFolder() async throws {
        try await withWorkspace { workspace in
            for name in ["A", "B"] { try workspace.writeModel(name, ModelText.loose) }
            try workspace.write(Self.ignoring, to: "chordata.json")
            try workspace.write("{\"access\": \"public\"}", to: "A.chordata.json")
            let result = try await workspace.chordata("validate", "A.xcdatamodeld", "B.xcdatamodeld")
            expectEqual(result.findings, ["A.xcdatamodeld/A.xcdatamodel/contents:5: warning CD0217"])

            try FileManager.default.removeItem(atPath: workspace.path("A.chordata.json"))
            expectEqual(try await workspace.chordata("validate", "A.xcdatamodeld", "B.xcdatamodeld").findings, [])
        }
    }

    @Test func configurationMistakesHaveALocation() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("A", ModelText.good)
            try workspace.write("{\n  \"acess\": \"public\"\n}\n", to: "A.chordata.json")
            for command in [["validate", "A.xcdatamodeld"], ["generate", "A.xcdatamodeld", "--output", "out"]] {
                let result = try await Program.chordata.run(command, in: workspace.folder)
                expectEqual(result.findings, ["A.chordata.json:2: error CD0115"])
                expectEqual(result.exitCode, 1)
            }
        }
    }

    /// The configuration is found with any form of the path, and from any folder.
    @Test(arguments: [
        ("", "M.xcdatamodeld/"), ("", "M.xcdatamodeld/M.xcdatamodel/contents"),
        ("", "N.xcdatamodeld/../M.xcdatamodeld"),
        ("M.xcdatamodeld", "M.xcdatamodel"), ("M.xcdatamodeld", "../M.xcdatamodeld"),
        ("N.xcdatamodeld/N.xcdatamodel", "../../M.xcdatamodeld"),
    ])
    func configurationIsFoundByAnyPath(_ folder: String, _ path: String) async throws {
        try await withWorkspace { workspace in
            for name in ["M", "N"] { try workspace.writeModel(name, ModelText.loose) }
            expectEqual(try await workspace.chordata("validate", path, in: folder).findings.count, 1)
            try workspace.write("wrong", to: "N.chordata.json")
            try workspace.write(Self.ignoring, to: "M.chordata.json")
            expectEqual(try await workspace.chordata("validate", path, in: folder).findings, [])
        }
    }

    @Test(arguments: ["A.B 2", "Größe", "chordata"])
    func namesOfModels(_ name: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(name, ModelText.loose)
            try workspace.write(Self.ignoring, to: "\(name).chordata.json")
            expectEqual(try await workspace.chordata("validate", "\(name).xcdatamodeld").findings, [])
        }
    }

    @Test func modelsWithoutVersionsHaveAConfiguration() async throws {
        try await withWorkspace { workspace in
            try workspace.write(ModelText.loose, to: "M.xcdatamodel/contents")
            try workspace.write(Self.ignoring, to: "M.chordata.json")
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodel").findings, [])
        }
    }

    /// A link to a model has its own name, and uses the configuration next to the link.
    @Test func linkedModels() async throws {
        try await withWorkspace { workspace in
            try workspace.write(ModelText.loose, to: "elsewhere/Real.xcdatamodeld/Real.xcdatamodel/contents")
            try workspace.write("wrong", to: "elsewhere/Real.chordata.json")
            try workspace.write(Self.ignoring, to: "work/Linked.chordata.json")
            try FileManager.default.createSymbolicLink(
                atPath: workspace.path("work/Linked.xcdatamodeld"),
                withDestinationPath: "../elsewhere/Real.xcdatamodeld"
            )
            expectEqual(try await workspace.chordata("validate", "work/Linked.xcdatamodeld").findings, [])
            let other = try await workspace.chordata("validate", "elsewhere/Real.xcdatamodeld")
            #expect(other.findings.first?.hasPrefix("elsewhere/Real.chordata.json:1: error CD011") == true)
        }
    }

    // MARK: Generating

    @Test(arguments: Program.allCases)
    func generationUsesTheConfiguration(_ program: Program) async throws {
        try await withWorkspace { workspace in
            for name in ["A", "B"] { try workspace.writeModel(name, ModelText.good) }
            try workspace.write("{\"access\": \"public\", \"name\": \"Shop\"}", to: "A.chordata.json")
            let command = program == .chordata ? ["generate"] : []
            for name in ["A", "B"] {
                let arguments = command + ["\(name).xcdatamodeld", "--output", "out/\(name)"]
                let result = try await program.run(arguments, in: workspace.folder)
                expectEqual(result.errors, "")
                expectEqual(result.exitCode, 0)
            }
            #expect(try workspace.read("out/A/Shop.swift").contains("public nonisolated final class ShopModel"))
            #expect(try workspace.read("out/B/B.swift").contains("\nnonisolated final class BModel"))
        }
    }

    @Test func checksUseTheConfiguration() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let generate = ["generate", "M.xcdatamodeld", "--output", "out"]
            _ = try await Program.chordata.run(generate, in: workspace.folder)
            expectEqual(try await Program.chordata.run(generate + ["--check"], in: workspace.folder).exitCode, 0)
            try workspace.write("{\"access\": \"public\"}", to: "M.chordata.json")
            let result = try await Program.chordata.run(generate + ["--check"], in: workspace.folder)
            expectEqual(result.output, "out/M+Entities0.swift\nout/M.swift\n")
            expectEqual(result.exitCode, 2)
        }
    }

    /// A remedy names the configuration file that is used.
    @Test func messagesNameTheConfiguration() async throws {
        try await withWorkspace { workspace in
            let attribute =
                #"<attribute name="tags" optional="YES" attributeType="Transformable" customClassName="NSArray"/>"#
            try workspace.writeModel("M", modelFile(entity("A", attribute)))
            #expect(
                try await workspace.chordata("validate", "M.xcdatamodeld").errors.contains("'types' in chordata.json [")
            )
            try workspace.write("{}", to: "M.chordata.json")
            let errors = try await workspace.chordata("validate", "M.xcdatamodeld").errors
            #expect(errors.contains("'types' in M.chordata.json ["), "\(errors)")
        }
    }

    // MARK: Mistakes

    static let misplacedFiles: [(file: String, message: String)] = [
        (
            "Shp.chordata.json",
            "the configuration file of a model 'Shp', which is not in the folder; did you mean 'Shop.chordata.json'?"
        ),
        (
            "Zebra.chordata.json",
            "the configuration file of a model 'Zebra', which is not in the folder; rename it after a model, or"
        ),
        ("shop.chordata.json", "the name of a configuration file is case-sensitive; rename it to 'Shop.chordata.json'"),
        ("Shop.Chordata.json", "the name of a configuration file is case-sensitive; rename it to 'Shop.chordata.json'"),
        ("Chordata.JSON", "the name of a configuration file is case-sensitive; rename it to 'chordata.json'"),
    ]

    @Test(arguments: misplacedFiles)
    func aConfigurationOfNoModel(_ row: (file: String, message: String)) async throws {
        try await withWorkspace { workspace in
            for name in ["Depot", "Shop"] { try workspace.writeModel(name, ModelText.good) }
            try workspace.write("{}", to: row.file)
            // The problem is reported once, whatever is requested, and nothing is generated.
            let result = try await workspace.chordata("validate", "Shop.xcdatamodeld", "Depot.xcdatamodeld")
            expectEqual(result.findings, ["\(row.file):1: error CD0117"])
            #expect(result.errors.contains(row.message), "\(result.errors)")
            let generated = try await workspace.chordata("generate", "Shop.xcdatamodeld", "--output", "out")
            expectEqual(generated.exitCode, 1)
            #expect(!workspace.exists("out"))
        }
    }

    @Test func aNameForSeveralModels() async throws {
        try await withWorkspace { workspace in
            for name in ["A", "B", "C"] { try workspace.writeModel(name, ModelText.good) }
            try workspace.write("{\n  \"name\": \"Shop\"\n}\n", to: "chordata.json")
            let models = ["A.xcdatamodeld", "B.xcdatamodeld", "C.xcdatamodeld"]
            let result = try await Program.chordata.run(["validate"] + models, in: workspace.folder)
            expectEqual(result.findings, ["chordata.json:2: error CD0116"])
            #expect(
                result.errors.contains(
                    "a 'name' is for one model, but this file is for 'A', 'B' and 'C'; "
                        + "write a separate configuration file for the model that needs the setting, such as 'A.chordata.json'"
                )
            )
            // The other models have configurations of their own now, so the file configures only one model.
            for name in ["A", "B"] { try workspace.write("{}", to: "\(name).chordata.json") }
            expectEqual(try await Program.chordata.run(["validate"] + models, in: workspace.folder).findings, [])
            expectEqual(try await workspace.chordata("generate", "C.xcdatamodeld", "--output", "out").exitCode, 0)
            expectEqual(try workspace.names(in: "out"), ["Shop+Entities0.swift", "Shop.swift"])
        }
    }

    @Test func aFolderOfThatNameIsAnError() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("{}", to: "chordata.json")
            try workspace.write("", to: "M.chordata.json/file")
            expectEqual(
                try await workspace.chordata("validate", "M.xcdatamodeld").findings,
                [
                    "M.chordata.json:1: error CD0101"
                ]
            )
        }
    }
}
