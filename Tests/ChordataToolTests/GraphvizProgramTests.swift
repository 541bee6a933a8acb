import ChordataTestSupport
import Foundation
import Testing

/// `chordata graph --format svg` with various programs named `dot` on the `PATH`.
struct GraphvizProgramTests {
    /// Writes a program `dot` to `bin` that records its runs in `mark`.
    ///
    /// A process that another test starts at this moment has copies of the files that this process has opened, and a
    /// file that is open for writing cannot be executed. So another process writes the program.
    private func writeDot(_ script: String, in workspace: Workspace) throws {
        try workspace.write("#!/bin/sh\necho \"$1\" >>'\(workspace.path("mark"))'\n\(script)\n", to: "bin/text")
        let install = Process()
        install.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        install.arguments = ["install", "-m", "755", workspace.path("bin/text"), workspace.path("bin/dot")]
        try install.run()
        install.waitUntilExit()
        expectEqual(install.terminationStatus, 0)
    }

    private func draw(_ workspace: Workspace, _ options: String...) async throws -> Program.Result {
        try await Program.chordata.run(
            ["graph", "M.xcdatamodeld", "--format", "svg"] + options,
            in: workspace.folder,
            path: "/nowhere:" + workspace.path("bin")
        )
    }

    private func expectFallback(_ result: Program.Result, _ own: Program.Result, in workspace: Workspace) {
        expectEqual(result.exitCode, 0)
        expectEqual(result.output, own.output)
        #expect(result.errors.hasPrefix("warning: \(workspace.path("bin/dot")) did not give a usable layout"))
        expectEqual(result.errors.split(separator: "\n").count, 1)
    }

    @Test(arguments: [
        "exit 3", "echo 'graph 1 1 1\nstop' >\"$3\"; exit 1", "echo nonsense >\"$3\"", ": >\"$3\"",
        "echo 'graph 1 1 1\nnode n0 0.5 0.5 9 9 x solid box black lightgrey\nstop' >\"$3\"",
    ])
    func failingProgramFallsBack(_ script: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            try writeDot(script, in: workspace)
            let own = try await draw(workspace)
            expectEqual(own.errors, "")
            #expect(!workspace.exists("mark"))
            #expect(readTexts(ofSVG: own.output) != nil)
            let result = try await draw(workspace, "--graphviz")
            expectFallback(result, own, in: workspace)
            expectEqual(try workspace.read("mark"), "-Tplain\n")
        }
    }

    @Test(arguments: ["exit 0", "printf '\\377\\376' >\"$3\""])
    func programWithoutTextFallsBack(_ script: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try writeDot(script, in: workspace)
            let own = try await draw(workspace)
            let result = try await draw(workspace, "--graphviz")
            expectFallback(result, own, in: workspace)
        }
    }

    @Test func unlaunchableProgramFallsBack() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("#!/nowhere/sh\n", to: "bin/dot")
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: workspace.path("bin/dot"))
            let own = try await draw(workspace)
            let result = try await draw(workspace, "--graphviz")
            expectFallback(result, own, in: workspace)
        }
    }

    @Test func folderNamedLikeTheProgramIsNoProgram() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try workspace.write("", to: "bin/dot/file")
            let result = try await draw(workspace, "--graphviz")
            expectEqual(result.exitCode, 1)
            expectEqual(
                result.errors,
                "error: there is no program 'dot' on the PATH; install Graphviz, or draw without --graphviz\n"
            )
            expectEqual(result.output, "")
        }
    }

    /// Graphviz prints warnings, for example of missing fonts, which must not be part of the picture.
    @Test func printedTextIsNotInThePicture() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try writeDot("echo hello; exit 3", in: workspace)
            let result = try await draw(workspace, "--graphviz")
            #expect(result.output.hasPrefix("<svg "))
        }
    }

    /// A single box has only one layout, of the size of the picture without its margins of 24 points.
    @Test func workingProgramIsUsed() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let own = try await draw(workspace)
            expectEqual(own.errors, "")
            let size = try #require(own.output.firstMatch(of: /<svg [^>]*width="(\d+)" height="(\d+)"/))
            let width = (try #require(Double(size.1)) - 48) / 72
            let height = (try #require(Double(size.2)) - 48) / 72
            try writeDot(
                """
                echo 'graph 1 \(width) \(height)
                node n0 \(width / 2) \(height / 2) \(width) \(height) "" solid box black lightgrey
                stop' >"$3"
                """,
                in: workspace
            )
            let result = try await draw(workspace, "--graphviz")
            expectEqual(try workspace.read("mark"), "-Tplain\n")
            expectEqual(result.errors, "")
            expectEqual(result.output, own.output)
        }
    }

    /// Installed programs do not change a picture.
    @Test func programIsNotUsedUnlessAskedFor() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try writeDot("exit 3", in: workspace)
            let result = try await draw(workspace)
            #expect(result.exitCode == 0 && result.errors == "")
            #expect(!workspace.exists("mark"))
        }
    }

    @Test(arguments: ["mermaid", "dot"])
    func otherFormatsDoNotRunGraphviz(_ format: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            try writeDot("exit 3", in: workspace)
            let result = try await workspace.chordata(
                "graph",
                "M.xcdatamodeld",
                "--format",
                format,
                path: workspace.path("bin")
            )
            expectEqual(result.exitCode, 0)
            expectEqual(result.errors, "")
            #expect(!workspace.exists("mark"))
        }
    }
}
