import Chordata
import ChordataModel
import Foundation
import Testing

/// `chordata migrate` and `chordata inspect`.
struct MigrateTests {
    private static let old = modelFile(entity("Person", attribute("name"), attribute("age", "Integer 64")))
    private static let new = modelFile(
        entity("Person", attribute("fullName", was: "name"), attribute("age", "Integer 32"))
    )

    /// A workspace with the two versions of a model, and stores of either.
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
            #expect(result.exitCode == 0)
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
            #expect(plan.version == 1)
            let step = try #require(plan.steps.first)
            #expect(plan.steps.count == 1 && step.from == "M" && step.to == "M 2" && step.origin == "planned")
            #expect(step.steps.map(\.kind) == ["check", "renameColumn"])
            #expect(step.steps.map(\.dependsOnData) == [true, false])
            #expect(step.steps[1].reasons == ["attribute 'fullName' of 'Person' was called 'name'"])
        }
    }

    @Test func whatCannotBeInferredHasNoPlan() async throws {
        try await withWorkspace { workspace in
            let text = modelFile(entity("Person", attribute("age", "String")))
            try workspace.writeModel("M", old: Self.old, new: text)
            let result = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld")
            #expect(result.output == "-- 'M' to 'M 2' cannot be inferred\n")
            #expect(result.errors.contains("[CD0401]"))
            #expect(result.exitCode == 1)
            let back = try await chordata(workspace, "migrate", "plan", "M.xcdatamodeld", "--from", "M 2", "--to", "M")
            #expect(back.errors.contains("migrations go from a version to a later one"))
            #expect(back.exitCode == 64)
        }
    }

    /// A store of the old version gets to the new one by the commands alone.
    @Test func statusRunAndInspect() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let model = ["--model", "M.xcdatamodeld"]
            func run(_ arguments: String...) async throws -> Program.Result {
                try await Program.chordata.run(arguments + model, in: workspace.folder)
            }
            let pending = try await run("migrate", "status", "m.sqlite")
            #expect(pending.output == "Version: M\nPending: M → M 2\n", "\(pending.errors)")
            #expect(pending.exitCode == 2)
            let dry = try await run("migrate", "run", "m.sqlite", "--dry-run")
            #expect(dry.output == "Would migrate M → M 2\n", "\(dry.errors)")
            #expect(try await run("migrate", "status", "m.sqlite").exitCode == 2)
            let migrated = try await run("migrate", "run", "m.sqlite", "--backup", "--format", "json")
            #expect(migrated.output == #"{"version":1,"isDryRun":false,"migrated":[{"from":"M","to":"M 2"}]}"# + "\n")
            #expect(migrated.exitCode == 0)
            #expect(workspace.exists("m.sqlite.M.backup"))
            let current = try await run("migrate", "status", "m.sqlite", "--format", "json")
            #expect(current.output.contains(#""pending":[]"#))
            #expect(current.exitCode == 0)
            #expect(try await run("migrate", "run", "m.sqlite").output == "Nothing to migrate.\n")
            let inspection = try await chordata(workspace, "inspect", "m.sqlite")
            #expect(inspection.output.hasPrefix("Model: M\nVersion: M 2\nStore: "))
            #expect(inspection.output.contains("Objects:\n  Person: 3\nMigrations:\n  M → M 2, "))
            #expect(inspection.output.hasSuffix("Tables: as Chordata made them\n"))
            #expect(inspection.exitCode == 0)
            let printed = try await chordata(workspace, "inspect", "m.sqlite", "--format", "json").output
            #expect(printed.hasPrefix(#"{"version":1,"modelName":"M","versionName":"M 2","versionHash":""#))
            #expect(printed.contains(#","entities":[{"name":"Person","count":3}],"#))
            #expect(printed.contains(#","migrations":[{"from":"M","to":"M 2","#))
            #expect(printed.hasSuffix(#"}],"drift":[]}"# + "\n"))
        }
    }

    /// What stops a migration is told before one runs.
    @Test func statusTellsWhatSomebodyHasChanged() async throws {
        try await withStores { workspace in
            try makeStore(workspace)
            let connection = try SQLiteConnection(path: workspace.path("m.sqlite"), mode: .readWriteCreate)
            try connection.execute("ALTER TABLE Person ADD COLUMN nick TEXT")
            let change = "column 'nick' of 'Person' (TEXT) is not Chordata's"
            let status = ["migrate", "status", "m.sqlite", "--model", "M.xcdatamodeld"]
            let text = try await Program.chordata.run(status, in: workspace.folder)
            #expect(text.output == "Version: M\nChanged by somebody: \(change)\nPending: M → M 2\n")
            #expect(text.exitCode == 2)
            let json = try await Program.chordata.run(status + ["--format", "json"], in: workspace.folder)
            #expect(json.output.hasSuffix("],\"drift\":[\"\(change)\"]}\n"), "\(json.output)")
            let refused = try await chordata(workspace, "migrate", "run", "m.sqlite", "--model", "M.xcdatamodeld")
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("undo that ('chordata inspect m.sqlite' tells all of it)"))
        }
    }

    /// A store as a program leaves it whose model has the first version alone.
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
    func aStoreThatIsNotThere(_ arguments: [String]) async throws {
        try await withStores { workspace in
            let result = try await Program.chordata.run(arguments, in: workspace.folder)
            #expect(result.errors.hasPrefix("error: store 'none.sqlite': "))
            #expect(result.exitCode == 1)
            #expect(!workspace.exists("none.sqlite"))
        }
    }
}
