import ChordataTestSupport
import Foundation
import Testing

/// The published schema describes what the commands print, and rejects anything else.
struct DiagnosticsSchemaTests {
    private let schema: JSONSchema

    init() throws { schema = try JSONSchema("chordata-diagnostics.schema.json") }

    @Test func diagnosticsWithNotesFixItsAndChanges() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("Good", ModelText.loose)
            _ = try await workspace.chordata("generate", "Good.xcdatamodeld", "--output", "out")
            try workspace.write(try workspace.read("out/Good.swift") + "\n", to: "out/Good.swift")
            let outdated = try await workspace.chordata("check", "--format", "json").output
            expectEqual(try schema.problems(in: Data(outdated.utf8)), [])
            #expect(outdated.contains("\"changes\":[{"))

            try workspace.writeModel("Twice", modelFile(entity("Node", attribute("name"), attribute("name"))))
            let wrong = relationship("next").replacing("\"Node\"", with: "\"Nodf\"")
            try workspace.writeModel("Wrong", modelFile(entity("Node", wrong)))
            try workspace.write("{\"levels\": {}}", to: "chordata.json")

            for arguments in [
                ["check"], ["validate", "Good.xcdatamodeld", "Twice.xcdatamodeld", "Wrong.xcdatamodeld"],
            ] {
                let result = try await Program.chordata.run(arguments + ["--format", "json"], in: workspace.folder)
                expectEqual(try schema.problems(in: Data(result.output.utf8)), [], "\(arguments)")
                for part in ["\"notes\":[{", "\"fixIts\":[{", "\"location\":{", "CD0115"] {
                    #expect(result.output.contains(part), "\(arguments): the sample has \(part)")
                }
            }
        }
    }

    /// Each of these differs from a valid document in one place.
    @Test(arguments: [
        (#""version":1"#, #""version":2"#), (#""version":1,"#, ""), (#""id":"CD0217""#, #""id":"217""#),
        (#""severity":"warning""#, #""severity":"fatal""#), (#""line":5"#, #""line":0"#),
        (#""line":5"#, #""line":"5""#), (#""notes":[]"#, #""notes":{}"#), (#""notes":[]"#, #""notes":[1]"#),
        (#""fixIts":[]"#, #""fixIts":[],"more":1"#), (#""location":{"#, #""location":{"path":"a","#),
    ])
    func invalidDocuments(part: String, replacement: String) throws {
        let valid = """
            {"version":1,"diagnostics":[{"id":"CD0217","severity":"warning","message":"m",\
            "location":{"file":"f","line":5,"column":1},"notes":[],"fixIts":[]}]}
            """
        expectEqual(try schema.problems(in: Data(valid.utf8)), [])
        #expect(valid.contains(part))
        let invalid = valid.replacing(part, with: replacement)
        #expect(try schema.problems(in: Data(invalid.utf8)) != [], "\(invalid)")
    }
}
