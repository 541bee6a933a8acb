import ChordataTestSupport
import Foundation

/// Runs programs, and finds the programs of this package and their modules.
enum Program {
    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    /// The possible folders of the products: the folder of the test bundle, which is the running executable on Linux.
    private static let folders: [URL] = CommandLine.arguments.compactMap { argument in
        argument.range(of: ".xctest").map { URL(fileURLWithPath: String(argument[..<$0.upperBound])) }
    }.map { $0.deletingLastPathComponent() }

    /// Returns a file next to the test bundle.
    static func product(_ name: String) throws -> URL {
        let files = folders.map { $0.appending(path: name) }
        if let file = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) { return file }
        throw Missing(description: "'\(name)' is not built: it should be one of \(files.map(\.path))")
    }

    /// Runs a program to its end.
    /// - Returns: The output and the errors in one text, and the exit code.
    static func run(_ program: URL, _ arguments: [String], in folder: URL) async throws -> (text: String, code: Int32) {
        let file = folder.appending(path: "output-\(UUID().uuidString)")
        let end = try await ChildProcess(program, arguments, in: folder, output: file.path).waitUntilExit()
        let code =
            switch end {
            case .exit(let code): code
            case .signal(let number): number
            }
        return (try String(contentsOf: file, encoding: .utf8), code)
    }
}
