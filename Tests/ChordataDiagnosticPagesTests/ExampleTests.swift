import ChordataConfiguration
import ChordataDiagnosticPages
import ChordataDiagnostics
import Testing

/// The examples do what their pages say.
struct ExampleTests {
    @Test(arguments: DiagnosticID.allCases)
    func exampleReportsOnlyItsDiagnostic(_ id: DiagnosticID) throws {
        let page = page(of: id)
        let found = try run(page.example, of: page.id)
        #expect(!found.isEmpty)
        for diagnostic in found { #expect(diagnostic.id == id, "\(renderText([diagnostic]))") }
        #expect(found.allSatisfy { $0.severity == id.severity })
        if !isRecording { #expect(page.message == renderText(found), "record again") }
    }

    @Test(arguments: DiagnosticID.allCases)
    func correctedExampleReportsNoDiagnostics(_ id: DiagnosticID) throws {
        let page = page(of: id)
        #expect(page.correctedExample.isEmpty == page.example.isEmpty)
        let found = try run(page.correctedExample, of: page.id)
        #expect(found.isEmpty, "\(renderText(found))")
    }

    /// The configuration that a page gives for the level of its diagnostic has that effect.
    @Test(arguments: DiagnosticID.allCases)
    func documentedLevelChangesTheSeverity(_ id: DiagnosticID) throws {
        let page = page(of: id)
        guard let text = page.levelExample else {
            #expect(!id.canBeLowered)
            return
        }
        let read = readConfiguration(path: "chordata.json", contents: Array(text.utf8))
        let configuration = try #require(read.configuration, "\(renderText(read.diagnostics))")
        let level = try #require(configuration.diagnosticLevels[id])
        let found = try run(page.example, of: page.id).applying(configuration, isStrict: false)
        #expect(found.allSatisfy { $0.severity.rawValue == level.rawValue })
    }

    @Test(arguments: DiagnosticID.allCases)
    func everyIdHasAnExample(_ id: DiagnosticID) {
        #expect(!page(of: id).example.isEmpty)
        #expect(page(of: id).message != nil || isRecording)
    }
}
