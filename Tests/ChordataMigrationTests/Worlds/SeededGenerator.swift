import ChordataModel
import ChordataPredicate
import ChordataSQL
import Foundation

/// Random numbers that are the same for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
    /// True once in so many times.
    mutating func chance(_ count: Int) -> Bool { below(count) == 0 }
    mutating func pick<T>(_ choices: [T]) -> T { choices[below(choices.count)] }

    mutating func value(of type: AttributeType) -> AttributeValue {
        switch type {
        case .integer16, .integer32, .integer64: .integer(Int64(below(200)) - 100)
        case .double, .float: .double(Double(below(800)) / 4 - 100)
        case .decimal: .decimal(Decimal(below(1000)) / 8)
        case .boolean: .boolean(chance(2))
        case .date: .date(Date(timeIntervalSinceReferenceDate: Double(below(1_000_000))))
        case .binaryData: .data(Data((0..<below(6)).map { UInt8($0) }))
        case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(below(256)))))
        // Strings, and what has no other value.
        default: .string(pick(["", "it's", "ä\"b", "x;--y", "plain", "a\u{0}b"]))
        }
    }

    mutating func sqlValue(of type: AttributeType) -> SQLValue { SQLValue(.attribute(value(of: type))) }
}
