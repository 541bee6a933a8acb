import ChordataModel
import Foundation

/// Returns the string without the differences that the options of a comparison ignore.
///
/// `c` maps each scalar to the lower case of its upper case, which makes the same characters equal as Unicode's full
/// case folding (`ß` and `SS`, the two lower-case sigmas). `d` decomposes canonically, drops nonspacing marks (category
/// Mn), and composes again. Nothing depends on a locale.
/// - Complexity: O(n); ASCII is not decomposed.
package func foldedForComparison(_ string: String, options: ComparisonOptions) -> String {
    let options = options.effective
    if options.isEmpty { return string }
    if string.utf8.allSatisfy({ $0 < 0x80 }) {
        return options.contains(.caseInsensitive) ? string.lowercased() : string
    }
    var result = string
    if options.contains(.caseInsensitive) {
        var folded = String.UnicodeScalarView()
        for scalar in string.unicodeScalars { appendCaseFolded(scalar, to: &folded) }
        result = String(folded)
    }
    if options.contains(.diacriticInsensitive) {
        var stripped = String.UnicodeScalarView()
        for scalar in result.decomposedStringWithCanonicalMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            stripped.append(scalar)
        }
        result = String(stripped).precomposedStringWithCanonicalMapping
    }
    return result
}

extension PredicateValue {
    /// Returns the value without the differences that the options ignore; only strings change.
    package func folded(_ options: ComparisonOptions) -> PredicateValue {
        guard !options.isEmpty, case .attribute(.string(let string)) = self else { return self }
        return .attribute(.string(foldedForComparison(string, options: options)))
    }
}

private func appendCaseFolded(_ scalar: Unicode.Scalar, to result: inout String.UnicodeScalarView) {
    if scalar.isASCII {
        let isUpper = scalar.value >= 0x41 && scalar.value <= 0x5A
        result.append(isUpper ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
        return
    }
    // The dotless i is a separate letter, although its upper case is the ordinary I.
    if scalar == "\u{131}" {
        result.append(scalar)
        return
    }
    // The lower case comes first, because the capital sharp s is its own upper case, but its lower case becomes SS.
    for lower in scalar.properties.lowercaseMapping.unicodeScalars {
        for upper in lower.properties.uppercaseMapping.unicodeScalars {
            result.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
        }
    }
}
