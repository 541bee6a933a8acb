import Chordata
import ChordataModel
import ChordataModelFile
import ChordataTestSupport
import Foundation
import Testing

/// Full-text indexes in the commands: `validate`, `schema`, `explain`, `inspect` and `migrate verify`.
struct FullTextTests {
    private func note(_ attributes: String..., fullText: String) -> String {
        let userInfo = #"<userInfo><entry key="fullText" value="\#(fullText)"/></userInfo>"#
        return modelFile(entity("Note", attributes.joined() + userInfo))
    }

    @Test func invalidUserInfoIsReportedAtItsPlace() async throws {
        for (fullText, problem) in [
            ("titel", "'titel' is not an attribute"), ("title,stars", "'stars' is a 'Integer 64'"),
            ("", "a name is missing"),
        ] {
            try await withWorkspace { workspace in
                try workspace.writeModel(
                    "M",
                    note(attribute("title"), attribute("stars", "Integer 64"), fullText: fullText)
                )
                let result = try await workspace.chordata("validate", "M.xcdatamodeld")
                #expect(
                    result.errors.contains("warning: 'fullText' of entity 'Note' gives no full-text index: \(problem)"),
                    "\(result)"
                )
                #expect(result.errors.contains("contents:4:"), "\(result)")
                #expect(!(try await workspace.chordata("schema", "M.xcdatamodeld").output).contains("fts5"))
            }
        }
    }

    @Test func schemaAndExplainShowTheIndex() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", note(attribute("title"), attribute("text"), fullText: "title, text"))
            expectEqual(try await workspace.chordata("validate", "M.xcdatamodeld").errors, "")
            let schema = try await workspace.chordata("schema", "M.xcdatamodeld").output
            #expect(schema.contains("TABLE \"_fulltext_Note\" USING fts5(\"title\", \"text\", content='Note'"))
            expectEqual(schema.components(separatedBy: "CREATE TRIGGER \"_fulltext_Note_").count, 4)
            let explain = ["explain", "M.xcdatamodeld", "--entity", "Note", "--matching"]
            let found = try await Program.chordata.run(explain + ["swift data*"], in: workspace.folder)
            #expect(found.output.contains("FULL TEXT (title, text) MATCHES \"swift data*\""), "\(found)")
            #expect(found.output.contains("SCAN _fulltext_Note VIRTUAL TABLE"), "\(found)")
            let malformed = try await Program.chordata.run(explain + ["swift OR"], in: workspace.folder)
            expectEqual(malformed.exitCode, 1)
            #expect(malformed.errors.contains("a word or phrase is missing here"), "\(malformed)")
        }
    }

    /// Stores of the older version are migrated to exactly the index of a new store.
    @Test func migrationsAreVerifiedAndStoresInspected() async throws {
        try await withWorkspace { workspace in
            let old = note(attribute("title"), attribute("text"), fullText: "title, text")
            try workspace.writeModel(
                "M",
                old: old,
                new: note(attribute("heading", was: "title"), attribute("text"), fullText: "heading")
            )
            let verified = try await workspace.chordata("migrate", "verify", "M.xcdatamodeld")
            expectEqual(verified.exitCode, 0, "\(verified)")
            let source = ModelBundleSource(
                path: "",
                versions: [.init(name: "M", file: .init(path: "contents", contents: Array(old.utf8)))]
            )
            let model = try #require(readModelBundle(source, version: nil).bundle?.versions[0].model)
            let store = workspace.path("store.sqlite")
            do {
                let container = try PersistentContainer(
                    model: ModelDefinition(name: "M", versionName: "M", model: model),
                    path: store
                )
                let context = container.newContext()
                EntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("a", forKey: "title")
                try await context.save()
            }
            let text = try await workspace.chordata("inspect", store)
            #expect(text.output.contains("Full-text indexes:\n  _fulltext_Note (title, text): 1\n"), "\(text)")
            #expect(text.output.contains("Tables: as Chordata created them"))
            let json = try await workspace.chordata("inspect", store, "--format", "json").output
            let index = #"{"name":"_fulltext_Note","columns":["title","text"],"count":1,"isComplete":true}"#
            #expect(json.contains("\"fullTextIndexes\":[\(index)]"), "\(json)")
            try workspace.writeModel("Other", note(attribute("title"), attribute("text"), fullText: "text"))
            let explained = try await workspace.chordata(
                "explain",
                "Other.xcdatamodeld",
                store,
                "--entity",
                "Note",
                "--matching",
                "a"
            )
            #expect(explained.output.contains("the store does not have the full-text index yet"), "\(explained)")
            let ran = try await workspace.chordata("migrate", "run", store, "--model", "M.xcdatamodeld")
            expectEqual(ran.exitCode, 0, "\(ran)")
            #expect(try await workspace.chordata("inspect", store).output.contains("_fulltext_Note (heading): 1\n"))
        }
    }
}
