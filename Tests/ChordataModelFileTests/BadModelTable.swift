import Foundation

/// A text file of `BadModels`: rows with their golden texts.
struct BadModelTable: Sendable {
    let name: String
    let rows: [BadModelRow]
    /// The lines of the file, and the range of the golden text of each row.
    private let lines: [String]
    private let expectedLines: [Range<Int>]

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "BadModels")

    static func all() throws -> [BadModelTable] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            BadModelTable(name: name, text: try String(contentsOf: folder.appending(path: name), encoding: .utf8))
        }
    }

    init(name: String, text: String) {
        self.name = name
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        var rows: [BadModelRow] = []
        var expectedLines: [Range<Int>] = []
        // Text before the first row is a comment, except for texts that many rows share: `{{P}} = <entity …>`.
        var position = lines.firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
        let definitions = lines[..<position].compactMap { line in
            line.hasPrefix("{{")
                ? line.firstRange(of: "}} = ").map { (line[..<$0.lowerBound] + "}}", line[$0.upperBound...]) } : nil
        }
        while position < lines.count {
            let next = lines[(position + 1)...].firstIndex { $0.hasPrefix("## ") } ?? lines.endIndex
            let body = lines[(position + 1)..<next]
            let arrow = body.firstIndex(of: "=>") ?? next
            let directives = body[..<arrow].prefix { $0.hasPrefix("!") }
            let end =
                lines[min(arrow + 1, next)..<next].lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? min(arrow + 1, next)
            let expected = min(arrow + 1, next)..<end
            rows.append(
                BadModelRow(
                    table: name,
                    title: String(lines[position].dropFirst(3)),
                    directives: Array(directives),
                    input: body[directives.endIndex..<arrow].map { line in
                        definitions.first { $0.0 == line }.map { String($0.1) } ?? line
                    },
                    expected: lines[expected].map { $0 + "\n" }.joined()
                )
            )
            expectedLines.append(expected)
            position = next
        }
        self.rows = rows
        self.expectedLines = expectedLines
    }

    /// Rewrites the file with new golden texts, one for each row.
    func record(_ texts: [String]) throws {
        var result: [String] = []
        var position = 0
        for (range, text) in zip(expectedLines, texts) {
            result += lines[position..<range.lowerBound]
            result += text.split(separator: "\n").map(String.init)
            position = range.upperBound
        }
        result += lines[position...]
        try result.joined(separator: "\n").write(
            to: Self.folder.appending(path: name),
            atomically: true,
            encoding: .utf8
        )
    }
}
