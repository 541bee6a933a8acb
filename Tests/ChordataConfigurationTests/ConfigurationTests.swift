import ChordataConfiguration
import ChordataDiagnostics
import ChordataTestSupport
import Foundation
import Testing

struct ConfigurationTests {
    private func read(_ text: String) throws -> Configuration {
        let read = readConfiguration(path: "chordata.json", contents: Array(text.utf8))
        expectEqual(renderText(read.diagnostics), "")
        return try #require(read.configuration)
    }

    @Test func goodFiles() throws {
        expectEqual(try read("{}"), Configuration())
        expectEqual(try read(" { } \r\n"), Configuration())
        expectEqual(try read("{\"diagnostics\": {}}"), Configuration())
        expectEqual(try read("{\"$schema\": \"https://example.com/schema.json\"}"), Configuration())
        expectEqual(
            try read("{ \"diagnostics\": { \"CD0217\": \"ignore\", \"CD0212\": \"error\" } }"),
            Configuration(diagnosticLevels: [.missingInverse: .ignore, .invalidDefault: .error])
        )
        expectEqual(
            try read("{\"diagnostics\": {\"CD0109\": \"warning\", \"CD0218\": \"remark\"}}"),
            Configuration(diagnosticLevels: [.unknownElement: .warning, .oneSidedInverse: .remark])
        )
        // This level is the default, so the setting has no effect, but it is not an error.
        expectEqual(
            try read("{\"diagnostics\": {\"CD0203\": \"error\"}}"),
            Configuration(diagnosticLevels: [.duplicateName: .error])
        )
        expectEqual(try read("{\"\\u0064iagnostics\": {\"CD0217\": \"\\u0069gnore\"}}").diagnosticLevels.count, 1)
    }

    @Test func versionsAndGaps() throws {
        let text =
            "{\"versions\": [\"Shop\", \"Alpha\"], \"migrations\": {\"gaps\": [{\"from\": \"Shop\", \"to\": \"Alpha\"}]}}"
        let configuration = try read(text)
        expectEqual(configuration.versions?.map(\.name), ["Shop", "Alpha"])
        expectEqual(configuration.migrationGaps.map { [$0.source.name, $0.destination.name] }, [["Shop", "Alpha"]])
        #expect(configuration.checkVersions(against: ["Alpha", "Shop"]).isEmpty)
        expectEqual(
            renderText(configuration.checkVersions(against: ["Alpha", "Shp", "Zoo"]).sortedByLocation()),
            """
            chordata.json:1:2: error: 'versions' must list all versions of the model, oldest first, but 'Shp', 'Zoo' are missing; add them [CD0116]
            chordata.json:1:15: error: the model has no version 'Shop'; did you mean 'Shp'? [CD0116]

            """
        )
        #expect(configuration.checkMigrationGaps(against: ["Shop", "Alpha"]).isEmpty)
        #expect(
            renderText(configuration.checkMigrationGaps(against: ["Shop", "Beta", "Alpha"])) == """
                chordata.json:1:80: error: a gap must be between two consecutive versions, but 'Shop' is followed by 'Beta'; correct or remove the gap [CD0116]

                """
        )
        #expect(
            renderText(configuration.checkMigrationGaps(against: ["Alpha", "Shop"])) == """
                chordata.json:1:80: error: a gap must be between two consecutive versions, but 'Shop' is the last version; correct or remove the gap [CD0116]

                """
        )
        expectEqual(
            renderText(configuration.checkMigrationGaps(against: ["Shop", "Alfa"])),
            """
            chordata.json:1:80: error: the model has no version 'Alpha'; correct the name, or remove the gap [CD0116]

            """
        )
    }

    // MARK: Levels

    private let error = Diagnostic(.duplicateName, "e", at: nil)
    private let warning = Diagnostic(.missingInverse, "w", at: nil)
    private let remark = Diagnostic(.unknownElement, "r", at: nil)

    private func severities(_ levels: [DiagnosticID: DiagnosticLevel], isStrict: Bool = false) -> [String] {
        let configuration = Configuration(diagnosticLevels: levels)
        return [error, warning, remark].applying(configuration, isStrict: isStrict)
            .map { "\($0.message) \($0.severity.rawValue)" }
    }

    @Test func levels() {
        expectEqual(severities([:]), ["e error", "w warning", "r remark"])
        expectEqual(severities([.missingInverse: .error]), ["e error", "w error", "r remark"])
        expectEqual(severities([.missingInverse: .remark]), ["e error", "w remark", "r remark"])
        expectEqual(severities([.missingInverse: .ignore]), ["e error", "r remark"])
        expectEqual(severities([.unknownElement: .warning]), ["e error", "w warning", "r warning"])
        expectEqual(severities([.unknownElement: .ignore, .missingInverse: .ignore]), ["e error"])
    }

    @Test func strictModeHasNoWarnings() {
        expectEqual(severities([:], isStrict: true), ["e error", "w error", "r remark"])
        expectEqual(severities([.missingInverse: .warning], isStrict: true), ["e error", "w error", "r remark"])
        expectEqual(severities([.missingInverse: .remark], isStrict: true), ["e error", "w remark", "r remark"])
        expectEqual(severities([.missingInverse: .ignore], isStrict: true), ["e error", "r remark"])
        expectEqual(severities([.unknownElement: .warning], isStrict: true), ["e error", "w error", "r error"])
    }

    @Test func errorsStayErrors() {
        // The severity of a diagnostic can differ from the default of its ID. If a pass has raised it to an error,
        // nothing would work, so a setting cannot lower it.
        let raised = Diagnostic(.migrationLosesData, "raised", at: nil, severity: .error)
        let eased = Diagnostic(.duplicateName, "eased", at: nil, severity: .warning)
        for level in DiagnosticLevel.allCases {
            let levels = Configuration(diagnosticLevels: [.migrationLosesData: level, .duplicateName: level])
            expectEqual([raised, error].applying(levels, isStrict: false), [raised, error])
        }
        let levels = Configuration(diagnosticLevels: [.duplicateName: .error])
        expectEqual([eased].applying(levels, isStrict: false).map(\.severity), [.error])
    }

    @Test func strictModeChangesOnlyTheSeverity() {
        let place = ChordataDiagnostics.SourceLocation(file: "m", line: 1, column: 2)
        let full = Diagnostic(
            .missingInverse,
            "w",
            at: place,
            notes: [Diagnostic.Note("n", at: place)],
            fixIts: [FixIt("f", at: place, length: 1, replacement: "x")]
        )
        var expected = full
        expected.severity = .error
        expectEqual([full].applying(Configuration(), isStrict: true), [expected])
    }

    // MARK: Schema

    /// The JSON schema for editors is generated from the definitions of the reader.
    ///
    /// `CHORDATA_RECORD=1 swift test --filter ConfigurationTests` rewrites it, and fails so that it is not mistaken for
    /// a test.
    @Test func schemaMatchesTheReader() throws {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
            .appending(path: "Sources/Chordata/Chordata.docc/Resources/chordata.schema.json")
        let text = schema()
        if ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil {
            try Data(text.utf8).write(to: file)
            Issue.record("recorded the schema; run again without CHORDATA_RECORD")
            return
        }
        expectEqual(try String(contentsOf: file, encoding: .utf8), text)
        let read = JSONReader.read(path: "schema", contents: Array(text.utf8))
        #expect(read.value != nil && read.diagnostics.isEmpty)
    }

    @Test func everyIDThatCanBeLoweredIsInTheSchema() {
        let text = schema()
        for id in DiagnosticID.allCases {
            expectEqual(text.contains("\"\(id.rawValue)\""), id.canBeLowered, "\(id)")
        }
    }

    private func words<Choice: CaseIterable & RawRepresentable<String>>(_: Choice.Type) -> String {
        Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    }

    private func schema() -> String {
        let levels = DiagnosticLevel.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        let ids = DiagnosticID.allCases.filter(\.canBeLowered).sorted { $0.rawValue < $1.rawValue }.map { id in
            // The name `missingInverse` becomes 'missing inverse'.
            let words = String(describing: id).map { $0.isUppercase ? " \($0.lowercased())" : String($0) }.joined()
            return """
                        "\(id.rawValue)": {
                          "description": "\(words); \(id.severity.rawValue) by default",
                          "$ref": "#/definitions/level"
                        }
                """
        }
        return """
            {
              "$schema": "http://json-schema.org/draft-07/schema#",
              "title": "Settings of Chordata for the models of a folder",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "$schema": { "type": "string" },
                "diagnostics": {
                  "description": "Levels of diagnostics by id; what is an error by itself stays one",
                  "type": "object",
                  "propertyNames": { "pattern": "^CD[0-9]{4}$" },
                  "additionalProperties": { "const": "error" },
                  "properties": {
            \(ids.joined(separator: ",\n"))
                  }
                },
                "access": {
                  "description": "Who may use the generated code; internal by default",
                  "enum": [\(words(AccessLevel.self))]
                },
                "imports": {
                  "description": "Modules that the generated code imports besides its own",
                  "type": "array",
                  "items": { "$ref": "#/definitions/identifier" }
                },
                "name": {
                  "description": "The name of the model in Swift and of the generated files, instead of the bundle's",
                  "$ref": "#/definitions/identifier"
                },
                "codegen": {
                  "description": "What becomes of entities whose model does not say which code they want; class by default",
                  "$ref": "#/definitions/codegen"
                },
                "optionality": {
                  "description": "The types of properties: those of the model (default), or those of the classes that Xcode generates",
                  "enum": [\(words(Optionality.self))]
                },
                "stores": {
                  "description": "The kinds of stores: postgresql adds SQL for stores on PostgreSQL servers to each migration",
                  "type": "array",
                  "items": { "enum": [\(words(StoreKind.self))] }
                },
                "entities": {
                  "description": "Settings of single entities, by name",
                  "type": "object",
                  "additionalProperties": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {
                      "codegen": { "$ref": "#/definitions/codegen" },
                      "class": {
                        "description": "The name of the class, instead of the model's",
                        "$ref": "#/definitions/identifier"
                      },
                      "module": {
                        "description": "The module that has the class already",
                        "$ref": "#/definitions/identifier"
                      }
                    }
                  }
                },
                "types": {
                  "description": "Swift types of Transformable attributes, by the class that the model names",
                  "type": "object",
                  "additionalProperties": { "type": "string" }
                },
                "versions": {
                  "description": "All versions of the model, oldest first, where their names do not decide the order",
                  "type": "array",
                  "items": { "type": "string" },
                  "uniqueItems": true
                },
                "migrations": {
                  "description": "What is known of the migrations of the model",
                  "type": "object",
                  "additionalProperties": false,
                  "properties": {
                    "gaps": {
                      "description": "Steps between two versions that nothing migrates, and that are accepted",
                      "type": "array",
                      "items": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["from", "to"],
                        "properties": {
                          "from": { "type": "string" },
                          "to": { "type": "string" }
                        }
                      }
                    }
                  }
                }
              },
              "definitions": {
                "level": { "enum": [\(levels)] },
                "codegen": { "enum": [\(words(CodeGenerationMode.self))] },
                "identifier": { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" }
              }
            }

            """
    }
}
