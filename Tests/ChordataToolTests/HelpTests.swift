import ChordataTestSupport
import Foundation
import Testing

/// The help of the commands, and `chordata diagnostics`.
struct HelpTests {
    private func chordata(_ arguments: String...) async throws -> Program.Result {
        try await Program.chordata.run(arguments, in: FileManager.default.temporaryDirectory)
    }

    static let commands = [
        "model", "generate", "check", "validate", "format", "graph", "diff", "hash", "schema", "explain", "migrate",
        "inspect", "copy", "import", "export", "adopt", "diagnostics",
    ]

    @Test(arguments: commands)
    func helpOfEveryCommand(_ command: String) async throws {
        let result = try await chordata(command, "--help")
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(result.output.contains("USAGE: chordata \(command) "))
        #expect(result.output.contains("Example"))
        expectEqual(result.errors, "")
        expectEqual(result.exitCode, 0)
    }

    @Test(arguments: [[], ["--help"], ["help"]])
    func help(_ arguments: [String]) async throws {
        let result = try await Program.chordata.run(arguments, in: FileManager.default.temporaryDirectory)
        expectEqual(result.exitCode, 0)
        expectEqual(result.errors, "")
        // The help of every command is tested.
        let lines = result.output.split(separator: "\n").drop { $0 != "SUBCOMMANDS:" }.dropFirst()
        let listed = lines.compactMap { $0.wholeMatch(of: /\ \ ([a-z]+)\ .*/).map { String($0.1) } }
        expectEqual(listed, Self.commands)
    }

    /// A program that expects rewritten files must not continue, so the exit code is 1.
    @Test func adoptPrintsTheCommandToRun() async throws {
        let result = try await chordata("adopt", "My Sources", "--check")
        expectEqual(result.output, "")
        expectEqual(
            result.errors,
            """
            error: 'chordata adopt' only prints the command that rewrites files, so no file was changed
            remark: to rewrite the files, run 'swift run --package-path chordata/Tools/Adopt chordata-adopt \
            'My Sources' --check'

            """
        )
        expectEqual(result.exitCode, 1)
    }

    @Test func version() async throws {
        let result = try await chordata("--version")
        #expect(result.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
        expectEqual(result.errors, "")
        expectEqual(result.exitCode, 0)
    }

    @Test(arguments: ["nonsense", "--nonsense"])
    func anUnknownCommand(_ argument: String) async throws {
        let result = try await chordata(argument)
        #expect(result.errors.hasPrefix("Error: "))
        expectEqual(result.output, "")
        expectEqual(result.exitCode, 64)
    }

    static let misspelt: [(arguments: [String], message: String)] = [
        (["valdate"], "'chordata' has no command 'valdate'; did you mean 'validate'?"),
        (["migrate", "pln", "M.xcdatamodeld"], "'chordata migrate' has no command 'pln'; did you mean 'plan'?"),
        (["model", "create"], "'chordata model' has no command 'create'; the commands are new, add-version, extract"),
    ]

    @Test(arguments: misspelt)
    func misspeltCommand(_ row: (arguments: [String], message: String)) async throws {
        let result = try await Program.chordata.run(row.arguments, in: FileManager.default.temporaryDirectory)
        expectEqual(result.errors, "Error: \(row.message)\n")
        #expect(result.output == "" && result.exitCode == 64)
    }

    @Test func buildGeneratorPrintsItsUsage() async throws {
        let result = try await Program.generate.run(["--help"], in: FileManager.default.temporaryDirectory)
        #expect((result.output + result.errors).contains("usage: chordata-generate <model.xcdatamodeld>"))
        expectEqual(result.exitCode, 0)
    }

    // MARK: Diagnostics

    @Test(arguments: ["CD0217", "cd0217", "Cd0217"])
    func aDiagnosticByItsID(_ id: String) async throws {
        let result = try await chordata("diagnostics", id)
        #expect(result.output.hasPrefix("CD0217: relationship without inverse\n"))
        expectEqual(result.errors, "")
        expectEqual(result.exitCode, 0)
    }

    @Test func allDiagnostics() async throws {
        let result = try await chordata("diagnostics")
        expectEqual(result.exitCode, 0)
        expectEqual(result.errors, "")
        let ids = result.output.split(separator: "\n").map { $0.prefix(6) }
        #expect(ids.count > 50)
        #expect(ids == ids.sorted() && Set(ids).count == ids.count)
        #expect(result.output.split(separator: "\n").allSatisfy { $0.wholeMatch(of: /CD\d{4}  \S.*/) != nil })
    }

    @Test(arguments: ["CD9999", "217", "missingInverse", ""])
    func anUnknownID(_ id: String) async throws {
        let result = try await chordata("diagnostics", id)
        #expect(result.errors.hasPrefix("Error: there is no diagnostic '\(id)'; 'chordata diagnostics' lists all"))
        expectEqual(result.output, "")
        expectEqual(result.exitCode, 64)
    }
}
