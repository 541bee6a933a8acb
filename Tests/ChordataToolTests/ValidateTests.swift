import ChordataTestSupport
import Foundation
import Testing

/// `chordata validate`, without a configuration.
struct ValidateTests {
    static let rows: [(text: String, findings: [String], exitCode: Int32, strictFindings: [String])] = [
        (ModelText.good, [], 0, []),
        (ModelText.loose, ["5: warning CD0217"], 0, ["5: error CD0217"]),
        (ModelText.invalid, ["4: warning CD0212"], 0, ["4: error CD0212"]),
        (ModelText.cyclic, ["3: error CD0207"], 1, ["3: error CD0207"]),
        (
            ModelText.oneSided, ["4: error CD0218", "5: warning CD0217"], 1,
            ["4: error CD0218", "5: error CD0217"]
        ),
        (ModelText.malformed, ["3: error CD0103"], 1, ["3: error CD0103"]),
    ]

    @Test(arguments: rows.indices)
    func findingsAreOnStandardError(_ index: Int) async throws {
        let row = Self.rows[index]
        let file = "M.xcdatamodeld/M.xcdatamodel/contents:"
        try await withWorkspace { workspace in
            try workspace.writeModel("M", row.text)
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.findings, row.findings.map { file + $0 })
            expectEqual(result.output, "")
            expectEqual(result.exitCode, row.exitCode)
            let strict = try await workspace.chordata("validate", "--strict", "M.xcdatamodeld")
            expectEqual(strict.findings, row.strictFindings.map { file + $0 })
            expectEqual(strict.exitCode, row.strictFindings.isEmpty ? 0 : 1)
        }
    }

    @Test func aFindingIsPrintedAsCompilersDo() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            #expect(result.errors.hasPrefix("M.xcdatamodeld/M.xcdatamodel/contents:5:29: warning: 'next' of 'Node' "))
            #expect(result.errors.hasSuffix(" [CD0217]\n"))
        }
    }

    @Test func allModelsAreReported() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("A", ModelText.loose)
            try workspace.writeModel("B", ModelText.malformed)
            try workspace.write(ModelText.cyclic, to: "C.xcdatamodel/contents")
            let result = try await workspace.chordata(
                "validate",
                "missing.xcdatamodeld",
                "C.xcdatamodel",
                "B.xcdatamodeld",
                "A.xcdatamodeld",
                "A.xcdatamodeld/"
            )
            expectEqual(
                result.findings,
                [
                    "A.xcdatamodeld/A.xcdatamodel/contents:5: warning CD0217",
                    "B.xcdatamodeld/B.xcdatamodel/contents:3: error CD0103",
                    "C.xcdatamodel/contents:3: error CD0207",
                    "missing.xcdatamodeld:1: error CD0101",
                ]
            )
            expectEqual(result.exitCode, 1)
        }
    }

    @Test func errorsOfOldVersionsAreReported() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: ModelText.invalid, new: ModelText.invalid)
            let warnings = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(warnings.findings, ["M.xcdatamodeld/M 2.xcdatamodel/contents:4: warning CD0212"])
            expectEqual(warnings.exitCode, 0)

            try workspace.writeModel("M", old: ModelText.cyclic, new: ModelText.good)
            let errors = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(errors.findings, ["M.xcdatamodeld/M.xcdatamodel/contents:3: error CD0207"])
            expectEqual(errors.exitCode, 1)

            // Without its bundle, it is the current version.
            let itself = try await workspace.chordata("validate", "M.xcdatamodeld/M 2.xcdatamodel")
            expectEqual(itself.errors, "")
            expectEqual(itself.exitCode, 0)
        }
    }

    @Test func brokenBundles() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "Empty.xcdatamodeld/readme.txt")
            try workspace.write("", to: "NoFile.xcdatamodeld/M.xcdatamodel/layout")
            try workspace.write("", to: "NoBytes.xcdatamodeld/M.xcdatamodel/contents")
            try workspace.writeModel("Lost", old: ModelText.good, new: ModelText.good)
            try workspace.write(currentVersionFile("Lost 3"), to: "Lost.xcdatamodeld/.xccurrentversion")
            let models = ["Empty", "Lost", "NoBytes", "NoFile"].map { "\($0).xcdatamodeld" }
            let result = try await Program.chordata.run(["validate"] + models, in: workspace.folder)
            expectEqual(
                result.findings,
                [
                    "Empty.xcdatamodeld:1: error CD0107",
                    "Lost.xcdatamodeld/.xccurrentversion:2: error CD0108",
                    "NoBytes.xcdatamodeld/M.xcdatamodel/contents:1: error CD0102",
                    "NoFile.xcdatamodeld/M.xcdatamodel/contents:1: error CD0101",
                ]
            )
            expectEqual(result.exitCode, 1)
        }
    }

    @Test(arguments: [[], ["M.xcdatamodeld", "--format", "xml"], ["--strictly", "M.xcdatamodeld"]])
    func wrongUsage(_ arguments: [String]) async throws {
        try await withWorkspace { workspace in
            let result = try await Program.chordata.run(["validate"] + arguments, in: workspace.folder)
            expectEqual(result.exitCode, 64)
            #expect(result.errors.contains("Usage: chordata validate"))
            expectEqual(result.output, "")
        }
    }
}
