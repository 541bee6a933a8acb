import ChordataTestSupport
import Foundation
import Testing

/// The effects of `chordata format` on files, other than on their bytes, and on files that it cannot format.
struct FormatFileTests {
    private let file = "M.xcdatamodeld/M.xcdatamodel/contents"

    static let unreadable = ["Bad.xcdatamodeld", "NotAModel.xcdatamodel", "NoFile.xcdatamodeld", "missing"]

    @Test(arguments: unreadable, [[], ["--check"]])
    func unreadableFilePreventsAllWrites(_ bad: String, _ options: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            try workspace.writeModel("N", ModelText.unordered)
            try workspace.writeModel("Bad", ModelText.malformed)
            try workspace.write("<plist/>", to: "NotAModel.xcdatamodel/contents")
            try workspace.write("", to: "NoFile.xcdatamodeld/M.xcdatamodel/contents/in a folder")
            let result = try await Program.chordata.run(
                ["format"] + options + ["M.xcdatamodeld", bad, "N.xcdatamodeld"],
                in: workspace.folder
            )
            expectEqual(result.output, "")
            expectEqual(result.findings.count, 1)
            #expect(result.findings.allSatisfy { $0.hasPrefix(bad) && $0.contains(": error CD01") })
            expectEqual(result.exitCode, 1)
            expectEqual(try workspace.read(file), ModelText.unordered)
            expectEqual(try workspace.read("N.xcdatamodeld/N.xcdatamodel/contents"), ModelText.unordered)
        }
    }

    @Test(arguments: ["../../shared/contents", "$/shared/contents"])
    func aLinkStaysOne(_ target: String) async throws {
        try await withWorkspace { workspace in
            let target = target.replacing("$", with: workspace.folder.path)
            try workspace.write(ModelText.unordered, to: "shared/contents")
            try workspace.write("", to: "M.xcdatamodeld/M.xcdatamodel/layout")
            try FileManager.default.createSymbolicLink(atPath: workspace.path(file), withDestinationPath: target)
            let result = try await workspace.chordata("format", "M.xcdatamodeld")
            expectEqual(result.output, file + "\n")
            expectEqual(result.exitCode, 0)
            expectEqual(try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path(file)), target)
            expectEqual(try workspace.read("shared/contents"), ModelText.good)
            expectEqual(try workspace.names(in: "shared"), ["contents"])
        }
    }

    @Test func aLinkedBundleStaysOne() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            try FileManager.default.createSymbolicLink(
                atPath: workspace.path("L.xcdatamodeld"),
                withDestinationPath: "M.xcdatamodeld"
            )
            let result = try await workspace.chordata("format", "L.xcdatamodeld")
            expectEqual(result.output, "L.xcdatamodeld/M.xcdatamodel/contents\n")
            expectEqual(try workspace.read(file), ModelText.good)
            let target = try FileManager.default.destinationOfSymbolicLink(atPath: workspace.path("L.xcdatamodeld"))
            expectEqual(target, "M.xcdatamodeld")
        }
    }

    @Test(arguments: [0o600, 0o640, 0o755])
    func permissionsStay(_ permissions: Int) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            try FileManager.default.setAttributes(
                [.posixPermissions: permissions],
                ofItemAtPath: workspace.path(file)
            )
            expectEqual(try await workspace.chordata("format", "M.xcdatamodeld").output, file + "\n")
            let kept = try workspace.permissions(of: file)
            expectEqual(kept, permissions)
        }
    }

    @Test func formattingLeavesNoOtherFiles() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            _ = try await workspace.chordata("format", "M.xcdatamodeld")
            expectEqual(try workspace.names(in: "M.xcdatamodeld/M.xcdatamodel"), ["contents"])
            expectEqual(try workspace.names(in: "M.xcdatamodeld"), ["M.xcdatamodel"])
            expectEqual(try workspace.names(in: ""), ["M.xcdatamodeld"])
        }
    }

    @Test func repeatedFilesArePrintedOnce() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.unordered)
            let result = try await workspace.chordata("format", "M.xcdatamodeld", file, "M.xcdatamodeld/")
            expectEqual(result.exitCode, 0)
            expectEqual(try workspace.read(file), ModelText.good)
            expectEqual(result.output, file + "\n")
        }
    }

    @Test func aBundleWithoutVersionsIsAnError() async throws {
        try await withWorkspace { workspace in
            try workspace.write("", to: "M.xcdatamodeld/readme.txt")
            let result = try await workspace.chordata("format", "M.xcdatamodeld")
            expectEqual(result.findings, ["M.xcdatamodeld:1: error CD0107"])
            expectEqual(result.exitCode, 1)
        }
    }

    @Test func withoutAModelItIsWrongUsage() async throws {
        try await withWorkspace { workspace in
            let result = try await workspace.chordata("format", "--check")
            expectEqual(result.exitCode, 64)
            #expect(result.errors.contains("Usage: chordata format"))
        }
    }
}
