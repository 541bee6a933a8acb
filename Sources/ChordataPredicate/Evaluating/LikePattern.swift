/// The meaning of a LIKE pattern without wildcards except a `*` at its ends.
package enum PlainLikePattern: Hashable {
    case equal(String)
    case beginsWith(String)
    case endsWith(String)
    case contains(String)

    /// Creates the meaning of a pattern; `nil` for a pattern with other wildcards.
    package init?(_ pattern: String) {
        var text = String.UnicodeScalarView()
        var isEscaped = false
        var (beginsWithRun, endsWithRun) = (false, false)
        for scalar in pattern.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "*" {
                if text.isEmpty { beginsWithRun = true } else { endsWithRun = true }
                continue
            } else if scalar == "?" {
                return nil
            } else if scalar == "\\" {
                isEscaped = true
                continue
            }
            if endsWithRun { return nil }
            text.append(scalar)
        }
        if isEscaped {
            if endsWithRun { return nil }
            text.append("\\")
        }
        let string = String(text)
        switch (beginsWithRun, endsWithRun) {
        case (false, false): self = .equal(string)
        case (false, true): self = .beginsWith(string)
        case (true, false): self = string.isEmpty ? .beginsWith("") : .endsWith(string)
        case (true, true): self = .contains(string)
        }
    }
}

/// A pattern of LIKE: `*` is any run of scalars, `?` is one scalar, a backslash makes the next scalar literal.
///
/// All positions of the pattern are tracked in parallel, as bits of machine words, so there is no backtracking.
package struct LikePattern: Sendable {
    /// The bits of a word in which a scalar matches more positions than those that any scalar matches.
    private typealias WordBits = (word: Int, bits: UInt64)

    /// The positions that a scalar matches; only words with such positions, in their order.
    private var asciiBits: [[WordBits]]
    private var otherBits: [Unicode.Scalar: [WordBits]]
    /// The positions that any scalar matches.
    private var anyMask: [UInt64]
    /// The states in which a run may stay.
    private var runMask: [UInt64]
    /// The number of scalars of the pattern, without runs.
    private let length: Int

    /// Reads a pattern; a backslash at the end is literal.
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

        // State i means that i elements have been matched; element i is the transition from state i to state i + 1.
        let words = elements.count / 64 + 1
        length = elements.count
        anyMask = Array(repeating: 0, count: words)
        runMask = Array(repeating: 0, count: words)
        for run in runs { runMask[run / 64] |= 1 << UInt64(run % 64) }
        var bits: [Unicode.Scalar: [WordBits]] = [:]
        for (index, element) in elements.enumerated() {
            let bit: UInt64 = 1 << UInt64(index % 64)
            switch element {
            case .any: anyMask[index / 64] |= bit
            case .scalar(let scalar):
                var known = bits.removeValue(forKey: scalar) ?? []
                if known.last?.word != index / 64 { known.append((index / 64, 0)) }
                known[known.count - 1].bits |= bit
                bits[scalar] = known
            }
        }
        asciiBits = (0..<128).map { bits[Unicode.Scalar(UInt8($0))] ?? [] }
        otherBits = bits.filter { !$0.key.isASCII }
    }

    /// The pattern as bits of one word, for ASCII texts; `nil` if it has more positions.
    var singleWord: (fitting: [UInt64], runMask: UInt64, end: UInt64)? {
        guard anyMask.count == 1 else { return nil }
        let fitting = asciiBits.map { $0.reduce(anyMask[0]) { $0 | $1.bits } }
        return (fitting, runMask[0], 1 << UInt64(length))
    }

    /// Returns a Boolean value that indicates whether the whole text matches the pattern.
    /// - Complexity: O(n) in the length of the text, times one for each 64 scalars of the pattern.
    package func matches(_ text: String) -> Bool {
        var states = Array(repeating: UInt64(0), count: anyMask.count)
        states[0] = 1
        for scalar in text.unicodeScalars {
            let bits = scalar.isASCII ? asciiBits[Int(scalar.value)] : otherBits[scalar] ?? []
            var next = 0
            var carry: UInt64 = 0
            var isAlive: UInt64 = 0
            for word in states.indices {
                var mask = anyMask[word]
                if next < bits.count, bits[next].word == word {
                    mask |= bits[next].bits
                    next += 1
                }
                let moved = states[word] & mask
                states[word] = (moved << 1) | carry | (states[word] & runMask[word])
                carry = moved >> 63
                isAlive |= states[word]
            }
            if isAlive == 0 { return false }
        }
        return states[length / 64] & (1 << UInt64(length % 64)) != 0
    }
}
