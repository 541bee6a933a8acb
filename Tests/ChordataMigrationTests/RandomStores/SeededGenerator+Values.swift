import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import Foundation

/// Random values of attributes.
extension SeededGenerator {
    mutating func value(of type: AttributeType) -> AttributeValue {
        if chance(20), let value = extremeValue(of: type) { return value }
        return switch type {
        case .integer16, .integer32, .integer64: .integer(Int64(below(200)) - 100)
        case .double, .float: .double(Double(below(800)) / 4 - 100)
        case .decimal: .decimal(Decimal(below(1000)) / 8)
        case .boolean: .boolean(chance(2))
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(below(1_000_000))))
        case .binaryData: .data(Data((0..<below(6)).map { UInt8($0) }))
        case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(below(256)))))
        // Strings, and types that have no values of their own.
        default: .string(pick(["", "it's", "ä\"b", "x;--y", "plain", "a\u{0}b"]))
        }
    }

    /// Returns a number at a limit of its type or of another type, or one that another type cannot represent exactly.
    private mutating func extremeValue(of type: AttributeType) -> AttributeValue? {
        let small = Double(below(1 << 24)) * Double(Float.leastNonzeroMagnitude)
        let floats = [
            Double(Float.greatestFiniteMagnitude), Double(Float.leastNonzeroMagnitude), .infinity, 32767.5, 32768,
            small,
            2_147_483_648, 9_223_372_036_854_775_808, Double(Float(0.1)),
        ]
        let doubles =
            floats + [
                1e300, .leastNonzeroMagnitude, Double(bitPattern: 10_121), 0.1, 1.0 / 3, 16_777_217, 0x1.ffffffp127,
                0x1.fffffefp127,
                small / 2,
                2_147_483_647.5, 9_223_372_036_854_774_784,
            ]
        let integers: [[Int64]] = [
            [.init(Int16.min), .init(Int16.max)],
            [.init(Int32.min), .init(Int32.max), 32768, -32769, 16_777_217],
            [.min, .max, 2_147_483_648, -2_147_483_649, 9_007_199_254_740_993],
        ]
        let sign: Double = chance(2) ? -1 : 1
        return switch type {
        case .integer16: .integer(pick(integers[0]))
        case .integer32: .integer(pick(integers[0] + integers[1]))
        case .integer64: .integer(pick(integers[0] + integers[1] + integers[2]))
        case .float: .double(sign * pick(floats))
        case .double: .double(sign * pick(doubles))
        default: nil  // Others have no limits that a migration knows.
        }
    }

    mutating func sqlValue(of type: AttributeType) -> SQLValue { SQLValue(.attribute(value(of: type))) }
}
