/// A sequence of bytes to search for in many texts.
///
/// Each byte of the text is examined only once (Knuth, Morris, Pratt), so the search is not slow for any text.
struct ByteSearch {
    private let needle: [UInt8]
    /// For each length of a partial match that fails, the length of the part that may still be the beginning of another
    /// match.
    private let fallbacks: [Int]

    init(_ needle: [UInt8]) {
        self.needle = needle
        var fallbacks = Array(repeating: 0, count: needle.count + 1)
        var length = 0
        for index in needle.indices.dropFirst() {
            while length > 0, needle[index] != needle[length] { length = fallbacks[length] }
            if needle[index] == needle[length] { length += 1 }
            fallbacks[index + 1] = length
        }
        self.fallbacks = fallbacks
    }

    /// Returns a Boolean value that indicates whether the text contains the sequence.
    /// - Complexity: O(n) in the length of the text.
    func isFound(in text: UnsafeBufferPointer<UInt8>) -> Bool {
        if needle.isEmpty { return true }
        return needle.withUnsafeBufferPointer { needle in
            var length = 0
            for byte in text {
                while length > 0, byte != needle[length] { length = fallbacks[length] }
                if byte == needle[length] { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }
}
