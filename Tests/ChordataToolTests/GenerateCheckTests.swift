import ChordataTestSupport
import Foundation
import Testing

/// `chordata generate --check`, for projects that check in generated code, and the files that `chordata generate`
/// removes.
struct GenerateCheckTests {
    private static let model = modelFile(entity("A"), entity("B"), entity("C", attribute("name")))

    /// Runs `chordata generate` for `M` with the output folder `out`, as a user would.
    private func generate(_ arguments: String..., in workspace: Workspace) async throws -> Program.Result {
        try await Program.chordata.run(
            ["generate", "M.xcdatamodeld", "--output", "out"] + arguments,
            in: workspace.folder
        )
    }

    /// Runs a test with `M` generated into `out` in three files, all with an old modification date.
    private func withGeneratedModel(_ body: (Workspace) async throws -> Void) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.model)
            expectEqual(try await generate("--shards", "2", in: workspace).exitCode, 0)
            let names = try workspace.names(in: "out")
            expectEqual(names, ["M+Entities0.swift", "M+Entities1.swift", "M.swift"])
            for name in names { try workspace.age("out/\(name)") }
            try await body(workspace)
        }
    }

    @Test func upToDateFiles() async throws {
        try await withGeneratedModel { workspace in
            let result = try await generate("--shards", "2", "--check", in: workspace)
            expectEqual(result.output, "")
            expectEqual(result.errors, "")
            expectEqual(result.exitCode, 0)
        }
    }

    @Test func missingOutputFolder() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.model)
            let result = try await generate("--check", in: workspace)
            expectEqual(result.output, "out/M+Entities0.swift\nout/M.swift\n")
            #expect(
                result.errors == """
                    error: out/M+Entities0.swift is missing
                    error: out/M.swift is missing
                    remark: to update the files, run 'chordata generate M.xcdatamodeld --output out'

                    """
            )
            expectEqual(result.exitCode, 2)
            #expect(!workspace.exists("out"))
        }
    }

    @Test func filesThatAreMissingAndDifferent() async throws {
        try await withGeneratedModel { workspace in
            try FileManager.default.removeItem(atPath: workspace.path("out/M.swift"))
            try workspace.write(try workspace.read("out/M+Entities1.swift") + "\n", to: "out/M+Entities1.swift")
            let result = try await generate("--shards", "2", "--check", in: workspace)
            expectEqual(result.output, "out/M+Entities1.swift\nout/M.swift\n")
            expectEqual(result.exitCode, 2)
            #expect(!workspace.exists("out/M.swift"))
            #expect(try workspace.read("out/M+Entities1.swift").hasSuffix("\n\n"))

            expectEqual(try await generate("--shards", "2", in: workspace).exitCode, 0)
            expectEqual(try await generate("--shards", "2", "--check", in: workspace).exitCode, 0)
            #expect(try workspace.isAged("out/M+Entities0.swift"))
        }
    }

    @Test func aModelThatWasEdited() async throws {
        try await withGeneratedModel { workspace in
            let edited = modelFile(entity("A"), entity("B"), entity("C", attribute("title")))
            try workspace.writeModel("M", edited)
            let result = try await generate("--shards", "2", "--check", in: workspace)
            #expect(result.output.split(separator: "\n").contains("out/M.swift"))
            #expect(
                result.errors.contains(
                    /out\/M\.swift:\d+: error: the file has '.*', and 'chordata generate' writes '.*'/
                )
            )
            #expect(
                result.errors.hasSuffix(
                    "remark: to update the files, run 'chordata generate M.xcdatamodeld --output out --shards 2'\n"
                )
            )
            expectEqual(result.exitCode, 2)
            for name in try workspace.names(in: "out") { #expect(try workspace.isAged("out/\(name)")) }
        }
    }

    @Test func obsoleteGeneratedFiles() async throws {
        try await withGeneratedModel { workspace in
            // Neither hand-written or renamed files nor those of another model interfere.
            let mine = ["Mine.swift", "M+A.swift", "M+Entities7.swift", "Other.swift", "Notes.txt", "Deep/M.swift"]
            try workspace.write("struct Mine {}\n", to: "out/Mine.swift")
            try workspace.write(try workspace.read("out/M+Entities1.swift"), to: "out/M+A.swift")
            try workspace.write("", to: "out/M+Entities7.swift")
            try workspace.write(
                try workspace.read("out/M.swift").replacing("model 'M'", with: "model 'N'"),
                to: "out/Other.swift"
            )
            try workspace.write(try workspace.read("out/M.swift"), to: "out/Notes.txt")
            try workspace.write(try workspace.read("out/M.swift"), to: "out/Deep/M.swift")

            let check = try await generate("--check", in: workspace)
            expectEqual(check.output, "out/M+Entities0.swift\nout/M+Entities1.swift\n")
            #expect(check.errors.contains("error: out/M+Entities1.swift is no longer generated\n"))
            expectEqual(check.exitCode, 2)
            #expect(try workspace.isAged("out/M+Entities0.swift"))
            #expect(try workspace.isAged("out/M+Entities1.swift"))

            // Two files would declare the same class then, so the leftover file is removed.
            let result = try await generate(in: workspace)
            expectEqual(result.exitCode, 0)
            #expect(!workspace.exists("out/M+Entities1.swift"))
            for name in mine { #expect(workspace.exists("out/\(name)")) }
            expectEqual(try await generate("--check", in: workspace).exitCode, 0)
        }
    }

    @Test func aNameInTheConfiguration() async throws {
        try await withGeneratedModel { workspace in
            try workspace.write("{\n  \"name\": \"Shop\"\n}\n", to: "chordata.json")
            let check = try await generate("--check", in: workspace)
            let old = "out/M+Entities0.swift\nout/M+Entities1.swift\nout/M.swift\n"
            expectEqual(check.output, old + "out/Shop+Entities0.swift\nout/Shop.swift\n")
            expectEqual(try await generate(in: workspace).exitCode, 0)
            expectEqual(try workspace.names(in: "out"), ["Shop+Entities0.swift", "Shop.swift"])

            expectEqual(try await generate("--shards", "2", in: workspace).exitCode, 0)
            expectEqual(
                try await generate("--check", in: workspace).output,
                "out/Shop+Entities0.swift\nout/Shop+Entities1.swift\n"
            )
        }
    }

    @Test func errorsAreErrors() async throws {
        try await withGeneratedModel { workspace in
            try workspace.writeModel("M", ModelText.cyclic)
            let result = try await generate("--check", in: workspace)
            expectEqual(result.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:3: error CD0207"])
            expectEqual(result.output, "")
            expectEqual(result.exitCode, 1)

            try workspace.writeModel("M", ModelText.loose)
            expectEqual(try await generate("--check", in: workspace).exitCode, 2)
            expectEqual(try await generate("--check", "--strict", in: workspace).exitCode, 1)
            // An error does not remove files either.
            expectEqual(try await generate("--strict", in: workspace).exitCode, 1)
            expectEqual(try workspace.names(in: "out").count, 3)
        }
    }

    @Test func anOutputThatIsAFile() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("mine", to: "out")
            let result = try await generate("--check", in: workspace)
            expectEqual(result.errors, "error: out cannot be written: it is not a folder\n")
            expectEqual(result.output, "")
            expectEqual(result.exitCode, 1)
            expectEqual(try workspace.read("out"), "mine")
        }
    }

    @Test func wrongUsage() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("generate", "M.xcdatamodeld", "--check")
            expectEqual(result.exitCode, 64)
            expectEqual(result.output, "")
            expectEqual(try await generate("--check", "--version", "M 3", in: workspace).exitCode, 64)
        }
    }
}
