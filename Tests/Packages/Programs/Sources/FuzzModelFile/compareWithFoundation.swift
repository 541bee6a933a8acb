import Foundation

@testable import ChordataModelFile

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Checks that Foundation's parser finds the same elements with the same attributes, decoded to the same values, and
/// the same comments, instructions and texts between them.
func compareWithFoundation(_ tree: SyntaxTree, of file: ModelSourceFile) {
    // Foundation's parser crashes on an instruction without data.
    let hasBareInstruction = tree.storage.pointee.trivia.values.joined().contains {
        $0.kind == .instruction && !$0.text.contains(" ")
    }
    guard !hasBareInstruction else { return }
    let parser = XMLParser(data: Data(file.contents))
    let collector = PartCollector()
    parser.delegate = collector
    require(parser.parse(), "XML for us only: \(parser.parserError.map { "\($0)" } ?? "")", file)
    let ours = parts(of: tree)
    require(
        ours.elementsEqual(collector.parts, by: areIdentical),
        "\(ours)\ninstead of\n\(collector.parts)\nin",
        file
    )
}

/// Returns the parts inside and outside of angle brackets, in the order of the file.
private func parts(of tree: SyntaxTree) -> [String] {
    let outside = tree.storage.pointee.trivia[SyntaxTree.document, default: []]
    return outside.filter { $0.next == 0 }.map(part) + parts(of: tree.root)
        + outside.filter { $0.next != 0 }.map(part)
}

private func parts(of element: ElementSyntax) -> [String] {
    // Foundation also uses a dictionary, in which names are equal if they differ only in the form of an accent.
    let attributes = Dictionary(
        element.attributes.map { ($0.nameText, $0.value) },
        uniquingKeysWith: { _, last in last }
    )
    var result = [startPart(element.nameText, attributes)]
    var trivia = element.trivia[...]
    func takeInterludes(before index: Int) {
        while let next = trivia.first, next.next <= index { result.append(part(trivia.removeFirst())) }
    }
    for child in element.children {
        takeInterludes(before: child.index)
        result += parts(of: child)
    }
    takeInterludes(before: .max)
    return result + ["</\(element.nameText)>"]
}

private func part(_ piece: SyntaxTree.Trivia) -> String {
    piece.kind == .text ? textPart(piece.text) : piece.text
}

private func textPart(_ text: String) -> String { "text \(text)" }

private func startPart(_ name: String, _ attributes: [String: String]) -> String {
    let texts = attributes.sorted { precedes($0.key, $1.key) }.map { " \($0.key)=\($0.value.debugDescription)" }
    return "<\(name)\(texts.joined())>"
}

/// Collects the parts that Foundation finds, in the same form.
private final class PartCollector: NSObject, XMLParserDelegate {
    private(set) var parts: [String] = []
    /// The current text, which is received in pieces.
    private var text = ""

    private func add(_ part: String?) {
        let space = CharacterSet(charactersIn: " \t\n\r")
        let trimmed = text.trimmingCharacters(in: space)
        if !trimmed.isEmpty { parts.append(textPart(trimmed)) }
        text = ""
        if let part { parts.append(part) }
    }

    func parser(
        _ parser: XMLParser,
        didStartElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        add(startPart(elementName, attributes))
    }

    func parser(
        _ parser: XMLParser,
        didEndElement elementName: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) {
        add("</\(elementName)>")
    }

    func parser(_ parser: XMLParser, foundComment comment: String) { add("<!--\(comment)-->") }

    func parser(_ parser: XMLParser, foundProcessingInstructionWithTarget target: String, data: String?) {
        add("<?\(target) \(data ?? "")?>")
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    func parser(_ parser: XMLParser, foundCDATA block: Data) {
        // Foundation does not normalize line ends here, https://www.w3.org/TR/xml/#sec-line-ends.
        let lines = String(decoding: block, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
        for scalar in lines.unicodeScalars { text.unicodeScalars.append(scalar == "\r" ? "\n" : scalar) }
    }
}
