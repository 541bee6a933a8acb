internal import CChordataXML
internal import ChordataDiagnostics
internal import ChordataModel

/// An attribute of an element of a model file, valid as long as its tree exists.
struct AttributeSyntax {
    let tree: UnsafePointer<SyntaxTree.Storage>
    let index: Int

    private var stored: chordata_xml_attribute { tree.pointee.attributes[index] }

    /// The number of the name in the tree.
    var nameNumber: Int { Int(stored.name) }
    /// The name if it is known.
    var name: ModelName? { ModelName(rawValue: stored.name) }
    var nameText: String { tree.pointee.nameText(nameNumber) }
    /// The location of the beginning of the name.
    var location: SourceLocation { tree.pointee.location(stored.offset) }
    /// The location of the beginning of the value, after the quote.
    var valueLocation: SourceLocation { tree.pointee.location(stored.value) }
    /// The number of bytes of the value in the file, including escapes.
    var valueLength: Int { Int(stored.value_end - stored.value) }

    private var rawValue: Slice<UnsafeBufferPointer<UInt8>> {
        let stored = stored
        return tree.pointee.contents[Int(stored.value)..<Int(stored.value_end)]
    }

    var value: String {
        guard isEscaped else { return String(decoding: rawValue, as: UTF8.self) }
        var bytes: [UInt8] = []
        var position = rawValue.startIndex
        while position < rawValue.endIndex { bytes += decodeUnit(at: &position) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns a Boolean value that indicates whether the value equals a text of ASCII characters that need no escapes,
    /// without creating a string.
    func isValue(_ text: StaticString) -> Bool {
        let stored = stored
        guard Int(stored.value_end - stored.value) == text.utf8CodeUnitCount else { return false }
        for index in 0..<text.utf8CodeUnitCount
        where tree.pointee.contents[Int(stored.value) + index] != text.utf8Start[index] { return false }
        return true
    }

    /// The value for messages; long values are truncated.
    var shown: String {
        let value = value
        return value.unicodeScalars.count > 128
            ? "\(String(String.UnicodeScalarView(value.unicodeScalars.prefix(128))))…" : value
    }

    /// A Boolean value that indicates whether the value can be a name in Swift and SQL: at most 128 letters, digits and
    /// underscores that do not begin with a digit.
    var isIdentifier: Bool {
        guard !isEscaped else { return Self.isIdentifier(Array(value.utf8)) }
        return Self.isIdentifier(rawValue)
    }

    private static func isIdentifier(_ text: some Collection<UInt8>) -> Bool {
        // A single underscore is not a valid name in Swift.
        guard let first = text.first, text.count <= 128, !(48...57).contains(first), text.count > 1 || first != 95
        else {
            return false
        }
        return text.allSatisfy {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0) || $0 == 95
        }
    }

    /// A Boolean value that indicates whether the value in the file must be decoded to obtain the value that XML
    /// defines.
    var isEscaped: Bool { stored.is_escaped != 0 }

    /// A number that is equal for values that differ only in case.
    ///
    /// ASCII values without escapes are certain to differ if their numbers differ.
    var keyWithoutCase: UInt64 {
        var key = UInt64(truncatingIfNeeded: valueLength)
        // From the end, because similar names often differ there.
        for byte in rawValue.suffix(7) { key = key << 8 | UInt64(byte | 0x20) }
        return key
    }

    /// A Boolean value that indicates whether the value contains bytes that are not ASCII.
    var hasOtherThanASCII: Bool { rawValue.contains { $0 >= 0x80 } }

    /// Returns the location in the file of a byte of the value, taking into account the escapes before the byte.
    /// - Complexity: O(n) in the length of the value.
    func location(ofByte offset: Int) -> SourceLocation {
        var position = rawValue.startIndex
        var decoded = 0
        while decoded < offset, position < rawValue.endIndex { decoded += decodeUnit(at: &position).count }
        return tree.pointee.location(UInt32(position))
    }

    /// Returns the fix-it that replaces the value.
    func replacing(with value: String) -> FixIt {
        FixIt(
            "replace '\(shown)' with '\(value)'",
            at: valueLocation,
            length: valueLength,
            // The value may be written in single quotes.
            replacement: escape(value, with: .xmlAttribute).split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "&apos;")
        )
    }

    /// Decodes one byte or escape of the value as XML defines it, and advances past it.
    private func decodeUnit(at position: inout Int) -> [UInt8] {
        let raw = rawValue
        let byte = raw[position]
        switch byte {
        case UInt8(ascii: "&"):
            guard let end = raw[position...].firstIndex(of: UInt8(ascii: ";")) else { break }
            let escape = raw[(position + 1)..<end]
            position = end + 1
            return decodeEscape(escape)
        // A line break of two bytes becomes one space, https://www.w3.org/TR/xml/#AVNormalize.
        case 13:
            let isPair = position + 1 < raw.endIndex && raw[position + 1] == 10
            position += isPair ? 2 : 1
            return [32]
        case 9, 10:
            position += 1
            return [32]
        default: break
        }
        position += 1
        return [byte]
    }

    /// Decodes the name between `&` and `;`; libxml2 accepts only the names below.
    private func decodeEscape(_ escape: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        let text = String(decoding: escape, as: UTF8.self)
        switch text {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let digits = text.dropFirst()
            let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return code.flatMap { Unicode.Scalar($0) }.map { Array(String($0).utf8) } ?? []
        }
    }
}
