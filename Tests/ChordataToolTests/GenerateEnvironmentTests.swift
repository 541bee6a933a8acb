import Foundation
import Testing

/// What is generated depends on the model and its configuration, and stays in its folder.
struct GenerateEnvironmentTests {
    /// The model that has every feature once.
    private static let everything = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Models/Everything.xcdatamodeld")

    /// S7; every process has another hash seed anyway.
    @Test func otherPlacesGiveTheSameBytes() async throws {
        let environments = [
            [:], ["LC_ALL": "tr_TR.UTF-8", "LANG": "tr_TR.UTF-8"], ["LC_ALL": "de_DE", "TZ": "Asia/Kathmandu"],
            ["TZ": "America/St_Johns", "HOME": "/nonexistent"], ["SWIFT_DETERMINISTIC_HASHING": "1"],
        ]
        try await withWorkspace { workspace in
            var texts: [[String]] = []
            for (index, environment) in environments.enumerated() {
                let folder = workspace.folder.appending(path: "folder \(index)/nested")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let result = try await Program.generate.run(
                    [Self.everything.path, "--output", "out", "--shards", "3"],
                    in: folder,
                    environment: environment
                )
                #expect(result.exitCode == 0)
                let names = try workspace.names(in: "folder \(index)/nested/out")
                #expect(names.count == 4)
                texts.append(try names.map { try workspace.read("folder \(index)/nested/out/\($0)") })
            }
            for text in texts { #expect(text == texts[0]) }
        }
    }

    /// S2: links in the folder are replaced, not followed.
    @Test func nothingIsWrittenThroughLinks() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("canary", to: "outside/soft")
            try workspace.write("canary", to: "outside/hard")
            try FileManager.default.createDirectory(atPath: workspace.path("out"), withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(
                atPath: workspace.path("out/M.swift"),
                withDestinationPath: "../outside/soft"
            )
            try FileManager.default.linkItem(
                atPath: workspace.path("outside/hard"),
                toPath: workspace.path("out/M+Entities0.swift")
            )
            let result = try await Program.generate.run(["M.xcdatamodeld", "--output", "out"], in: workspace.folder)
            #expect(result.exitCode == 0)
            #expect(try workspace.read("outside/soft") == "canary")
            #expect(try workspace.read("outside/hard") == "canary")
            #expect(try workspace.read("out/M.swift").contains("enum MModel"))
            #expect(try workspace.names(in: "outside") == ["hard", "soft"])
        }
    }

    /// S1: names of files become names in Swift by one way only.
    @Test(arguments: ["a b", "-x", "320", "A.B.V1", "ö", "\"; x", "$(touch y)", "#if", "`"])
    func namesOfBundlesBecomeNames(_ name: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(name, ModelText.good)
            let result = try await Program.generate.run(
                ["./\(name).xcdatamodeld", "--output", "out"],
                in: workspace.folder
            )
            #expect(result.exitCode == 0, "\(result.errors)")
            #expect(try workspace.names(in: "out") == ["\(name)+Entities0.swift", "\(name).swift"])
            let line = try workspace.read("out/\(name).swift").split(separator: "\n").first { $0.contains(" enum ") }
            #expect(line?.wholeMatch(of: /nonisolated enum [A-Za-z_][A-Za-z0-9_]* \{/) != nil, "\(line ?? "")")
        }
    }
}
