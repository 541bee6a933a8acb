import ChordataTestSupport
import Foundation
import Testing

/// The contents of `migrations.lock`, and data that must never be lost.
struct MigrationReleaseTests {
    private static let first = modelFile(entity("Person", attribute("name")))
    private static let second = modelFile(entity("Person", attribute("name"), attribute("mail")))
    private static let required = first.replacing("optional=\"YES\" ", with: "")
    private static let modified = first.replacing("<entity ", with: "<entity versionHashModifier=\"2\" ")
    private static let file = "Migrations/M/M to M 2.sql"
    private static let lock = "Migrations/M/migrations.lock"

    private func addVersion(_ workspace: Workspace, _ name: String, _ text: String) throws {
        try workspace.write(text, to: "M.xcdatamodeld/\(name).xcdatamodel/contents")
        try workspace.write(currentVersionFile(name), to: "M.xcdatamodeld/.xccurrentversion")
    }

    private func migrate(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
        try await Program.chordata.run(
            ["migrate", arguments[0], "M.xcdatamodeld"] + arguments.dropFirst(),
            in: workspace.folder
        )
    }

    /// A step without statements is released, and must not change, like any other.
    @Test(arguments: [(required, first), (first, modified)])
    func stepsWithoutStatementsAreReleased(_ old: String, _ new: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: old, new: new)
            let released = try await migrate(workspace, "new", "--release")
            #expect(released.output.hasSuffix("migration 'M to M 2.sql'\nreleased: version 'M 2'\n"), "\(released)")
            expectEqual(released.exitCode, 0)
            expectEqual(try await migrate(workspace, "check").exitCode, 0)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").errors, "")
            expectEqual(try await migrate(workspace, "verify").exitCode, 0)
            try workspace.write(try workspace.read(Self.file) + "-- More.\n", to: Self.file)
            #expect(try await migrate(workspace, "check").errors.contains("[CD0404]"))
        }
    }

    /// A released stage belongs to its step permanently.
    @Test func stagesAreReleased() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.required, new: Self.first)
            let staged = try await migrate(workspace, "new", "--stage", "M 2")
            #expect(staged.output.hasPrefix("wrote \(Self.file)\n"), "\(staged)")
            try addVersion(workspace, "M 3", Self.second)
            #expect(try await migrate(workspace, "new").output.contains("released: migration 'M to M 2.sql'"))
            try FileManager.default.removeItem(atPath: workspace.path(Self.file))
            let new = try await migrate(workspace, "new")
            #expect(new.errors.contains("'M to M 2.sql' is released but missing"))
            #expect(!workspace.exists(Self.file))
        }
    }

    /// A migration that was not released is not reported as released.
    @Test func nothingToReleaseIsAnError() async throws {
        try await withWorkspace { workspace in
            let number = modelFile(entity("Person", attribute("name", "Integer 64")))
            try workspace.writeModel("M", old: Self.first, new: number)
            let unwritten = try await migrate(workspace, "new", "--release")
            #expect(
                unwritten.errors.hasPrefix("error: version 'M 2' cannot be released, because the step from 'M' cannot")
            )
            expectEqual(unwritten.exitCode, 1)
            #expect(!workspace.exists(Self.file))
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            let empty = try await migrate(workspace, "new", "--release")
            expectEqual(
                empty.errors,
                "error: version 'M 2' cannot be released, because \(Self.file) has no statements yet; "
                    + "write them, or remove the file\n"
            )
            expectEqual(empty.exitCode, 1)
        }
    }

    /// Comments alone are not a migration if statements are needed.
    @Test func commentsInPlaceOfStatements() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            try workspace.write("-- Nothing.\n", to: Self.file)
            #expect(try await migrate(workspace, "check").errors.contains("[CD0407]"))
            try workspace.writeModel("M", old: Self.required, new: Self.first)
            #expect(try await !migrate(workspace, "check").errors.contains("[CD"))
        }
    }

    /// Line ends in values are not edits.
    @Test func lineEndsInDefaults() async throws {
        try await withWorkspace { workspace in
            let new = modelFile(
                entity(
                    "Person",
                    attribute("name"),
                    attribute("note", defaultValue: "a&#13;&#10;b").replacing("optional=\"YES\" ", with: "")
                )
            )
            try workspace.writeModel("M", old: Self.first, new: new)
            expectEqual(try await migrate(workspace, "new", "--release").exitCode, 0)
            #expect(try await !migrate(workspace, "check").errors.contains("[CD"))
            expectEqual(try await migrate(workspace, "new").output, "Nothing to write.\n")
        }
    }

    /// A value may look like the line that begins a stage.
    @Test func linesInQuotesAreNotStages() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            let add = "ALTER TABLE \"Person\" ADD COLUMN \"mail\" TEXT;\n"
            let update = "UPDATE \"Person\" SET \"mail\" = 'a\n-- stage\nb' /*\n-- stage\n*/;\n"
            try workspace.write(add + update, to: Self.file)
            let plan = try await migrate(workspace, "plan", "--format", "json")
            #expect(plan.output.contains("\"hasStage\":false"))
            expectEqual(try await migrate(workspace, "verify").exitCode, 0)
            try workspace.write(add + "-- stage\n" + update, to: Self.file)
            #expect(try await migrate(workspace, "plan", "--format", "json").output.contains("\"hasStage\":true"))
        }
    }

    /// If a version's name sorts first, or an older version becomes the current one again, no existing store could be
    /// opened.
    @Test func theCurrentVersionComesLast() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new", "--release").exitCode, 0)
            try addVersion(workspace, "Abc", Self.second)
            for command in [["migrate", "check"], ["validate"], ["generate", "--output", "Generated"]] {
                let result = try await Program.chordata.run(command + ["M.xcdatamodeld"], in: workspace.folder)
                #expect(
                    result.errors.hasPrefix(
                        "M.xcdatamodeld/.xccurrentversion:2:60: error: version 'M 2' is released and comes after 'Abc'"
                    )
                )
                #expect(result.errors.contains("[CD0404]"))
                expectEqual(result.exitCode, 1)
            }
            try FileManager.default.removeItem(atPath: workspace.path("M.xcdatamodeld/Abc.xcdatamodel"))
            try workspace.write(currentVersionFile("M"), to: "M.xcdatamodeld/.xccurrentversion")
            #expect(
                try await migrate(workspace, "check").errors.contains("version 'M 2' is released and comes after 'M'")
            )
            // Only the code of an older version is requested.
            try workspace.write(currentVersionFile("M 2"), to: "M.xcdatamodeld/.xccurrentversion")
            let old = try await workspace.chordata("generate", "M.xcdatamodeld", "--version", "M", "--output", "Old")
            expectEqual(old.exitCode, 0, "\(old.errors)")
        }
    }

    /// Branches that both add a version conflict in a single line.
    @Test func theLockNamesTheNewestVersion() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new", "--release").exitCode, 0)
            let released = try workspace.read(Self.lock)
            #expect(released.contains(/\nhead [0-9a-f]+ M 2\n$/), "\(released)")
            try addVersion(workspace, "M 3", Self.first)
            expectEqual(try await migrate(workspace, "check").exitCode, 2)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            let first = try workspace.read(Self.lock)
            #expect(first.contains(/\nhead [0-9a-f]+ M 3\n$/))
            expectEqual(first.split(separator: "\n").count { $0.hasPrefix("head ") }, 1)
            // The model of a version that is not released changes, and the line changes with it.
            try addVersion(workspace, "M 3", modelFile(entity("Person", attribute("nick"))))
            let check = try await migrate(workspace, "check")
            #expect(check.output.contains(Self.lock) && check.exitCode == 2)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            #expect(try workspace.read(Self.lock) != first)
            expectEqual(try await migrate(workspace, "check").exitCode, 0)
            // Files from before this line existed are valid.
            let lines = try workspace.read(Self.lock).split(separator: "\n").filter { !$0.hasPrefix("head ") }
            try workspace.write(lines.joined(separator: "\n") + "\n", to: Self.lock)
            expectEqual(try await migrate(workspace, "check").exitCode, 0)
            try workspace.write(first + "head 12 M 4\n", to: Self.lock)
            #expect(try await migrate(workspace, "check").errors.contains("[CD0405]"))
        }
    }

    /// Hand-written files are not discarded because of a name.
    @Test func orphanedFilesByHandAreErrors() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            let text = try workspace.read(Self.file)
            try workspace.write(text, to: "Migrations/M/M 2 to M 3.sql")
            let generated = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(generated.findings, ["Migrations/M/M 2 to M 3.sql:1: warning CD0408"])
            try workspace.write(text + "SELECT 1;\n", to: "Migrations/M/M 2 to M 3.sql")
            let byHand = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(byHand.findings, ["Migrations/M/M 2 to M 3.sql:1: error CD0408"])
        }
    }

    /// If a model or a folder is renamed, the migrations that no longer belong to a model are reported.
    @Test(arguments: [
        ("Migrations/N", "'Migrations/M'"), ("Migrations/m", "'Migrations/M'"), ("migrations/M", "'Migrations/M'"),
    ])
    func foldersOfNoModel(_ name: String, _ remedy: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            try workspace.write("", to: name + "/nothing")
            for file in try workspace.names(in: "Migrations/M") {
                try workspace.write(try workspace.read("Migrations/M/" + file), to: "\(name)/\(file)")
            }
            try FileManager.default.removeItem(atPath: workspace.path("Migrations/M"))
            let result = try await workspace.chordata("validate", "M.xcdatamodeld")
            expectEqual(result.findings, ["\(name)/:1: error CD0408"], "\(result)")
            #expect(result.errors.contains(remedy))
        }
    }

    /// Folders with that name may belong to other tools.
    @Test func foldersOfOtherPrograms() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            try workspace.write("CREATE TABLE t;", to: "migrations/2024/1 to 2.sql")
            try workspace.write("CREATE TABLE t;", to: "Migrations/Server/001.sql")
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").errors, "")
        }
    }

    /// A version is released together with its step, because otherwise the step's file could change.
    @Test func aLineThatIsMissing() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new", "--release").exitCode, 0)
            let lock = try workspace.read(Self.lock)
            let lines = lock.split(separator: "\n").filter { !$0.hasPrefix("migration ") }
            try workspace.write(lines.joined(separator: "\n") + "\n", to: Self.lock)
            let check = try await migrate(workspace, "check")
            expectEqual(check.findings, ["\(Self.lock):3: error CD0405"], "\(check)")
            #expect(
                check.errors.contains(
                    "version 'M 2' is released, but its migration 'M to M 2.sql' has no line in 'migrations.lock'"
                )
            )
            #expect(try await migrate(workspace, "new").output.contains("released: migration 'M to M 2.sql'"))
            expectEqual(try await migrate(workspace, "check").exitCode, 0)
        }
    }

    /// A name that would not be a single line of the lock on all systems is rejected.
    @Test func lineSeparatorsInNames() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.first)
            try addVersion(workspace, "M\u{2028}2", Self.second)
            let result = try await migrate(workspace, "new")
            #expect(result.errors.contains("give the version a name without control characters"), "\(result)")
            expectEqual(result.exitCode, 1)
        }
    }

    /// Hidden files are ignored, so a version whose migration file would be hidden is rejected.
    @Test func namesOfHiddenFiles() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.second)
            try workspace.write(Self.first, to: "M.xcdatamodeld/.M.xcdatamodel/contents")
            let result = try await migrate(workspace, "new")
            #expect(result.errors.contains("'.M to M.sql' would be a hidden file"), "\(result)")
            expectEqual(result.exitCode, 1)
        }
    }

    /// Levels apply to the diagnostics of `new` as they do to those of a build.
    @Test func levelsOfNew() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            try workspace.write(try workspace.read(Self.file), to: "Migrations/M/A to B.sql")
            #expect(try await migrate(workspace, "new").errors.contains("warning: the file does not belong to a step"))
            try workspace.writeLevels(["CD0408": "ignore"])
            expectEqual(try await migrate(workspace, "new").errors, "")
        }
    }

    /// Files that systems and editors create next to others are ignored.
    @Test func hiddenFiles() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.first, new: Self.second)
            expectEqual(try await migrate(workspace, "new").exitCode, 0)
            try workspace.write("lock", to: "Migrations/M/.#M to M 2.sql")
            try workspace.write("\u{0}\u{5}", to: "M.xcdatamodeld/._M 2.xcdatamodel/contents")
            let result = try await migrate(workspace, "check")
            #expect(result.exitCode == 0 && result.errors == "", "\(result)")
        }
    }
}
