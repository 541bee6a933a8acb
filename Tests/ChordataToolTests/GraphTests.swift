import ChordataTestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// `chordata graph`.
struct GraphTests {
    static let beginnings = [("mermaid", "classDiagram\n"), ("dot", "digraph model {\n"), ("svg", "<svg ")]

    @Test(arguments: beginnings)
    func toStandardOutputAndToAFile(_ format: String, _ beginning: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.loose)
            let printed = try await workspace.chordata("graph", "M.xcdatamodeld", "--format", format)
            #expect(printed.output.hasPrefix(beginning))
            #expect(printed.output.hasSuffix("\n") && !printed.output.hasSuffix("\n\n"))
            #expect(printed.output.contains("Node") && printed.output.contains("next"))
            expectEqual(printed.errors, "")
            expectEqual(printed.exitCode, 0)

            let written = try await workspace.chordata(
                "graph",
                "M.xcdatamodeld",
                "--format",
                format,
                "--output",
                "picture"
            )
            expectEqual(written.output, "")
            expectEqual(written.errors, "")
            expectEqual(written.exitCode, 0)
            expectEqual(try workspace.read("picture"), printed.output)
        }
    }

    @Test func mermaidIsTheDefaultFormat() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("graph", "M.xcdatamodeld")
            #expect(result.output.hasPrefix("classDiagram\n"))
        }
    }

    @Test(arguments: beginnings.map(\.0))
    func aVersionByItsName(_ format: String) async throws {
        try await withWorkspace { workspace in
            let new = modelFile(entity("Node", attribute("title")))
            try workspace.writeModel("M", old: ModelText.good, new: new)
            for (arguments, name) in [([], "title"), (["--version", "M"], "name"), (["--version", "M 2"], "title")] {
                let result = try await Program.chordata.run(
                    ["graph", "M.xcdatamodeld", "--format", format] + arguments,
                    in: workspace.folder
                )
                let other = name == "title" ? ">name<|  name:" : ">title<|  title:"
                #expect(result.output.contains(name))
                #expect(other.split(separator: "|").allSatisfy { !result.output.contains($0) })
            }
        }
    }

    @Test func theSVGIsWellFormed() async throws {
        try await withWorkspace { workspace in
            let leaf = entity("Leaf", parent: "Node", attribute("size", "Integer 32"))
            let node = entity("Node", relationship("next", inverse: "back"), relationship("back", inverse: "next"))
            try workspace.writeModel("M", modelFile(node, leaf))
            let result = try await workspace.chordata("graph", "M.xcdatamodeld", "--format", "svg")
            let texts = try #require(readTexts(ofSVG: result.output))
            for name in ["Node", "Leaf", "size", "next", "back"] { #expect(texts.contains(name)) }
        }
    }

    static let wrong = [
        [], ["M.xcdatamodeld", "--format", "png"], ["M.xcdatamodeld", "--version", "M 7"],
        ["M.xcdatamodeld", "N.xcdatamodeld"], ["M.xcdatamodeld", "--output"],
    ]

    @Test(arguments: wrong)
    func wrongUsage(_ arguments: [String]) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await Program.chordata.run(["graph"] + arguments, in: workspace.folder)
            expectEqual(result.exitCode, 64)
            expectEqual(result.output, "")
            #expect(result.errors.hasPrefix("Error: "))
        }
    }

    @Test(arguments: [ModelText.cyclic, ModelText.malformed])
    func aModelWithErrorsIsNotDrawn(_ text: String) async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", text)
            let result = try await workspace.chordata("graph", "M.xcdatamodeld", "--output", "picture")
            #expect(result.errors.contains(": error: "))
            expectEqual(result.exitCode, 1)
            #expect(!workspace.exists("picture"))
        }
    }

    @Test func aPlaceThatCannotBeWritten() async throws {
        try await withWorkspace { workspace in
            try workspace.writeModel("M", ModelText.good)
            let result = try await workspace.chordata("graph", "M.xcdatamodeld", "--output", "missing/picture")
            expectEqual(result.exitCode, 1)
            #expect(result.errors.contains("missing/picture"))
            #expect(!result.errors.contains("NSCocoaErrorDomain"))
        }
    }
}

/// Returns the texts of the elements in a picture, as lines, or `nil` if it is not a well-formed SVG picture.
func readTexts(ofSVG text: String) -> [String]? {
    final class Reader: NSObject, XMLParserDelegate {
        var root: String?
        var texts: [String] = []

        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            if root == nil { root = name }
            texts.append("")
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            if !texts.isEmpty { texts[texts.count - 1] += string }
        }
    }
    let reader = Reader()
    let parser = XMLParser(data: Data(text.utf8))
    parser.delegate = reader
    return parser.parse() && reader.root == "svg" ? reader.texts.map { String($0.prefix { $0 != "\n" }) } : nil
}
