/// An error for an unknown mark in double braces.
struct MarkError: Error, CustomStringConvertible {
    let mark: String
    var description: String { "'{{\(mark)}}' is not a mark" }
}

/// Expands the marks of a text: `{{00 FF}}` bytes, `{{U+202E}}` a scalar, `{{64×<a>}}` a repetition.
///
/// In a repetition, `{i}` is the index of the repetition from 0, and `{i+1}` is the next index. Marks may occur in a
/// repetition.
func expandMarks(_ text: String) throws(MarkError) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    var plain = 0
    while position < bytes.count {
        guard isPair(bytes, at: position, UInt8(ascii: "{")) else {
            position += 1
            continue
        }
        result += bytes[plain..<position]
        let start = position + 2
        let end = endOfMark(bytes, from: start)
        let mark = String(decoding: bytes[start..<(end ?? bytes.count)], as: UTF8.self)
        guard let end else { throw MarkError(mark: mark) }
        result += try expandMark(mark)
        position = end + 2
        plain = position
    }
    return result + bytes[plain...]
}

/// Returns the position of the two braces that end a mark, after nested marks.
private func endOfMark(_ bytes: [UInt8], from start: Int) -> Int? {
    var depth = 1
    var position = start
    while position < bytes.count {
        if isPair(bytes, at: position, UInt8(ascii: "{")) {
            depth += 1
            position += 2
        } else if isPair(bytes, at: position, UInt8(ascii: "}")) {
            depth -= 1
            if depth == 0 { return position }
            position += 2
        } else {
            position += 1
        }
    }
    return nil
}

private func isPair(_ bytes: [UInt8], at position: Int, _ byte: UInt8) -> Bool {
    position + 1 < bytes.count && bytes[position] == byte && bytes[position + 1] == byte
}

private func expandMark(_ mark: String) throws(MarkError) -> [UInt8] {
    if let sign = mark.firstIndex(of: "×"), let count = Int(mark[..<sign]) {
        let body = String(mark[mark.index(after: sign)...])
        // The index of the repetition, or the next index, is between the parts.
        var parts: [(text: [UInt8], next: Int?)] = []
        var rest = body[...]
        while let range = rest.firstRange(of: "{i") {
            let isNext = rest[range.upperBound...].hasPrefix("+1}")
            parts.append((try expandMarks(String(rest[..<range.lowerBound])), isNext ? 1 : 0))
            rest = rest[range.upperBound...].dropFirst(isNext ? 3 : 1)
        }
        parts.append((try expandMarks(String(rest)), nil))
        var result: [UInt8] = []
        for turn in 0..<count {
            for part in parts {
                result += part.text
                if let next = part.next { result += "\(turn + next)".utf8 }
            }
        }
        return result
    }
    if mark.hasPrefix("U+"), let scalar = UInt32(mark.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init) {
        return Array(String(scalar).utf8)
    }
    let bytes = mark.split(separator: " ").map { $0.utf8.count == 2 ? UInt8($0, radix: 16) : nil }
    guard !bytes.isEmpty, !bytes.contains(nil) else { throw MarkError(mark: mark) }
    return bytes.compactMap { $0 }
}

/// Returns a text with the marks that ``expandMarks(_:)`` reads, for long runs of a letter and for characters that an
/// editor does not show.
func writeMarks(_ text: String) -> String {
    var result = ""
    var last: Unicode.Scalar?
    var count = 0
    func flush() {
        guard let last else { return }
        let shown = isShown(last) ? String(last) : "{{U+\(hexadecimal(last))}}"
        result += count > 30 ? "{{\(count)×\(shown)}}" : String(repeating: shown, count: count)
    }
    for scalar in text.unicodeScalars {
        if scalar == last {
            count += 1
        } else {
            flush()
            last = scalar
            count = 1
        }
    }
    flush()
    return result
}

private func hexadecimal(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
}

private func isShown(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control: scalar == "\n"
    case .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .nonspacingMark, .enclosingMark: false
    case .spaceSeparator: scalar == " "
    default: true
    }
}
