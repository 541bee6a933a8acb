// The binary format of NUMERIC: digits in base 10,000, the exponent of the first digit, a sign, and the number of
// decimal digits after the point.

private enum Sign {
    static let positive: UInt16 = 0x0000
    static let negative: UInt16 = 0x4000
    static let notANumber: UInt16 = 0xC000
    static let infinity: UInt16 = 0xD000
    static let negativeInfinity: UInt16 = 0xF000
}

extension WireBuffer {
    /// Appends a decimal number as a NUMERIC.
    /// - Parameter text: The number: a sign, digits, and digits after a point; `NaN` for a value that is not a number.
    mutating func append(decimal text: String) {
        if text == "NaN" {
            for number in [0, 0, Sign.notANumber, 0] { append(number) }
            return
        }
        var digits = Substring(text).utf8
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        let point = digits.firstIndex(of: UInt8(ascii: ".")) ?? digits.endIndex
        let whole = digits[..<point].map { $0 - UInt8(ascii: "0") }
        let fraction = digits[point...].dropFirst().map { $0 - UInt8(ascii: "0") }
        // Zeros are added on both sides, so that groups of four digits begin at the point.
        let before = [UInt8](repeating: 0, count: (4 - whole.count % 4) % 4)
        let after = [UInt8](repeating: 0, count: (4 - fraction.count % 4) % 4)
        let all = before + whole + fraction + after
        var groups = stride(from: 0, to: all.count, by: 4).map { start in
            all[start..<start + 4].reduce(Int16(0)) { $0 * 10 + Int16($1) }
        }
        var weight = (before.count + whole.count) / 4 - 1
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        if groups.isEmpty { weight = 0 }
        append(Int16(groups.count))
        append(Int16(weight))
        append(isNegative && !groups.isEmpty ? Sign.negative : Sign.positive)
        append(Int16(fraction.count))
        for group in groups { append(group) }
    }
}

/// Reads a NUMERIC as the canonical text of a decimal: without an exponent and without zeros at its ends.
/// - Returns: The text in UTF-8; `NaN`, `Infinity` or `-Infinity` for a value that is not a number.
func decimalText(ofNumeric bytes: UnsafeRawBufferPointer) throws(WireError) -> [UInt8] {
    guard bytes.count >= 8 else { throw .malformed(.numeric) }
    let count = Int(bytes.number(at: 0, as: Int16.self))
    let weight = Int(bytes.number(at: 2, as: Int16.self))
    let sign = bytes.number(at: 4, as: UInt16.self)
    guard count >= 0, bytes.count == 8 + 2 * count else { throw .malformed(.numeric) }
    switch sign {
    case Sign.positive, Sign.negative: break
    case Sign.notANumber: return Array("NaN".utf8)
    case Sign.infinity: return Array("Infinity".utf8)
    case Sign.negativeInfinity: return Array("-Infinity".utf8)
    default: throw .malformed(.numeric)
    }
    /// Returns the four digits of a group; a group that is not stored is 0.
    func group(_ index: Int) throws(WireError) -> [UInt8] {
        let value = (0..<count).contains(index) ? Int(bytes.number(at: 8 + 2 * index, as: Int16.self)) : 0
        guard (0..<10_000).contains(value) else { throw .malformed(.numeric) }
        return [value / 1_000, value / 100 % 10, value / 10 % 10, value % 10].map { UInt8($0) + UInt8(ascii: "0") }
    }
    var whole: [UInt8] = []
    if weight >= 0 { for index in 0...weight { whole += try group(index) } }
    whole = Array(whole.drop { $0 == UInt8(ascii: "0") })
    var fraction: [UInt8] = []
    // The groups after the point begin with the group of weight -1.
    if count > weight + 1 {
        for index in weight + 1..<count {
            if index < 0 { fraction += [48, 48, 48, 48] } else { fraction += try group(index) }
        }
    }
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    var text = whole.isEmpty ? [UInt8(ascii: "0")] : whole
    if !fraction.isEmpty { text += [UInt8(ascii: ".")] + fraction }
    let isZero = whole.isEmpty && fraction.isEmpty
    return sign == Sign.negative && !isZero ? [UInt8(ascii: "-")] + text : text
}
