/// The reasons why compressed bytes cannot be decompressed.
enum InflateError: Error {
    /// The bytes end before the end of the data.
    case truncated
    /// The bytes are not compressed data.
    case invalid
    /// The data is larger than the limit.
    case tooLarge
}

/// Decompresses raw DEFLATE data (RFC 1951), which has neither a header nor a checksum.
/// - Parameter limit: The largest number of bytes to return.
func inflate(_ bytes: [UInt8], limit: Int) throws(InflateError) -> [UInt8] {
    var inflater = Inflater(bytes, limit: limit)
    try inflater.run()
    return inflater.output
}

private struct Inflater {
    private let input: [UInt8]
    private let limit: Int
    private(set) var output: [UInt8] = []
    private var position = 0
    /// The bits that were read from the input and not yet used; the next bit is the lowest one.
    private var bits: UInt32 = 0
    private var bitCount = 0

    init(_ input: [UInt8], limit: Int) {
        self.input = input
        self.limit = limit
    }

    mutating func run() throws(InflateError) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try decode(literals: Self.fixedLiterals, distances: Self.fixedDistances)
            case 2:
                let (literals, distances) = try readTables()
                try decode(literals: literals, distances: distances)
            default: throw .invalid
            }
        }
    }

    // MARK: Bits

    private mutating func take(_ count: Int) throws(InflateError) -> Int {
        while bitCount < count {
            guard position < input.count else { throw .truncated }
            bits |= UInt32(input[position]) << UInt32(bitCount)
            position += 1
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func symbol(of code: HuffmanCode) throws(InflateError) -> Int {
        // The code words of each length are consecutive numbers.
        var word = 0
        var first = 0
        var index = 0
        for length in 1...HuffmanCode.maximumLength {
            word |= try take(1)
            let count = code.counts[length]
            if word - first < count { return code.symbols[index + word - first] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw .invalid
    }

    // MARK: Blocks

    private mutating func append(_ byte: UInt8) throws(InflateError) {
        guard output.count < limit else { throw .tooLarge }
        output.append(byte)
    }

    private mutating func copyStored() throws(InflateError) {
        (bits, bitCount) = (0, 0)
        guard position + 4 <= input.count else { throw .truncated }
        let length = Int(input[position]) | Int(input[position + 1]) << 8
        let complement = Int(input[position + 2]) | Int(input[position + 3]) << 8
        guard length ^ complement == 0xFFFF else { throw .invalid }
        position += 4
        guard position + length <= input.count else { throw .truncated }
        guard output.count + length <= limit else { throw .tooLarge }
        output += input[position..<position + length]
        position += length
    }

    private mutating func decode(literals: HuffmanCode, distances: HuffmanCode) throws(InflateError) {
        while true {
            let symbol = try symbol(of: literals)
            if symbol < 256 {
                try append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return }
            guard symbol - 257 < Self.lengths.count else { throw .invalid }
            let (base, extra) = Self.lengths[symbol - 257]
            let length = base + (try take(extra))
            let place = try self.symbol(of: distances)
            guard place < Self.distances.count else { throw .invalid }
            let (distanceBase, distanceExtra) = Self.distances[place]
            let distance = distanceBase + (try take(distanceExtra))
            guard distance <= output.count else { throw .invalid }
            // The source may overlap with the bytes that are written.
            for _ in 0..<length { try append(output[output.count - distance]) }
        }
    }

    /// Reads the two codes of a block, whose code lengths are themselves compressed.
    private mutating func readTables() throws(InflateError) -> (HuffmanCode, HuffmanCode) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let lengthCount = try take(4) + 4
        var lengths = Array(repeating: 0, count: 19)
        for place in Self.lengthOrder.prefix(lengthCount) { lengths[place] = try take(3) }
        let lengthCode = try HuffmanCode(lengths)
        var all: [Int] = []
        while all.count < literalCount + distanceCount {
            switch try symbol(of: lengthCode) {
            case let length where length < 16: all.append(length)
            case 16:
                guard let last = all.last else { throw .invalid }
                all += Array(repeating: last, count: try take(2) + 3)
            case 17: all += Array(repeating: 0, count: try take(3) + 3)
            default: all += Array(repeating: 0, count: try take(7) + 11)
            }
        }
        guard all.count == literalCount + distanceCount else { throw .invalid }
        return (try HuffmanCode(Array(all[..<literalCount])), try HuffmanCode(Array(all[literalCount...])))
    }

    // MARK: Constants of RFC 1951, 3.2.5 to 3.2.7

    /// Returns the first value and the number of extra bits of each symbol; the ranges of the symbols are consecutive.
    private static func ranges(from first: Int, extraBits: [Int]) -> [(base: Int, extra: Int)] {
        var base = first
        return extraBits.map { extra in
            defer { base += 1 << extra }
            return (base, extra)
        }
    }

    private static let lengths =
        ranges(from: 3, extraBits: [0, 0, 0, 0, 0, 0, 0, 0] + (1...5).flatMap { [$0, $0, $0, $0] }) + [(258, 0)]
    private static let distances = ranges(from: 1, extraBits: [0, 0, 0, 0] + (1...13).flatMap { [$0, $0] })
    private static let lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
    private static let fixedLiterals = HuffmanCode(
        complete: Array(repeating: 8, count: 144) + Array(repeating: 9, count: 112) + Array(repeating: 7, count: 24)
            + Array(repeating: 8, count: 8)
    )
    private static let fixedDistances = HuffmanCode(complete: Array(repeating: 5, count: 30))
}

/// A canonical Huffman code.
private struct HuffmanCode {
    static let maximumLength = 15

    /// The number of code words of each length.
    let counts: [Int]
    /// The symbols in the order of their code words.
    let symbols: [Int]

    /// Creates a code from the length of each symbol's code word; 0 for a symbol without one.
    init(_ lengths: [Int]) throws(InflateError) {
        self.init(complete: lengths)
        // A code must not have more code words of a length than there is room for, but may have fewer.
        var room = 1
        for length in 1...Self.maximumLength {
            room = room * 2 - counts[length]
            guard room >= 0 else { throw .invalid }
        }
    }

    /// Creates a code from lengths that are known to be valid.
    init(complete lengths: [Int]) {
        var counts = Array(repeating: 0, count: Self.maximumLength + 1)
        for length in lengths where length > 0 { counts[length] += 1 }
        self.counts = counts
        symbols = lengths.indices.filter { lengths[$0] > 0 }.sorted { (lengths[$0], $0) < (lengths[$1], $1) }
    }
}
