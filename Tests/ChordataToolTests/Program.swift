import ChordataTestSupport
import Foundation
import Testing

/// A program of this package next to the tests, which is run as a user would run it.
enum Program: String, CaseIterable {
    case chordata
    case generate = "chordata-generate"

    /// The result of a run.
    struct Result: Sendable {
        var exitCode: Int32
        var output: String
        var errors: String
    }

    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// The possible folders of the products: the folder of the test bundle, which is the running executable on Linux.
    private static let folders: [URL] = {
        // On macOS the bundle is an argument of the helper that runs it.
        let arguments = CommandLine.arguments.compactMap { argument -> URL? in
            guard let end = argument.range(of: ".xctest") else { return nil }
            return URL(fileURLWithPath: String(argument[..<end.upperBound]))
        }
        let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
        return (arguments + bundles).map { $0.deletingLastPathComponent() }
    }()

    /// 'chordata' and 'ChordataTool' are products of the same target; the second one is built with the tests.
    func find() throws -> URL { try Self.find(self == .chordata ? "ChordataTool" : rawValue) }

    /// Returns the location of a program, which may be for tests only.
    static func find(_ name: String) throws -> URL {
        let files = folders.map { $0.appending(path: name) }
        if let file = files.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) { return file }
        throw Missing(
            description: "'\(name)' is not built: it should be beside the tests, at one of \(files.map(\.path))"
        )
    }

    /// Runs the program to its end, and checks that it leaves no temporary files.
    ///
    /// - Parameters:
    ///   - folder: The folder to which relative paths refer.
    ///   - path: The `PATH`, which is empty by default, so that no program of the machine is used.
    ///   - environment: Further environment variables of the program.
    func run(
        _ arguments: [String],
        in folder: URL,
        path: String = "",
        environment: [String: String] = [:]
    ) async throws -> Result {
        try await Self.run(find(), arguments, in: folder, path: path, environment: environment)
    }

    /// Runs a program at any location in the same way.
    static func run(
        _ program: URL,
        _ arguments: [String],
        in folder: URL,
        path: String = "",
        environment: [String: String] = [:]
    ) async throws -> Result {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "chordata-run-\(UUID().uuidString)")
        let temporary = scratch.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: scratch) }  // The system deletes temporary files.
        let (output, errors) = (scratch.appending(path: "output"), scratch.appending(path: "errors"))
        let child = try ChildProcess(
            program,
            arguments,
            in: folder,
            environment: ["PATH": path, "TMPDIR": temporary.path, "SWIFT_BACKTRACE": "enable=no"]
                .merging(environment) { _, given in given },
            output: output.path,
            errors: errors.path
        )
        let exitCode: Int32
        switch await child.waitUntilExit() {
        case .exit(let code): exitCode = code
        case .signal(let number):
            Issue.record("signal \(number) ended \(arguments)")
            exitCode = number
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty, "left by \(arguments)")
        return Result(
            exitCode: exitCode,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8)
        )
    }
}

extension Program.Result {
    /// The diagnostics on standard error as `path:line: severity id`, without their notes; other lines as they are.
    var findings: [String] {
        errors.split(separator: "\n").filter { !$0.contains(/:\d+:\d+: note:/) }.map { line in
            guard let match = line.wholeMatch(of: /(.+:\d+):\d+: (error|warning|remark): .+ \[(CD\d{4})\]/) else {
                return String(line)
            }
            return "\(match.1): \(match.2) \(match.3)"
        }
    }
}
