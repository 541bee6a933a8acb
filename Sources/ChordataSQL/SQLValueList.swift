#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Many values as one blob, for lists that are too long for one binding per value.
///
/// JSON would lose bits of doubles and the ends of texts with a NUL, and could not contain blobs; this format keeps all
/// values. All numbers are little-endian: the count, the offset of each value (both UInt32), then the values: a byte
/// for the type, and the payload up to the next value.
package enum SQLValueList {
    private enum Tag: UInt8 {
        case null, integer, real, text, blob
    }

    /// Returns a blob that contains the values.
    package static func encode(_ values: [SQLValue]) -> Data {
        var offsets: [UInt32] = []
        offsets.reserveCapacity(values.count)
        var payload = Data()
        let start = 4 + 4 * values.count
        for value in values {
            // A blob of 4 GB is beyond SQLite's limit for one value.
            offsets.append(UInt32(start + payload.count))
            switch value {
            case .null: payload.append(Tag.null.rawValue)
            case .integer(let number):
                payload.append(Tag.integer.rawValue)
                append(UInt64(bitPattern: number), to: &payload)
            case .real(let number):
                payload.append(Tag.real.rawValue)
                append(number.bitPattern, to: &payload)
            case .text(let text):
                payload.append(Tag.text.rawValue)
                payload.append(contentsOf: text.utf8)
            case .blob(let data):
                payload.append(Tag.blob.rawValue)
                payload.append(data)
            }
        }
        var result = Data(capacity: start + payload.count)
        append(UInt32(values.count), to: &result)
        for offset in offsets { append(offset, to: &result) }
        result.append(payload)
        return result
    }

    /// Returns a value of the blob; NULL beyond the end, and for bytes that are not a list.
    /// - Complexity: O(1), plus the length of the value.
    static func element(of list: UnsafeRawBufferPointer, at index: Int) -> SQLValue {
        guard let count = read(UInt32.self, list, at: 0).map(Int.init), index >= 0, index < count,
            let start = read(UInt32.self, list, at: 4 + 4 * index).map(Int.init)
        else { return .null }
        let end =
            index + 1 < count ? read(UInt32.self, list, at: 8 + 4 * index).map(Int.init) ?? list.count : list.count
        guard start < end, end <= list.count, let tag = Tag(rawValue: list[start]) else { return .null }
        let payload = UnsafeRawBufferPointer(rebasing: list[(start + 1)..<end])
        switch tag {
        case .null: return .null
        case .integer: return read(UInt64.self, payload, at: 0).map { .integer(Int64(bitPattern: $0)) } ?? .null
        case .real: return read(UInt64.self, payload, at: 0).map { .real(Double(bitPattern: $0)) } ?? .null
        case .text: return .text(String(decoding: payload, as: UTF8.self))
        case .blob: return .blob(Data(payload))
        }
    }

    /// Returns all values of the blob; an empty array if the offsets of the values are not in ascending order.
    package static func decode(_ list: UnsafeRawBufferPointer) -> [SQLValue] {
        let count = read(UInt32.self, list, at: 0).map(Int.init) ?? 0
        // The list is not longer than its bytes allow, regardless of its count.
        let indexes = 0..<min(count, list.count / 4)
        var end = 0
        for index in indexes {
            guard let start = read(UInt32.self, list, at: 4 + 4 * index), start >= end else { return [] }
            end = Int(start)
        }
        return indexes.map { element(of: list, at: $0) }
    }

    private static func append(_ number: some FixedWidthInteger, to data: inout Data) {
        withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    }

    private static func read<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type,
        _ bytes: UnsafeRawBufferPointer,
        at offset: Int
    ) -> Number? {
        guard offset + MemoryLayout<Number>.size <= bytes.count else { return nil }
        return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
}
