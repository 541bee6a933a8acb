import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// Compares the reader and the writer with those of Foundation.
struct BinaryPropertyListTests {
    private static var sample: [String: Any] {
        [
            "text": "Zoë", "plain": "abc", "long": String(repeating: "x", count: 300), "yes": true, "small": 7,
            "negative": -3, "large": Int64.max, "real": 2.5, "bytes": Data([1, 2, 3]),
            "list": (0..<20).map { $0 * 1_000 }, "nested": ["a": ["b", "c"]],
        ]
    }

    /// Returns an object of a list, with everything in it, as Foundation values.
    private static func value(_ list: BinaryPropertyList, _ index: Int) throws -> Any {
        switch try list.node(at: index) {
        case .boolean(let value): return value
        case .integer(let value): return value
        case .real(let value): return value
        case .string(let text): return text
        case .data(let range): return Data(list.bytes[range])
        case .array(let elements): return try elements.map { try value(list, $0) }
        case .dictionary(let keys, let values):
            var dictionary: [String: Any] = [:]
            for (key, element) in zip(keys, values) {
                guard case .string(let name) = try list.node(at: key) else { continue }
                dictionary[name] = try value(list, element)
            }
            return dictionary
        case .date, .uid, .other: return "unexpected"
        }
    }

    @Test func readsWhatFoundationWrites() throws {
        let data = try PropertyListSerialization.data(fromPropertyList: Self.sample, format: .binary, options: 0)
        let list = try BinaryPropertyList(Array(data))
        let read = try Self.value(list, list.top) as? [String: Any] ?? [:]
        expectEqual(NSDictionary(dictionary: read), NSDictionary(dictionary: Self.sample))
        let dates = try PropertyListSerialization.data(
            fromPropertyList: [Date(timeIntervalSinceReferenceDate: 12.5)],
            format: .binary,
            options: 0
        )
        let dateList = try BinaryPropertyList(Array(dates))
        guard case .array(let elements) = try dateList.node(at: dateList.top) else { return #expect(Bool(false)) }
        expectEqual(try dateList.node(at: elements[0]), .date(12.5))
    }

    @Test func foundationReadsWhatIsWritten() throws {
        let bytes = writePropertyList(
            .dictionary([
                ("text", .string("Zoë")), ("long", .string(String(repeating: "x", count: 300))),
                ("yes", .boolean(true)),
                ("numbers", .array([0, 255, 256, 65_536, 1 << 40, -1, Int64.min].map { .integer($0) })),
                ("real", .real(-0.5)), ("bytes", .data(Array(repeating: 9, count: 70_000))),
            ])
        )
        let read = try PropertyListSerialization.propertyList(from: Data(bytes), format: nil) as? [String: Any] ?? [:]
        let expected: [String: Any] = [
            "text": "Zoë", "long": String(repeating: "x", count: 300), "yes": true,
            "numbers": [0, 255, 256, 65_536, 1 << 40, -1, Int64.min], "real": -0.5,
            "bytes": Data(repeating: 9, count: 70_000),
        ]
        expectEqual(NSDictionary(dictionary: read), NSDictionary(dictionary: expected))
    }

    // MARK: Hostile lists

    private static func message(_ bytes: [UInt8]) -> String? {
        do throws(BinaryPropertyList.Failure) {
            let list = try BinaryPropertyList(bytes)
            for index in 0..<list.count { _ = try list.node(at: index) }
            return nil
        } catch {
            return error.message
        }
    }

    @Test func hostileTrailers() {
        let bytes = writePropertyList(.array([.string("a")]))
        #expect(Self.message(bytes) == nil)
        expectEqual(Self.message([]), "does not begin as a binary property list")
        #expect(Self.message(Array("<?xml version=\"1.0\"?><plist version=\"1.0\"></plist>".utf8)) != nil)
        let trailer = bytes.count - 32
        func changed(_ offset: Int, _ values: [UInt8]) -> String? {
            var copy = bytes
            copy.replaceSubrange(trailer + offset..<trailer + offset + values.count, with: values)
            return Self.message(copy)
        }
        let huge: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]
        // The sizes of offsets and references, the number of objects, the top object and the offset of the table.
        for (offset, values) in [(6, [0]), (7, [9]), (8, huge), (8, [0x7F] + huge.dropFirst()), (16, huge), (24, huge)]
        {
            expectEqual(changed(offset, values), "has an invalid trailer")
        }
        expectEqual(changed(15, [3]), "has an invalid trailer")
    }

    @Test func hostileLengths() throws {
        // An array of 2^56 elements, and a string of 2^62 bytes.
        for object in [[0xAF, 0x13, 1, 0, 0, 0, 0, 0, 0, 0], [0x5F, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0]] as [[UInt8]] {
            var bytes = Array("bplist00".utf8) + object + [8] + [0, 0, 0, 0, 0, 0, 1, 1]
            bytes +=
                [0, 0, 0, 0, 0, 0, 0, 1] + [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, UInt8(8 + object.count)]
            expectEqual(Self.message(bytes), "ends within object 0")
        }
    }

    @Test func damagedListsLaw() throws {
        let seed: UInt64 = 31
        print("BinaryPropertyListTests.damagedListsLaw: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let original = try Array(
            PropertyListSerialization.data(fromPropertyList: Self.sample, format: .binary, options: 0)
        )
        for _ in 0..<1_000 {
            var bytes = Array(original[..<(original.count - (generator.chance(4) ? generator.below(60) : 0))])
            for _ in 0...generator.below(4) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
            _ = Self.message(bytes)
        }
    }
}
