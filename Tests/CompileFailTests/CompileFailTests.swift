import Foundation
import Testing

/// What must not compile, and with which words.
struct CompileFailTests {
    @Test func whatIsRightCompiles() async throws {
        let errors = try await compile(.right, with: shopModel)
        #expect(errors.isEmpty, "\(errors)")
    }

    @Test(arguments: Snippet.isolation + Snippet.types + Snippet.hooks)
    func whatIsWrongDoesNot(_ snippet: Snippet) async throws {
        let errors = try await compile(snippet, with: shopModel)
        let expected = snippet.expectedErrors
        #expect(!expected.isEmpty)
        #expect(errors.count == expected.count && zip(errors, expected).allSatisfy { $0.matches($1) }, "\(errors)")
    }

    /// Code that was generated for another runtime says so at the place made for it, and compiles no further.
    @Test func codeForAnotherRuntime() async throws {
        let errors = try await compile(.right, with: shopModel) { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let edited = text.replacing(/GeneratedCodeVersion\d+/, with: "GeneratedCodeVersion0")
            #expect((edited != text) == (file.lastPathComponent == "Shop.swift"))
            try Data(edited.utf8).write(to: file)
        }
        #expect(errors.count == 1, "\(errors)")
        #expect(errors.first?.file == "Shop.swift")
        #expect(errors.first?.message.contains("'GeneratedCodeVersion0'") == true, "\(errors)")
    }
}
