/// A pattern of CONTAINS, BEGINSWITH, ENDSWITH or LIKE for ASCII texts, without strings and without reference counting,
/// because it is tested for each row of a search.
///
/// In ASCII, folding changes only the case.
package final class ASCIIPattern {
    private enum Test { case contains, beginsWith, endsWith, like }

    private let test: Test
    /// The form in which the bytes of a text are compared: unchanged, or in lower case.
    private let folded: UnsafeMutablePointer<UInt8>
    private let needle: UnsafeMutableBufferPointer<UInt8>
    /// For each length of a partial match that fails, the length of the part that may still be the beginning of another
    /// match (Knuth, Morris, Pratt).
    private let fallbacks: UnsafeMutablePointer<Int>
    /// The positions of a LIKE pattern that match a scalar, and the states in which a run may stay.
    private let fitting: UnsafeMutablePointer<UInt64>
    private let runMask: UInt64
    private let end: UInt64

    /// - Parameters:
    ///   - bytes: The folded pattern; empty for LIKE.
    ///   - like: The folded pattern of LIKE.
    /// - Returns: `nil` for other operators, and for patterns of LIKE with more than 63 positions.
    init?(_ operation: ComparisonOperator, _ bytes: [UInt8], like: LikePattern?, isFolding: Bool) {
        switch operation {
        case .contains: test = .contains
        case .beginsWith: test = .beginsWith
        case .endsWith: test = .endsWith
        case .like: test = .like
        default: return nil
        }
        let masks = like?.singleWord
        if test == .like, masks == nil { return nil }
        // Allocated only here: an initializer that fails does not call `deinit`.
        (folded, fitting) = (.allocate(capacity: 128), .allocate(capacity: 128))
        for byte in 0..<UInt8(128) {
            folded[Int(byte)] = isFolding && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            fitting[Int(byte)] = 0
        }
        (runMask, end) = (masks?.runMask ?? 0, masks?.end ?? 0)
        if let masks { for byte in 0..<128 { fitting[byte] = masks.fitting[Int(folded[byte])] } }
        needle = .allocate(capacity: bytes.count)
        _ = needle.initialize(from: bytes)
        fallbacks = .allocate(capacity: bytes.count + 1)
        fallbacks.initialize(repeating: 0, count: bytes.count + 1)
        var length = 0
        for index in bytes.indices.dropFirst() {
            while length > 0, bytes[index] != bytes[length] { length = fallbacks[length] }
            if bytes[index] == bytes[length] { length += 1 }
            fallbacks[index + 1] = length
        }
    }

    deinit {
        folded.deallocate()
        fitting.deallocate()
        needle.deallocate()
        fallbacks.deallocate()
    }

    /// Returns a Boolean value that indicates whether a text matches the pattern; `nil` if it is not ASCII.
    /// - Complexity: O(n) in the length of the text.
    package func matches(_ text: UnsafeRawBufferPointer) -> Bool? {
        guard isASCII(text) else { return nil }
        switch test {
        case .contains: return isFound(in: text)
        case .beginsWith: return isEqual(text, at: 0)
        case .endsWith: return isEqual(text, at: text.count - needle.count)
        case .like:
            var states: UInt64 = 1
            for byte in text { states = ((states & fitting[Int(byte)]) << 1) | (states & runMask) }
            return states & end != 0
        }
    }

    private func isASCII(_ text: UnsafeRawBufferPointer) -> Bool {
        var index = 0
        var combined: UInt64 = 0
        while index + 8 <= text.count {
            combined |= text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < text.count {
            combined |= UInt64(text[index])
            index += 1
        }
        return combined & 0x8080_8080_8080_8080 == 0
    }

    private func isFound(in text: UnsafeRawBufferPointer) -> Bool {
        let count = needle.count
        if count == 0 { return true }
        guard text.count >= count, let needle = needle.baseAddress else { return false }
        let first = needle[0]
        var length = 0
        for byte in text {
            let byte = folded[Int(byte)]
            if length == 0 {
                if byte != first { continue }
                length = 1
            } else {
                while length > 0, byte != needle[length] { length = fallbacks[length] }
                if byte == needle[length] { length += 1 }
            }
            if length == count { return true }
        }
        return false
    }

    private func isEqual(_ text: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start >= 0, text.count - start >= needle.count else { return false }
        for index in 0..<needle.count where folded[Int(text[start + index])] != needle[index] { return false }
        return true
    }
}
