import ChordataConfiguration
import ChordataDiagnostics
import ChordataFiles
import ChordataGeneration
import ChordataMigrationFiles
import ChordataTestSupport
import Foundation
import Testing

/// Every folder of `Cases` is a model, perhaps with its configuration, with the expected results: the files in
/// `expected`, and `diagnostics.txt`.
///
/// `CHORDATA_RECORD=1 swift test --filter GoldenTests` rewrites both, and fails so that it is not mistaken for a test.
struct GoldenTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Cases")
    static let isRecording = ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil

    static let cases: [String] = {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        } catch {
            Issue.record("the cases cannot be listed: \(error)")
            return []
        }
    }()

    @Test func goldenCasesExist() { #expect(Self.cases.count >= 7) }

    @Test(arguments: cases)
    func golden(_ name: String) throws {
        let folder = Self.folder.appending(path: name)
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let model = try #require(entries.first { $0.hasSuffix(".xcdatamodeld") })
        let loaded = loadModel(
            at: folder.appending(path: model).path,
            configuration: GeneratorConfiguration(shardCount: 1)
        )
        var diagnostics = loaded.diagnostics
        var files: [GeneratedFile] = []
        if let bundle = loaded.bundle {
            let generated = generateFiles(of: bundle, configuration: loaded.configuration)
            files = generated.files
            diagnostics += generated.diagnostics
        }
        expectEqual(diagnostics.hasErrors, files.isEmpty)
        let text = renderText(diagnostics.sortedByLocation()).replacingOccurrences(of: folder.path + "/", with: "")

        let expected = folder.appending(path: "expected")
        let textFile = folder.appending(path: "diagnostics.txt")
        if Self.isRecording {
            try record(files, to: expected, text: text, textFile: textFile)
            Issue.record("recorded '\(name)'; run again without CHORDATA_RECORD")
            return
        }
        expectEqual(try String(contentsOf: textFile, encoding: .utf8), text)
        let known = try names(in: expected)
        expectEqual(known, files.map(\.name).sorted(), "the set of files")
        for file in files where known.contains(file.name) {
            let wanted = try String(contentsOf: expected.appending(path: file.name), encoding: .utf8)
            expectEqual(wanted, file.contents, "\(name)/\(file.name): \(firstDifference(wanted, file.contents))")
        }
    }

    @Test(arguments: cases)
    func generationIsDeterministic(_ name: String) throws {
        let folder = Self.folder.appending(path: name)
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let model = try #require(entries.first { $0.hasSuffix(".xcdatamodeld") })
        let path = folder.appending(path: model).path
        guard let first = loadModelBundle(at: path).bundle, let second = loadModelBundle(at: path).bundle else {
            return
        }
        let configuration = GeneratorConfiguration(access: .public, shardCount: 3)
        expectEqual(
            generateFiles(of: first, configuration: configuration).files,
            generateFiles(of: second, configuration: configuration).files
        )
    }

    private func names(in folder: URL) throws -> [String] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private func record(_ files: [GeneratedFile], to folder: URL, text: String, textFile: URL) throws {
        for name in try names(in: folder) { try FileManager.default.removeItem(at: folder.appending(path: name)) }
        if !files.isEmpty { try writeFiles(files, to: folder.path) }
        try text.write(to: textFile, atomically: true, encoding: .utf8)
    }

    private func firstDifference(_ left: String, _ right: String) -> String {
        let lines = zip(left.split(separator: "\n"), right.split(separator: "\n"))
        return lines.first { $0 != $1 }.map { "'\($0)' became '\($1)'" } ?? "one is longer"
    }
}
