import ChordataPredicate

/// The functions that rendered SQL calls: a connection registers each of them, and no others, under its raw value.
///
/// All are deterministic and take UTF-8 text. ``SQLFunctionCall`` is what they do.
package enum SQLFunction: String, Sendable, Hashable, CaseIterable {
    /// `chordata_fold(text, options)`: the text without what the options pass over.
    case fold = "chordata_fold"
    /// `chordata_contains(text, pattern, options)` and so on: 1, or 0, also when text or pattern is NULL.
    case contains = "chordata_contains"
    case begins = "chordata_begins"
    case ends = "chordata_ends"
    case like = "chordata_like"
    case matches = "chordata_matches"
    /// `chordata_list_element(list, index)`: a value out of a list that was bound as one blob.
    case listElement = "chordata_list_element"

    /// How many arguments the function takes.
    package var argumentCount: Int32 {
        switch self {
        case .fold, .listElement: 2
        case .contains, .begins, .ends, .like, .matches: 3
        }
    }

    /// The operator of predicates that the function tests.
    var comparisonOperator: ComparisonOperator? {
        switch self {
        case .fold, .listElement: nil
        case .contains: .contains
        case .begins: .beginsWith
        case .ends: .endsWith
        case .like: .like
        case .matches: .matches
        }
    }
}

/// The collations that rendered SQL names: a connection registers each of them under its raw value.
package enum SQLCollation: String, Sendable, Hashable, CaseIterable {
    /// Orders the texts of decimals by their numbers.
    case decimal = "chordata_decimal"

    /// Compares two texts: negative, 0 or positive.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int32 {
        switch self {
        case .decimal: Int32(compareDecimalTexts(left, right).rawValue)
        }
    }
}
