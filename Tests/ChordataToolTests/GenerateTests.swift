import ChordataTestSupport
import Foundation
import Testing

/// `chordata generate`, and `chordata-generate`, which does the same for the build plugin.
struct GenerateTests {
    private func generate(
        _ program: Program,
        _ arguments: String...,
        in workspace: Workspace
    ) async throws -> Program.Result {
        let command = program == .chordata ? ["generate"] : []
        return try await program.run(command + arguments, in: workspace.folder)
    }

    @Test(arguments: Program.allCases)
    func warningsDoNotStopGeneration(_ program: Program) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            let result = try await generate(program, "M.xcdatamodeld", "--output", "a/b", in: workspace)
            expectEqual(result.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:5: warning CD0217"])
            expectEqual(result.output, "")
            expectEqual(result.exitCode, 0)
            expectEqual(try workspace.names(in: "a/b"), ["M+Entities0.swift", "M.swift"])
            #expect(try workspace.read("a/b/M+Entities0.swift").contains("class Node"))
        }
    }

    static let errors = [ModelText.cyclic, ModelText.oneSided, ModelText.malformed]

    @Test(arguments: Program.allCases, errors.indices)
    func errorsWriteNothing(_ program: Program, _ index: Int) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.errors[index])
            let result = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            #expect(result.errors.contains(": error: "))
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("out"))

            // Nothing is written to a folder with files of an earlier run either.
            try workspace.write("old", to: "out/M.swift")
            _ = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            expectEqual(try workspace.names(in: "out"), ["M.swift"])
            expectEqual(try workspace.read("out/M.swift"), "old")
        }
    }

    static let levels: [(text: String, id: String, level: String, exitCode: Int32, findings: [String])] = [
        (ModelText.loose, "CD0217", "ignore", 0, []),
        (ModelText.loose, "CD0217", "error", 1, ["5: error CD0217"]),
        (ModelText.invalid, "CD0212", "error", 1, ["4: error CD0212"]),
        (ModelText.oneSided, "CD0218", "remark", 0, ["4: remark CD0218", "5: warning CD0217"]),
        (ModelText.cyclic, "CD0207", "error", 1, ["3: error CD0207"]),
    ]

    @Test(arguments: Program.allCases, levels.indices)
    func theConfigurationCounts(_ program: Program, _ index: Int) async throws {
        let row = Self.levels[index]
        try await withWorkspace { workspace in
            try workspace.writeModel("M", row.text)
            try workspace.writeLevels([row.id: row.level])
            let result = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            expectEqual(result.findings, row.findings.map { "M.xcdatamodeld/M.xcdatamodel/contents:" + $0 })
            expectEqual(result.exitCode, row.exitCode)
            expectEqual(workspace.exists("out"), row.exitCode == 0)
        }
    }

    @Test(arguments: Program.allCases)
    func aWrongConfigurationWritesNothing(_ program: Program) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.writeLevels(["CD0207": "warning"])
            let result = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            expectEqual(result.findings, ["chordata.json:3: error CD0116"])
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("out"))
        }
    }

    @Test func bothProgramsWriteTheSame() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("A"), entity("B"), entity("C", attribute("name"))))
            for program in Program.allCases {
                let result = try await generate(
                    program,
                    "M.xcdatamodeld",
                    "--output",
                    program.rawValue,
                    "--shards",
                    "3",
                    "--access",
                    "public",
                    in: workspace
                )
                expectEqual(result.exitCode, 0)
            }
            let names = try workspace.names(in: "chordata")
            expectEqual(names, ["M+Entities0.swift", "M+Entities1.swift", "M+Entities2.swift", "M.swift"])
            expectEqual(try workspace.names(in: "chordata-generate"), names)
            var classes = 0
            for name in names {
                let text = try workspace.read("chordata/\(name)")
                expectEqual(try workspace.read("chordata-generate/\(name)"), text)
                classes += text.split(separator: "\n").count { $0.contains(/^public .* class \w/) }
            }
            // Three entities and the model.
            expectEqual(classes, 4)
        }
    }

    @Test(arguments: Program.allCases)
    func unchangedFilesAreNotWritten(_ program: Program) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("Node")))
            _ = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            for name in ["out/M.swift", "out/M+Entities0.swift"] { try workspace.age(name) }
            _ = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            for name in ["out/M.swift", "out/M+Entities0.swift"] { #expect(try workspace.isAged(name)) }

            try workspace.writeModel("M", modelFile(entity("Node", attribute("name"))))
            _ = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            #expect(try !workspace.isAged("out/M+Entities0.swift"))
        }
    }

    @Test(arguments: Program.allCases)
    func anOutputThatIsAFile(_ program: Program) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("mine", to: "out")
            let result = try await generate(program, "M.xcdatamodeld", "--output", "out", in: workspace)
            expectEqual(result.exitCode, 1)
            #expect(result.errors.contains("out"))
            expectEqual(try workspace.read("out"), "mine")
            #expect(!result.errors.contains("NSCocoaErrorDomain"))
        }
    }
}
