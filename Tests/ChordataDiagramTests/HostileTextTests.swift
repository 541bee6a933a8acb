import ChordataDiagram
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

private let hostileTexts = [
    "\"]", "-->", "<&>'\"", "a\nb\tc\rd", "`tick`", "_a_ *b* ~c~", "]]>", "%% x", "}", "#35;", "a;b:c",
    "direction TB", "\\",
    "\\\"", "\u{0}\u{8}\u{1F}\u{FFFF}", "größer ﬂ°°35¶ß", "日本 😀", "node", "class", "o", "note", "$$x$$", "</text>",
    "",
]

/// Text with a special meaning in an output language is rendered as plain text.
struct HostileTextTests {
    private func model(_ text: String) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifier: text,
            entities: [
                EntityDescription(
                    name: text,
                    isAbstract: true,
                    attributes: [
                        AttributeDescription(name: text, attributeType: .transformable, attributeValueClassName: text),
                        AttributeDescription(name: text + "2", attributeType: .composite, compositeName: text),
                    ],
                    relationships: [
                        RelationshipDescription(name: text + "3", destinationEntityName: text),
                        RelationshipDescription(name: "other", destinationEntityName: "Other"),
                    ],
                    userInfo: [text: text]
                ),
                EntityDescription(name: "Other", superentityName: text),
            ]
        )
    }

    @Test(arguments: hostileTexts)
    func svgIsWellFormedAndContainsTheText(_ text: String) throws {
        let parsed = try #require(texts(in: renderSVG(layOut(model(text)))))
        let allowed = String(
            String.UnicodeScalarView(
                text.unicodeScalars.map {
                    $0 == "\u{FFFF}" || $0.value < 32 && !"\t\n\r".unicodeScalars.contains($0) ? "\u{FFFD}" : $0
                }
            )
        )
        #expect(parsed.filter { $0 == allowed }.count >= (text.isEmpty ? 0 : 4), "\(parsed)")
        #expect(parsed.contains("Other"))
    }

    @Test(arguments: hostileTexts)
    func dotLabelsAreWellFormed(_ text: String) throws {
        let lines = renderDot(try model(text)).split(separator: "\n", omittingEmptySubsequences: false)
        // Opening, three defaults, two entities, an inheritance, two relationships, the end.
        expectEqual(lines.count, 11)
        for line in lines where line.contains("TABLE") {
            let label = try #require(line.split(separator: "[label=<", maxSplits: 1).last).dropLast(3)
            #expect(texts(in: String(label)) != nil, "\(label)")
        }
        for line in lines where line.contains("->") {
            #expect(
                line.prefix { $0 != "[" }.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || " ->".contains($0))
                }
            )
        }
    }

    @Test(arguments: hostileTexts)
    func mermaidTextInjectsNoLines(_ text: String) throws {
        let lines = renderMermaid(try model(text)).split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init
        )
        expectEqual(lines.count, 12, "\(lines)")
        let safe = #/[\p{L}\p{N}\p{M}_.,? \[\]#;]*/#
        #expect(lines[1].wholeMatch(of: #/    accTitle: (.*)/#).map { $0.1.wholeMatch(of: safe) != nil } ?? false)
        #expect(lines[2].wholeMatch(of: #/    class \w+(\["[^"]*"\])? \{/#) != nil, "\(lines[2])")
        for line in lines[4...5] {
            let member = try #require(line.wholeMatch(of: #/        (.*?): (.*)/#), "\(line)")
            #expect(member.1.wholeMatch(of: safe) != nil && member.2.wholeMatch(of: safe) != nil, "\(line)")
        }
        for line in lines[9...10] {
            let relation = try #require(line.wholeMatch(of: #/    \w+ --> "0..1" \w+ : (.*)/#), "\(line)")
            #expect(relation.1.wholeMatch(of: safe) != nil, "\(line)")
        }
        // Outside of a class, `direction` would change the orientation of the diagram.
        for line in lines[0...2] + lines[8...] { #expect(!line.contains(#/direction\s/#)) }
    }

    /// A reserved word is shown as the name of a class, but is not used as its identifier.
    @Test func reservedWordsGetAnIdentifier() throws {
        let text = renderMermaid(
            try ManagedObjectModel(entities: [
                EntityDescription(name: "note"), EntityDescription(name: "entity0"), EntityDescription(name: "Größe"),
            ])
        )
        #expect(text.contains("    class entity0x[\"note\"]\n    class entity0\n    class entity2[\"Größe\"]\n"))
    }

    /// Returns the texts of the elements of a document, or `nil` if the document is not well-formed.
    private func texts(in xml: String) -> [String]? {
        let collector = TextCollector()
        let parser = XMLParser(data: Data(xml.utf8))
        parser.delegate = collector
        return parser.parse() ? collector.texts : nil
    }
}

private final class TextCollector: NSObject, XMLParserDelegate {
    var texts: [String] = []
    private var current = ""

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?,
        attributes attributeDict: [String: String]
    ) { current = "" }

    func parser(_ parser: XMLParser, foundCharacters string: String) { current += string }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName qName: String?
    ) { texts.append(current) }
}
