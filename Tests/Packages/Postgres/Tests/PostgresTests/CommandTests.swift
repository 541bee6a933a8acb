import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres

/// The command line with connection strings.
@Suite(.serialized) struct CommandTests {
    /// Opens the store of version `M` in a schema, and inserts nodes.
    private func fill(_ schema: String, count: Int = 3) throws {
        let definition = ModelDefinition(name: "M", versionName: "M", model: try CommandModel.model())
        let container = try PersistentContainer(
            model: definition,
            postgres: PostgresConfiguration(TestServer.string, schema: schema)
        )
        let context = container.newContext()
        for index in 0..<count { _ = context.insert("Node", ["title": "\(index)", "rank": index]) }
        try context.save()
    }

    @Test func inspectAndMigrate() throws {
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 2)
            let schema = newSchemaName()
            try fill(schema)
            let server = [TestServer.string, "--schema", schema]
            let inspected = try Command.run(["inspect"] + server, in: folder)
            #expect(inspected.errors == "" && inspected.exitCode == 0)
            #expect(inspected.output.contains("Version: M\n") && inspected.output.contains("  Node: 3\n"))
            #expect(inspected.output.contains("give the model with --model"))
            let model = ["--model", "M.xcdatamodeld"]
            let status = try Command.run(["migrate", "status"] + server + model, in: folder)
            #expect(status.output == "Version: M\nPending: M → M 2\n" && status.exitCode == 2, "\(status)")
            for (option, remedy) in [("--dry-run", "pg_dump"), ("--backup", "pg_dump")] {
                let refused = try Command.run(["migrate", "run", option] + server + model, in: folder)
                #expect(refused.exitCode == 64 && refused.errors.contains(remedy), "\(refused)")
            }
            let run = try Command.run(["migrate", "run"] + server + model, in: folder)
            #expect(run.output == "Migrated M → M 2\n" && run.exitCode == 0, "\(run)")
            let after = try Command.run(["migrate", "status"] + server + model, in: folder)
            #expect(after.output == "Version: M 2\nNothing to migrate.\n" && after.exitCode == 0, "\(after)")
            let again = try Command.run(["migrate", "run"] + server + model, in: folder)
            #expect(again.output == "Nothing to migrate.\n" && again.exitCode == 0)
            // Columns that another program has changed are listed.
            _ = try TestServer.connection().rows("ALTER TABLE \"\(schema)\".\"Node\" ADD COLUMN other bigint")
            let drifted = try Command.run(["inspect"] + server + model, in: folder)
            #expect(drifted.output.contains("Schema drift:\n  'Node.other bigint' is not expected"), "\(drifted)")
            #expect(drifted.output.contains("Migrations:\n  M → M 2, "))
        }
    }

    /// The plan of a store on a server has the SQL for PostgreSQL, also if 'chordata.json' does not name such stores.
    @Test func planAndVerify() throws {
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 2)
            let schema = newSchemaName()
            try fill(schema)
            let model = "M.xcdatamodeld"
            let server = [TestServer.string, "--schema", schema]
            for isConfigured in [true, false] {
                if !isConfigured {
                    try FileManager.default.removeItem(at: folder.appending(path: "chordata.json"))
                }
                let plan = try Command.run(["migrate", "plan", model] + server, in: folder)
                #expect(plan.exitCode == 0 && plan.errors == "", "\(plan)")
                #expect(plan.output.contains("ALTER TABLE \"Node\" ADD COLUMN \"note\" text COLLATE \"C\""), "\(plan)")
                let json = try Command.run(["migrate", "plan", model, "--format", "json"] + server, in: folder)
                #expect(json.exitCode == 0 && json.output.contains(#"COLLATE \"C\""#), "\(json)")
                let verified = try Command.run(["migrate", "verify", model, TestServer.string], in: folder)
                #expect(verified.exitCode == 0 && verified.errors == "", "\(verified)")
                #expect(verified.output == "M → M 2, 6 objects: verified\n", "\(verified)")
            }
            let left = try TestServer.connection().rows(
                "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'chordata\\_verify\\_%'"
            )
            #expect(left == [["0"]])
            try CommandModel.write(to: folder, versionCount: 2)
            let run = ["migrate", "run"] + server + ["--model", model]
            #expect(try Command.run(run, in: folder).exitCode == 0)
            let done = try Command.run(["migrate", "plan", model] + server, in: folder)
            #expect(done.exitCode == 0 && done.output == "" && done.errors.contains("nothing to plan"), "\(done)")
        }
    }

    /// A mistake in the edited file for servers is found only on a server.
    @Test(arguments: [
        (#"UPDATE "Node" SET "title" = NULL;"#, "title"), (#"DROP INDEX "Node_rank";"#, "index of Node: CREATE INDEX"),
        (#"ALTER TABLE "Node" DROP CONSTRAINT "_fk_Node_parent";"#, "constraint of Node: _fk_Node_parent"),
    ])
    func verifyFindsWrongSQL(statement: String, problem: String) throws {
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 2)
            let new = try Command.run(["migrate", "new", "M.xcdatamodeld"], in: folder)
            #expect(new.exitCode == 0, "\(new)")
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            let file = folder.appending(path: try #require(names.first { $0.hasSuffix(".postgresql.sql") }))
            let text = try String(contentsOf: file, encoding: .utf8) + statement + "\n"
            try Data(text.utf8).write(to: file)
            let onFile = try Command.run(["migrate", "verify", "M.xcdatamodeld"], in: folder)
            #expect(onFile.exitCode == 0, "\(onFile)")
            let verified = try Command.run(["migrate", "verify", "M.xcdatamodeld", TestServer.string], in: folder)
            #expect(verified.exitCode == 1 && verified.output.contains("wrong\n"), "\(verified)")
            #expect(verified.output.contains(problem), "\(verified)")
        }
    }

    @Test func explain() throws {
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 1)
            let schema = newSchemaName()
            try fill(schema, count: 2_000)
            _ = try TestServer.connection().rows("ANALYZE \"\(schema)\".\"Node\"")
            func explain(_ arguments: String...) throws -> Command.Result {
                let server = ["explain", "M.xcdatamodeld", TestServer.string, "--schema", schema, "--entity", "Node"]
                return try Command.run(server + arguments, in: folder)
            }
            let indexed = try explain("--predicate", "rank == 3")
            #expect(indexed.exitCode == 0 && indexed.errors == "", "\(indexed)")
            #expect(indexed.output.contains("Values:\n  3\n") && indexed.output.contains("\"Node_rank\""), "\(indexed)")
            #expect(!indexed.output.contains("Remarks"))
            let scanned = try explain("--predicate", "title == 'a'", "--sort", "rank DESC")
            #expect(scanned.output.contains("Seq Scan on \"Node\" t0"))
            #expect(scanned.output.contains("a fetch index of Node on title would help"), "\(scanned)")
            let inMemory = try explain("--predicate", "title MATCHES 'a.*'")
            #expect(inMemory.output.contains("is evaluated in memory"), "\(inMemory)")
        }
    }

    /// Settings that libpq reads itself: environment variables, service files and password files.
    @Test func servicesAndVariables() throws {
        try withFolder { folder in
            let schema = newSchemaName()
            try fill(schema)
            let host = try #require(
                URLComponents(string: TestServer.string)?.queryItems?.first { $0.name == "host" }?.value
            )
            let service = "[test]\nhost=\(host)\nuser=chordata\ndbname=postgres\n"
            try Data(service.utf8).write(to: folder.appending(path: "services"))
            let environment = ["PGSERVICEFILE": folder.appending(path: "services").path]
            for string in ["service=test", "postgresql://?service=test", "postgres:///postgres?service=test"] {
                let result = try Command.run(
                    ["inspect", string, "--schema", schema],
                    in: folder,
                    environment: environment
                )
                #expect(result.exitCode == 0 && result.output.contains("Node: 3"), "\(string): \(result)")
            }
            let keywords = "host=\(host) dbname=postgres user=chordata"
            let result = try Command.run(["inspect", keywords, "--schema", schema], in: folder)
            #expect(result.exitCode == 0, "\(result)")
            let missing = try Command.run(["inspect", "service=none", "--schema", schema], in: folder)
            #expect(missing.exitCode == 1 && missing.errors.hasPrefix("error: "), "\(missing)")
        }
    }

    /// The password of a role, from a variable and from a file; `Scripts/postgres` has an access rule that asks for it.
    @Test func passwords() throws {
        let connection = try TestServer.connection()
        let role = "chordata_password"
        _ = try connection.rows("DROP ROLE IF EXISTS \(role)")
        _ = try connection.rows("CREATE ROLE \(role) LOGIN SUPERUSER PASSWORD 's3cret'")
        try withFolder { folder in
            let schema = newSchemaName()
            try fill(schema)
            let string = TestServer.string.replacing("user=chordata", with: "user=\(role)")
            let arguments = ["inspect", string, "--schema", schema]
            let refused = try Command.run(arguments, in: folder)
            #expect(refused.exitCode == 1 && refused.errors.contains("password"), "\(refused)")
            let given = try Command.run(arguments, in: folder, environment: ["PGPASSWORD": "s3cret"])
            #expect(given.exitCode == 0 && given.output.contains("Node: 3"), "\(given)")
            let wrong = try Command.run(arguments, in: folder, environment: ["PGPASSWORD": "wr0ng"])
            #expect(wrong.exitCode == 1 && !wrong.errors.contains("wr0ng"), "\(wrong)")
            let passwords = folder.appending(path: "passwords")
            try Data("*:*:*:\(role):s3cret\n".utf8).write(to: passwords)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: passwords.path)
            let read = try Command.run(arguments, in: folder, environment: ["PGPASSFILE": passwords.path])
            #expect(read.exitCode == 0, "\(read)")
        }
    }

    /// Invalid or unsupported arguments; no message contains the password.
    @Test func mistakes() throws {
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 1)
            let server = TestServer.string + "&password=s3cret"
            let model = ["--model", "M.xcdatamodeld"]
            let cases: [([String], String, Int32)] = [
                (["inspect", server], "Error: the store is on a server, so add --schema", 64),
                (["inspect", "a.sqlite", "--schema", "a"], "Error: --schema is for stores on a server", 64),
                (["inspect", server, "--schema", "no_such"], "error: store '", 1),
                (["inspect", server, "--schema", ""], "error: '' cannot be the name of a schema", 1),
                (["migrate", "status", server, "--schema", "no_such"] + model, "error: store '", 1),
                (["migrate", "run", server, "--schema", "no_such"] + model, "error: store '", 1),
                (
                    ["explain", "M.xcdatamodeld", server, "--schema", "no_such", "--entity", "Node"], "error: store '",
                    1
                ),
                (
                    ["explain", "M.xcdatamodeld", "--schema", "no_such", "--entity", "Node"],
                    "Error: --schema needs a store on a server", 64
                ),
                (
                    ["inspect", "postgresql://me:s3cret@127.0.0.1:1/a", "--schema", "a"], "error: store '127.0.0.1:1/a",
                    1
                ),
                (
                    ["migrate", "plan", server],
                    "Error: this argument must be the path of a model, but it is a connection string", 64
                ),
                (
                    ["migrate", "verify", server],
                    "Error: this argument must be the path of a model, but it is a connection string", 64
                ),
                (
                    ["migrate", "plan", "M.xcdatamodeld", server, "--schema", "a", "--from", "M"],
                    "Error: the plan begins with the version of the store", 64
                ),
                (
                    ["migrate", "plan", "M.xcdatamodeld", "--schema", "a"], "Error: --schema needs a store on a server",
                    64
                ),
                (
                    ["migrate", "plan", "M.xcdatamodeld", server], "Error: the store is on a server, so add --schema",
                    64
                ),
                (["migrate", "plan", "M.xcdatamodeld", server, "--schema", "no_such"], "error: store '", 1),
                (["migrate", "verify", "M.xcdatamodeld", "a"], "Error: the second argument must be a connection", 64),
                (["export", server, "--into", "a.sqlite"], "Error: this command works with stores in files", 64),
                (["copy", "a.sqlite", "b.sqlite"] + model, "Error: neither 'a.sqlite' nor 'b.sqlite' is", 64),
                (["copy", server, server, "--schema", "a"] + model, "Error: both stores are on servers", 64),
                (
                    ["copy", "a.sqlite", server, "--schema", "a"] + model, "error: store 'a.sqlite': there is no file",
                    1
                ),
                (["copy", "a.sqlite", server] + model, "Error: the store is on a server, so add --schema", 64),
            ]
            for (arguments, message, exitCode) in cases {
                let result = try Command.run(arguments, in: folder)
                #expect(result.errors.hasPrefix(message), "\(arguments): \(result)")
                #expect(result.exitCode == exitCode && result.output == "", "\(arguments): \(result)")
                #expect(!result.errors.contains("s3cret"))
            }
        }
    }
}
