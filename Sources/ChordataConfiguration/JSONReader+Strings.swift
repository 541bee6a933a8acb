internal import ChordataDiagnostics

extension JSONReader {
    /// Reads a string as specified in RFC 8259, section 7.
    mutating func readString() throws(Failure) -> String {
        let start = here
        position += 1
        var text: [UInt8] = []
        while let byte {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"): text += try readEscape()
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                throw fail(
                    "the line ends within a string",
                    notes: [Diagnostic.Note("the string begins here", at: start)]
                )
            case 0..<0x20: throw fail("\(found) within a string must be written as an escape")
            case 0x20..<0x80:
                text.append(byte)
                position += 1
            default: text += try readCharacter()
            }
        }
        throw fail("the file ends within a string", notes: [Diagnostic.Note("the string begins here", at: start)])
    }

    /// Reads a character of more than one byte.
    private mutating func readCharacter() throws(Failure) -> ArraySlice<UInt8> {
        var decoder = UTF8()
        var iterator = bytes[position..<min(position + 4, bytes.count)].makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { throw fail("there is \(found)") }
        let character = bytes[position..<(position + UTF8.width(scalar))]
        position = character.endIndex
        return character
    }

    private mutating func readEscape() throws(Failure) -> [UInt8] {
        let start = position
        position += 1
        guard let byte else { throw fail("the file ends within a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(Character(try readCodePoint(from: start))).utf8)
        default:
            position = start
            throw fail("unknown escape; write a backslash as '\\\\'")
        }
    }

    /// Reads the four digits after `\u`, or two groups of four digits for a character beyond U+FFFF.
    private mutating func readCodePoint(from start: Int) throws(Failure) -> Unicode.Scalar {
        let unit = try readCodeUnit(from: start)
        if let scalar = Unicode.Scalar(UInt32(unit)) { return scalar }
        if UTF16.isLeadSurrogate(unit), bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) {
            position += 2
            let trail = try readCodeUnit(from: position - 2)
            if UTF16.isTrailSurrogate(trail),
                let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(trail) - 0xDC00))
            {
                return scalar
            }
        }
        position = start
        throw fail("an escape has only half of a surrogate pair; write both halves, as in '\\uD83D\\uDE00'")
    }

    private mutating func readCodeUnit(from start: Int) throws(Failure) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            guard let digit = byte.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                position = start
                throw fail("'\\u' needs four hexadecimal digits")
            }
            unit = unit << 4 | UInt16(digit)
            position += 1
        }
        return unit
    }
}
