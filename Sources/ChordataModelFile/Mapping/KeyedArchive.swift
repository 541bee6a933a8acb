#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The objects of a keyed archive in a binary property list.
///
/// Mapping models store expressions in this format.
///
/// Foundation reads property lists, but does not expose the references that archives consist of. Malformed values are
/// `nil`.
struct KeyedArchive {
    enum Value {
        case text(String)
        case integer(Int64)
        /// The number of an object of the archive.
        case reference(Int)
        /// Indexes of values in the property list.
        case array([Int])
        case dictionary([String: Int])
        /// Types that expressions do not need.
        case other
    }

    private let bytes: [UInt8]
    private var offsetSize = 0
    private var placeSize = 0
    private var offsets = 0
    private var count = 0
    /// The indexes of the archive's objects in the property list.
    private var objects: [Int] = []
    private(set) var root: Value = .other

    /// - Parameter text: The bytes in Base 64.
    init?(base64 text: String) {
        guard let data = Data(base64Encoded: text, options: .ignoreUnknownCharacters), data.count >= 40 else {
            return nil
        }
        bytes = Array(data)
        guard bytes.starts(with: Array("bplist00".utf8)) else { return nil }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        placeSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(placeSize),
            let count = number(at: trailer + 8, size: 8), let top = number(at: trailer + 16, size: 8),
            let offsets = number(at: trailer + 24, size: 8), count <= bytes.count, offsets <= trailer
        else { return nil }
        self.count = count
        self.offsets = offsets
        guard case .dictionary(let all)? = value(at: top), let objects = all["$objects"],
            case .array(let places)? = value(at: objects), let first = all["$top"],
            case .dictionary(let tops)? = value(at: first), let root = tops["root"], let value = value(at: root)
        else { return nil }
        self.objects = places
        self.root = value
    }

    /// A value, or the object that it refers to.
    func object(_ value: Value?) -> Value? {
        guard case .reference(let number)? = value else { return value }
        return objects.indices.contains(number) ? self.value(at: objects[number]) : nil
    }

    func object(at place: Int?) -> Value? { object(place.flatMap { value(at: $0) }) }

    // MARK: The property list

    private func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, size <= 8, offset + size <= bytes.count else { return nil }
        var number: UInt64 = 0
        for byte in bytes[offset..<offset + size] { number = number << 8 | UInt64(byte) }
        return Int(exactly: number)
    }

    private func offset(of place: Int) -> Int? {
        guard (0..<count).contains(place) else { return nil }
        return number(at: offsets + place * offsetSize, size: offsetSize).flatMap { $0 < bytes.count ? $0 : nil }
    }

    private func isText(at place: Int) -> Bool { offset(of: place).map { (5...6).contains(bytes[$0] >> 4) } ?? false }

    private func value(at place: Int) -> Value? {
        guard let offset = offset(of: place) else { return nil }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0xF))
        switch kind {
        case 1: return number(at: offset + 1, size: 1 << low).map { .integer(Int64($0)) }
        case 8: return number(at: offset + 1, size: low + 1).map { .reference($0) }
        case 5, 6, 0xA, 0xD: break
        default: return .other
        }
        var (length, start) = (low, offset + 1)
        if low == 0xF {
            guard start < bytes.count, bytes[start] >> 4 == 1, case let size = 1 << Int(bytes[start] & 0xF),
                let long = number(at: start + 1, size: size), long <= bytes.count
            else { return nil }
            (length, start) = (long, start + 1 + size)
        }
        switch kind {
        case 5: return text(start, length)
        case 6: return wideText(start, length)
        case 0xA: return places(start, length).map { .array($0) }
        default: return dictionary(start, length)
        }
    }

    private func text(_ start: Int, _ length: Int) -> Value? {
        guard start + length <= bytes.count else { return nil }
        return .text(String(decoding: bytes[start..<start + length], as: UTF8.self))
    }

    private func wideText(_ start: Int, _ length: Int) -> Value? {
        guard start + length * 2 <= bytes.count else { return nil }
        let units = (0..<length).map { UInt16(bytes[start + $0 * 2]) << 8 | UInt16(bytes[start + $0 * 2 + 1]) }
        return .text(String(decoding: units, as: UTF16.self))
    }

    private func places(_ start: Int, _ length: Int) -> [Int]? {
        guard start + length * placeSize <= bytes.count else { return nil }
        return (0..<length).compactMap { number(at: start + $0 * placeSize, size: placeSize) }
    }

    private func dictionary(_ start: Int, _ length: Int) -> Value? {
        guard let all = places(start, length * 2), all.count == length * 2 else { return nil }
        var found: [String: Int] = [:]
        for index in 0..<length {
            // Only strings are read as keys, so that a dictionary cannot be a key of itself.
            if isText(at: all[index]), case .text(let key)? = value(at: all[index]) { found[key] = all[index + length] }
        }
        return .dictionary(found)
    }
}
