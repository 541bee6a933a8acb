import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// `chordata migrate` and `chordata inspect`.
struct MigrateTests {
    private static let old = modelFile(entity("Person", attribute("name"), attribute("age", "Integer 64")))
    private static let new = modelFile(
        entity("Person", attribute("fullName", was: "name"), attribute("age", "Integer 32"))
    )

    /// Runs a test in a workspace with two versions of a model, for stores of either version.
    private func withStores(_ body: (Workspace) async throws -> Void) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.old, new: Self.new)
            try await body(workspace)
        }
    }

    private func chordata(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
        try await Program.chordata.run(arguments, in: workspace.folder)
    }

    @Test func planIsSQLToReview() async throws {
        try await withStores { workspace in
            let result = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld")
            #expect(
                result.output == """
                    -- 'M' to 'M 2'

                    -- attribute 'age' of 'Person' was Integer 64, is Integer 32 (may lose data)
                    CREATE TEMP TABLE "_check" ("isWrong" INTEGER CONSTRAINT \
                    "values of 'age' of 'Person' do not fit into Integer 32" CHECK (NOT "isWrong"));
                    INSERT INTO "_check" SELECT EXISTS (SELECT 1 FROM "Person" WHERE \
                    ("age" NOT BETWEEN -2147483648 AND 2147483647));
                    DROP TABLE temp."_check";

                    -- attribute 'fullName' of 'Person' was called 'name'
                    ALTER TABLE "Person" RENAME COLUMN "name" TO "fullName";

                    """
            )
            #expect(result.errors.contains("[CD0409]"))
            expectEqual(result.exitCode, 0)
        }
    }

    @Test func planAsJSON() async throws {
        struct Plan: Decodable {
            struct Step: Decodable {
                struct Part: Decodable {
                    var kind: String
                    var table: String
                    var reasons: [String]
                    var losesData: Bool
                    var dependsOnData: Bool
                    var statements: [String]
                }
                var from: String
                var to: String
                var origin: String
                var steps: [Part]
            }
            var version: Int
            var steps: [Step]
        }
        try await withStores { workspace in
            let result = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld", "--format", "json")
            let plan = try JSONDecoder().decode(Plan.self, from: Data(result.output.utf8))
            expectEqual(plan.version, 1)
            let step = try #require(plan.steps.first)
            #expect(plan.steps.count == 1 && step.from == "M" && step.to == "M 2" && step.origin == "planned")
            expectEqual(step.steps.map(\.kind), ["check", "renameColumn"])
            expectEqual(step.steps.map(\.dependsOnData), [true, false])
            expectEqual(step.steps[1].reasons, ["attribute 'fullName' of 'Person' was called 'name'"])
        }
    }

    @Test func uninferableMigrationsHaveNoPlan() async throws {
        try await withWorkspace { workspace in
            let text = modelFile(entity("Person", attribute("age", "String")))
            try workspace.writeModel("M", old: Self.old, new: text)
            let result = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld")
            expectEqual(result.output, "-- 'M' to 'M 2' cannot be inferred\n")
            #expect(result.errors.contains("[CD0401]"))
            expectEqual(result.exitCode, 1)
            let back = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld", "--from", "M 2", "--to", "M")
            #expect(back.errors.contains("migrations go from a version to a later one"))
            #expect(!back.errors.contains("Usage"))
            expectEqual(back.exitCode, 64)
            let nowhere = try await chordata(workspace, "migrate", "lint", "M.xcdatamodeld", "--from", "M", "--to", "M")
            expectEqual(nowhere.errors, "Error: migrations go from a version to a later one\n")
            expectEqual(nowhere.exitCode, 64)
        }
    }

    /// With a store, the plan begins with the version of the store.
    @Test func planOfAStore() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let plan = ["migrate", "plan", "M.xcdatamodeld"]
            func run(_ arguments: String...) async throws -> Program.Result {
                try await Program.chordata.run(plan + arguments, in: workspace.folder)
            }
            let whole = try await run()
            let ofStore = try await run("m.sqlite")
            #expect(ofStore.output == whole.output && ofStore.exitCode == 0, "\(ofStore)")
            let refused = try await run("m.sqlite", "--from", "M")
            #expect(refused.exitCode == 64 && refused.errors.contains("begins with the version of the store"))
            let backwards = try await run("m.sqlite", "--to", "M")
            #expect(backwards.exitCode == 0 && backwards.errors.contains("nothing to plan"), "\(backwards)")
            _ = try await chordata(workspace, "migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld")
            let done = try await run("m.sqlite", "--format", "json")
            #expect(done.exitCode == 0 && done.output.contains(#""steps":[]"#), "\(done)")
            #expect(done.errors.contains("the store has the version 'M 2', so there is nothing to plan"), "\(done)")
            let other = modelFile(entity("Other", attribute("x")))
            try workspace.writeModel("M", old: other, new: modelFile(entity("Other", attribute("y"))))
            let unknown = try await run("m.sqlite")
            #expect(unknown.exitCode == 1 && unknown.errors.hasPrefix("error: store 'm.sqlite'"), "\(unknown)")
        }
    }

    /// The commands alone migrate a store of the old version to the new version.
    @Test func statusRunAndInspect() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let model = ["--model", "M.xcdatamodeld"]
            func run(_ arguments: String...) async throws -> Program.Result {
                try await Program.chordata.run(arguments + model, in: workspace.folder)
            }
            let pending = try await run("migrate", "status", "m.sqlite")
            expectEqual(pending.output, "Version: M\nPending: M → M 2\n", "\(pending.errors)")
            expectEqual(pending.exitCode, 2)
            let dry = try await run("migrate", "run", "m.sqlite", "--dry-run")
            expectEqual(dry.output, "Would migrate M → M 2\n", "\(dry.errors)")
            expectEqual(dry.exitCode, 2)
            let dryJSON = try await run("migrate", "run", "m.sqlite", "--dry-run", "--format", "json")
            expectEqual(
                dryJSON.output,
                #"{"version":1,"isDryRun":true,"wouldMigrate":[{"from":"M","to":"M 2"}]}"# + "\n"
            )
            expectEqual(dryJSON.exitCode, 2)
            expectEqual(try await run("migrate", "status", "m.sqlite").exitCode, 2)
            let migrated = try await run("migrate", "run", "m.sqlite", "--backup", "--format", "json")
            expectEqual(migrated.output, #"{"version":1,"isDryRun":false,"migrated":[{"from":"M","to":"M 2"}]}"# + "\n")
            expectEqual(migrated.exitCode, 0)
            #expect(workspace.exists("m.sqlite.M.backup"))
            let current = try await run("migrate", "status", "m.sqlite", "--format", "json")
            #expect(current.output.contains(#""pending":[]"#))
            expectEqual(current.exitCode, 0)
            expectEqual(try await run("migrate", "run", "m.sqlite").output, "Nothing to migrate.\n")
            expectEqual(try await run("migrate", "run", "m.sqlite", "--dry-run").exitCode, 0)
            let inspection = try await chordata(workspace, "inspect", "m.sqlite")
            #expect(inspection.output.hasPrefix("Model: M\nVersion: M 2\nStore: "))
            #expect(inspection.output.contains("Objects:\n  Person: 3\nMigrations:\n  M → M 2, "))
            #expect(inspection.output.hasSuffix("Tables: as Chordata created them\n"))
            expectEqual(inspection.exitCode, 0)
            let printed = try await chordata(workspace, "inspect", "m.sqlite", "--format", "json").output
            #expect(printed.hasPrefix(#"{"version":1,"modelName":"M","versionName":"M 2","versionHash":""#))
            #expect(printed.contains(#","entities":[{"name":"Person","count":3}],"#))
            #expect(printed.contains(#","migrations":[{"from":"M","to":"M 2","#))
            #expect(printed.hasSuffix(#"}],"drift":[]}"# + "\n"))
        }
    }

    /// Stages of the program and changed migration files are reported.
    @Test func statusReportsStagesAndChangedFiles() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let status = ["migrate", "status", "m.sqlite", "--model", "M.xcdatamodeld"]
            expectEqual(try await chordata(workspace, "migrate", "new", "M.xcdatamodeld").exitCode, 0)
            expectEqual(
                try await chordata(workspace, "migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld").exitCode,
                0
            )
            let same = try await Program.chordata.run(status + ["--format", "json"], in: workspace.folder)
            #expect(same.output.contains("\"changedSinceRun\":[]"), "\(same)")
            let file = "Migrations/M/M to M 2.sql"
            try workspace.write(try workspace.read(file) + "DELETE FROM \"Person\";\n", to: file)
            let changed = try await Program.chordata.run(status, in: workspace.folder)
            expectEqual(
                changed.output,
                "Version: M 2\nMigration file changed since it ran: M → M 2\nNothing to migrate.\n",
                "\(changed)"
            )
            let json = try await Program.chordata.run(status + ["--format", "json"], in: workspace.folder)
            #expect(json.output.contains("\"changedSinceRun\":[{\"from\":\"M\",\"to\":\"M 2\"}]"))
            try workspace.write(
                Self.new.replacing("fullName", with: "wholeName"),
                to: "M.xcdatamodeld/M 3.xcdatamodel/contents"
            )
            try workspace.write(currentVersionFile("M 3"), to: "M.xcdatamodeld/.xccurrentversion")
            try workspace.write("-- stage\n", to: "Migrations/M/M 2 to M 3.sql")
            let staged = try await Program.chordata.run(status, in: workspace.folder)
            #expect(
                staged.output.hasSuffix(
                    "Pending: M 2 → M 3, has a Swift stage, so only your app can run it, not 'chordata migrate run'\n"
                ),
                "\(staged)"
            )
            let pending = try await Program.chordata.run(status + ["--format", "json"], in: workspace.folder)
            #expect(pending.output.contains("{\"from\":\"M 2\",\"to\":\"M 3\",\"hasStage\":true}"))
        }
    }

    /// A model with one version has no migrations, which is not an error.
    @Test func oneVersion() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", Self.old)
            for (command, key, rest) in [("plan", "steps", "plan"), ("verify", "migrations", "verify")] {
                let text = try await chordata(workspace, "migrate", command, "M.xcdatamodeld")
                expectEqual(text.errors, "remark: 'M' has no older version, so there is nothing to \(rest)\n")
                #expect(text.output == "" && text.exitCode == 0)
                let json = try await chordata(workspace, "migrate", command, "M.xcdatamodeld", "--format", "json")
                expectEqual(json.output, "{\"version\":1,\"diagnostics\":[],\"\(key)\":[]}\n")
                expectEqual(json.exitCode, 0)
            }
            let version = try await chordata(workspace, "migrate", "new", "M.xcdatamodeld/M.xcdatamodel")
            #expect(version.errors.contains("is a single version, which has no migrations"))
            expectEqual(version.exitCode, 1)
        }
    }

    /// JSON is printed for every model.
    @Test(arguments: [
        ["migrate", "check"], ["migrate", "lint"], ["migrate", "plan"], ["migrate", "verify"], ["schema"],
    ])
    func jsonOfModelsThatCannotBeRead(_ command: [String]) async throws {
        struct Document: Decodable {
            struct Found: Decodable { var id: String }
            var version: Int
            var diagnostics: [Found]
        }
        try await withWorkspace { workspace in
            func found() async throws -> (ids: [String], exitCode: Int32) {
                let arguments = command + ["M.xcdatamodeld", "--format", "json"]
                let result = try await Program.chordata.run(arguments, in: workspace.folder)
                expectEqual(result.errors, "")
                let document = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8))
                return (document.diagnostics.map(\.id), result.exitCode)
            }
            try workspace.writeModel("M", old: Self.old, new: ModelText.cyclic)
            let broken = try await found()
            #expect(broken.ids == ["CD0207"] && broken.exitCode == 1)
            // The diagnostics of loading the model are included.
            try workspace.writeModel("M", old: ModelText.good, new: ModelText.invalid)
            #expect(try await found().ids.contains("CD0212"))
        }
    }

    @Test func plansHaveDiagnosticsAndStepsOfReleasedFiles() async throws {
        try await withStores { workspace in
            expectEqual(try await chordata(workspace, "migrate", "new", "M.xcdatamodeld", "--release").exitCode, 0)
            let plan = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld", "--format", "json")
            #expect(
                plan.output.contains("\"origin\":\"released\"") && plan.output.contains("\"kind\":\"renameColumn\"")
            )
            try FileManager.default.removeItem(atPath: workspace.path("Migrations"))
            let planned = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld", "--format", "json")
            #expect(planned.output.hasPrefix("{\"version\":1,\"diagnostics\":[{\"id\":\"CD04"), "\(planned)")
            expectEqual(planned.errors, "")
        }
    }

    /// A path may end with the name of its link's target.
    @Test func pathsOfModelsThatEndWithDots() async throws {
        try await withStores { workspace in
            for (path, folder) in [("M.xcdatamodeld/.", ""), (".", "M.xcdatamodeld"), ("M.xcdatamodeld/./", "")] {
                let output = workspace.path("Generated")
                let result = try await workspace.chordata("generate", path, "--output", output, in: folder)
                expectEqual(result.exitCode, 0, "\(result)")
                expectEqual(try workspace.names(in: "Generated").first, "M+Entities0.swift")
            }
        }
    }

    /// The message names the kind of a file that is not a store.
    @Test func filesThatAreNotStores() async throws {
        try await withStores { workspace in
            let connection = try SQLiteConnection(path: workspace.path("core.sqlite"), mode: .readWriteCreate)
            try connection.execute("CREATE TABLE Z_METADATA (a); CREATE TABLE Z_PRIMARYKEY (a)")
            for (path, problem) in [
                ("M.xcdatamodeld", "this is a folder, not a store"),
                ("none.sqlite", "there is no file at this path; correct the path"),
                ("core.sqlite", "this is a store of Core Data; convert it with 'chordata import'"),
            ] {
                for command in [
                    // `inspect` can show the contents of Core Data stores.
                    path == "core.sqlite" ? [] : ["inspect"], ["migrate", "status", "--model", "M.xcdatamodeld"],
                    ["migrate", "run", "--model", "M.xcdatamodeld"],
                ] where !command.isEmpty {
                    let result = try await Program.chordata.run(command + [path], in: workspace.folder)
                    #expect(result.errors.hasPrefix("error: store '\(path)': \(problem)"), "\(result)")
                    expectEqual(result.exitCode, 1)
                }
            }
        }
    }

    /// A command that is stopped leaves no files, even if it is creating files at this moment.
    @Test(arguments: [SIGINT, SIGTERM])
    func verifyThatIsStopped(_ number: Int32) async throws {
        try await withStores { workspace in
            try FileManager.default.createDirectory(
                atPath: workspace.path("temporary"),
                withIntermediateDirectories: true
            )
            for milliseconds in stride(from: 0, through: 20, by: 10) {
                // If the command has ended before it is stopped, another is started.
                var status: Int32 = 0
                for _ in 0..<50 where status == 0 {
                    status = try await stopVerify(workspace, number, after: .milliseconds(milliseconds))
                }
                expectEqual(status, 128 + number)
                expectEqual(try workspace.names(in: "temporary"), [])
            }
        }
    }

    /// Starts a verification, and stops it some time after it has created its first store; returns its exit code.
    private func stopVerify(_ workspace: Workspace, _ number: Int32, after delay: Duration) async throws -> Int32 {
        let child = try ChildProcess(
            try Program.chordata.find(),
            ["migrate", "verify", "M.xcdatamodeld", "--objects", "10000"],
            in: workspace.folder,
            environment: ["TMPDIR": workspace.path("temporary"), "SWIFT_BACKTRACE": "enable=no"]
        )
        let end = Task { await child.waitUntilExit() }
        // The store is in a temporary folder, which the command removes when it ends.
        func hasStore() throws -> Bool {
            try workspace.names(in: "temporary").contains { folder in
                let path = workspace.path("temporary/" + folder)
                return (try? FileManager.default.contentsOfDirectory(atPath: path))?.isEmpty == false
            }
        }
        let deadline = ContinuousClock.now + .seconds(60)
        while try !hasStore(), ContinuousClock.now < deadline { await Task.yield() }
        try await Task.sleep(for: delay)
        kill(child.identifier, number)
        switch await end.value {
        case .exit(let code): return code
        case .signal(let signal): return signal
        }
    }

    /// Obstacles to a migration are reported before it runs.
    @Test func statusReportsSchemaDrift() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let connection = try SQLiteConnection(path: workspace.path("m.sqlite"), mode: .readWriteCreate)
            try connection.execute("ALTER TABLE Person ADD COLUMN nick TEXT")
            let change = "column 'nick' of 'Person' (TEXT) is not part of Chordata's schema"
            let status = ["migrate", "status", "m.sqlite", "--model", "M.xcdatamodeld"]
            let text = try await Program.chordata.run(status, in: workspace.folder)
            expectEqual(text.output, "Version: M\nSchema drift: \(change)\nPending: M → M 2\n")
            expectEqual(text.exitCode, 2)
            let json = try await Program.chordata.run(status + ["--format", "json"], in: workspace.folder)
            #expect(json.output.hasSuffix("],\"drift\":[\"\(change)\"]}\n"), "\(json.output)")
            let refused = try await chordata(workspace, "migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld")
            expectEqual(refused.exitCode, 1)
            #expect(refused.errors.contains("revert the changes ('chordata inspect m.sqlite' prints all details)"))
        }
    }

    /// Makes a store as a program whose model only has the first version leaves it.
    private func makeStore(_ workspace: Workspace) throws {
        let person = EntityDescription(
            name: "Person",
            attributes: [
                AttributeDescription(name: "name", attributeType: .string, isOptional: true),
                AttributeDescription(name: "age", attributeType: .integer64, isOptional: true),
            ]
        )
        let model = ModelDefinition(
            name: "M",
            versionName: "M",
            model: try ManagedObjectModel(entities: [person])
        )
        let context = try PersistentContainer(model: model, path: workspace.path("m.sqlite")).newContext()
        for number in 0..<3 {
            EntityDescription.insertNewObject(forEntityName: "Person", into: context).setValue(
                "\(number)",
                forKey: "name"
            )
        }
        try context.save()
    }

    @Test(arguments: [["migrate", "status", "none.sqlite", "--model", "M.xcdatamodeld"], ["inspect", "none.sqlite"]])
    func missingStoreFile(_ arguments: [String]) async throws {
        try await withStores { workspace in
            let result = try await Program.chordata.run(arguments, in: workspace.folder)
            #expect(result.errors.hasPrefix("error: store 'none.sqlite': "))
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("none.sqlite"))
        }
    }
}
