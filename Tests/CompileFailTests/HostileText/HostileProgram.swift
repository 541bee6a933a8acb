import ChordataDiagnostics
import ChordataMigrationFiles
import ChordataModel
import ChordataModelFile
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// A program with the code of many models, which checks that each text is where the model has it, and nowhere else.
struct HostileProgram {
    /// The values that the program must find in a model.
    private struct Expectation: Encodable {
        var text: String
        var literal: String
        var transformer: String
        var element: String
        var name: String
        var versionNames: [String]
        var model: String
        var table: String
        var oldSchema: [String]
    }

    private let models: [HostileModel]

    init(_ models: [HostileModel]) { self.models = models }

    /// Checks that the compiler reports no errors and no warnings for the complete code of the models.
    func check() async throws {
        try await inFolder { folder in
            var names: [String] = []
            for model in models { names += try write(model.generate(), to: folder, names.count) }
            try Data("struct Coded: Swift.Codable, Swift.Hashable, Swift.Sendable { var text: Swift.String }\n".utf8)
                .write(to: folder.appending(path: "Coded.swift"))
            let arguments = ["-frontend", "-typecheck"] + (try options) + names + ["Coded.swift"]
            let compiled = try await Program.run(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["swiftc"] + arguments,
                in: folder
            )
            expectEqual(compiled.code, 0, "\(compiled.text.prefix(8_000))")
        }
    }

    /// Compiles and runs a program with the parts of the models that it needs.
    func run() async throws {
        try await inFolder { folder in
            var names = ["main.swift", "Subjects.swift"]
            var expectations: [Expectation] = []
            var subjects = "import Chordata\n"
            for index in models.indices {
                var model = models[index]
                model.isWhole = false
                let result = model.generate()
                names += try write(result, to: folder, names.count)
                let bundle = try #require(result.bundle)
                let element = model.hasOwnElement ? "{ B\(model.number)Model.C\(model.number)().element }" : "nil"
                expectations.append(try expectation(model, bundle))
                subjects += """
                    extension \(model.className): Subject {
                        static func insert(into context: Chordata.ManagedObjectContext) -> \(model.className) { .init(context: context) }
                    }
                    func check\(index)() throws {
                        let model = B\(model.number)Model.definition
                        try check(\(model.className).self, model, B\(model.number)Model.schema, element: \(element), \(index))
                    }

                    """
            }
            subjects += "func checkAll() throws {\n\(models.indices.map { "    try check\($0)()\n" }.joined())}\n"
            try Data(subjects.utf8).write(to: folder.appending(path: "Subjects.swift"))
            try Data(mainText.utf8).write(to: folder.appending(path: "main.swift"))
            try Data(encode(expectations).utf8).write(to: folder.appending(path: "expected.json"))
            let arguments =
                ["-wmo", "-num-threads", "2", "-Onone", "-lsqlite3", "-o", "hostile"] + (try options) + (try objects)
                + names
            let compiled = try await Program.run(
                URL(fileURLWithPath: "/usr/bin/env"),
                ["swiftc"] + arguments,
                in: folder
            )
            try #require(compiled.code == 0, "\(compiled.text.prefix(8_000))")
            let result = try await Program.run(folder.appending(path: "hostile"), [], in: folder)
            expectEqual(result.text, "\(expectations.count) models have their texts\n")
            expectEqual(result.code, 0)
        }
    }

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-hostile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system deletes temporary files.
        try await body(folder)
    }

    /// Writes the files of a model under other names, because their own names are those of the models, some of which
    /// differ only in case.
    private func write(_ result: HostileModel.Result, to folder: URL, _ number: Int) throws -> [String] {
        #expect(!result.files.isEmpty, "\(result.diagnostics.filter { $0.severity == .error }.map(\.message))")
        return try result.files.enumerated().map { index, file in
            let name = "File\(number + index).swift"
            try Data(file.contents.utf8).write(to: folder.appending(path: name))
            return name
        }
    }

    private func expectation(_ model: HostileModel, _ bundle: ModelBundle) throws -> Expectation {
        Expectation(
            text: model.texts[.stringDefault] ?? "text",
            literal: model.texts[.predicateLiteral] ?? "text",
            transformer: model.texts[.transformerName] ?? "NSSecureUnarchiveFromData",
            element: model.texts[.elementDefault] ?? "element",
            name: bundle.name,
            versionNames: bundle.versions.map(\.name).sorted(),
            model: try encode(bundle.currentVersion.model),
            table: try #require(makeSchemaMapping(of: bundle.currentVersion.model).entities.first?.tableName),
            oldSchema: renderSchema(makeSchemaMapping(of: bundle.versions[0].model))
        )
    }

    // MARK: The compiler

    private var options: [String] {
        get throws {
            [
                "-swift-version", "6", "-warnings-as-errors", "-module-name", "Hostile", "-I",
                try Program.product("Modules").path,
                "-Xcc", "-fmodule-map-file=\(try Program.product("CChordataSQLite.build/module.modulemap").path)",
            ]
        }
    }

    /// The object files to link.
    private var objects: [String] {
        get throws {
            let modules = [
                "Chordata", "ChordataModel", "ChordataPredicate", "ChordataSQL", "CChordataSQLite",
                "OrderedCollections",
                "InternalCollectionsUtilities",
            ]
            return try modules.flatMap { module in
                let folder = try Program.product("\(module).build")
                let objects = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                    .filter { $0.pathExtension == "o" }
                // The folder of a Swift module has a list of its sources; object files of removed sources remain in the
                // folder.
                let list = folder.appending(path: "sources")
                guard FileManager.default.fileExists(atPath: list.path) else { return objects.map(\.path) }
                let sources = try String(contentsOf: list, encoding: .utf8).split(separator: "\n")
                    .map { URL(fileURLWithPath: $0.trimmingCharacters(in: ["'"])).lastPathComponent }
                return objects.filter { sources.contains($0.deletingPathExtension().lastPathComponent) }.map(\.path)
            }
        }
    }

    private func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// The code of the program, which checks each model.
private let mainText = """
    import CChordataSQLite
    import Chordata
    import Foundation

    /// What no text may run, and no text can, because this does not compile where it is named.
    @available(*, unavailable, message: "text has become code")
    @discardableResult func canary() -> Swift.String { "" }

    struct Coded: Swift.Codable, Swift.Hashable, Swift.Sendable { var text: Swift.String }

    struct Expectation: Swift.Decodable {
        var text: Swift.String
        var literal: Swift.String
        var transformer: Swift.String
        var element: Swift.String
        var name: Swift.String
        var versionNames: [Swift.String]
        var model: Swift.String
        var table: Swift.String
        var oldSchema: [Swift.String]
    }

    protocol Subject: Chordata.ManagedObject {
        var text: Swift.String { get set }
        var coded: Coded? { get set }
        static func byText() -> Chordata.FetchRequest<Self>
        static func insert(into context: Chordata.ManagedObjectContext) -> Self
    }

    nonisolated(unsafe) var failures = 0
    let expectations = try Foundation.JSONDecoder().decode([Expectation].self, from: Foundation.Data(contentsOf: Foundation.URL(fileURLWithPath: "expected.json")))

    func expect(_ condition: Swift.Bool, _ message: Swift.String, _ index: Swift.Int) {
        guard !condition else { return }
        failures += 1
        print("\\(index): \\(message)")
    }

    /// Equal scalar by scalar, not only for a reader.
    func same(_ left: Swift.String?, _ right: Swift.String) -> Swift.Bool {
        left.map { $0.unicodeScalars.elementsEqual(right.unicodeScalars) } ?? false
    }

    func check<S: Subject>(_ type: S.Type, _ definition: Chordata.ModelDefinition, _ schema: Swift.String, element: (() -> Swift.String?)?, _ index: Swift.Int) throws {
        let expected = expectations[index]
        expect(same(definition.name, expected.name), "the name of the model", index)
        expect(definition.versionNames.values.sorted() == expected.versionNames, "the names of the versions", index)
        let encoder = Foundation.JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        expect(same(Swift.String(decoding: try encoder.encode(definition.model), as: Swift.UTF8.self), expected.model), "the model", index)
        if let element { expect(same(element(), expected.element), "the default of a composite's element", index) }

        Chordata.AttributeTransformer<Coded>(encode: { Foundation.Data($0.text.utf8.reversed()) }, decode: { Coded(text: Swift.String(decoding: $0.reversed(), as: Swift.UTF8.self)) })
            .register(forName: expected.transformer)
        let container = try Chordata.PersistentContainer(model: definition, path: ":memory:")
        let context = container.newContext()
        let object = S.insert(into: context)
        expect(same(object.text, expected.text), "the default of an attribute", index)
        object.text = expected.literal
        object.coded = Coded(text: expected.text)
        _ = S.insert(into: context)
        try context.save()
        let other = container.newContext()
        let found = try other.fetch(S.byText())
        expect(found.contains { same($0.text, expected.literal) }, "the text in a predicate", index)
        expect(found.count == (same(expected.text, expected.literal) ? 2 : 1), "more or less than the text in a predicate", index)
        expect(found.contains { same($0.coded?.text, expected.text) }, "the name of a transformer", index)

        // The schema and the migration, on a database that has something to lose.
        let migrated = Database()
        migrated.run("CREATE TABLE canary (x); INSERT INTO canary VALUES (1)", index)
        for statement in expected.oldSchema { migrated.run(statement, index) }
        migrated.run("INSERT INTO \\"\\(expected.table)\\" (_id, _version) VALUES (7, 1)", index)
        for step in definition.migrations { migrated.run(step.sql, index) }
        expect(definition.migrations.count == 1, "the number of migrations", index)
        expect(migrated.texts("SELECT count(*) || sum(x) FROM canary") == ["11"], "a statement has run", index)
        migrated.run("DROP TABLE canary", index)
        let values = migrated.texts("SELECT text FROM \\"\\(expected.table)\\" WHERE _id = 7 AND _version = 1")
        expect(values.count == 1 && same(values[0], expected.text), "the default in a migration: \\(values)", index)
        let fresh = Database()
        fresh.run(schema, index)
        let names = "SELECT type || ' ' || name FROM sqlite_schema ORDER BY 1"
        expect(migrated.texts(names) == fresh.texts(names), "what a migration leaves: \\(migrated.texts(names)), not \\(fresh.texts(names))", index)
        let isPlain = fresh.texts(names).allSatisfy { $0.wholeMatch(of: /[A-Za-z0-9_ ]+/) != nil }
        expect(isPlain, "the names in a store: \\(fresh.texts(names))", index)
    }

    struct Database: ~Swift.Copyable {
        private var handle: Swift.OpaquePointer?

        init() { Swift.precondition(sqlite3_open(":memory:", &handle) == SQLITE_OK) }
        deinit { sqlite3_close(handle) }

        func run(_ sql: Swift.String, _ index: Swift.Int) {
            expect(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\\(Swift.String(cString: sqlite3_errmsg(handle))): \\(sql)", index)
        }

        func texts(_ sql: Swift.String) -> [Swift.String] {
            var statement: Swift.OpaquePointer?
            Swift.precondition(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK)
            var texts: [Swift.String] = []
            while sqlite3_step(statement) == SQLITE_ROW {
                let bytes = Swift.UnsafeRawBufferPointer(start: sqlite3_column_text(statement, 0), count: Swift.Int(sqlite3_column_bytes(statement, 0)))
                texts.append(Swift.String(decoding: bytes, as: Swift.UTF8.self))
            }
            sqlite3_finalize(statement)
            return texts
        }
    }

    try checkAll()
    print(failures == 0 ? "\\(expectations.count) models have their texts" : "\\(failures) failures")
    exit(failures == 0 ? 0 : 1)
    """
