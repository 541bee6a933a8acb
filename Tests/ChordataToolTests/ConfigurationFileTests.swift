import ChordataTestSupport
import Foundation
import Testing

/// `chordata.json` next to a model, as `chordata validate` uses it.
struct ConfigurationFileTests {
    /// A model, the level of one of its diagnostics, and the resulting diagnostics.
    static let rows: [(text: String, id: String, level: String, findings: [String], exitCode: Int32)] = [
        (ModelText.loose, "CD0217", "ignore", [], 0),
        (ModelText.loose, "CD0217", "remark", ["5: remark CD0217"], 0),
        (ModelText.loose, "CD0217", "warning", ["5: warning CD0217"], 0),
        (ModelText.loose, "CD0217", "error", ["5: error CD0217"], 1),
        (ModelText.invalid, "CD0212", "ignore", [], 0),
        (ModelText.invalid, "CD0212", "error", ["4: error CD0212"], 1),
        (ModelText.oneSided, "CD0218", "ignore", ["5: warning CD0217"], 0),
        (ModelText.oneSided, "CD0218", "remark", ["4: remark CD0218", "5: warning CD0217"], 0),
        (ModelText.oneSided, "CD0218", "warning", ["4: warning CD0218", "5: warning CD0217"], 0),
        (ModelText.oneSided, "CD0218", "error", ["4: error CD0218", "5: warning CD0217"], 1),
        (ModelText.cyclic, "CD0207", "error", ["3: error CD0207"], 1),
    ]

    @Test(arguments: rows.indices)
    func levels(_ index: Int) async throws {
        let row = Self.rows[index]
        try await withWorkspace { workspace in
            try workspace.writeModel("M", row.text)
            try workspace.writeLevels([row.id: row.level])
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.findings, row.findings.map { "M.xcdatamodeld/M.xcdatamodel/contents:" + $0 })
            expectEqual(result.exitCode, row.exitCode)
        }
    }

    @Test(arguments: [("ignore", 0 as Int32), ("remark", 0), ("warning", 1), ("error", 1)])
    func strictStopsAtWarnings(_ level: String, _ exitCode: Int32) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            try workspace.writeLevels(["CD0217": level])
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").exitCode, exitCode)
        }
    }

    @Test func mistakesAreReportedOnceWithTheirLines() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("A", ModelText.good)
            try workspace.writeModel("B", ModelText.cyclic)
            try workspace.write(
                """
                {
                  "diagnostics": {
                    "CD0207": "warning",
                    "CD9999": "error",
                    "CD0217": "loud"
                  },
                  "levels": {}
                }
                """,
                to: "chordata.json"
            )
            let result = try await workspace.chordata("validate", "A.xcdatamodeld", "B.xcdatamodeld")
            expectEqual(
                result.findings,
                [
                    "B.xcdatamodeld/B.xcdatamodel/contents:3: error CD0207",
                    "chordata.json:3: error CD0116",
                    "chordata.json:4: error CD0115",
                    "chordata.json:5: error CD0116",
                    "chordata.json:7: error CD0115",
                ]
            )
            expectEqual(result.exitCode, 1)
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"diagnostics\": []}", "{} // no", "\u{FEFF}{,}"])
    func anotherFileIsAnError(_ text: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write(text, to: "chordata.json")
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.exitCode, 1)
            #expect(result.findings.allSatisfy { $0.hasPrefix("chordata.json:1: error CD011") })
            expectEqual(result.findings.count, 1)
        }
    }

    @Test func aFolderOfThatNameIsAnError() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("", to: "chordata.json/file")
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.findings, ["chordata.json:1: error CD0101"])
            expectEqual(result.exitCode, 1)
        }
    }

    // MARK: Finding the file

    static let paths = [
        "M.xcdatamodeld", "M.xcdatamodeld/", "M.xcdatamodeld//", "./M.xcdatamodeld", "../inner/M.xcdatamodeld",
        "M.xcdatamodeld/../M.xcdatamodeld", "M.xcdatamodeld/M.xcdatamodel", "M.xcdatamodeld/M.xcdatamodel/",
        "M.xcdatamodeld/M.xcdatamodel/contents", "$/M.xcdatamodeld", "$/M.xcdatamodeld/M.xcdatamodel/contents",
    ]

    @Test(arguments: paths)
    func configurationNextToTheBundleIsUsed(_ path: String) async throws {
        try await withWorkspace { workspace in
            let path = path.replacing("$", with: workspace.path("inner"))
            try workspace.write(ModelText.loose, to: "inner/M.xcdatamodeld/M.xcdatamodel/contents")
            let without = try await workspace.chordata("validate", path, in: "inner")
            expectEqual(without.findings.map { $0.suffix(19) }, ["s:5: warning CD0217"])
            try workspace.write("{\"diagnostics\": {\"CD0217\": \"ignore\"}}", to: "inner/chordata.json")
            // Files in other folders are ignored.
            try workspace.write("wrong", to: "chordata.json")
            try workspace.write("wrong", to: "inner/M.xcdatamodeld/chordata.json")
            let with = try await workspace.chordata("validate", path, in: "inner")
            expectEqual(with.findings, [])
            expectEqual(with.exitCode, 0)
        }
    }

    @Test(arguments: [("M.xcdatamodeld", "M.xcdatamodel"), ("M.xcdatamodeld/M.xcdatamodel", "contents")])
    func configurationNextToTheBundleIsUsedFromWithin(_ folder: String, _ path: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            try workspace.writeLevels(["CD0217": "ignore"])
            let result = try await workspace.chordata("validate", path, in: folder)
            expectEqual(result.exitCode, 0)
            expectEqual(result.findings, [])
        }
    }

    @Test func eachModelHasItsOwn() async throws {
        try await withWorkspace { workspace in
            for folder in ["a", "b"] {
                try workspace.write(ModelText.loose, to: "\(folder)/M.xcdatamodeld/M.xcdatamodel/contents")
            }
            try workspace.write("{\"diagnostics\": {\"CD0217\": \"error\"}}", to: "b/chordata.json")
            let result = try await workspace.chordata("validate", "a/M.xcdatamodeld", "b/M.xcdatamodeld")
            expectEqual(
                result.findings,
                [
                    "a/M.xcdatamodeld/M.xcdatamodel/contents:5: warning CD0217",
                    "b/M.xcdatamodeld/M.xcdatamodel/contents:5: error CD0217",
                ]
            )
            expectEqual(result.exitCode, 1)
        }
    }
}
