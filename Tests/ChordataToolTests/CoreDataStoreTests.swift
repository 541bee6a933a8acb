import Chordata
import ChordataModel
import ChordataModelFile
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// `chordata import`, `export`, `model extract`, and `inspect` of stores of Core Data.
struct CoreDataStoreTests {
    private static let library = [
        entity(
            "Author",
            attribute("name"),
            attribute("born", "Date"),
            toMany("books", "Book", inverse: "author", isOrdered: true)
        ),
        entity("Book", attribute("title"), attribute("price", "Decimal"), toOne("author", "Author", inverse: "books")),
    ]

    /// Writes the model, with a newer version, and a store of the old version with a number of books.
    private static func prepare(_ workspace: Workspace, bookCount: Int = 3) throws {
        let old = modelFile(library[0], library[1])
        let new = modelFile(
            library[0],
            entity(
                "Book",
                attribute("name", was: "title"),
                attribute("price", "Decimal"),
                attribute("pages", "Integer 32"),
                toOne("author", "Author", inverse: "books")
            )
        )
        try workspace.writeModel("Library", old: old, new: new)
        try workspace.writeModel("Old", old)
        let source = ModelBundleSource(
            path: "",
            versions: [.init(name: "Library", file: .init(path: "contents", contents: Array(old.utf8)))]
        )
        let bundle = try #require(readModelBundle(source, version: nil).bundle)
        let definition = ModelDefinition(name: "Library", versionName: "Library", model: bundle.versions[0].model)
        let container = try PersistentContainer(model: definition, path: workspace.path("native.sqlite"))
        let context = container.newContext()
        let author = EntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("Zoë", forKey: "name")
        author.setValue(Date(timeIntervalSinceReferenceDate: 12), forKey: "born")
        for index in 0..<bookCount {
            let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("Book \(index)", forKey: "title")
            book.setValue(Decimal(string: "\(index).25"), forKey: "price")
            book.setValue(author, forKey: "author")
        }
        try context.save()
    }

    private static func chordata(_ workspace: Workspace, _ arguments: String...) async throws -> Program.Result {
        try await Program.chordata.run(arguments, in: workspace.folder)
    }

    private static func rows(_ workspace: Workspace, _ name: String, _ sql: String) throws -> [[SQLValue]] {
        try SQLiteConnection(path: workspace.path(name), mode: .readOnly).rows(sql)
    }

    @Test func wholeWay() async throws {
        try await withWorkspace { workspace in
            try Self.prepare(workspace)
            let exported = try await Self.chordata(
                workspace,
                "export",
                "native.sqlite",
                "--new",
                "core.sqlite",
                "--model",
                "Old.xcdatamodeld"
            )
            expectEqual(
                exported.output,
                "Exported to core.sqlite: 4 inserted, 0 updated, 0 deleted\n",
                "\(exported.errors)"
            )
            let inspection = try await Self.chordata(
                workspace,
                "inspect",
                "core.sqlite",
                "--model",
                "Library.xcdatamodeld"
            )
            #expect(inspection.output.hasPrefix("Store of Core Data: "), "\(inspection.errors)")
            #expect(
                inspection.output.contains(
                    "Version: 'Library', identified by the version hashes\nObjects:\n  Author: 1\n  Book: 3\nHistory: none\n"
                )
            )
            #expect(inspection.output.contains("Compared with 'Library': the same\n"))
            #expect(inspection.output.contains("Compared with 'Library 2':\n  version hashes that differ: Book\n"))
            #expect(inspection.output.hasSuffix("Invariants: kept\n") && inspection.exitCode == 0)
            let printed = try await Self.chordata(workspace, "inspect", "core.sqlite", "--format", "json").output
            let json = try #require(try JSONSerialization.jsonObject(with: Data(printed.utf8)) as? [String: Any])
            #expect(json["versionFoundBy"] as? String == "modelCache" && json["kind"] as? String == "coreData")

            let extracted = try await Self.chordata(workspace, "model", "extract", "core.sqlite", "-o", "Extracted")
            #expect(extracted.output == "Extracted.xcdatamodeld\n" && extracted.exitCode == 0, "\(extracted.errors)")
            expectEqual(try await Self.chordata(workspace, "validate", "Extracted.xcdatamodeld").exitCode, 0)
            let hashes = try await Self.chordata(workspace, "hash", "Old.xcdatamodeld").output
            expectEqual(try await Self.chordata(workspace, "hash", "Extracted.xcdatamodeld").output, hashes)

            // The store is imported at its own version, and migrated to the newer version by an inferred migration.
            let own = try await Self.chordata(workspace, "import", "core.sqlite", "--output", "own.sqlite")
            #expect(own.output.hasPrefix("Imported core.sqlite with the model in the store"), "\(own.errors)")
            #expect(own.output.hasSuffix("  Author: 1\n  Book: 3\n"))
            let migrated = try await Self.chordata(
                workspace,
                "import",
                "core.sqlite",
                "--output",
                "new.sqlite",
                "--model",
                "Library.xcdatamodeld"
            )
            expectEqual(
                migrated.output,
                "Imported core.sqlite at version 'Library' of Library.xcdatamodeld, migrated to 'Library 2'\n"
                    + "  Author: 1\n  Book: 3\n",
                "\(migrated.errors)"
            )
            expectEqual(
                try Self.rows(workspace, "new.sqlite", "SELECT name, price, pages FROM Book ORDER BY _id"),
                (0..<3).map { [.text("Book \($0)"), .text("\($0).25"), .null] }
            )

            try SQLiteConnection(path: workspace.path("own.sqlite"), mode: .readWriteCreate)
                .execute("UPDATE Book SET price = '9.5', _version = _version + 1 WHERE title = 'Book 1'")
            let changed = try await Self.chordata(
                workspace,
                "export",
                "own.sqlite",
                "--into",
                "core.sqlite",
                "--format",
                "json"
            )
            expectEqual(
                changed.output,
                #"{"version":1,"inserted":0,"updated":1,"deleted":0}"# + "\n",
                "\(changed.errors)"
            )
            expectEqual(
                try Self.rows(workspace, "core.sqlite", "SELECT ZPRICE, Z_OPT FROM ZBOOK WHERE ZTITLE = 'Book 1'"),
                [[.real(9.5), .integer(2)]]
            )
            let schema = try await Self.chordata(workspace, "schema", "Old.xcdatamodeld", "--core-data").output
            #expect(
                schema.contains(
                    "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, "
                        + "Z_FOK_AUTHOR INTEGER, ZPRICE DECIMAL, ZTITLE VARCHAR );\n"
                )
            )
        }
    }

    @Test func mistakes() async throws {
        try await withWorkspace { workspace in
            try Self.prepare(workspace)
            _ = try await Self.chordata(
                workspace,
                "export",
                "native.sqlite",
                "--new",
                "core.sqlite",
                "--model",
                "Old.xcdatamodeld"
            )
            for (arguments, code, message) in [
                (
                    ["import", "none", "-o", "x"], 1,
                    "error: store 'none': there is no file at this path; correct the path\n"
                ),
                (
                    ["import", "native.sqlite", "-o", "x"], 1,
                    "error: native.sqlite: is an SQLite database, but not a store of Core Data"
                ),
                (
                    ["import", "core.sqlite", "-o", "native.sqlite"], 1,
                    "error: native.sqlite: exists already; choose another path\n"
                ),
                (
                    ["import", "core.sqlite", "-o", "x", "--accept", "Nothing"], 1,
                    "error: core.sqlite: 'Nothing' is accepted as a loss"
                ),
                (
                    ["model", "extract", "core.sqlite", "-o", "Old"], 64,
                    "Error: Old.xcdatamodeld exists already; choose another path\n"
                ),
                (["export", "native.sqlite"], 64, "Error: give either --into or --new\n"),
                (
                    ["export", "native.sqlite", "--new", "x"], 64,
                    "Error: --new needs the model of the store; add --model\n"
                ),
                (
                    ["export", "core.sqlite", "--into", "core.sqlite"], 1,
                    "error: store 'core.sqlite': this is a store of Core Data;"
                ),
                (
                    ["export", "native.sqlite", "--into", "native.sqlite"], 1,
                    "error: native.sqlite: is an SQLite database, but not a store"
                ),
                (
                    ["inspect", "native.sqlite", "--model", "Old.xcdatamodeld"], 64,
                    "Error: --model is for stores of Core Data"
                ),
                (
                    ["export", "native.sqlite", "--new", "x", "--model", "Library.xcdatamodeld/Library 2.xcdatamodel"],
                    1,
                    "error: native.sqlite: has version 'Library', which the given model does not have"
                ),
            ] as [([String], Int32, String)] {
                let result = try await Program.chordata.run(arguments, in: workspace.folder)
                #expect(result.errors.hasPrefix(message), "\(arguments): \(result.errors)")
                #expect(result.exitCode == code && result.output == "", "\(arguments)")
                #expect(!workspace.exists("x"))
            }
        }
    }

    // MARK: Kills

    /// `kill -9` at a random moment of an import or an export: the result is absent or complete, and another run works.
    ///
    /// `CHORDATA_CONVERSION_KILLS` is the number of kills of each command, and `CHORDATA_CONVERSION_SEED` is the seed.
    @Test func killedConversions() async throws {
        let count: Int = setting("CHORDATA_CONVERSION_KILLS", small: 3)
        let seed: UInt64 = setting("CHORDATA_CONVERSION_SEED", small: 1)
        print("CoreDataStoreTests.killedConversions: seed \(seed)")
        var random = RandomDelays(seed: seed)
        try await withWorkspace { workspace in
            let bookCount = 1_000
            try Self.prepare(workspace, bookCount: bookCount)
            _ = try await Self.chordata(
                workspace,
                "export",
                "native.sqlite",
                "--new",
                "core.sqlite",
                "--model",
                "Old.xcdatamodeld"
            )
            try SQLiteConnection(path: workspace.path("native.sqlite"), mode: .readWriteCreate)
                .execute("UPDATE Book SET title = title || '!', _version = _version + 1")
            let original = try Data(contentsOf: URL(fileURLWithPath: workspace.path("core.sqlite")))
            let native = try Data(contentsOf: URL(fileURLWithPath: workspace.path("native.sqlite")))
            for arguments in [
                ["import", "core.sqlite", "-o", "out"],
                ["export", "native.sqlite", "--new", "out", "--model", "Old.xcdatamodeld"],
                ["export", "native.sqlite", "--into", "out"],
            ] {
                let isInto = arguments.contains("--into")
                let isImport = arguments[0] == "import"
                /// Returns the titles of the result, or `nil` if the file does not exist.
                func titles() throws -> Set<String>? {
                    guard workspace.exists("out") else { return nil }
                    let sql = isImport ? "SELECT title FROM Book" : "SELECT ZTITLE FROM ZBOOK"
                    let rows = try Self.rows(workspace, "out", sql)
                    expectEqual(try Self.rows(workspace, "out", "PRAGMA integrity_check"), [[.text("ok")]])
                    return Set(rows.map { if case .text(let text) = $0[0] { text } else { "" } })
                }
                let old = Set((0..<bookCount).map { "Book \($0)" })
                let complete = isImport ? old : Set(old.map { $0 + "!" })
                func reset() throws {
                    // Each export is recorded in the exported store as the base of the next one. A process that was
                    // killed leaves this record in the log.
                    for file in ["out", "native.sqlite"] {
                        for ending in ["", "-wal", "-shm", "-journal"] where workspace.exists(file + ending) {
                            try FileManager.default.removeItem(atPath: workspace.path(file + ending))
                        }
                    }
                    try native.write(to: URL(fileURLWithPath: workspace.path("native.sqlite")))
                    if isInto { try original.write(to: URL(fileURLWithPath: workspace.path("out"))) }
                }
                var (longest, kills, absent) = (Duration.milliseconds(200), 0, 0)
                // Run times vary: a run that ends before it is killed shortens the following delays.
                for _ in 0..<(8 * count) where kills < count {
                    try reset()
                    let child = try ChildProcess(Program.chordata.find(), arguments, in: workspace.folder)
                    let end = await child.waitUntilExit(killingAfter: random.next(below: longest))
                    let found = try titles()
                    #expect(found == complete || found == (isInto ? old : nil), "\(arguments), kill \(kills)")
                    guard end == .signal(SIGKILL) else {
                        #expect(end == .exit(code: 0) && found == complete)
                        longest = longest * 0.7
                        continue
                    }
                    kills += 1
                    longest = longest * 1.2
                    if found != complete {
                        absent += 1
                        let again = try await Program.chordata.run(arguments, in: workspace.folder)
                        expectEqual(again.exitCode, 0, "\(again.errors)")
                        expectEqual(try titles(), complete)
                    }
                }
                print("\(arguments[0]) \(arguments[2]): \(kills) kills, \(absent) before the end")
                #expect(absent > 0)
            }
        }
    }
}
