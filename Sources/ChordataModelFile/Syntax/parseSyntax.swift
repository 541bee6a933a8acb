internal import CChordataXML
internal import ChordataDiagnostics

/// The limits for files.
enum SyntaxLimit {
    static let bytes = 4 << 20
    /// The file of a mapping model contains both models as bytes.
    static let mappingBytes = 64 << 20
    static let depth = 64
    static let attributes = 64
    static let unknownNames = 512
    static let nameBytes = 1_024
}

/// Parses the bytes of a file into elements with locations.
func parseSyntax(_ file: ModelSourceFile) -> Result<SyntaxTree, SyntaxFailure> {
    let allowsDocumentType: Int32 = allowsDocumentType(file) ? 1 : 0
    return file.contents.withUnsafeBufferPointer { bytes in
        let limits = chordata_xml_limits(
            bytes: file.isMapping ? SyntaxLimit.mappingBytes : SyntaxLimit.bytes,
            depth: SyntaxLimit.depth,
            attributes: SyntaxLimit.attributes,
            names: SyntaxLimit.unknownNames,
            name_bytes: SyntaxLimit.nameBytes,
            allows_document_type: allowsDocumentType
        )
        var document = chordata_xml_scan(bytes.baseAddress, bytes.count, limits, KnownNames.list)
        if let diagnostic = diagnose(document, of: file) {
            chordata_xml_free(&document)
            return .failure(SyntaxFailure(diagnostic: diagnostic))
        }
        let collector = TriviaCollector()
        var handler = collector.handler
        var error = chordata_xml_error()
        chordata_xml_verify(bytes.baseAddress, bytes.count, allowsDocumentType, &document, &handler, &error)
        if let diagnostic = diagnose(error, document, of: file) {
            chordata_xml_free(&document)
            return .failure(SyntaxFailure(diagnostic: diagnostic))
        }
        return .success(SyntaxTree(file, document, trivia: collector.trivia))
    }
}

/// Property lists and mapping models name Apple's document types, which are never read.
private func allowsDocumentType(_ file: ModelSourceFile) -> Bool {
    file.path.hasSuffix(".xccurrentversion") || file.isMapping
}

/// The names of ``ModelName`` as null-terminated C strings, which are never freed.
private enum KnownNames {
    private nonisolated(unsafe) static let texts: UnsafeMutableBufferPointer<UnsafePointer<CChar>?> = {
        let texts = UnsafeMutableBufferPointer<UnsafePointer<CChar>?>.allocate(capacity: ModelName.allCases.count)
        _ = texts.initialize(from: ModelName.allCases.map { copy(of: $0.text) })
        return texts
    }()

    private static func copy(of text: String) -> UnsafePointer<CChar>? {
        let bytes = text.utf8CString
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: bytes.count)
        _ = copy.initialize(from: bytes)
        return UnsafePointer(copy.baseAddress)
    }

    static var list: chordata_xml_known_names {
        chordata_xml_known_names(texts: texts.baseAddress, count: texts.count)
    }
}

/// The reason why a file cannot be parsed.
struct SyntaxFailure: Error {
    var diagnostic: Diagnostic
}

private func diagnose(_ scan: chordata_xml_document, of file: ModelSourceFile) -> Diagnostic? {
    func found(_ id: DiagnosticID, _ message: String) -> Diagnostic {
        Diagnostic(id, message, at: location(of: scan.problem_offset, in: scan, of: file))
    }
    switch scan.problem {
    case CHORDATA_XML_FINE: return nil
    case CHORDATA_XML_EMPTY:
        let isVersion = !allowsDocumentType(file)
        return found(
            .emptyFile,
            "the file is empty; restore it from version control or a backup, or remove "
                + (isVersion ? "this version from the model" : "it")
        )
    case CHORDATA_XML_TOO_LARGE:
        return found(
            .limitExceeded,
            file.isMapping
                ? "the file has more than \(SyntaxLimit.mappingBytes) bytes; restore it from version control or a backup"
                : "the file has more than \(SyntaxLimit.bytes) bytes; divide the model"
        )
    case CHORDATA_XML_UTF16: return found(.unsupportedEncoding, "the file is in UTF-16; save it as UTF-8")
    case CHORDATA_XML_NUL_BYTE:
        return found(
            .malformedXML,
            isBinaryPropertyList(file)
                ? binaryPropertyList
                : "the file has a NUL byte, so it is not XML; restore it from version control or a backup"
        )
    case CHORDATA_XML_INVALID_UTF8:
        return found(
            .malformedXML,
            isBinaryPropertyList(file)
                ? binaryPropertyList
                : "the file has a byte that is not UTF-8; save it as UTF-8, or restore it from version control or a "
                    + "backup"
        )
    case CHORDATA_XML_ENCODING:
        return found(
            .unsupportedEncoding,
            "the XML declaration names an encoding other than UTF-8; save the file as "
                + "UTF-8, and correct the declaration"
        )
    case CHORDATA_XML_NO_MARKUP:
        return found(
            .malformedXML,
            isBinaryPropertyList(file)
                ? binaryPropertyList
                : "the file is not XML: it does not begin with '<'; restore it from version control or a backup"
        )
    case CHORDATA_XML_DOCUMENT_TYPE:
        return found(
            .documentTypeDeclaration,
            allowsDocumentType(file)
                ? "a property list can have only the declaration '<!DOCTYPE', without '[…]'; remove other declarations, and "
                    + "the part from '[' to ']'"
                : "a model must not have a document type declaration; remove the '<!' declaration"
        )
    case CHORDATA_XML_TOO_DEEP:
        return found(
            .limitExceeded,
            "elements are nested more than \(SyntaxLimit.depth) deep; a model needs no more than 5 levels"
        )
    case CHORDATA_XML_TOO_MANY_ATTRIBUTES:
        return found(
            .limitExceeded,
            "an element has more than \(SyntaxLimit.attributes) attributes; remove those that are not part of a model"
        )
    case CHORDATA_XML_TOO_MANY_NAMES:
        return found(
            .limitExceeded,
            "the file has more than \(SyntaxLimit.unknownNames) unknown names of elements and attributes; check "
                + "that it is a model"
        )
    case CHORDATA_XML_LONG_NAME:
        return found(
            .limitExceeded,
            "a name has more than \(SyntaxLimit.nameBytes) bytes; check that the file is a model"
        )
    case CHORDATA_XML_DUPLICATE_ATTRIBUTE:
        return found(.malformedXML, "the file is not well-formed XML: an attribute is duplicated; remove one")
    default: return found(.limitExceeded, "there is not enough memory to read the file")
    }
}

/// Returns a Boolean value that indicates whether the file is a binary property list.
private func isBinaryPropertyList(_ file: ModelSourceFile) -> Bool { file.contents.starts(with: "bplist".utf8) }

private let binaryPropertyList =
    "the file is a binary property list, not XML; convert it with 'plutil -convert xml1', or save it with Xcode"

private func diagnose(
    _ error: chordata_xml_error,
    _ scan: chordata_xml_document,
    of file: ModelSourceFile
) -> Diagnostic? {
    guard error.code != 0 else { return nil }
    let message = withUnsafeBytes(of: error.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let offset = min(error.offset, UInt32(file.contents.count))
    let isInMerge = file.contents[...min(Int(offset) + 7, file.contents.count - 1)].suffix(15).containsMergeMark
    return Diagnostic(
        .malformedXML,
        isInMerge
            ? "the file has merge conflict markers; choose one side, and remove the markers"
            : "the file is not well-formed XML: \(message.prefix(1).lowercased() + message.dropFirst())",
        at: location(of: offset, in: scan, of: file)
    )
}

extension ArraySlice<UInt8> {
    /// A Boolean value that indicates whether the bytes contain the seven brackets with which merge tools mark a
    /// conflict.
    fileprivate var containsMergeMark: Bool {
        var count = 0
        for byte in self {
            count = byte == UInt8(ascii: "<") ? count + 1 : 0
            if count == 7 { return true }
        }
        return false
    }
}

private func location(
    of offset: UInt32,
    in scan: chordata_xml_document,
    of file: ModelSourceFile
) -> SourceLocation {
    let lines = UnsafeBufferPointer(start: scan.lines, count: scan.line_count)
    let line = max(1, lines.partitioningIndex { $0 > offset })
    let start = lines.isEmpty ? 0 : lines[line - 1]
    return SourceLocation(file: file.path, line: line, column: Int(offset - start) + 1)
}

extension RandomAccessCollection {
    /// Returns the first index whose element satisfies a condition, which all elements after it must also satisfy.
    /// - Complexity: O(log n).
    fileprivate func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = self.count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
