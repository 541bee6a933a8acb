internal import CChordataXML
internal import ChordataDiagnostics

/// Collects the events of the parser, each start tag with the places that the scanner found for it.
final class SyntaxTreeBuilder {
    private let file: ModelSourceFile
    private let tags: UnsafeBufferPointer<chordata_xml_tag>
    private let places: UnsafeBufferPointer<chordata_xml_attribute>
    private let lines: [UInt32]
    private var names: [SyntaxTree.Name] = []
    private var elements: [SyntaxTree.Element] = []
    private var attributes: [SyntaxTree.Attribute] = []
    private var interludes: [Int: [SyntaxTree.Interlude]] = [:]
    /// The numbers of the elements whose end has not come yet.
    private var open: [Int] = []
    /// Text comes in pieces.
    private var text: [UInt8] = []

    /// - Parameter scan: must outlive the builder.
    init(_ scan: chordata_xml_scan_result, of file: ModelSourceFile) {
        self.file = file
        tags = UnsafeBufferPointer(start: scan.tags, count: scan.tag_count)
        places = UnsafeBufferPointer(start: scan.attributes, count: scan.attribute_count)
        lines = Array(UnsafeBufferPointer(start: scan.lines, count: scan.line_count))
        elements.reserveCapacity(tags.count)
        attributes.reserveCapacity(places.count)
    }

    /// The functions that the parser calls; the context is the builder, unretained.
    static var handler: chordata_xml_handler {
        func builder(_ context: UnsafeMutableRawPointer?) -> SyntaxTreeBuilder? {
            context.map { Unmanaged<SyntaxTreeBuilder>.fromOpaque($0).takeUnretainedValue() }
        }
        return chordata_xml_handler(
            context: nil,
            new_name: { context, name in
                if let name { builder(context)?.addName(String(cString: name)) }
            },
            start_element: { context, name, count, names, values in
                builder(context)?.start(Int(name), Int(count), names, values)
            },
            end_element: { context in builder(context)?.end() },
            characters: { context, text, length in
                guard let text else { return }
                builder(context)?.append(UnsafeRawBufferPointer(start: text, count: Int(length)))
            },
            comment: { context, text in
                if let text { builder(context)?.add(.comment, "<!--\(String(cString: text))-->") }
            },
            instruction: { context, target, data in
                guard let target else { return }
                let rest = data.map { " " + String(cString: $0) } ?? ""
                builder(context)?.add(.instruction, "<?\(String(cString: target))\(rest)?>")
            }
        )
    }

    /// The tree, once the parser has found the end of the document.
    func makeTree() -> SyntaxTree? {
        flushText()
        guard !elements.isEmpty, open.isEmpty else { return nil }
        return SyntaxTree(
            path: file.path,
            contents: file.contents,
            names: names,
            elements: elements,
            attributes: attributes,
            interludes: interludes,
            lines: lines
        )
    }

    private func addName(_ text: String) {
        names.append(SyntaxTree.Name(text: text, known: ModelName(rawValue: text)))
    }

    private func start(
        _ name: Int,
        _ count: Int,
        _ names: UnsafePointer<Int32>?,
        _ values: UnsafePointer<UnsafePointer<CChar>?>?
    ) {
        flushText()
        // The scanner sees the same tags in the same order.
        let tag = elements.count < tags.count ? tags[elements.count] : chordata_xml_tag()
        elements.append(
            SyntaxTree.Element(
                name: name,
                offset: tag.offset,
                firstAttribute: attributes.count,
                attributeCount: count,
                end: elements.count + 1
            )
        )
        open.append(elements.count - 1)
        guard let names, let values else { return }
        for index in 0..<count {
            let place =
                index < tag.attribute_count
                ? places[Int(tag.first_attribute) + index]
                : chordata_xml_attribute(name: tag.offset, value: tag.offset, value_end: tag.offset)
            attributes.append(
                SyntaxTree.Attribute(
                    name: Int(names[index]),
                    value: values[index].map { String(cString: $0) } ?? "",
                    offset: place.name,
                    valueOffset: place.value,
                    valueEnd: place.value_end
                )
            )
        }
    }

    private func end() {
        flushText()
        if let element = open.popLast() { elements[element].end = elements.count }
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        // Nearly all text is the space between elements.
        if text.isEmpty, bytes.allSatisfy({ Self.isSpace($0) }) { return }
        text.append(contentsOf: bytes)
    }

    private func add(_ kind: SyntaxTree.Interlude.Kind, _ text: String) {
        flushText()
        interludes[open.last ?? -1, default: []].append(.init(kind: kind, text: text, next: elements.count))
    }

    private func flushText() {
        guard !text.isEmpty else { return }
        while let last = text.last, Self.isSpace(last) { text.removeLast() }
        let start = text.firstIndex { !Self.isSpace($0) } ?? text.endIndex
        let kept = String(decoding: text[start...], as: UTF8.self)
        text.removeAll(keepingCapacity: true)
        if !kept.isEmpty { add(.text, kept) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || (9...10).contains(byte) || byte == 13 }
}
