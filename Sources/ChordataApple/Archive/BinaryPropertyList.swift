/// A binary property list, whose objects are read one at a time.
///
/// Foundation reads property lists, but does not return the references between the objects of a keyed archive. Objects
/// refer to each other by index, possibly in cycles, so objects are read only on request, and the memory for an object
/// is never more than a multiple of its bytes.
struct BinaryPropertyList: Sendable {
    /// The index of an object in the list.
    typealias Index = Int

    enum Node: Sendable, Hashable {
        case boolean(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case date(Double)
        /// A range of the list's bytes.
        case data(Range<Int>)
        case string(String)
        /// The number of an object of a keyed archive.
        case uid(Int)
        case array([Index])
        case dictionary(keys: [Index], values: [Index])
        /// An object of another kind, such as null or a set.
        case other
    }

    /// The reason why a list is invalid.
    struct Failure: Error, Sendable, Hashable {
        var message: String

        init(_ message: String) { self.message = message }
    }

    let bytes: [UInt8]
    let top: Index
    /// The number of objects.
    let count: Int
    private let offsetSize: Int
    private let indexSize: Int
    private let offsets: Int

    init(_ bytes: [UInt8]) throws(Failure) {
        self.bytes = bytes
        guard bytes.count >= 40, bytes.starts(with: Array("bplist00".utf8)) else {
            throw Failure("does not begin as a binary property list")
        }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        indexSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(indexSize),
            let count = Self.number(in: bytes, at: trailer + 8, size: 8),
            let top = Self.number(in: bytes, at: trailer + 16, size: 8),
            let offsets = Self.number(in: bytes, at: trailer + 24, size: 8),
            offsets <= trailer, count <= (trailer - offsets) / offsetSize, top < count
        else { throw Failure("has an invalid trailer") }
        (self.count, self.top, self.offsets) = (count, top, offsets)
    }

    /// Reads one object.
    func node(at index: Index) throws(Failure) -> Node {
        guard (0..<count).contains(index), let offset = number(at: offsets + index * offsetSize, size: offsetSize),
            offset < offsets
        else { throw Failure("refers to object \(index), which is outside of the list") }
        let (kind, low) = (bytes[offset] >> 4, Int(bytes[offset] & 0xF))
        switch kind {
        case 0:
            switch low {
            case 8: return .boolean(false)
            case 9: return .boolean(true)
            default: return .other
            }
        case 1: return try integer(at: offset + 1, logarithmOfSize: low)
        case 2: return .real(try real(at: offset + 1, logarithmOfSize: low))
        case 3: return .date(try real(at: offset + 1, logarithmOfSize: 3))
        case 8:
            guard low < 8, let number = number(at: offset + 1, size: low + 1) else { throw truncated(index) }
            return .uid(number)
        default: break
        }
        let (length, start) = try length(at: offset, low, of: index)
        switch kind {
        case 4:
            guard length <= offsets - start else { throw truncated(index) }
            return .data(start..<start + length)
        case 5:
            guard length <= offsets - start else { throw truncated(index) }
            return .string(String(decoding: bytes[start..<start + length], as: UTF8.self))
        case 6:
            guard length <= (offsets - start) / 2 else { throw truncated(index) }
            let units = (0..<length).map { UInt16(bytes[start + $0 * 2]) << 8 | UInt16(bytes[start + $0 * 2 + 1]) }
            return .string(String(decoding: units, as: UTF16.self))
        case 0xA: return .array(try indexes(start, length, of: index))
        case 0xD:
            guard length <= Int.max / 2 else { throw truncated(index) }
            let all = try indexes(start, length * 2, of: index)
            return .dictionary(keys: Array(all[..<length]), values: Array(all[length...]))
        default: return .other
        }
    }

    // MARK: Parts of objects

    private func truncated(_ index: Index) -> Failure { Failure("ends within object \(index)") }

    /// An unsigned number, the highest byte first; `nil` outside of the bytes and above the range of `Int`.
    private static func number(in bytes: [UInt8], at offset: Int, size: Int) -> Int? {
        guard offset >= 0, size <= 8, offset <= bytes.count - size else { return nil }
        var number: UInt64 = 0
        for byte in bytes[offset..<offset + size] { number = number << 8 | UInt64(byte) }
        return Int(exactly: number)
    }

    private func number(at offset: Int, size: Int) -> Int? { Self.number(in: bytes, at: offset, size: size) }

    private func integer(at offset: Int, logarithmOfSize low: Int) throws(Failure) -> Node {
        // Integers of 8 bytes are signed; 16 bytes are used for larger unsigned integers.
        let size = 1 << low
        guard low <= 4, offset <= bytes.count - size else { throw Failure("has an invalid integer") }
        var number: UInt64 = 0
        for byte in bytes[offset..<offset + size].suffix(8) { number = number << 8 | UInt64(byte) }
        if low == 4, let value = Int64(exactly: number) { return .integer(value) }
        return low == 4 ? .other : .integer(Int64(bitPattern: number))
    }

    private func real(at offset: Int, logarithmOfSize low: Int) throws(Failure) -> Double {
        let size = 1 << low
        guard low == 2 || low == 3, offset <= bytes.count - size else { throw Failure("has an invalid number") }
        var number: UInt64 = 0
        for byte in bytes[offset..<offset + size] { number = number << 8 | UInt64(byte) }
        return low == 3 ? Double(bitPattern: number) : Double(Float(bitPattern: UInt32(number)))
    }

    /// The number of elements of an object and the offset of the first one.
    private func length(at offset: Int, _ low: Int, of index: Index) throws(Failure) -> (length: Int, start: Int) {
        guard low == 0xF else { return (low, offset + 1) }
        let start = offset + 1
        guard start < offsets, bytes[start] >> 4 == 1, bytes[start] & 0xF <= 3,
            case let size = 1 << Int(bytes[start] & 0xF), let length = number(at: start + 1, size: size),
            start + 1 + size <= offsets
        else { throw truncated(index) }
        return (length, start + 1 + size)
    }

    private func indexes(_ start: Int, _ length: Int, of index: Index) throws(Failure) -> [Index] {
        guard length <= (offsets - start) / indexSize else { throw truncated(index) }
        var indexes: [Index] = []
        indexes.reserveCapacity(length)
        for place in 0..<length {
            guard let number = number(at: start + place * indexSize, size: indexSize) else { throw truncated(index) }
            indexes.append(number)
        }
        return indexes
    }
}
