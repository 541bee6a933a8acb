import ChordataTestSupport
import Foundation
import Testing

/// The manual shows the interface of the model that uses every feature once.
///
/// The text is made from the golden output.
///
/// `CHORDATA_RECORD=1 swift test --filter InterfaceTests` rewrites it, and fails so that it is not mistaken for a test.
struct InterfaceTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func theManualShowsTheInterface() throws {
        let file = Self.root.appending(path: "Sources/Chordata/Chordata.docc/Everything-Interface.md")
        let folder = Self.root.appending(path: "Tests/GoldenTests/Cases/Everything/expected")
        let sources = try ["Everything.swift", "Everything+Entities0.swift"].map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
        let text = """
            # Generated interface of a model that uses every feature

            The generated code of `Models/Everything.xcdatamodeld`, without bodies and without what only the runtime calls.

            ## Overview

            ```swift
            \(sources.map(interface).joined(separator: "\n"))
            ```

            """
        if ProcessInfo.processInfo.environment["CHORDATA_RECORD"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
            Issue.record("recorded the interface; run again without CHORDATA_RECORD")
            return
        }
        expectEqual(try String(contentsOf: file, encoding: .utf8), text)
    }

    /// Returns the declarations of a generated file that are visible to users.
    private func interface(_ source: String) -> String {
        var result: [Substring] = []
        // Recognizes the end of a declaration that is not shown.
        var isEnd: ((_ text: Substring, _ depth: Int) -> Bool)?
        var lines = source.replacingOccurrences(of: "Swift.", with: "").replacingOccurrences(
            of: "Foundation.",
            with: ""
        )
        .replacingOccurrences(of: "Chordata.", with: "").split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            let text = line.drop { $0 == " " }
            let depth = line.count - text.count
            if let isEnding = isEnd {
                if isEnding(text, depth) { isEnd = nil }
                continue
            }
            func skipToBrace() { isEnd = { $0 == "}" && $1 <= depth } }
            let isHidden =
                text.hasPrefix("private") || text.hasPrefix("override") || text.hasPrefix("let _")
                || text.hasPrefix("static let") || text.hasPrefix("static var lastPropertyKey")
                || text.hasPrefix("@_spi") || text.hasPrefix("import")
                || text.hasPrefix("//")
                    && !text.hasPrefix("///")
                || text.hasPrefix("final var _")
            if isHidden {
                if text.hasSuffix("{") { skipToBrace() }
                if text.hasSuffix("(") { isEnd = { line, _ in line.isEmpty } }
                if text.hasSuffix("\"\"\"") { isEnd = { line, _ in line == "\"\"\"" } }
                while result.last?.drop(while: { $0 == " " }).hasPrefix("///") == true { result.removeLast() }
                continue
            }
            let isFunction = text.contains("func ") || text.contains("init(")
            let isProperty = text.contains("var ") && text.contains("{")
            if isFunction || isProperty, let brace = line.range(of: " {", options: isFunction ? .backwards : []) {
                let isReadOnly = text.hasSuffix("}")
                result.append(line[..<brace.lowerBound] + (isFunction ? "" : isReadOnly ? " { get }" : " { get set }"))
                if !isReadOnly { skipToBrace() }
            } else if !(text.isEmpty
                && (result.isEmpty || result.last?.isEmpty == true || result.last?.hasSuffix("{") == true))
            {
                result.append(line)
            }
        }
        return result.joined(separator: "\n").replacingOccurrences(of: "\n\n}", with: "\n}")
            .replacingOccurrences(of: "\n\n    }", with: "\n    }").trimmingCharacters(in: .whitespacesAndNewlines)
            + "\n"
    }
}
