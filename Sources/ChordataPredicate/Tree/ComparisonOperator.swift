/// An operator that compares two expressions.
package enum ComparisonOperator: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
}

/// The letters in brackets after an operator.
package struct ComparisonOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A Boolean value that indicates whether there are no options; implemented without generic code, because it is
    /// used for each side of each comparison.
    package var isEmpty: Bool { rawValue == 0 }

    package static let caseInsensitive = ComparisonOptions(rawValue: 1)
    package static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// The strings are known to be normalized, so they are compared unchanged; the other options are then ignored.
    package static let normalized = ComparisonOptions(rawValue: 4)
    /// This option is kept for printing; no comparison depends on a locale.
    package static let localeSensitive = ComparisonOptions(rawValue: 8)

    /// The letters in the order `cdnl`.
    package var letters: String {
        (contains(.caseInsensitive) ? "c" : "") + (contains(.diacriticInsensitive) ? "d" : "")
            + (contains(.normalized) ? "n" : "") + (contains(.localeSensitive) ? "l" : "")
    }

    /// The options that change how strings are compared: `c` and `d`, unless `n` overrides them (P6).
    package var effective: ComparisonOptions {
        contains(.normalized) ? [] : intersection([.caseInsensitive, .diacriticInsensitive])
    }

    /// Reads the letters of ``letters``; other letters are ignored.
    package init(letters: String) {
        var options: ComparisonOptions = []
        for letter in letters.utf8 {
            switch letter {
            case UInt8(ascii: "c"): options.insert(.caseInsensitive)
            case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
            case UInt8(ascii: "n"): options.insert(.normalized)
            case UInt8(ascii: "l"): options.insert(.localeSensitive)
            default: break
            }
        }
        self = options
    }
}
