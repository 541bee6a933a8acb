internal import CChordataXML
internal import ChordataDiagnostics

/// Turns the bytes of a file into elements with places.
func parseSyntax(_ file: ModelSourceFile) -> Result<ElementSyntax, SyntaxFailure> {
    var scanner = TagScanner(file)
    if let problem = scanner.scan() { return .failure(SyntaxFailure(diagnostic: problem)) }
    let builder = SyntaxBuilder(tags: scanner.tags, path: file.path)
    var error = chordata_xml_error()
    var handler = chordata_xml_handler()
    handler.context = Unmanaged.passUnretained(builder).toOpaque()
    handler.start_element = { context, name, count, attributes in
        guard let builder = SyntaxBuilder.from(context), let name else { return }
        var pairs: [(String, String)] = []
        for index in 0..<Int(count) {
            guard let key = attributes?[index * 2], let value = attributes?[index * 2 + 1] else { continue }
            pairs.append((String(cString: key), unescapeAmpersands(String(cString: value))))
        }
        builder.start(String(cString: name), pairs)
    }
    handler.end_element = { context, _ in SyntaxBuilder.from(context)?.end() }
    handler.characters = { context, text, length in
        guard let text else { return }
        let bytes = UnsafeRawBufferPointer(start: text, count: Int(length))
        SyntaxBuilder.from(context)?.append(String(decoding: bytes, as: UTF8.self))
    }
    file.contents.withUnsafeBufferPointer {
        chordata_xml_parse($0.baseAddress, $0.count, &handler, &error)
    }
    let location = SourceLocation(file: file.path, line: max(1, Int(error.line)), column: max(1, Int(error.column)))
    if error.code != 0 {
        let message = withUnsafeBytes(of: error.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return .failure(
            SyntaxFailure(
                diagnostic: Diagnostic(
                    .malformedXML,
                    "the file is not well-formed XML: \(message.prefix(1).lowercased() + message.dropFirst())",
                    at: location
                )
            )
        )
    }
    guard let root = builder.root else {
        return .failure(
            SyntaxFailure(diagnostic: Diagnostic(.malformedXML, "the file has no root element", at: location))
        )
    }
    return .success(root)
}

/// Why a file has no elements.
struct SyntaxFailure: Error {
    var diagnostic: Diagnostic
}

/// Collects the events of the reader, each start tag with the places the scanner found for it.
private final class SyntaxBuilder {
    private let tags: [TagScanner.Tag]
    private let path: String
    private var next = 0
    private var open: [ElementSyntax] = []
    private(set) var root: ElementSyntax?

    init(tags: [TagScanner.Tag], path: String) {
        self.tags = tags
        self.path = path
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> SyntaxBuilder? {
        context.map { Unmanaged<SyntaxBuilder>.fromOpaque($0).takeUnretainedValue() }
    }

    func start(_ name: String, _ attributes: [(String, String)]) {
        // The scanner sees the same tags in the same order; should they ever differ, places become those of line 1.
        let unknown = SourceLocation(file: path, line: 1, column: 1)
        let tag = next < tags.count ? tags[next] : TagScanner.Tag(location: unknown)
        next += 1
        var element = ElementSyntax(name: name, location: tag.location, attributes: [])
        for (index, (key, value)) in attributes.enumerated() {
            let places = index < tag.attributes.count ? tag.attributes[index] : (tag.location, tag.location)
            element.attributes.append(.init(name: key, value: value, location: places.0, valueLocation: places.1))
        }
        open.append(element)
    }

    func end() {
        guard let element = open.popLast() else { return }
        if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
    }

    func append(_ text: String) { if !open.isEmpty { open[open.count - 1].text += text } }
}

/// Puts back the ampersands of an attribute's value, each of which libxml2 hands over as `&#38;` unless it is told to
/// replace entities, which it must never be.
private func unescapeAmpersands(_ value: String) -> String {
    guard value.utf8.contains(UInt8(ascii: "&")) else { return value }
    return value.split(separator: "&#38;", omittingEmptySubsequences: false).joined(separator: "&")
}
