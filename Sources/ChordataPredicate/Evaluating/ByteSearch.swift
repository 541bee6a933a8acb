/// A run of bytes to look for in many texts.
///
/// Each byte of the text is examined a single time (Knuth, Morris, Pratt), so no text is slow.
struct ByteSearch {
    private let needle: [UInt8]
    /// For each length of a match that fails, how much of it may still be the beginning of another.
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

    /// Returns a Boolean value that indicates whether the text has the run.
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
