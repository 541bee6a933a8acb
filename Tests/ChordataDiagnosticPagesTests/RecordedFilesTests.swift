import ChordataDiagnosticPages
import ChordataDiagnostics
import Foundation
import Testing

/// The pages of the documentation, and the messages they quote, are those that the table gives.
///
/// `CHORDATA_RECORD=1 swift test --filter ChordataDiagnosticPagesTests` writes them.
struct RecordedFilesTests {
    static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Sources")
    static let folder = sources.appending(path: "Chordata/Chordata.docc/Diagnostics")
    static let messages = sources.appending(path: "ChordataDiagnosticPages/recordedMessages.swift")

    /// With the messages as they are now, so that one recording is enough.
    private func pages() throws -> [DiagnosticPage] {
        try DiagnosticID.allCases.map { id in
            var page = page(of: id)
            let found = try run(page.example, of: page.id)
            page.message = found.isEmpty ? nil : renderText(found)
            return page
        }
    }

    @Test func filesAreUpToDate() throws {
        let pages = try pages()
        var files = Dictionary(uniqueKeysWithValues: pages.map { ("\($0.id.rawValue).md", renderPage($0)) })
        files["Diagnostics.md"] = renderIndex(pages)
        if isRecording {
            if FileManager.default.fileExists(atPath: Self.folder.path) {
                try FileManager.default.removeItem(at: Self.folder)
            }
            try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
            for (name, text) in files { try Data(text.utf8).write(to: Self.folder.appending(path: name)) }
            try Data(renderRecordedMessages(pages).utf8).write(to: Self.messages)
            Issue.record("recorded the pages of the diagnostics; run again without CHORDATA_RECORD")
            return
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() == files.keys.sorted())
        for (name, text) in files.sorted(by: { $0.key < $1.key }) {
            let recorded = try? Data(contentsOf: Self.folder.appending(path: name))
            #expect(recorded == Data(text.utf8), "\(name) is not what the table gives; record again")
        }
        #expect(try Data(contentsOf: Self.messages) == Data(renderRecordedMessages(pages).utf8))
    }

    /// The messages as Swift, for the terminal, which runs no examples.
    private func renderRecordedMessages(_ pages: [DiagnosticPage]) -> String {
        var text = """
            // Written by ChordataDiagnosticPagesTests with CHORDATA_RECORD=1. Do not edit.
            // swift-format-ignore-file

            internal import ChordataDiagnostics

            /// The output for the examples.
            let recordedMessages: [DiagnosticID: String] = [

            """
        for page in pages {
            guard let message = page.message else { continue }
            text += "    .\(page.id): #\"\"\"\n"
            for line in message.split(separator: "\n") { text += "        \(line)\n" }
            text += "\n        \"\"\"#,\n"
        }
        return text + "]\n"
    }
}
