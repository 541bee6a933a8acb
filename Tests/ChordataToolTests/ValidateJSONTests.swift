import ChordataTestSupport
import Foundation
import Testing

/// `chordata validate --format json`.
struct ValidateJSONTests {
    struct Report: Decodable {
        struct Location: Decodable, Equatable {
            var file: String
            var line: Int
            var column: Int
        }
        struct Note: Decodable {
            var message: String
            var location: Location?
        }
        struct FixIt: Decodable {
            var message: String
            var location: Location
            var length: Int
            var replacement: String
        }
        struct Item: Decodable {
            var id: String
            var severity: String
            var message: String
            var location: Location?
            var notes: [Note]
            var fixIts: [FixIt]
        }
        var version: Int
        var diagnostics: [Item]
    }

    /// Runs the command, and checks that the report has all documented keys and no others.
    private func report(of arguments: String..., in workspace: Workspace, exitCode: Int32) async throws -> Report {
        let result = try await Program.chordata.run(
            ["validate", "--format", "json"] + arguments,
            in: workspace.folder
        )
        expectEqual(result.errors, "")
        expectEqual(result.exitCode, exitCode)
        #expect(result.output.hasSuffix("}\n"))
        let data = Data(result.output.utf8)
        let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        expectEqual(Set(object.keys), ["version", "diagnostics"])
        for item in try #require(object["diagnostics"] as? [[String: Any]]) {
            expectEqual(Set(item.keys), ["id", "severity", "message", "location", "notes", "fixIts"])
        }
        let report = try JSONDecoder().decode(Report.self, from: data)
        expectEqual(report.version, 1)
        return report
    }

    @Test func nothingFound() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            #expect(try await report(of: "M.xcdatamodeld", in: workspace, exitCode: 0).diagnostics.isEmpty)
        }
    }

    @Test func aWarning() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            let found = try await report(of: "M.xcdatamodeld", in: workspace, exitCode: 0).diagnostics
            expectEqual(found.map(\.id), ["CD0217"])
            expectEqual(found.map(\.severity), ["warning"])
            #expect(found.first?.message.hasPrefix("'next' of 'Node' has no inverse") == true)
            let place = Report.Location(file: "M.xcdatamodeld/M.xcdatamodel/contents", line: 5, column: 29)
            expectEqual(found.map(\.location), [place])
            #expect(found.allSatisfy { $0.notes.isEmpty && $0.fixIts.isEmpty })

            let strict = try await report(of: "--strict", "M.xcdatamodeld", in: workspace, exitCode: 1).diagnostics
            expectEqual(strict.map(\.severity), ["error"])
        }
    }

    @Test func notes() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", modelFile(entity("Node", attribute("name"), attribute("name"))))
            let found = try await report(of: "M.xcdatamodeld", in: workspace, exitCode: 1).diagnostics
            let item = try #require(found.first { $0.id == "CD0203" })
            expectEqual(item.location?.line, 5)
            expectEqual(item.notes.map(\.location?.line), [4])
        }
    }

    @Test func fixItsCorrectTheModel() async throws {
        try await withWorkspace { workspace in
            let file = "M.xcdatamodeld/M.xcdatamodel/contents"
            let wrong = relationship("next").replacing("\"Node\"", with: "\"Nodf\"")
            try workspace.writeModel("M", modelFile(entity("Node", attribute("name"), wrong)))
            let found = try await report(of: "M.xcdatamodeld", in: workspace, exitCode: 1).diagnostics
            let fixIt = try #require(found.first { $0.id == "CD0209" }?.fixIts.first)
            expectEqual(fixIt.location.file, file)

            // The fix is applied as an editor would apply it.
            var lines = try workspace.read(file).split(separator: "\n", omittingEmptySubsequences: false)
                .map { Array($0.utf8) }
            let start = fixIt.location.column - 1
            lines[fixIt.location.line - 1].replaceSubrange(start..<start + fixIt.length, with: fixIt.replacement.utf8)
            try workspace.write(lines.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n"), to: file)
            let corrected = try await report(of: "M.xcdatamodeld", in: workspace, exitCode: 0).diagnostics
            expectEqual(corrected.map(\.id), ["CD0217"])
        }
    }

    @Test func anyNameIsValidJSON() async throws {
        try await withWorkspace { workspace in
            let name = "Über \"Läden\" \\ 🛒"
            try workspace.writeModel(name, ModelText.loose)
            let found = try await report(of: "\(name).xcdatamodeld", in: workspace, exitCode: 0).diagnostics
            expectEqual(found.map(\.location?.file), ["\(name).xcdatamodeld/\(name).xcdatamodel/contents"])
        }
    }

    @Test func problemsOfPathsAndConfigurationsAreIncluded() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("{\"levels\": {}}", to: "chordata.json")
            let found = try await report(of: "M.xcdatamodeld", "missing", in: workspace, exitCode: 1).diagnostics
            expectEqual(found.map(\.id), ["CD0115", "CD0101"])
            expectEqual(found.map(\.location?.file), ["chordata.json", "missing"])
        }
    }
}
