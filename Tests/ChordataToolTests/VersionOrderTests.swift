import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// The order of versions whose names are not in this order.
struct VersionOrderTests {
    private static let shop = modelFile(entity("Item", attribute("name")))
    private static let alpha = modelFile(entity("Item", attribute("title", was: "name"), attribute("price", "Double")))

    /// 'Shop' is older than 'Alpha', the current version.
    private func writeModel(_ workspace: Workspace) throws {
        try workspace.write(Self.shop, to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
        try workspace.write(Self.alpha, to: "Shop.xcdatamodeld/Alpha.xcdatamodel/contents")
        try workspace.write(currentVersionFile("Alpha"), to: "Shop.xcdatamodeld/.xccurrentversion")
    }

    private static let warning =
        "Shop.xcdatamodeld/.xccurrentversion:2:60: warning: version 'Shop' comes after the current version 'Alpha' when "
        + "versions are sorted by name, so its stores count as newer and are not opened; if it is older, set 'versions' in chordata.json, oldest first: "
        + "[\"Shop\", \"Alpha\"] [CD0119]\n"

    @Test func aVersionAfterTheCurrentOneIsReported() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            for command in [
                ["validate"], ["generate", "--output", "out"], ["migrate", "check"], ["migrate", "verify"],
            ] {
                let result = try await Program.chordata.run(command + ["Shop.xcdatamodeld"], in: workspace.folder)
                #expect(result.errors.hasPrefix(Self.warning), "\(result)")
                expectEqual(result.exitCode, 0)
            }
            let strict = try await workspace.chordata("validate", "Shop.xcdatamodeld", "--strict")
            expectEqual(strict.exitCode, 1)
            #expect(strict.errors.contains("error: version 'Shop' comes after the current version 'Alpha'"))
            try workspace.writeLevels(["CD0119": "ignore"])
            expectEqual(try await workspace.chordata("validate", "Shop.xcdatamodeld", "--strict").errors, "")
        }
    }

    /// A version after the current one is under development: it is reported as a remark, not as a warning.
    @Test func laterVersionsAreReportedAsRemarks() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", old: Self.shop, new: Self.alpha)
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld", "--strict").errors, "")
            try workspace.write(currentVersionFile("M"), to: "M.xcdatamodeld/.xccurrentversion")
            let result = try await workspace.chordata("validate", "M.xcdatamodeld", "--strict")
            expectEqual(
                result.errors,
                "M.xcdatamodeld/.xccurrentversion:2:60: remark: version 'M 2' comes after the current version 'M' when "
                    + "versions are sorted by name, so its stores count as newer and are not opened; when the last of "
                    + "these versions is finished, make it the current version [CD0119]\n"
            )
            expectEqual(result.exitCode, 0)
            // Stores of a version without changes to the tables can be opened.
            try workspace.write(Self.shop, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").errors, "")
            // Only the code of an older version is requested.
            try workspace.write(Self.alpha, to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
            try workspace.write(currentVersionFile("M 2"), to: "M.xcdatamodeld/.xccurrentversion")
            let older = try await workspace.chordata("generate", "M.xcdatamodeld", "--version", "M", "--output", "out")
            expectEqual(older.errors, "")
        }
    }

    @Test func manyVersions() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            for index in 1...6 {
                let text = modelFile(entity("Item", attribute("name"), attribute("x\(index)")))
                try workspace.write(text, to: "Shop.xcdatamodeld/Old \(index).xcdatamodel/contents")
            }
            let errors = try await workspace.chordata("validate", "Shop.xcdatamodeld").errors
            #expect(
                errors.contains(
                    "versions 'Old 1', 'Old 2', 'Old 3', 'Old 4' and 3 more come after the current version 'Alpha'"
                ),
                "\(errors)"
            )
            #expect(errors.contains("if they are older"))
            #expect(
                errors.contains(
                    "in chordata.json, oldest first: list all versions, with 'Alpha' after the versions that are older [CD0119]"
                )
            )
        }
    }

    // MARK: The list

    /// Makes a store as a program with the version 'Shop' would.
    private func makeStore(at path: String) throws {
        let name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
        let item = EntityDescription(name: "Item", attributes: [name])
        let model = ModelDefinition(
            name: "Shop",
            versionName: "Shop",
            model: try ManagedObjectModel(entities: [item])
        )
        _ = try PersistentContainer(model: model, path: path)
    }

    @Test func allCommandsUseTheListedOrder() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            let model = ["--model", "Shop.xcdatamodeld"]
            try makeStore(at: workspace.path("s.sqlite"))

            let refused = try await Program.chordata.run(["migrate", "run", "s.sqlite"] + model, in: workspace.folder)
            #expect(refused.errors.contains("this version is newer than 'Alpha'"), "\(refused)")
            expectEqual(refused.exitCode, 1)

            try workspace.write("{ \"versions\": [\"Shop\", \"Alpha\"] }", to: "chordata.json")
            expectEqual(try await workspace.chordata("validate", "Shop.xcdatamodeld", "--strict").errors, "")
            let plan = try await workspace.chordata("migrate", "plan", "Shop.xcdatamodeld")
            #expect(plan.output.contains("RENAME COLUMN \"name\" TO \"title\""))
            #expect(try await workspace.chordata("diff", "Shop.xcdatamodeld").output.contains("Shop"))
            let verify = try await workspace.chordata("migrate", "verify", "Shop.xcdatamodeld")
            expectEqual(verify.output, "Shop → Alpha, 6 objects: verified\n")
            expectEqual(try await workspace.chordata("migrate", "new", "Shop.xcdatamodeld", "--release").exitCode, 0)
            expectEqual(try workspace.names(in: "Migrations/Shop"), ["Shop to Alpha.sql", "migrations.lock"])
            expectEqual(try await workspace.chordata("migrate", "check", "Shop.xcdatamodeld").exitCode, 0)
            let status = try await Program.chordata.run(
                ["migrate", "status", "s.sqlite"] + model,
                in: workspace.folder
            )
            #expect(status.output.contains("Pending: Shop → Alpha"))
            let run = try await Program.chordata.run(["migrate", "run", "s.sqlite"] + model, in: workspace.folder)
            expectEqual(run.output, "Migrated Shop → Alpha\n", "\(run)")

            expectEqual(try await workspace.chordata("generate", "Shop.xcdatamodeld", "--output", "out").exitCode, 0)
            #expect(try workspace.read("out/Shop.swift").contains("versionOrder: [\"Shop\", \"Alpha\"],\n"))

            // Released versions in another order are an error that names the list.
            try workspace.write("{ \"versions\": [\"Alpha\", \"Shop\"] }", to: "chordata.json")
            let reversed = try await workspace.chordata("validate", "Shop.xcdatamodeld").errors
            #expect(reversed.contains("versions are ordered by 'versions' in chordata.json [CD0404]"), "\(reversed)")
            #expect(!reversed.contains("CD0119"))
        }
    }

    /// A list of versions states that versions after the current one are intended.
    @Test func listedLaterVersionsAreNotReported() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            try workspace.write("{ \"versions\": [\"Alpha\", \"Shop\"] }", to: "Shop.chordata.json")
            expectEqual(try await workspace.chordata("validate", "Shop.xcdatamodeld", "--strict").errors, "")
            expectEqual(try await workspace.chordata("validate", "Shop.xcdatamodeld/Shop.xcdatamodel").errors, "")
        }
    }

    static let wrong: [(list: String, message: String)] = [
        (
            "[\"Shop\"]",
            "1:3: error: 'versions' must list all versions of the model, oldest first, but 'Alpha' is missing; add it"
        ),
        (
            "[]",
            "1:3: error: 'versions' must list all versions of the model, oldest first, but 'Alpha', 'Shop' are "
                + "missing; add them"
        ),
        (
            "[\"Shop\", \"Alpha\", \"Beta\"]",
            "1:33: error: the model has no version 'Beta'; remove it, or correct the name"
        ),
        (
            "[\"Shop\", \"Alpho\", \"Alpha\"]",
            "1:24: error: the model has no version 'Alpho'; remove it, or correct the name"
        ),
        ("[\"Shop\", \"Alpho\"]", "1:24: error: the model has no version 'Alpho'; did you mean 'Alpha'?"),
        ("[\"Shop\", \"Alpha\", \"Shop\"]", "1:33: error: version 'Shop' is listed twice; remove one"),
    ]

    @Test(arguments: wrong)
    func aWrongList(_ row: (list: String, message: String)) async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            try workspace.write("{ \"versions\": \(row.list) }", to: "chordata.json")
            for command in [["validate"], ["generate", "--output", "out"], ["migrate", "plan"]] {
                let result = try await Program.chordata.run(command + ["Shop.xcdatamodeld"], in: workspace.folder)
                #expect(result.errors.contains("chordata.json:\(row.message) [CD0116]"), "\(result.errors)")
                expectEqual(result.exitCode, 1)
            }
        }
    }

    /// One file for several models cannot list the versions of one.
    @Test func aSharedConfiguration() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            try workspace.writeModel("Depot", Self.shop)
            let warning = try await workspace.chordata("validate", "Shop.xcdatamodeld").errors
            #expect(warning.contains("in Shop.chordata.json, oldest first: [\"Shop\", \"Alpha\"]"), "\(warning)")
            try workspace.write(
                "{ \"versions\": [\"Shop\", \"Alpha\"], \"migrations\": { \"gaps\": [] } }",
                to: "chordata.json"
            )
            let errors = try await workspace.chordata("validate", "Depot.xcdatamodeld").errors
            #expect(
                errors.contains(
                    "chordata.json:1:3: error: 'versions' are for one model, but this file is for 'Depot' and 'Shop'; "
                        + "write a separate configuration file for the model that needs the setting, such as 'Depot.chordata.json' [CD0116]"
                ),
                "\(errors)"
            )
            #expect(errors.contains("'gaps' are for one model"))
            try workspace.write("{ \"versions\": [\"Shop\", \"Alpha\"] }", to: "Shop.chordata.json")
            try FileManager.default.removeItem(atPath: workspace.path("chordata.json"))
            expectEqual(
                try await workspace.chordata("validate", "Shop.xcdatamodeld", "Depot.xcdatamodeld", "--strict").errors,
                ""
            )
        }
    }

    // MARK: Messages

    @Test func messagesExplainTheVersionOrder() async throws {
        try await withWorkspace { workspace in
            try writeModel(workspace)
            let names =
                "versions are ordered by name, unless 'versions' in chordata.json lists them, oldest first"
            let back = ["--from", "Shop", "--to", "Alpha"]
            for command in ["plan", "lint"] {
                let result = try await Program.chordata.run(
                    ["migrate", command, "Shop.xcdatamodeld"] + back,
                    in: workspace.folder
                )
                #expect(result.errors.hasSuffix("to a later one, and \(names)\n"), "\(result.errors)")
                expectEqual(result.exitCode, 64)
            }
            let plan = try await workspace.chordata("migrate", "plan", "Shop.xcdatamodeld")
            #expect(plan.errors.hasSuffix("there is no version before 'Alpha'; \(names)\n"))
            #expect(try await workspace.chordata("diff", "Shop.xcdatamodeld").errors.contains("(\(names))"))
            let stage = try await workspace.chordata("migrate", "new", "Shop.xcdatamodeld", "--stage", "Alpha")
            #expect(stage.errors.contains("'Alpha' is the first version, so there is no step to it; \(names)"))
            try workspace.write("{ \"versions\": [\"Alpha\", \"Shop\"] }", to: "chordata.json")
            let listed = try await Program.chordata.run(
                ["migrate", "plan", "Shop.xcdatamodeld"] + back,
                in: workspace.folder
            )
            #expect(listed.errors.hasSuffix("and versions are ordered by 'versions' in chordata.json\n"))
        }
    }
}
