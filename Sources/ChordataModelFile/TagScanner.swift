internal import ChordataDiagnostics

/// The places of every start tag and its attributes, found in one pass over the bytes.
///
/// libxml2 only tells where a tag ends. The pass also refuses what libxml2 should not see: it is slow on tags with many
/// attributes, misleading about NUL bytes, and would read a document type.
struct TagScanner {
    struct Tag {
        var location: SourceLocation
        /// Places of names and of values, in order.
        var attributes: [(name: SourceLocation, value: SourceLocation)] = []
    }

    static let sizeLimit = 16 << 20
    static let depthLimit = 64
    static let attributeLimit = 64

    private let path: String
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var depth = 0

    private(set) var tags: [Tag] = []

    init(_ file: ModelSourceFile) {
        path = file.path
        bytes = file.contents
    }

    private var here: SourceLocation {
        SourceLocation(file: path, line: line, column: position - lineStart + 1)
    }

    /// Scans the file; the first thing that is wrong ends the scan.
    mutating func scan() -> Diagnostic? {
        let start = SourceLocation(file: path, line: 1, column: 1)
        guard !bytes.isEmpty else {
            return Diagnostic(
                .emptyFile,
                "the file is empty; restore it, or remove this version from the model",
                at: start
            )
        }
        guard bytes.count <= Self.sizeLimit else {
            return Diagnostic(
                .limitExceeded,
                "the file has \(bytes.count) bytes; the limit is \(Self.sizeLimit)",
                at: start
            )
        }
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            return Diagnostic(.malformedXML, "the file is in UTF-16; save it as UTF-8", at: start)
        }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            position = 3
            lineStart = 3
        }
        if let problem = checkText() { return problem }
        skipSpace()
        guard position < bytes.count, bytes[position] == UInt8(ascii: "<") else {
            return Diagnostic(.malformedXML, "the file is not XML: it does not begin with '<'", at: here)
        }
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                if let problem = scanMarkup() { return problem }
            } else {
                advance()
            }
        }
        return nil
    }

    /// Finds NUL bytes and bytes that are not UTF-8.
    private func checkText() -> Diagnostic? {
        guard let bad = bytes.firstIndex(of: 0) ?? firstInvalidByte() else { return nil }
        let before = bytes[..<bad]
        let line = before.reduce(1) { $0 + ($1 == 10 ? 1 : 0) }
        let column = bad - (before.lastIndex(of: 10).map { $0 + 1 } ?? 0) + 1
        let what = bytes[bad] == 0 ? "a NUL byte" : "a byte that is not UTF-8"
        return Diagnostic(
            .malformedXML,
            "the file has \(what); restore it or remove the byte",
            at: SourceLocation(file: path, line: line, column: column)
        )
    }

    private func firstInvalidByte() -> Int? {
        var index = 0
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        while true {
            switch decoder.decode(&iterator) {
            case .scalarValue(let scalar): index += UTF8.width(scalar)
            case .emptyInput: return nil
            case .error: return index
            }
        }
    }

    private mutating func advance() {
        if bytes[position] == 10 {
            line += 1
            lineStart = position + 1
        }
        position += 1
    }

    private mutating func skipSpace() {
        while position < bytes.count, [9, 10, 13, 32].contains(bytes[position]) { advance() }
    }

    private func hasPrefix(_ text: StaticString) -> Bool {
        text.withUTF8Buffer { bytes[position...].starts(with: $0) }
    }

    private mutating func skip(to end: StaticString) {
        while position < bytes.count, !hasPrefix(end) { advance() }
        for _ in 0..<end.utf8CodeUnitCount where position < bytes.count { advance() }
    }

    private mutating func scanMarkup() -> Diagnostic? {
        if hasPrefix("<!--") {
            skip(to: "-->")
        } else if hasPrefix("<![CDATA[") {
            skip(to: "]]>")
        } else if hasPrefix("<?") {
            skip(to: "?>")
        } else if hasPrefix("<!") {
            // Property lists name Apple's document type; it is never read.
            if path.hasSuffix(".xccurrentversion"), hasPrefix("<!DOCTYPE plist PUBLIC"), !nextTagHasSubset() {
                skip(to: ">")
                return nil
            }
            return Diagnostic(
                .documentTypeDeclaration,
                "a model has no document type; remove the '<!' declaration",
                at: here
            )
        } else if hasPrefix("</") {
            depth -= 1
            skip(to: ">")
        } else {
            return scanTag()
        }
        return nil
    }

    private func nextTagHasSubset() -> Bool {
        for byte in bytes[position...] {
            if byte == UInt8(ascii: "[") { return true }
            if byte == UInt8(ascii: ">") { return false }
        }
        return true
    }

    private mutating func scanTag() -> Diagnostic? {
        var tag = Tag(location: here)
        depth += 1
        guard depth <= Self.depthLimit else {
            return Diagnostic(.limitExceeded, "elements are nested more than \(Self.depthLimit) deep", at: here)
        }
        advance()
        while position < bytes.count, !isEndOfName(bytes[position]) { advance() }
        while position < bytes.count {
            skipSpace()
            guard position < bytes.count else { break }
            if bytes[position] == UInt8(ascii: ">") {
                advance()
                break
            }
            if bytes[position] == UInt8(ascii: "/") {
                advance()
                depth -= 1
                continue
            }
            let name = here
            while position < bytes.count, !isEndOfName(bytes[position]) { advance() }
            skipSpace()
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else {
                if position < bytes.count, name == here { advance() }
                continue
            }
            advance()
            skipSpace()
            guard position < bytes.count else { break }
            let quote = bytes[position]
            guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { continue }
            advance()
            tag.attributes.append((name, here))
            guard tag.attributes.count <= Self.attributeLimit else {
                return Diagnostic(
                    .limitExceeded,
                    "an element has more than \(Self.attributeLimit) attributes",
                    at: tag.location
                )
            }
            while position < bytes.count, bytes[position] != quote { advance() }
            if position < bytes.count { advance() }
        }
        tags.append(tag)
        return nil
    }

    private func isEndOfName(_ byte: UInt8) -> Bool {
        [9, 10, 13, 32, UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "<")].contains(byte)
    }
}
