/// The reason why locations in an XML text are uncertain.
struct UnreadableXML: Error {
    let offset: Int
    let message: String
}

/// Finds the start tags of all attributes of a model's entities.
///
/// `XMLParser` does not report byte offsets, so this function reads the tags itself. It stops at text that it does not
/// understand.
/// - Parameter bytes: XML that `XMLParser` accepts.
/// - Throws: `UnreadableXML`.
func findAttributeTags(_ bytes: [UInt8]) throws(UnreadableXML) -> [AttributeTag] {
    guard String(validating: bytes, as: UTF8.self) != nil else {
        throw UnreadableXML(offset: 0, message: "it is not UTF-8")
    }
    var scanner = TagScanner(bytes: bytes)
    var tags: [AttributeTag] = []
    var path: [String] = []
    var entity = ""
    while let tag = try scanner.next() {
        switch tag.kind {
        case .end:
            _ = path.popLast()
            continue
        case .start, .empty: path.append(tag.name)
        }
        if path == ["model", "entity"] { entity = tag["name"]?.value ?? "" }
        if path == ["model", "entity", "attribute"], let name = tag["name"], let last = tag.attributes.last {
            tags.append(
                AttributeTag(
                    entity: entity,
                    attribute: name.value,
                    offset: tag.offset,
                    end: (last.range.upperBound + 1, bytes[last.range.upperBound]),
                    scalarValue: tag["usesScalarValueType"]?.range
                )
            )
        }
        if tag.kind == .empty { _ = path.popLast() }
    }
    return tags
}

private struct Tag {
    enum Kind { case start, end, empty }

    struct Attribute {
        let name: String
        let value: String
        /// The bytes between the quotation marks.
        let range: Range<Int>
    }

    let kind: Kind
    let name: String
    let offset: Int
    var attributes: [Attribute] = []

    subscript(name: String) -> Attribute? { attributes.first { $0.name == name } }
}

/// Reads the tags of an XML text, without comments, CDATA sections and processing instructions.
private struct TagScanner {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func next() throws(UnreadableXML) -> Tag? {
        while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            position = start
            if starts(with: "<!--") {
                try skip(4, to: "-->")
            } else if starts(with: "<![CDATA[") {
                try skip(9, to: "]]>")
            } else if starts(with: "<?") {
                try skip(2, to: "?>")
                try checkEncoding(bytes[start..<position])
            } else if starts(with: "<!") {
                throw UnreadableXML(offset: start, message: "it has a document type declaration")
            } else {
                return try readTag()
            }
        }
        return nil
    }

    private mutating func readTag() throws(UnreadableXML) -> Tag {
        let start = position
        let isEnd = starts(with: "</")
        position += isEnd ? 2 : 1
        let name = readName()
        var attributes: [Tag.Attribute] = []
        while true {
            skipWhitespace()
            if starts(with: ">") {
                position += 1
                return Tag(kind: isEnd ? .end : .start, name: name, offset: start, attributes: attributes)
            }
            if starts(with: "/>"), !isEnd {
                position += 2
                return Tag(kind: .empty, name: name, offset: start, attributes: attributes)
            }
            attributes.append(try readAttribute(ofTagAt: start))
        }
    }

    private mutating func readAttribute(ofTagAt start: Int) throws(UnreadableXML) -> Tag.Attribute {
        let problem = UnreadableXML(offset: start, message: "the form of this tag is unknown")
        let name = readName()
        skipWhitespace()
        guard !name.isEmpty, starts(with: "=") else { throw problem }
        position += 1
        skipWhitespace()
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]),
            let end = bytes[(position + 1)...].firstIndex(of: bytes[position]),
            let value = decodeXML(String(decoding: bytes[position + 1..<end], as: UTF8.self))
        else { throw problem }
        let range = position + 1..<end
        position = end + 1
        return Tag.Attribute(name: name, value: value, range: range)
    }

    private mutating func readName() -> String {
        let start = position
        while position < bytes.count, !isWhitespace(bytes[position]), !"/>=<\"'".utf8.contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipWhitespace() {
        while position < bytes.count, isWhitespace(bytes[position]) { position += 1 }
    }

    /// Moves past the end of a comment or another section, whose opening has some length.
    private mutating func skip(_ length: Int, to end: String) throws(UnreadableXML) {
        let start = position
        position += length
        while !starts(with: end) {
            guard position < bytes.count else {
                throw UnreadableXML(offset: start, message: "a section has no end")
            }
            position += 1
        }
        position += end.utf8.count
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    /// Checks the encoding: a file that declares another encoding may be read with it, and then has other names.
    private func checkEncoding(_ instruction: ArraySlice<UInt8>) throws(UnreadableXML) {
        let text = String(decoding: instruction, as: UTF8.self)
        guard text.hasPrefix("<?xml"), let range = text.firstRange(of: "encoding") else { return }
        let value = text[range.upperBound...].split(whereSeparator: { "\"'".contains($0) }).dropFirst().first ?? ""
        guard value.lowercased() == "utf-8" else {
            throw UnreadableXML(offset: instruction.startIndex, message: "it does not declare the encoding UTF-8")
        }
    }
}

/// Returns the value of an XML attribute, or `nil` if a reference is unknown.
private func decodeXML(_ text: String) -> String? {
    let standard = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
    var result = ""
    var rest = Substring(text)
    while let ampersand = rest.firstIndex(of: "&") {
        result += spaced(rest[..<ampersand])
        guard let end = rest[ampersand...].firstIndex(of: ";") else { return nil }
        let name = rest[rest.index(after: ampersand)..<end]
        if name.hasPrefix("#") {
            let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
            guard let scalar = number.flatMap(UnicodeScalar.init) else { return nil }
            result.unicodeScalars.append(scalar)
        } else {
            guard let character = standard[String(name)] else { return nil }
            result += character
        }
        rest = rest[rest.index(after: end)...]
    }
    return result + spaced(rest)
}

/// Replaces line endings and tabs with spaces, as XML does in values.
private func spaced(_ text: Substring) -> String {
    String(text.map { ["\r\n", "\n", "\r", "\t"].contains($0) ? " " : $0 })
}
