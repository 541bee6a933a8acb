import ChordataConfiguration
import ChordataDiagnosticPages
import ChordataDiagnostics
import ChordataTestSupport
import Foundation
import Testing

/// The examples give the diagnostics that their pages describe.
///
/// `CHORDATA_RECORD=1 swift test --filter ChordataDiagnosticPagesTests` writes the output into the pages, and fails so
/// that it is not mistaken for a test.
struct ExampleTests {
    @Test(arguments: DiagnosticID.allCases)
    func exampleReportsOnlyItsDiagnostic(_ id: DiagnosticID) throws {
        let page = try page(of: id)
        let example = try page.example(in: "Example")
        let found = try run(example.files, of: id)
        #expect(!found.isEmpty)
        for diagnostic in found { expectEqual(diagnostic.id, id, "\(renderText([diagnostic]))") }
        #expect(found.allSatisfy { $0.severity == id.severity })
        let output = try #require(example.output, "add 'This gives:' and an empty block, and record")
        if ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil {
            let recorded = page.markdown.replacing("```\n\(output)```\n", with: "```\n\(renderText(found))```\n")
            try Data(recorded.utf8).write(to: manualFolder.appending(path: "\(page.id).md"))
            Issue.record("recorded the output; run again without CHORDATA_RECORD")
        } else {
            expectEqual(output, renderText(found), "record again")
        }
    }

    @Test(arguments: DiagnosticID.allCases)
    func correctedExampleReportsNoDiagnostics(_ id: DiagnosticID) throws {
        let example = try page(of: id).example(in: "Corrected example")
        #expect(!example.files.isEmpty && example.output == nil)
        let found = try run(example.files, of: id)
        #expect(found.isEmpty, "\(renderText(found))")
    }

    @Test(arguments: DiagnosticID.allCases)
    func levelIsThatOfTheDiagnostic(_ id: DiagnosticID) throws {
        let section = try Array(page(of: id).section("Level"))
        let severity = "\(id.severity == .error ? "an" : "a") \(id.severity.rawValue)"
        let exceptions = exceptions[id].map { [PageBlock.paragraph($0)] } ?? []
        guard id.canBeLowered else {
            let rule =
                "`chordata.json` cannot lower its level, because Chordata cannot generate correct code in this case."
            expectEqual(section, [.paragraph("It is \(severity). \(rule)")] + exceptions)
            return
        }
        let others = ["error", "warning", "remark", "ignore"].filter { $0 != id.severity.rawValue }.map { "`\($0)`" }
        let rule = "`chordata.json` can make \(others[0]), \(others[1]) or \(others[2]):"
        let configuration = """
            {
              "diagnostics": {
                "\(id.rawValue)": "\(id.severity == .error ? "warning" : "ignore")"
              }
            }

            """
        expectEqual(section, [.paragraph("It is \(severity), which \(rule)"), .code(configuration)] + exceptions)
    }

    /// Additional sentences about the level of diagnostics whose severity differs in some cases.
    private var exceptions: [DiagnosticID: String] {
        let warning = "it is a warning, which `chordata.json` can make `error`, but cannot lower."
        let error = "it is an error, which `chordata.json` cannot lower."
        let otherWarning = "it is a warning, to which the setting applies too."
        return [
            .redeclaredProperty: "If only other settings of the two properties differ, \(warning)",
            .invalidConfigurationValue: "For an entry of `gaps` for a step that has a migration, \(warning)",
            .indistinguishableVersions: "For a step to a version before the current version, \(warning)",
            .unknownElement: "If the element was probably intended as part of the model, \(otherWarning)",
            .migrationNotInferred: "For a step to a version before the current version, \(otherWarning)",
            .versionAfterCurrent:
                "If the names of the versions differ only in a higher number, it is a remark, to which the setting "
                + "applies too.",
            .olderFormat: "For the current version, and if the model has no version that Chordata reads, \(error)",
            .orphanedMigration: "For an edited file, a folder without a model and a step without a file name, \(error)",
        ]
    }

    /// The configuration on a page for the level of its diagnostic has the documented effect.
    @Test(arguments: DiagnosticID.allCases.filter(\.canBeLowered))
    func documentedLevelChangesTheSeverity(_ id: DiagnosticID) throws {
        let page = try page(of: id)
        let texts = try page.section("Level").compactMap { block -> String? in
            guard case .code(let text) = block else { return nil }
            return text
        }
        expectEqual(texts.count, 1)
        let text = try #require(texts.first)
        let read = readConfiguration(path: "chordata.json", contents: Array(text.utf8))
        let configuration = try #require(read.configuration, "\(renderText(read.diagnostics))")
        let level = try #require(configuration.diagnosticLevels[id])
        let found = try run(page.example(in: "Example").files, of: id).applying(configuration, isStrict: false)
        #expect(found.allSatisfy { $0.severity.rawValue == level.rawValue })
    }
}
