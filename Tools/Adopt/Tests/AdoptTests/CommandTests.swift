import Foundation
import Testing

/// The program: its output and exit codes.
final class CommandTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("adopt-\(UUID().uuidString)")

    init() throws {
        let model = folder.appendingPathComponent("Sources/Library.xcdatamodeld/Library.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(libraryModel.utf8).write(to: model.appendingPathComponent("contents"))
        try Data(libraryClasses.utf8).write(to: folder.appendingPathComponent("Sources/Classes.swift"))
        try Data("{ \"codegen\": \"category\" }".utf8).write(to: folder.appendingPathComponent("Sources/chordata.json"))
        try Data("let key = #keyPath(Book.title)\nlet a = #selector(b)\n".utf8).write(to: source)
    }

    deinit {
        // No test depends on the removal.
        try? FileManager.default.removeItem(at: folder)
    }

    private var source: URL { folder.appendingPathComponent("Sources/Key.swift") }

    /// The program that is built beside the tests.
    private static let program: URL = {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        if folder.lastPathComponent.hasSuffix(".xctest") { folder.deleteLastPathComponent() }
        return folder.appendingPathComponent("chordata-adopt")
    }()

    private func run(_ arguments: String...) throws -> (output: String, errors: String, exitCode: Int32) {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        process.currentDirectoryURL = folder
        // The output goes to files, so that no pipe can be full.
        let files = ["output", "errors"].map { folder.appendingPathComponent($0) }
        for file in files { try Data().write(to: file) }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return (
            try String(contentsOf: files[0], encoding: .utf8), try String(contentsOf: files[1], encoding: .utf8),
            process.terminationStatus
        )
    }

    private let report =
        "Sources/Key.swift:2:9: warning: '#selector' needs the Objective-C runtime; call the method in a closure, or put the "
        + "code inside '#if canImport(ObjectiveC)' [selector]\n"

    @Test func checkThenRewrite() throws {
        let check = try run("Sources", "--check")
        #expect(
            check.output == """
                --- Sources/Key.swift
                +++ Sources/Key.swift
                @@ -1,2 +1,2 @@
                -let key = #keyPath(Book.title)
                +let key = Book.PropertyKey.title.name
                 let a = #selector(b)

                """
        )
        #expect(check.errors == report + "would change 1 of 2 files\n")
        #expect(check.exitCode == 1)
        #expect(try String(contentsOf: source, encoding: .utf8).contains("#keyPath"))

        let rewrite = try run("Sources")
        #expect(rewrite.output == "Sources/Key.swift\n")
        #expect(rewrite.errors == report + "changed 1 of 2 files\n")
        #expect(rewrite.exitCode == 0)

        let again = try run("Sources", "--check")
        #expect(again.output == "")
        #expect(again.errors == report + "2 files, nothing to change\n")
        #expect(again.exitCode == 0)
    }

    @Test func changedModel() throws {
        try Data("extension Author {\n    @NSManaged var name: String?\n}\n".utf8).write(to: source)
        #expect(try run("Sources").errors == "changed 1 of 2 files\n")
        try Data("extension Book {\n    @NSManaged var pages: Int32\n}\n".utf8).write(to: source)
        let path = "Sources/Library.xcdatamodeld/Library.xcdatamodel/contents"
        let check = try run("Sources", "--check")
        #expect(check.output.hasPrefix("--- \(path)\n+++ \(path)\n@@ "))
        #expect(check.output.contains("+++ Sources/Key.swift\n"))
        #expect(check.errors == "would change 1 of 2 files and 1 model\n")
        #expect(check.exitCode == 1)
        let rewrite = try run("Sources")
        #expect(rewrite.output == "\(path)\nSources/Key.swift\n")
        #expect(rewrite.errors == "changed 1 of 2 files and 1 model\n")
        #expect(try run("Sources", "--check").exitCode == 0)
    }

    @Test func errors() throws {
        let result = try run("Missing", "--model", "Sources/Library.xcdatamodeld")
        #expect(result.output == "")
        #expect(
            result.errors
                == "Missing: error: there is no file or folder at this path; correct the path [file]\nno file is changed, because there are errors\n"
        )
        #expect(result.exitCode == 1)
    }

    @Test(arguments: [[], ["Sources", "--unknown"]])
    func misuse(_ arguments: [String]) throws {
        let result = try arguments.isEmpty ? run() : run(arguments[0], arguments[1])
        #expect(result.exitCode == 64)
        #expect(result.output == "")
    }

    @Test func help() throws {
        let result = try run("--help")
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(result.output.contains("Exit codes: 0 fine, 1 errors, or with --check files that would change"))
        #expect(result.exitCode == 0)
    }
}
