import ChordataDiagram
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Compares the diagrams of a small model with the expected texts.
///
/// `CHORDATA_RECORD=1` rewrites the expected texts, and that run fails.
struct RenderingTests {
    @Test(arguments: ["library.mmd", "library.dot", "library.layout.dot", "library.svg", "library.graphviz.svg"])
    func isAsExpected(_ name: String) throws {
        let model = try makeLibrary()
        let text: String
        switch name {
        case "library.mmd": text = renderMermaid(model)
        case "library.dot": text = renderDot(model)
        case "library.layout.dot": text = renderDotForLayout(model)
        case "library.svg": text = renderSVG(layOut(model))
        default: text = renderSVG(try #require(layOut(model, graphvizPlain: libraryPlain)))
        }
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expected/\(name)")
        if ProcessInfo.processInfo.environment["CHORDATA_RECORD"] == "1" {
            try Data(text.utf8).write(to: file)
            Issue.record("recorded \(name)")
            return
        }
        #expect(text == String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    @Test func emptyModel() throws {
        let model = try ManagedObjectModel(entities: [])
        expectEqual(renderMermaid(model), "classDiagram\n    accTitle: Data model\n")
        #expect(!renderDot(model).contains("TABLE"))
        let layout = layOut(model)
        #expect(layout.boxes.isEmpty && layout.width > 0 && layout.height > 0)
        #expect(renderSVG(layout).hasSuffix("</svg>\n"))
        // The output of Graphviz for an empty graph.
        expectEqual(layOut(model, graphvizPlain: "graph 1 0 0\nstop\n"), layout)
    }

    @Test func typesInSwiftsWords() throws {
        let text = try renderMermaid(
            ManagedObjectModel(entities: [
                EntityDescription(
                    name: "All",
                    attributes: AttributeType.allCases.enumerated().map {
                        AttributeDescription(name: "a\($0)", attributeType: $1)
                    }
                )
            ])
        )
        let types = text.split(separator: "\n").compactMap { line in
            line.split(separator: ": ").dropFirst().first.map(String.init)
        }
        expectEqual(
            types.dropFirst(),
            [
                "Any", "Int16", "Int32", "Int64", "Decimal", "Double", "Float", "String", "Bool", "Date", "Data",
                "UUID",
                "URL", "Any", "Any", "ManagedObjectID",
            ]
        )
    }

    @Test(arguments: [
        (false, true, 0, 1, "0..1"), (false, false, 0, 1, "1"), (true, true, 0, 0, "*"), (true, false, 0, 0, "1..*"),
        (true, false, 2, 11, "2..11"), (true, true, 2, 11, "0..11"), (true, false, 3, 3, "3"),
        (true, false, 4, 0, "4..*"),
    ])
    func cardinalities(_ isToMany: Bool, _ isOptional: Bool, _ minimum: Int, _ maximum: Int, _ text: String) throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "A",
                relationships: [
                    RelationshipDescription(
                        name: "b",
                        destinationEntityName: "A",
                        isToMany: isToMany,
                        isOptional: isOptional,
                        minimumCount: minimum,
                        maximumCount: maximum
                    )
                ]
            )
        ])
        #expect(renderMermaid(model).hasSuffix("    A --> \"\(text)\" A : b\n"))
    }

    /// Two relationships are a pair only if each is the inverse of the other.
    @Test func onlyMutualInversesArePairs() throws {
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "A",
                relationships: [RelationshipDescription(name: "b", destinationEntityName: "B", inverseName: "a")]
            ),
            EntityDescription(
                name: "B",
                relationships: [RelationshipDescription(name: "a", destinationEntityName: "A")]
            ),
        ])
        #expect(renderMermaid(model).contains("    A --> \"0..1\" B : b\n    B --> \"0..1\" A : a\n"))
        expectEqual(layOut(model).edges.count, 2)
    }
}
