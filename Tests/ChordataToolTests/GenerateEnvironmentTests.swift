import ChordataTestSupport
import Foundation
import Testing

/// Generated code depends only on the model and its configuration, and is written only to its folder.
struct GenerateEnvironmentTests {
    /// The model that uses every feature once.
    private static let everything = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Models/Everything.xcdatamodeld")

    /// Each process also has a different hash seed.
    @Test func outputIsIndependentOfTheEnvironment() async throws {
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
                expectEqual(result.exitCode, 0)
                let names = try workspace.names(in: "folder \(index)/nested/out")
                expectEqual(names.count, 4)
                texts.append(try names.map { try workspace.read("folder \(index)/nested/out/\($0)") })
            }
            for text in texts { expectEqual(text, texts[0]) }
        }
    }

    /// Links in the folder are replaced, not followed.
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
            expectEqual(result.exitCode, 0)
            expectEqual(try workspace.read("outside/soft"), "canary")
            expectEqual(try workspace.read("outside/hard"), "canary")
            #expect(try workspace.read("out/M.swift").contains("class MModel"))
            expectEqual(try workspace.names(in: "outside"), ["hard", "soft"])
        }
    }

    /// A special file at the path of an output is replaced.
    ///
    /// Neither the special file nor the target of a link is read or written.
    @Test(.timeLimit(.minutes(10)), arguments: [Program.generate, .chordata])
    func outputsThatAreSomethingElse(_ program: Program) async throws {
        let verb = program == .chordata ? ["generate"] : []
        try await withWorkspace { workspace in
            func generate() async throws -> Program.Result {
                try await program.run(verb + ["M.xcdatamodeld", "--output", "out"], in: workspace.folder)
            }
            try workspace.writeModel("M", ModelText.good)
            expectEqual(try await generate().exitCode, 0)
            let texts = try ["M.swift", "M+Entities0.swift"].map { try workspace.read("out/\($0)") }

            // A link to a file with exactly the bytes that would be written, and a pipe without a writer.
            try workspace.write(texts[0], to: "outside/M.swift")
            try workspace.age("outside/M.swift")
            try FileManager.default.removeItem(atPath: workspace.path("out/M.swift"))
            try FileManager.default.removeItem(atPath: workspace.path("out/M+Entities0.swift"))
            try workspace.link("out/M.swift", to: "../outside/M.swift")
            expectEqual(mkfifo(workspace.path("out/M+Entities0.swift"), 0o600), 0)
            let result = try await generate()
            expectEqual(result.exitCode, 0, "\(result.errors)")
            #expect(try workspace.isAged("outside/M.swift"))
            for (name, text) in zip(["M.swift", "M+Entities0.swift"], texts) {
                expectEqual(try workspace.type(of: "out/\(name)"), .typeRegular)
                expectEqual(try workspace.read("out/\(name)"), text)
            }

            // An endless device, and a folder, which is reported.
            try FileManager.default.removeItem(atPath: workspace.path("out/M.swift"))
            try workspace.link("out/M.swift", to: "/dev/zero")
            expectEqual(try await generate().exitCode, 0)
            expectEqual(try workspace.read("out/M.swift"), texts[0])
            try FileManager.default.removeItem(atPath: workspace.path("out/M.swift"))
            try workspace.write("canary", to: "out/M.swift/canary")
            expectEqual(try await generate().exitCode, 1)
            expectEqual(try workspace.names(in: "out"), ["M+Entities0.swift", "M.swift"])
            expectEqual(try workspace.read("out/M.swift/canary"), "canary")
        }
    }

    /// If the output folder is a link, its target is used.
    @Test func outputFoldersThatAreLinks() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try FileManager.default.createDirectory(atPath: workspace.path("a/real"), withIntermediateDirectories: true)
            try workspace.link("link", to: "a/real")
            try workspace.link("dangling", to: "a/missing")
            let result = try await Program.generate.run(["M.xcdatamodeld", "--output", "link"], in: workspace.folder)
            expectEqual(result.exitCode, 0, "\(result.errors)")
            let dangling = try await Program.generate.run(
                ["M.xcdatamodeld", "--output", "dangling"],
                in: workspace.folder
            )
            expectEqual(dangling.exitCode, 1)
            expectEqual(try workspace.names(in: "a/real"), ["M+Entities0.swift", "M.swift"])
            expectEqual(try workspace.names(in: ""), ["M.xcdatamodeld", "a", "dangling", "link"])
            expectEqual(try workspace.names(in: "a"), ["real"])
        }
    }

    /// Names that would be outside of the folder if they were paths.
    @Test(arguments: ["..", ".", "", " ", "..swift", "~", "-", "C:\\x", "con", "%2e%2e%2fx"])
    func namesThatLookLikePaths(_ name: String) async throws {
        try await withWorkspace { workspace in
            try workspace.write(ModelText.good, to: "in/\(name).xcdatamodeld/\(name).xcdatamodel/contents")
            let result = try await Program.generate.run(
                ["in/\(name).xcdatamodeld", "--output", "deep/out"],
                in: workspace.folder
            )
            expectEqual(result.exitCode, 0, "\(result.errors)")
            expectEqual(try workspace.names(in: "deep/out"), ["\(name)+Entities0.swift", "\(name).swift"].sorted())
            expectEqual(try workspace.names(in: "deep"), ["out"])
            expectEqual(try workspace.names(in: ""), ["deep", "in"])
        }
    }

    /// Files that may exist at the path of a model's file.
    enum Stranger: String, CaseIterable {
        case pipe, folder, linkToFolder, linkToItself, device, endlessDevice, foreignFile, tooLarge

        func place(at name: String, in workspace: Workspace) throws {
            switch self {
            case .pipe: expectEqual(mkfifo(workspace.path(name), 0o600), 0)
            case .folder: try workspace.write("canary", to: "\(name)/canary")
            case .linkToFolder: try workspace.link(name, to: ".")
            case .linkToItself: try workspace.link(name, to: workspace.path(name))
            case .device: try workspace.link(name, to: "/dev/null")
            case .endlessDevice: try workspace.link(name, to: "/dev/zero")
            case .foreignFile: try workspace.link(name, to: "/etc/passwd")
            case .tooLarge: try workspace.write(String(repeating: " ", count: 4 << 20 | 1), to: name)
            }
        }
    }

    /// Anything else at the path of a model's file is reported immediately, with its path and without its contents.
    @Test(.timeLimit(.minutes(10)), arguments: Stranger.allCases)
    func inputsThatAreSomethingElse(_ stranger: Stranger) async throws {
        for name in ["M.xcdatamodeld/M.xcdatamodel/contents", "M.xcdatamodeld/.xccurrentversion", "chordata.json"] {
            try await withWorkspace { workspace in
                try workspace.writeModel("M", ModelText.good)
                if workspace.exists(name) { try FileManager.default.removeItem(atPath: workspace.path(name)) }
                try stranger.place(at: name, in: workspace)
                let result = try await Program.generate.run(
                    ["M.xcdatamodeld", "--output", "out"],
                    in: workspace.folder
                )
                expectEqual(result.exitCode, 1, "\(name)")
                #expect(result.errors.hasPrefix("\(name):1:1: error: "), "\(result.errors)")
                #expect(!result.errors.contains("root:") && !result.errors.contains("canary"), "\(result.errors)")
                #expect(!workspace.exists("out"), "\(name)")
            }
        }
    }

    /// File names are always converted to Swift names in the same way.
    @Test(arguments: ["a b", "-x", "320", "A.B.V1", "ö", "\"; x", "$(touch y)", "#if", "`"])
    func namesOfBundlesBecomeNames(_ name: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel(name, ModelText.good)
            let result = try await Program.generate.run(
                ["./\(name).xcdatamodeld", "--output", "out"],
                in: workspace.folder
            )
            expectEqual(result.exitCode, 0, "\(result.errors)")
            expectEqual(try workspace.names(in: "out"), ["\(name)+Entities0.swift", "\(name).swift"])
            let line = try workspace.read("out/\(name).swift").split(separator: "\n").first { $0.contains(" class ") }
            let declaration = /nonisolated final class [A-Za-z_][A-Za-z0-9_]*: Chordata\.GeneratedModel \{/
            #expect(line?.wholeMatch(of: declaration) != nil, "\(line ?? "")")
        }
    }
}
