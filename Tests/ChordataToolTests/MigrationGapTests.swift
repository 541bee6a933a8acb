import ChordataTestSupport
import Foundation
import Testing

/// Gaps in the history of a model that its configuration accepts.
struct MigrationGapTests {
    /// Versions, of which the second cannot be reached from the first by an inferred step.
    private static let texts = [
        modelFile(entity("Item", attribute("size"))), modelFile(entity("Item", attribute("size", "Integer 64"))),
        modelFile(entity("Item", attribute("size", "Integer 64"), attribute("name"))),
    ]

    private func writeModel(_ workspace: Workspace, count: Int = 3) throws {
        for (text, name) in zip(Self.texts, ["M", "M 2", "M 3"]).prefix(count) {
            try workspace.write(text, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
        }
        try workspace.write(currentVersionFile("M \(count)"), to: "M.xcdatamodeld/.xccurrentversion")
    }

    private func accept(_ gaps: String, in workspace: Workspace) throws {
        try workspace.write("{ \"migrations\": { \"gaps\": [\(gaps)] } }", to: "chordata.json")
    }

    private static let gap = "{ \"from\": \"M\", \"to\": \"M 2\" }"

    @Test func anAcceptedGapIsNotAFailure() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            let open = try await workspace.chordata("validate", "M.xcdatamodeld")
            #expect(open.errors.contains("warning: ") && open.errors.contains("[CD0401]"))
            let remedy =
                "accept the gap in chordata.json: {\"migrations\": {\"gaps\": [{\"from\": \"M\", \"to\": \"M 2\"}]}}"
            #expect(
                open.errors.contains(
                    "note: if no stores of 'M' or older versions remain, \(remedy)"
                ),
                "\(open.errors)"
            )
            let failed = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld")
            expectEqual(failed.exitCode, 1)
            #expect(failed.output.contains(remedy))

            try accept(Self.gap, in: workspace)
            for command in [
                ["validate", "--strict"], ["generate", "--strict", "--output", "out"], ["migrate", "check"],
                ["migrate", "lint", "--from", "M"],
            ] {
                let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
                expectEqual(result.errors, "", "\(command)")
                expectEqual(result.exitCode, 0)
            }
            let verify = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld")
            #expect(
                verify.output == """
                    M → M 3, 6 objects: not verified, because 'M' to 'M 2' is an accepted gap
                    M 2 → M 3, 6 objects: verified

                    """
            )
            expectEqual(verify.exitCode, 0)
            let json = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld", "--format", "json").output
            #expect(json.contains("\"outcome\":\"acceptedGap\",\"messages\":[\"'M' to 'M 2'\"]"))
            // The step still has no migration.
            expectEqual(try await workspace.chordata("migrate", "plan", "M.xcdatamodeld", "--from", "M").exitCode, 1)
            let new = try await workspace.chordata("migrate", "new", "M.xcdatamodeld")
            #expect(
                new.output.contains(
                    "did not write Migrations/M/M to M 2.sql: its step cannot be inferred and is an accepted gap in "
                        + "chordata.json; use --gaps to write it"
                )
            )
            expectEqual(try await workspace.chordata("migrate", "check", "M.xcdatamodeld").exitCode, 0)
        }
    }

    /// The step to the current version can be an accepted gap too: its author abandons the stores.
    @Test func theStepToTheCurrentVersion() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace, count: 2)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").exitCode, 1)
            try accept(Self.gap, in: workspace)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").errors, "")
            let verify = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld")
            expectEqual(verify.exitCode, 0)
            expectEqual(
                verify.errors,
                "remark: all older versions come before an accepted gap, so nothing was verified\n"
            )
            let release = try await workspace.chordata("migrate", "new", "M.xcdatamodeld", "--release")
            #expect(release.output.contains("released: version 'M 2'"), "\(release)")
            expectEqual(try await workspace.chordata("migrate", "check", "M.xcdatamodeld").exitCode, 0)
        }
    }

    static let wrong: [(gap: String, message: String)] = [
        ("{ \"from\": \"M\", \"to\": \"M 9\" }", "1:49: error: the model has no version 'M 9'; did you mean 'M 2'?"),
        (
            "{ \"from\": \"M\", \"to\": \"M 3\" }",
            "1:49: error: a gap must be between two consecutive versions, but 'M' is followed by 'M 2'; correct or "
                + "remove the gap"
        ),
        (
            "{ \"from\": \"M 3\", \"to\": \"M 2\" }",
            "1:51: error: a gap must be between two consecutive versions, but 'M 3' is the last version; correct or "
                + "remove the gap"
        ),
        (
            "{ \"from\": \"M 2\", \"to\": \"M 3\" }",
            "1:38: warning: the step from 'M 2' to 'M 3' has a migration, so it is not a gap; remove the step from 'gaps'"
        ),
    ]

    @Test(arguments: wrong)
    func aWrongGap(_ row: (gap: String, message: String)) async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            try accept(row.gap, in: workspace)
            for command in [["validate"], ["migrate", "check"], ["migrate", "verify"]] {
                let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
                #expect(result.errors.contains("chordata.json:\(row.message) [CD0116]"), "\(result.errors)")
            }
        }
    }

    /// A migration file closes a gap.
    @Test func migratedStepsAreNotGaps() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            try accept(Self.gap, in: workspace)
            expectEqual(try await workspace.chordata("migrate", "new", "M.xcdatamodeld", "--gaps").exitCode, 0)
            let file = "Migrations/M/M to M 2.sql"
            // A file whose statements are still to be written has its own diagnostic.
            #expect(!(try await workspace.chordata("validate", "M.xcdatamodeld").errors.contains("CD0116")))
            try workspace.write(try workspace.read(file) + "SELECT 1;\n", to: file)
            let errors = try await workspace.chordata("validate", "M.xcdatamodeld").errors
            #expect(errors.contains("the step from 'M' to 'M 2' has a migration, so it is not a gap"), "\(errors)")
        }
    }
}
