import ChordataModel
import Foundation

/// The orders in which text can be sorted, which are those of Core Data's stores.
public enum StringComparison: Sendable, Hashable, CaseIterable {
    /// By Unicode scalars: `compare:`.
    case literal
    /// By Unicode scalars, without distinction of upper and lower case: `caseInsensitiveCompare:`.
    case caseInsensitive
    /// In the order of the current locale: `localizedCompare:`.
    case localized
    /// In the order of the current locale, without distinction of upper and lower case:
    /// `localizedCaseInsensitiveCompare:`.
    case localizedCaseInsensitive
    /// In the order of lists of names and files, with `"2"` before `"10"`: `localizedStandardCompare:`.
    case localizedStandard

    /// A Boolean value that indicates whether the order depends on the current locale.
    package var isLocalized: Bool {
        switch self {
        case .literal, .caseInsensitive: false
        case .localized, .localizedCaseInsensitive, .localizedStandard: true
        }
    }
}

/// Returns the order of two strings.
package func compareStrings(_ left: String, _ right: String, by comparison: StringComparison) -> ValueOrder {
    let result: ComparisonResult
    switch comparison {
    case .literal: return compareStrings(left, right)
    case .caseInsensitive:
        return compareStrings(
            foldedForComparison(left, options: .caseInsensitive),
            foldedForComparison(right, options: .caseInsensitive)
        )
    case .localized: result = left.localizedCompare(right)
    case .localizedCaseInsensitive: result = left.localizedCaseInsensitiveCompare(right)
    case .localizedStandard: result = left.localizedStandardCompare(right)
    }
    return switch result {
    case .orderedAscending: .ascending
    case .orderedSame: .same
    case .orderedDescending: .descending
    }
}

/// Returns the order in which SQLite sorts two values, with the given comparison for strings.
package func comparePredicateValues(
    _ left: PredicateValue,
    _ right: PredicateValue,
    by comparison: StringComparison
) -> Int {
    if comparison != .literal, case .attribute(.string(let a)) = left, case .attribute(.string(let b)) = right {
        return compareStrings(a, b, by: comparison).rawValue
    }
    return comparePredicateValues(left, right)
}
