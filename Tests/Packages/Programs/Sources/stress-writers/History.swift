import Foundation

/// The record of a client.
struct History {
    enum Outcome: Equatable {
        /// The save has not returned, or its program was killed before it recorded the result.
        case open
        case acknowledged
        case cancelled, conflict, busy
        /// The result that was found after a kill.
        case foundStored, foundAbsent

        /// A Boolean value that indicates whether the client has seen that the save is stored.
        var isStored: Bool { self == .acknowledged || self == .foundStored }
        /// A Boolean value that indicates whether the client was notified that nothing is stored.
        var isAbsent: Bool {
            switch self {
            case .cancelled, .conflict, .busy, .foundAbsent: true
            case .open, .acknowledged, .foundStored: false
            }
        }
    }

    struct Save {
        let kind: SaveKind
        /// In microseconds of the shared clock.
        let start: Int
        var outcome = Outcome.open
        /// The duration of a save that was acknowledged.
        var wait = 0
    }

    /// The saves, by number, which begins with 1.
    private(set) var saves: [Save] = []
    private(set) var readCount = 0
    private(set) var faults: [String] = []

    /// Reads a record; incomplete lines are ignored.
    init(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        data.withUnsafeBytes { bytes in
            var start = bytes.startIndex
            while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
                add(bytes[start..<end])
                start = end + 1
            }
        }
    }

    private mutating func add(_ line: Slice<UnsafeRawBufferPointer>) {
        guard line.count > 2, line.suffix(2).elementsEqual(" .".utf8), let kind = line.first else { return }
        let fields = line.dropFirst(2).dropLast(2)
        switch kind {
        case UInt8(ascii: "r"): readCount += 1
        case UInt8(ascii: "f"): faults.append(String(decoding: fields, as: UTF8.self))
        default: add(kind, Self.numbers(fields))
        }
    }

    private mutating func add(_ kind: UInt8, _ numbers: (Int, Int, Int)) {
        let (number, second, third) = numbers
        if kind == UInt8(ascii: "b") {
            guard number == saves.count + 1, let kind = UInt8(exactly: second).flatMap(SaveKind.init) else {
                return faults.append("save \(number) follows save \(saves.count) in the record")
            }
            return saves.append(Save(kind: kind, start: third))
        }
        guard number == saves.count, saves.last?.outcome == .open else {
            return faults.append("save \(number) has two results in the record, or none before save \(saves.count)")
        }
        switch kind {
        case UInt8(ascii: "a"):
            saves[number - 1].outcome = .acknowledged
            saves[number - 1].wait = second
        case UInt8(ascii: "c"): saves[number - 1].outcome = .cancelled
        case UInt8(ascii: "x"): saves[number - 1].outcome = .conflict
        case UInt8(ascii: "y"): saves[number - 1].outcome = .busy
        case UInt8(ascii: "s"): saves[number - 1].outcome = .foundStored
        case UInt8(ascii: "n"): saves[number - 1].outcome = .foundAbsent
        default: faults.append("the record has a line of kind \(kind)")
        }
    }

    /// Returns up to three numbers, which are separated by spaces.
    private static func numbers(_ fields: Slice<UnsafeRawBufferPointer>) -> (Int, Int, Int) {
        var numbers = (0, 0, 0)
        var index = 0
        for byte in fields {
            if byte == UInt8(ascii: " ") {
                index += 1
                continue
            }
            let digit = Int(byte) - 0x30
            switch index {
            case 0: numbers.0 = numbers.0 * 10 + digit
            case 1: numbers.1 = numbers.1 * 10 + digit
            default: numbers.2 = numbers.2 * 10 + digit
            }
        }
        return numbers
    }
}
