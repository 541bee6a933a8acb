import ChordataDiagnostics
import ChordataTestSupport
import Testing

struct RenderTests {
    private let diagnostic = Diagnostic(
        .duplicateName,
        "entity 'A' is duplicated",
        at: SourceLocation(file: "m/contents", line: 3, column: 9),
        notes: [Diagnostic.Note("the first is here", at: SourceLocation(file: "m/contents", line: 1, column: 2))]
    )

    @Test func textIsThatOfClang() {
        #expect(
            renderText([diagnostic]) == """
                m/contents:3:9: error: entity 'A' is duplicated [CD0203]
                m/contents:1:2: note: the first is here

                """
        )
        expectEqual(renderText([Diagnostic(.noVersions, "a\nb", at: nil)]), "error: a\\u{A}b [CD0107]\n")
    }

    @Test func jsonHasAFixedOrder() {
        expectEqual(
            renderJSON([Diagnostic(.unknownElement, "a \"b\"\u{1}", at: nil)]),
            "{\"version\":1,\"diagnostics\":[{\"id\":\"CD0109\",\"severity\":\"remark\",\"message\":\"a \\\"b\\\"\\u0001\","
                + "\"location\":null,\"notes\":[],\"fixIts\":[]}]}\n"
        )
    }

    @Test func placesComeInOrder() {
        let first = Diagnostic(.unknownKey, "x", at: SourceLocation(file: "m/contents", line: 2, column: 1))
        let none = Diagnostic(.noVersions, "y", at: nil)
        expectEqual([diagnostic, first, none].sortedByLocation(), [none, first, diagnostic])
    }

    @Test func identifiersOccurOnce() {
        expectEqual(Set(DiagnosticID.allCases.map(\.rawValue)).count, DiagnosticID.allCases.count)
    }
}
