/// A pattern of LIKE: `*` is any run of scalars, `?` is one scalar, a backslash makes the next scalar stand for itself.
///
/// All positions of the pattern are followed at once, as bits of machine words, so there is no backtracking.
package struct LikePattern: Sendable {
    /// For ASCII, which positions a scalar fits; other scalars are looked up.
    private var asciiMasks: [[UInt64]]
    private var otherMasks: [Unicode.Scalar: [UInt64]]
    /// The positions that any scalar fits.
    private var anyMask: [UInt64]
    /// The states that a run may stay in.
    private var runMask: [UInt64]
    /// How many scalars the pattern has, runs apart.
    private let length: Int

    /// Reads a pattern; a backslash at the end stands for itself.
    package init(_ pattern: String) {
        enum Element { case scalar(Unicode.Scalar), any }
        var elements: [Element] = []
        var runs: [Int] = []
        var isEscaped = false
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                elements.append(.scalar(scalar))
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "*" {
                runs.append(elements.count)
            } else {
                elements.append(scalar == "?" ? .any : .scalar(scalar))
            }
        }
        if isEscaped { elements.append(.scalar("\\")) }

        // State i means that i elements have been matched; element i leads from state i to state i + 1.
        let words = elements.count / 64 + 1
        length = elements.count
        anyMask = Array(repeating: 0, count: words)
        runMask = Array(repeating: 0, count: words)
        for run in runs { runMask[run / 64] |= 1 << UInt64(run % 64) }
        for (index, element) in elements.enumerated() {
            if case .any = element { anyMask[index / 64] |= 1 << UInt64(index % 64) }
        }
        asciiMasks = []
        otherMasks = [:]
        var masks: [Unicode.Scalar: [UInt64]] = [:]
        for (index, element) in elements.enumerated() {
            guard case .scalar(let scalar) = element else { continue }
            masks[scalar, default: anyMask][index / 64] |= 1 << UInt64(index % 64)
        }
        asciiMasks = (0..<128).map { masks[Unicode.Scalar(UInt8($0))] ?? anyMask }
        otherMasks = masks.filter { !$0.key.isASCII }
    }

    /// Whether the whole text fits the pattern.
    /// - Complexity: O(n) in the length of the text, times one for each 64 scalars of the pattern.
    package func matches(_ text: String) -> Bool {
        var states = Array(repeating: UInt64(0), count: anyMask.count)
        states[0] = 1
        for scalar in text.unicodeScalars {
            let mask = scalar.isASCII ? asciiMasks[Int(scalar.value)] : otherMasks[scalar] ?? anyMask
            var carry: UInt64 = 0
            var isAlive: UInt64 = 0
            for word in states.indices {
                let moved = states[word] & mask[word]
                states[word] = (moved << 1) | carry | (states[word] & runMask[word])
                carry = moved >> 63
                isAlive |= states[word]
            }
            if isAlive == 0 { return false }
        }
        return states[length / 64] & (1 << UInt64(length % 64)) != 0
    }
}
